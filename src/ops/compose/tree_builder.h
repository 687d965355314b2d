#pragma once
// Short ways to build the values of one document. The arena must outlive them; text is copied into
// it.
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "value/value.h"

namespace strake::ops::compose {

class TreeBuilder {
 public:
  explicit TreeBuilder(Arena& arena) : arena_(arena) {}

  using Entry = std::pair<std::string_view, value::Value>;

  value::Value text(std::string_view text) const { return value::Value::string(arena_.copy(text)); }
  value::Value map(std::initializer_list<Entry> entries) const {
    value::Value out = value::Value::object({});
    for (const auto& [key, v] : entries) put(out, key, v);
    return out;
  }
  value::Value list(std::initializer_list<value::Value> items) const {
    value::Value out = value::Value::array({});
    for (const value::Value& item : items) out.append(item, arena_);
    return out;
  }
  value::Value texts(std::span<const std::string> items) const {
    value::Value out = value::Value::array({});
    for (const std::string& item : items) out.append(text(item), arena_);
    return out;
  }
  value::Value words(std::initializer_list<std::string_view> items) const {
    value::Value out = value::Value::array({});
    for (const std::string_view item : items) out.append(text(item), arena_);
    return out;
  }
  value::Value text_map(const std::map<std::string, std::string, std::less<>>& entries) const {
    value::Value out = value::Value::object({});
    for (const auto& [key, v] : entries) put(out, key, text(v));
    return out;
  }
  void put(value::Value& object, std::string_view key, value::Value v) const {
    object.set(arena_.copy(key), v, arena_);
  }
  void add(value::Value& array, value::Value item) const { array.append(item, arena_); }

 private:
  Arena& arena_;
};

}  // namespace strake::ops::compose
