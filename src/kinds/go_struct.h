#pragma once
// How kube-apiserver 1.36 shows a struct in a message: as JSON of its internal type, with Go's
// field names in the order of their declaration, none left out.
#include <span>
#include <string>
#include <string_view>

#include "kinds/describe.h"
#include "value/value.h"

namespace strake::kinds {

// A text field.
struct GoField {
  std::string_view json_name;
  std::string_view go_name;
};

// {"APIGroup":"a","Kind":"b","Name":"c"}. An absent object is one of empty fields.
std::string show_go_struct(const value::Value* object, std::span<const GoField> fields);

// The same of a declared type, with the structs and lists in it. Its fields are texts, numbers,
// bools, structs, and lists of these.
std::string show_go_struct(const value::Value* object, const Type& type);

}  // namespace strake::kinds
