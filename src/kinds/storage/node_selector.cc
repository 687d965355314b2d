#include "kinds/storage/node_selector.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kUnknownNodeOperator = "not a valid selector operator";

void check_node_expression(const Value& requirement, LabelValues checked, const FieldPath& at,
                           FieldErrors& errors) {
  const std::string_view op = text_of(requirement, "operator");
  const auto values = items(requirement, "values");
  if (op == "Gt" || op == "Lt") {
    if (values.size() != 1) {
      errors.push_back(FieldError::required(
          at / "values", "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    }
    check_label_requirement(
        requirement,
        {.allow_invalid_values = checked == LabelValues::kAny, .allow_unknown_operators = true}, at,
        errors);
    return;
  }
  check_label_requirement(requirement, {.allow_invalid_values = checked == LabelValues::kAny}, at,
                          errors);
}

void check_node_field(const Value& requirement, const FieldPath& at, FieldErrors& errors) {
  const std::string_view op = text_of(requirement, "operator");
  const auto values = items(requirement, "values");
  if (op != "In" && op != "NotIn") {
    errors.push_back(
        FieldError::invalid(at / "operator", Value::string(op), std::string(kUnknownNodeOperator)));
  } else if (values.size() != 1) {
    errors.push_back(FieldError::required(
        at / "values",
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  }
  const std::string_view key = text_of(requirement, "key");
  if (key != "metadata.name") {
    errors.push_back(
        FieldError::invalid(at / "key", Value::string(key), "not a valid field selector key"));
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view name = value::text_of(values[i]);
    add_messages(meta::name_is_dns_subdomain(name, false), name, at / "values" / i, errors);
  }
}

}  // namespace

void check_node_selector_term(const Value& term, LabelValues values, const FieldPath& at,
                              FieldErrors& errors) {
  const auto expressions = items(term, "matchExpressions");
  for (std::size_t i = 0; i < expressions.size(); ++i)
    check_node_expression(expressions[i], values, at / "matchExpressions" / i, errors);
  const auto fields = items(term, "matchFields");
  for (std::size_t i = 0; i < fields.size(); ++i)
    check_node_field(fields[i], at / "matchFields" / i, errors);
}

void check_node_selector(const Value& selector, LabelValues values, const FieldPath& at,
                         FieldErrors& errors) {
  const FieldPath here = at / "nodeSelectorTerms";
  const auto terms = items(selector, "nodeSelectorTerms");
  if (terms.empty()) {
    errors.push_back(FieldError::required(here, "must have at least one node selector term"));
    return;
  }
  for (std::size_t i = 0; i < terms.size(); ++i)
    check_node_selector_term(terms[i], values, here / i, errors);
}

bool has_invalid_node_label_value(const Value& selector) {
  return std::ranges::any_of(items(selector, "nodeSelectorTerms"), has_invalid_label_value);
}

}  // namespace strake::kinds
