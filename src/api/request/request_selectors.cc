#include "api/request/request_selectors.h"

#include <fmt/format.h>

#include <optional>

#include "base/quote.h"
#include "value/fields.h"

namespace strake::api {
namespace {

using meta::FieldSelector;
using meta::LabelSelector;
using value::text_of;
using value::Value;

void read_field_text(std::string_view text, RequestSelectors& out) {
  if (text.empty()) return;
  if (const auto parsed = FieldSelector::parse(text)) {
    out.fields = parsed->requirements();
  } else {
    out.field_error = parsed.error().message();
  }
}

void read_label_text(std::string_view text, RequestSelectors& out) {
  if (text.empty()) return;
  if (const auto parsed = LabelSelector::parse(text)) {
    out.labels = parsed->requirements();
  } else {
    out.label_error = parsed.error().message();
  }
}

std::vector<std::string> values_of(const Value& requirement) {
  std::vector<std::string> out;
  const Value& list = requirement.get("values");
  if (!list.is_array()) return out;
  for (const Value& one : list.items()) out.emplace_back(text_of(one));
  return out;
}

void add_error(std::string& errors, std::string_view one) {
  if (!errors.empty()) errors += ", ";
  errors += one;
}

// Field selectors compare with one value.
void read_field_requirement(const Value& requirement, RequestSelectors& out) {
  const std::string_view op = text_of(requirement, "operator");
  std::vector<std::string> values = values_of(requirement);
  if (values.size() > 1)
    return add_error(out.field_error, "fieldSelectors do not yet support multiple values");
  if (op == "In" || op == "NotIn") {
    if (values.empty())
      return add_error(out.field_error, fmt::format("fieldSelectors {} must have one value",
                                                    op == "In" ? "in" : "not in"));
    out.fields.push_back({.field = std::string(text_of(requirement, "key")),
                          .equal = op == "In",
                          .value = std::move(values[0])});
  } else if (op == "Exists" || op == "DoesNotExist") {
    add_error(out.field_error, fmt::format("fieldSelectors do not yet support {}", op));
  } else {
    add_error(out.field_error, fmt::format("{} is not a valid field selector operator", quote(op)));
  }
}

void read_label_requirement(const Value& requirement, RequestSelectors& out) {
  using Operator = LabelSelector::Operator;
  constexpr std::pair<std::string_view, Operator> kOperators[] = {
      {"In", Operator::kIn},
      {"NotIn", Operator::kNotIn},
      {"Exists", Operator::kExists},
      {"DoesNotExist", Operator::kDoesNotExist}};
  const std::string_view op = text_of(requirement, "operator");
  std::optional<Operator> known;
  for (const auto& [name, one] : kOperators) {
    if (name == op) known = one;
  }
  if (!known)
    return add_error(out.label_error,
                     fmt::format("{} is not a valid label selector operator", quote(op)));
  // Keys and values are checked as those of an expression of a selector.
  Arena arena;
  Value selector = Value::object({});
  Value expressions = Value::array({});
  expressions.append(requirement, arena);
  selector.set("matchExpressions", expressions, arena);
  if (const auto checked = LabelSelector::from_value(&selector); !checked)
    return add_error(out.label_error, checked.error().message());
  out.labels.push_back({.key = std::string(text_of(requirement, "key")),
                        .op = *known,
                        .values = values_of(requirement)});
}

RequestSelectorsPtr unless_empty(RequestSelectors selectors) {
  if (selectors.fields.empty() && selectors.labels.empty() && selectors.field_error.empty() &&
      selectors.label_error.empty())
    return nullptr;
  return std::make_shared<const RequestSelectors>(std::move(selectors));
}

}  // namespace

RequestSelectorsPtr read_selectors(std::string_view fields, std::string_view labels) {
  RequestSelectors out;
  read_field_text(fields, out);
  read_label_text(labels, out);
  return unless_empty(std::move(out));
}

RequestSelectorsPtr read_selectors(const Value& resource_attributes) {
  RequestSelectors out;
  const auto read = [&](std::string_view name, auto of_requirement, auto of_text) {
    const Value& selector = resource_attributes.get(name);
    const Value& requirements = selector.get("requirements");
    if (requirements.is_array() && !requirements.items().empty()) {
      for (const Value& one : requirements.items()) of_requirement(one, out);
    } else {
      of_text(text_of(selector, "rawSelector"), out);
    }
  };
  read("fieldSelector", read_field_requirement, read_field_text);
  read("labelSelector", read_label_requirement, read_label_text);
  return unless_empty(std::move(out));
}

}  // namespace strake::api
