#pragma once
// Label and field selectors, in the grammar of the API: "a=b,c!=d,e in (x,y),!f,g notin (z)" and
// "metadata.name=x". A selector without requirements matches everything.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace strake::meta {

class LabelSelector {
 public:
  enum class Operator : std::uint8_t {
    kEquals,
    kDoubleEquals,
    kNotEquals,
    kIn,
    kNotIn,
    kExists,
    kDoesNotExist,
    kGreaterThan,
    kLessThan
  };
  struct Requirement {
    std::string key;
    Operator op;
    std::vector<std::string> values;  // sorted, each once
    // Whether it holds for a label's value, or for its absence.
    bool holds(std::optional<std::string_view> label) const;
    friend bool operator==(const Requirement&, const Requirement&) = default;
  };

  LabelSelector() = default;
  // Fails with kBadRequest: "unable to parse requirement: found 'b', expected: in, notin, =, ==,
  // !=, gt, lt".
  static Result<LabelSelector> parse(std::string_view text);
  // The LabelSelector of an object: {matchLabels, matchExpressions}. Null and {} match everything.
  static Result<LabelSelector> from_value(const value::Value* selector);

  // Labels as metadata has them: an object of strings, or null for none.
  bool matches(const value::Value* labels) const;
  // The same where labels are kept another way: value_of(key) gives the value, or nothing.
  template <typename ValueOf>
  bool matches_with(const ValueOf& value_of) const {
    for (const Requirement& one : requirements_) {
      if (!one.holds(value_of(one.key))) return false;
    }
    return true;
  }
  bool empty() const { return requirements_.empty(); }
  // Sorted by key.
  const std::vector<Requirement>& requirements() const { return requirements_; }
  // Reads back as the same selector.
  std::string to_string() const;

 private:
  std::vector<Requirement> requirements_;
};

class FieldSelector {
 public:
  struct Requirement {
    std::string field;
    bool equal = true;  // false for !=
    std::string value;
    friend bool operator==(const Requirement&, const Requirement&) = default;
  };

  FieldSelector() = default;
  // Fails with kBadRequest: "invalid selector: 'zzz'; can't understand 'zzz'".
  static Result<FieldSelector> parse(std::string_view text);

  bool empty() const { return requirements_.empty(); }
  const std::vector<Requirement>& requirements() const { return requirements_; }
  // The value that the selector asks of the field, when it asks for exactly one.
  std::optional<std::string_view> required_value(std::string_view field) const;
  // Whether all hold; value_of(field) gives the text of a field, empty when it is not there.
  template <typename ValueOf>
  bool matches(const ValueOf& value_of) const {
    for (const Requirement& one : requirements_) {
      if ((value_of(one.field) == std::string_view(one.value)) != one.equal) return false;
    }
    return true;
  }
  std::string to_string() const;

 private:
  std::vector<Requirement> requirements_;
};

}  // namespace strake::meta
