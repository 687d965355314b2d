#pragma once
// One step of a path through an object, as fieldsV1 names it: a field, an item of a list by its key
// fields, an item of a set by its value, an item by its place. As cheap as a Value; what it shows
// lives in an arena.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "base/same_text.h"
#include "value/value.h"

namespace strake::patch {

class PathElement {
 public:
  enum class Kind : std::uint8_t { kField, kKey, kValue, kIndex };  // in their order

  static PathElement field(std::string_view name) {
    return {Kind::kField, value::Value::string(name)};
  }
  // An object of the key fields.
  static PathElement key(value::Value fields) { return {Kind::kKey, fields}; }
  static PathElement item(value::Value scalar) { return {Kind::kValue, scalar}; }
  static PathElement index(std::int64_t at) { return {Kind::kIndex, value::Value::integer(at)}; }

  Kind kind() const { return kind_; }
  bool is_field() const { return kind_ == Kind::kField; }
  std::string_view name() const { return value_.as_string(); }  // of a field
  const value::Value& value() const { return value_; }

  // Less than, equal to or greater than zero. Nearly all elements are fields.
  int compare(const PathElement& other) const {
    if (is_field() && other.is_field()) return value::compare_keys(name(), other.name());
    return compare_kinds(other);
  }
  friend bool operator==(const PathElement& a, const PathElement& b) {
    if (a.is_field() && b.is_field()) return same_text(a.name(), b.name());
    return a.compare_kinds(b) == 0;
  }

  // As messages show it: .name, [port=80,proto="TCP"], [="x"], [0].
  void print(std::string& out) const;
  // As fieldsV1 writes it: f:name, k:{"port":80,"proto":"TCP"}, v:"x", i:0.
  void write(std::string& out) const;
  // Reads what write() writes; the text must outlive the element. Fails with kParse; with
  // kUnsupported when the letter in front is not known, since a newer server may have written it.
  static Result<PathElement> read(std::string_view text, Arena& arena);

 private:
  PathElement(Kind kind, value::Value v) : value_(v), kind_(kind) {}
  int compare_kinds(const PathElement& other) const;

  value::Value value_;
  Kind kind_;
};

struct PathElementLess {
  bool operator()(const PathElement& a, const PathElement& b) const { return a.compare(b) < 0; }
};

using FieldSteps = std::vector<PathElement>;
std::string print(const FieldSteps& path);

// The order of values in sets: numbers, strings, booleans, lists, objects, null.
int compare_values(const value::Value& a, const value::Value& b);
// A value in a message: 1, "x", true, null.
void print_value(const value::Value& v, std::string& out);

}  // namespace strake::patch
