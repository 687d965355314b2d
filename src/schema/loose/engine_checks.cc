#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "schema/loose/engine.h"
#include "value/json_writer.h"

// The keywords that look at one value. `examined` counts the checks that a run has made, which
// decides between branches of a union that fail equally often. Words for a report are made only for
// runs that will be reported (sure or kept).

namespace strake::schema::loose {
namespace {

using value::Type;
using value::Value;

bool is_whole(const Value& number) {
  switch (number.type()) {
    case Type::kInt:
    case Type::kUint: return true;
    case Type::kDouble:
      return std::isfinite(number.as_double()) &&
             number.as_double() == std::trunc(number.as_double());
    default: return Decimal::of(number).is_integer();
  }
}

// Below, at or above zero, as the mode compares numbers.
int compare_with(const Value& v, const Number& bound, NumberMode mode) {
  const auto order = [](auto a, auto b) { return a < b ? -1 : (a > b ? 1 : 0); };
  if (v.type() == Type::kInt && bound.integer) return order(v.as_int(), *bound.integer);
  // kube-apiserver compares an integer with the truncated bound.
  if (mode == NumberMode::kK8s && v.type() == Type::kInt) {
    const double cut = std::trunc(bound.approximate);
    if (cut >= 9223372036854775808.0) return -1;
    if (cut < -9223372036854775808.0) return 1;
    return order(v.as_int(), static_cast<std::int64_t>(cut));
  }
  // Only kJsonNumber is exact; the other modes read numbers as doubles.
  if (mode != NumberMode::kJsonNumber) return order(v.as_double(), bound.approximate);
  return compare(Decimal::of(v), bound.exact);
}

bool is_multiple(const Value& v, const Number& divisor, NumberMode mode) {
  if (v.type() == Type::kInt && divisor.integer) return v.as_int() % *divisor.integer == 0;
  if (mode != NumberMode::kJsonNumber) {
    const double ratio = v.as_double() / divisor.approximate;
    return std::isfinite(ratio) && ratio == std::trunc(ratio);
  }
  return Decimal::of(v).is_multiple_of(divisor.exact);
}

std::string shown(const Value& v) {
  std::string out = value::to_json(v, {.escape_html = false});
  constexpr std::size_t kMost = 200;
  if (out.size() <= kMost) return out;
  // Long strings are cut between characters, and stay JSON.
  if (!v.is_string()) return out;
  std::string_view text = v.as_string();
  // Nothing but its escapes makes it long.
  if (text.size() <= kMost) return out;
  std::size_t size = 0;
  while (size < kMost) size += utf8::decode(text.substr(size)).width;
  std::string cut(text.substr(0, size));
  cut += "...";
  return value::to_json(Value::string(cut), {.escape_html = false});
}

}  // namespace

bool StreamEvaluator::Engine::formats_enforced(const LooseNode& node) const {
  if (options_.formats == FormatMode::kAnnotate) return false;
  return options_.formats == FormatMode::kEnforce || node.format_asserted;
}

void StreamEvaluator::Engine::check_type(Run& run, Location& location, std::uint8_t actual,
                                         std::string_view name) {
  if (run.node->never) {
    report(run, location, IssueCode::kNotAllowed, "");
    return;
  }
  if (!run.node->has_type) return;
  ++run.examined;
  if ((run.node->type_set & actual) == 0) {
    run.mistyped = true;
    report(run, location, IssueCode::kInvalidType,
           run.node->int_or_string ? "x-kubernetes-int-or-string" : "type", run.node->type_set, 0,
           name);
  }
}

void StreamEvaluator::Engine::check_scalar(Run& run, Location& location, const Value& v) {
  const LooseNode& node = *run.node;
  switch (v.type()) {
    case Type::kNull: check_type(run, location, types::kNull, "null"); return;
    case Type::kBool: check_type(run, location, types::kBoolean, "boolean"); return;
    case Type::kString:
      check_type(run, location, types::kString, "string");
      check_string(run, location, v.as_string());
      return;
    case Type::kInt: check_type(run, location, types::kInteger | types::kNumber, "integer"); break;
    default: {
      // Whether a number has a fraction matters only where integers are told apart.
      const bool care = node.has_type && (node.type_set & types::kNumber) == 0;
      const bool whole = care && is_whole(v);
      check_type(run, location, whole ? types::kInteger | types::kNumber : types::kNumber,
                 whole ? "integer" : "number");
    }
  }
  if (node.bounds != nullptr) check_number(run, location, v);
  if (node.number_format != Format::kNone && formats_enforced(node))
    check_number_format(run, location, v);
}

void StreamEvaluator::Engine::check_number(Run& run, Location& location, const Value& v) {
  const BoundRules& bounds = *run.node->bounds;
  const auto bad = [&](IssueCode code, std::string_view keyword) {
    report(run, location, code, keyword, 0, 0, shown(v));
  };
  if (bounds.multiple_of) {
    ++run.examined;
    if (!is_multiple(v, *bounds.multiple_of, options_.numbers))
      bad(IssueCode::kNotMultiple, "multipleOf");
  }
  if (bounds.minimum) {
    ++run.examined;
    if (compare_with(v, *bounds.minimum, options_.numbers) < 0)
      bad(IssueCode::kTooSmall, "minimum");
  }
  if (bounds.exclusive_minimum) {
    ++run.examined;
    if (compare_with(v, *bounds.exclusive_minimum, options_.numbers) <= 0)
      bad(IssueCode::kTooSmall, "exclusiveMinimum");
  }
  if (bounds.maximum) {
    ++run.examined;
    if (compare_with(v, *bounds.maximum, options_.numbers) > 0) bad(IssueCode::kTooBig, "maximum");
  }
  if (bounds.exclusive_maximum) {
    ++run.examined;
    if (compare_with(v, *bounds.exclusive_maximum, options_.numbers) >= 0)
      bad(IssueCode::kTooBig, "exclusiveMaximum");
  }
}

void StreamEvaluator::Engine::check_number_format(Run& run, Location& location, const Value& v) {
  ++run.examined;
  const auto outside = [&](const Decimal& low, const Decimal& high) {
    const Decimal exact = Decimal::of(v);
    if (compare(exact, low) < 0)
      return report(run, location, IssueCode::kTooSmall, "format", 0, 0, shown(v));
    if (compare(exact, high) > 0)
      report(run, location, IssueCode::kTooBig, "format", 0, 0, shown(v));
  };
  static const Decimal kInt32Low = Decimal::parse("-2147483648");
  static const Decimal kInt32High = Decimal::parse("2147483647");
  static const Decimal kInt64Low = Decimal::parse("-9223372036854775808");
  static const Decimal kInt64High = Decimal::parse("9223372036854775807");
  static const Decimal kFloatHigh = Decimal::of(Value::number(std::numeric_limits<float>::max()));
  static const Decimal kFloatLow = Decimal::of(Value::number(-std::numeric_limits<float>::max()));
  switch (run.node->number_format) {
    case Format::kInt32: outside(kInt32Low, kInt32High); return;
    case Format::kInt64: outside(kInt64Low, kInt64High); return;
    case Format::kFloat: outside(kFloatLow, kFloatHigh); return;
    default: return;
  }
}

void StreamEvaluator::Engine::check_string(Run& run, Location& location, std::string_view text) {
  const LooseNode& node = *run.node;
  if (node.text != nullptr) {
    const StringRules& rules = *node.text;
    if (rules.min_length || rules.max_length) {
      const std::uint64_t length = utf8::count(text);
      if (rules.min_length) {
        ++run.examined;
        if (length < *rules.min_length)
          report(run, location, IssueCode::kTooShort, "minLength", *rules.min_length, length);
      }
      if (rules.max_length) {
        ++run.examined;
        if (length > *rules.max_length)
          report(run, location, IssueCode::kTooLong, "maxLength", *rules.max_length, length);
      }
    }
    if (rules.pattern != nullptr) {
      ++run.examined;
      if (!rules.pattern->search(text)) report(run, location, IssueCode::kPattern, "pattern");
    }
  }
  if (node.format != StringFormat::kNone && formats_enforced(node)) {
    ++run.examined;
    if (!matches_string_format(node.format, node.format_text, text))
      report(run, location, IssueCode::kInvalidFormat, "format");
  }
  if (node.int_or_string && options_.int_or_string_pattern) {
    ++run.examined;
    std::string_view digits = text;
    if (digits.starts_with('-')) digits.remove_prefix(1);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
      report(run, location, IssueCode::kPattern, "x-kubernetes-int-or-string", 0, 0, "^-?\\d+$");
    }
  }
}

// enum and const are compared by digest, so that objects and arrays need not be kept for it.
// Digests of rounded numbers stand beside the exact ones, for the mode that reads numbers as
// doubles.
void StreamEvaluator::Engine::check_values(Run& run, Location& location, const Digest& digest,
                                           const Value* scalar) {
  const auto got = [&] { return scalar == nullptr ? std::string() : shown(*scalar); };
  const bool rounds = options_.numbers == NumberMode::kFloat64;
  if (const ValueRules* rules = run.node->values.get()) {
    ++run.examined;
    if (!std::ranges::binary_search(rounds ? rules->rounded : rules->allowed, digest)) {
      report(run, location, IssueCode::kInvalidEnum, "enum", 0, 0,
             run.sure || run.kept ? got() : std::string());
    }
  }
  if (const ValueRules* rules = run.node->constant.get()) {
    ++run.examined;
    if ((rounds ? rules->rounded : rules->allowed).front() != digest) {
      report(run, location, IssueCode::kInvalidEnum, "const", 0, 0,
             run.sure || run.kept ? got() : std::string());
    }
  }
}

void StreamEvaluator::Engine::check_object_end(Run& run, Location& location, const Frame& frame) {
  const LooseNode& node = *run.node;
  if (node.embedded_resource && options_.embedded_checks) {
    ++run.examined;
    static constexpr std::pair<std::uint8_t, std::string_view> kMembers[] = {
        {1, "apiVersion must be a string"},
        {2, "kind must be a string"},
        {4, "metadata must be an object"}};
    for (const auto& [bit, text] : kMembers) {
      if ((state_of(run).embedded & bit) != 0) continue;
      report(run, location, IssueCode::kInvalidFormat, "x-kubernetes-embedded-resource", 0, 0,
             text);
    }
  }
  const ObjectRules* rules = node.object.get();
  if (rules == nullptr) return;
  const ContainerState& state = state_of(run);
  const auto missing = [&](std::uint32_t watched, std::string_view keyword) {
    const std::string& name = rules->watched[watched];
    const bool spoken = run.sure || run.kept;
    report_at(run, spoken ? below(path_of(location), {FieldPath::Kind::kField, 0, name}) : nullptr,
              IssueCode::kRequired, keyword, 0, 0, name);
  };
  if (rules->min_properties) {
    ++run.examined;
    if (frame.count < *rules->min_properties) {
      report(run, location, IssueCode::kTooShort, "minProperties", *rules->min_properties,
             frame.count);
    }
  }
  if (rules->max_properties) {
    ++run.examined;
    if (frame.count > *rules->max_properties) {
      report(run, location, IssueCode::kTooLong, "maxProperties", *rules->max_properties,
             frame.count);
    }
  }
  if (!rules->required.empty()) ++run.examined;
  for (const std::uint32_t watched : rules->required) {
    if (!state.seen[watched]) missing(watched, "required");
  }
  for (const DependentRequired& dependent : rules->dependent) {
    if (!state.seen[dependent.key]) continue;
    ++run.examined;
    for (const std::uint32_t watched : dependent.required) {
      if (!state.seen[watched]) missing(watched, "dependentRequired");
    }
  }
}

void StreamEvaluator::Engine::check_array_end(Run& run, Location& location, const Frame& frame) {
  const ArrayRules* rules = run.node->array.get();
  if (rules == nullptr) return;
  if (rules->min_items) {
    ++run.examined;
    if (frame.count < *rules->min_items)
      report(run, location, IssueCode::kTooShort, "minItems", *rules->min_items, frame.count);
  }
  if (rules->max_items) {
    ++run.examined;
    if (frame.count > *rules->max_items)
      report(run, location, IssueCode::kTooLong, "maxItems", *rules->max_items, frame.count);
  }
  if (rules->contains == nullptr) return;
  ++run.examined;
  const ContainerState& state = state_of(run);
  const auto hint = [&] {
    return state.matched.empty() ? fmt::format("matched={}", state.contained)
                                 : fmt::format("matched={}; indices={}", state.contained,
                                               fmt::join(state.matched, ","));
  };
  if (state.contained < rules->min_contains) {
    report(run, location, IssueCode::kTooShort,
           rules->min_contains == 1 ? "contains" : "minContains", rules->min_contains,
           state.contained, hint());
  }
  if (rules->max_contains && state.contained > *rules->max_contains) {
    const bool spoken = run.sure || run.kept;
    PathPtr at =
        spoken ? below(path_of(location),
                       {FieldPath::Kind::kIndex, static_cast<std::size_t>(state.excess_at), {}})
               : nullptr;
    report_at(run, std::move(at), IssueCode::kTooLong, "maxContains", *rules->max_contains,
              state.contained, hint());
  }
}

}  // namespace strake::schema::loose
