#pragma once
// What clients are told of an object that a patch made and that cannot be read: how it is quoted,
// and the words for what is wrong with it. Both depend on the type of the patch, as in
// kube-apiserver 1.36.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/verbs/patches.h"
#include "meta/shape.h"
#include "value/document.h"
#include "value/value.h"

namespace strake::api {

// A strategic merge patch is quoted itself, as Go prints a map. After other patches the object is
// quoted: members that the patch passed by stand in the order of the built-in type, the others
// sorted. `type_name` is empty for custom resources, which are sorted throughout.
std::string quote_patched(PatchType type, std::string_view type_name, const value::Value& patch,
                          const value::Value& patched);

// What strict decoding finds in the text of the patch: repeated keys.
std::vector<std::string> strict_errors_of_patch(PatchType type, const value::Document& patch);

// An object that a strategic merge made goes to its type by apimachinery's converter, not by its
// JSON decoder. The first value that the converter refuses, in its words; nothing when it takes
// all. Times and the loose places of JSON schemas are left to who reads the object next.
std::optional<std::string> converter_fault(const value::Value& v, const meta::Shape& shape);

}  // namespace strake::api
