#pragma once
// What a server has filled in by the time it validates an object: a namespace, a name. It is taken
// back when this goes, so that it is not part of the output. The object and the arena must outlive
// it.
#include <array>
#include <cstddef>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::validate {

class FilledIn {
 public:
  FilledIn(value::Value& object, Arena& arena, bool namespaced);
  ~FilledIn();
  FilledIn(const FilledIn&) = delete;
  FilledIn& operator=(const FilledIn&) = delete;

  // An update always carries the version that it replaces, and the identity of the object.
  void take_from(value::Value& old, Arena& arena);

 private:
  void fill(value::Value& metadata, std::string_view key, std::string_view text, Arena& arena);

  value::Value& object_;
  bool had_none_ = false;
  value::Value namespace_name_;  // the object's own namespace; null when it has none
  std::array<std::string_view, 8> keys_;
  std::size_t filled_ = 0;
};

}  // namespace strake::validate
