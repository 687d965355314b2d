#pragma once
// The objects that the checked ones replace, by kind, namespace and name.
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"
#include "value/read_options.h"

namespace strake::validate {

class OldObjects {
 public:
  // Objects of all documents of the text, also as items of lists. Fails when it cannot be read.
  Result<> add(std::string_view text, const value::ReadOptions& options);
  // Null when there is none. Versions of a kind are one object. One without a namespace is the only
  // one of its name, whatever namespace that is in.
  const value::Value* find(const value::Value& object) const;

 private:
  std::deque<value::Document> documents_;  // never moves them
  void note(const value::Value& object);

  std::map<std::string, const value::Value*, std::less<>> by_key_;
  std::map<std::string, const value::Value*, std::less<>> by_name_;  // null when there are several
};

// The items of a list as clients print them, v1 List or the list kind of a resource; null when it
// is none.
const value::Value* list_items(const value::Value& object);

}  // namespace strake::validate
