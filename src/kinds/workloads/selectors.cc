#include "kinds/workloads/selectors.h"

#include <fmt/format.h>

#include "kinds/fields.h"
#include "meta/selectors.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Member;
using value::Value;

// {"key":...,"operator":...,"values":[...]}: the members stand in that order already.
std::string show_requirements(std::span<const Value> requirements) {
  std::string out;
  for (const Value& one : requirements) out += (out.empty() ? "" : ",") + value::to_json(one);
  return fmt::format("[{}]", out);
}

}  // namespace

std::string show_label_selector(const Value* selector) {
  if (selector == nullptr || selector->is_null()) return "null";
  std::string out;
  if (const Value* labels = member(*selector, "matchLabels"))
    out = fmt::format(R"("matchLabels":{})", value::to_json(*labels));
  if (const auto requirements = items(*selector, "matchExpressions"); !requirements.empty()) {
    out += fmt::format(R"({}"matchExpressions":{})", out.empty() ? "" : ",",
                       show_requirements(requirements));
  }
  return fmt::format("{{{}}}", out);
}

bool is_empty_selector(const Value& selector) {
  return members(selector, "matchLabels").empty() && items(selector, "matchExpressions").empty();
}

std::optional<bool> selects(const Value* selector, const Value* labels) {
  if (selector == nullptr) return false;
  const auto read = meta::LabelSelector::from_value(selector);
  if (!read) return std::nullopt;
  return read->matches(labels);
}

std::optional<std::string> selector_text(const Value* selector) {
  if (selector == nullptr) return std::string();
  const auto read = meta::LabelSelector::from_value(selector);
  return read ? std::optional(read->to_string()) : std::nullopt;
}

std::string labels_text(std::span<const Member> labels) {
  std::string out;
  for (const Member& label : labels) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", label.key, value::text_of(label.value));
  }
  return out;
}

}  // namespace strake::kinds
