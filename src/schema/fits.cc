#include "schema/fits.h"

#include <algorithm>

#include "base/utf8.h"
#include "schema/number_check.h"
#include "schema/property_cursor.h"
#include "schema/type_check.h"
#include "schema/validate.h"

// A one-sided test: true is certain, false means "ask validate()". Unlike validate() it may stop at
// the first doubt and look at things in the cheapest order. Where the result is negated or counted
// (`not`, oneOf) a doubt would turn into a false certainty, so these ask validate() itself.

namespace strake::schema {
namespace {

using value::Member;
using value::Value;

bool fits_text(std::string_view text, const TextRules& rules) {
  const auto bytes = static_cast<std::int64_t>(text.size());
  // Bytes bound the count from above, so most strings need no counting.
  if (rules.max_length && bytes > *rules.max_length &&
      static_cast<std::int64_t>(utf8::count(text)) > *rules.max_length)
    return false;
  if (rules.min_length && static_cast<std::int64_t>(utf8::count(text)) < *rules.min_length)
    return false;
  return !rules.pattern || rules.pattern->search(text);
}

bool fits_number(const Value& v, const Node& schema) {
  if (!fits_format(v, schema)) return false;
  if (!schema.number) return true;
  const NumberRules& rules = *schema.number;
  // Bounds must fit the type too.
  for (const auto& bound : {rules.minimum, rules.maximum, rules.multiple_of}) {
    if (bound && !fits_format(Value::number(*bound), schema)) return false;
  }
  const bool whole = v.type() == value::Type::kInt;
  if (rules.multiple_of) {
    const double factor = *rules.multiple_of;
    if (factor <= 0 || (whole && truncate(factor) <= 0)) return false;
    if (whole ? v.as_int() % truncate(factor) != 0 : !is_multiple(v.as_double(), factor))
      return false;
  }
  return (!rules.minimum || above(v, *rules.minimum, rules.exclusive_minimum, whole)) &&
         (!rules.maximum || below(v, *rules.maximum, rules.exclusive_maximum, whole));
}

bool fits_items(const Value& v, const Node& schema) {
  const auto size = static_cast<std::int64_t>(v.size());
  if (schema.min_items && size < *schema.min_items) return false;
  if (schema.max_items && size > *schema.max_items) return false;
  if (!schema.items) return true;
  return std::ranges::all_of(v.items(),
                             [&](const Value& item) { return fits(item, *schema.items); });
}

bool fits_members(const Value& v, const Node& schema) {
  const auto size = static_cast<std::int64_t>(v.size());
  if (schema.min_properties && size < *schema.min_properties) return false;
  if (schema.max_properties && size > *schema.max_properties) return false;
  PropertyCursor properties(schema);
  for (const Member& m : v.members()) {
    const Node* inner = properties.find(m.key);
    if (inner == nullptr && schema.additional == Additional::kFalse) return false;
    if (inner == nullptr) inner = schema.additional_schema.get();
    if (inner != nullptr && !fits(m.value, *inner)) return false;
  }
  return std::ranges::all_of(schema.required, [&](const std::string& name) {
    if (v.find(name) != nullptr) return true;
    const Node* named = schema.property(name);
    return named != nullptr && named->default_value;
  });
}

// Where an answer is turned around or counted, only the whole truth will do.
bool is_valid(const Value& v, const Node& schema) { return validate(v, schema).empty(); }

bool fits_junctors(const Value& v, const Composition& junctors) {
  const auto fits_branch = [&](const NodePtr& branch) { return fits(v, *branch); };
  if (!junctors.any_of.empty() && std::ranges::none_of(junctors.any_of, fits_branch)) return false;
  if (!std::ranges::all_of(junctors.all_of, fits_branch)) return false;
  if (!junctors.one_of.empty() &&
      std::ranges::count_if(junctors.one_of,
                            [&](const NodePtr& branch) { return is_valid(v, *branch); }) != 1)
    return false;
  return !junctors.negated || !is_valid(v, *junctors.negated);
}

}  // namespace

bool fits(const Value& v, const Node& schema) {
  if (!has_type(v, schema)) return false;
  if (schema.enumeration &&
      std::ranges::none_of(schema.enumeration->root().items(),
                           [&](const Value& allowed) { return matches_enum(v, allowed); }))
    return false;
  if (v.is_null()) return true;
  if (schema.composition && !fits_junctors(v, *schema.composition)) return false;
  switch (v.type()) {
    case value::Type::kString:
      if (schema.text && !fits_text(v.as_string(), *schema.text)) return false;
      return !is_text_format(schema.format) || matches_format(schema.format, v.as_string());
    case value::Type::kArray: return fits_items(v, schema);
    case value::Type::kObject: return fits_members(v, schema);
    case value::Type::kBool: return true;
    default: return fits_number(v, schema);
  }
}

}  // namespace strake::schema
