#pragma once
// A parsed JSONPath: lists of steps, each taking the values matched so far to the next ones. Inside
// the module.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace strake::publish {

enum class StepKind : std::uint8_t {
  kField,      // `text` is the name
  kSlice,      // `slice`
  kWildcard,   // all children
  kRecursive,  // all descendants that have children, with themselves
  kFilter,     // `parts` are what to compare: two lists, or one when only its existence counts
  kUnion,      // the matches of each of `parts`
  kText,       // `text`, once, whatever was matched
  kConstant,   // `constant`, once for each value matched
  kWord,       // a keyword of templates that has no place in a column: cannot be followed
};

enum class FilterOperator : std::uint8_t {
  kExists,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kUnknown,  // parses, but never compares
};

// Missing ends mean the ends of the array. One number alone has `last` derived from it.
struct Slice {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
  std::optional<std::int64_t> step;
  bool last_is_derived = false;
};

struct Step {
  StepKind kind = StepKind::kField;
  FilterOperator op = FilterOperator::kExists;
  Slice slice;
  value::Value constant;
  std::string text;
  std::vector<std::vector<Step>> parts;
};
using Steps = std::vector<Step>;

// The actions of the template "{<path>}": usually one; a path may close its braces and open others.
Result<std::vector<Steps>> parse_json_path(std::string_view path);

}  // namespace strake::publish
