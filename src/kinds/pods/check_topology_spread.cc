#include "kinds/pods/check_topology_spread.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

using Keys = std::unordered_set<std::string_view>;

constexpr std::string_view kMatch = "matchLabelKeys";
constexpr std::string_view kMismatch = "mismatchLabelKeys";

void refuse_keys_alone(const FieldPath& at, FieldErrors& errors) {
  errors.push_back(
      FieldError::forbidden(at, "must not be specified when labelSelector is not set"));
}

void check_key(const Value& key, const FieldPath& at, FieldErrors& errors) {
  const std::string_view text = value::text_of(key);
  add_all_invalid(meta::check_qualified_name(text), text, at, errors);
}

void check_key_names(const Value& holder, std::string_view list, const FieldPath& at,
                     FieldErrors& errors) {
  const auto keys = items(holder, list);
  if (keys.empty()) return;
  if (member(holder, "labelSelector") == nullptr) return refuse_keys_alone(at / list, errors);
  for (std::size_t i = 0; i < keys.size(); ++i) check_key(keys[i], at / list / i, errors);
}

// The server adds an expression for each key of matchLabelKeys: a key that the selector names
// twice was there before.
void check_keys_of_selector(const Value& holder, const FieldPath& at, FieldErrors& errors) {
  const Value& selector = holder.get("labelSelector");
  std::unordered_map<std::string_view, std::size_t> places;
  const auto keys = items(holder, kMatch);
  for (std::size_t i = 0; i < keys.size(); ++i) places[value::text_of(keys[i])] = i;
  Keys named;
  for (const Member& label : members(selector, "matchLabels")) named.insert(label.key);
  for (const Value& expression : items(selector, "matchExpressions")) {
    const std::string_view key = value::text_of(expression, "key");
    const auto place = places.find(key);
    if (!named.insert(key).second && place != places.end()) {
      // kube-apiserver 1.36 leaves out the name of the list.
      add_invalid(at / place->second, key, "exists in both matchLabelKeys and labelSelector",
                  errors);
    }
  }
}

// The rule of earlier versions, for constraints that were stored under it.
void check_keys_by_old_rule(const Value& holder, const FieldPath& at, FieldErrors& errors) {
  const auto keys = items(holder, kMatch);
  if (keys.empty()) return;
  Keys named;
  if (const Value* selector = member(holder, "labelSelector")) {
    for (const Member& label : members(*selector, "matchLabels")) named.insert(label.key);
    for (const Value& expression : items(*selector, "matchExpressions"))
      named.insert(value::text_of(expression, "key"));
  } else {
    refuse_keys_alone(at / kMatch, errors);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    check_key(keys[i], at / kMatch / i, errors);
    const std::string_view key = value::text_of(keys[i]);
    if (named.contains(key)) {
      add_invalid(at / kMatch / i, key, "exists in both matchLabelKeys and labelSelector", errors);
    }
  }
}

// A kind of constraint, of which a pod may have one.
std::string kind_of(const Value& constraint) {
  return fmt::format("{{{}, {}}}", value::text_of(constraint, "topologyKey"),
                     value::text_of(constraint, "whenUnsatisfiable"));
}

void check_min_domains(const Value& constraint, const FieldPath& at, FieldErrors& errors) {
  if (member(constraint, "minDomains") == nullptr) return;
  const Value domains = Value::integer(integer(constraint, "minDomains"));
  if (domains.as_int() <= 0)
    add_invalid(at / "minDomains", domains, "must be greater than zero", errors);
  const std::string_view action = value::text_of(constraint, "whenUnsatisfiable");
  if (action == "DoNotSchedule") return;
  add_invalid(
      at / "minDomains", domains,
      fmt::format("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {}", action),
      errors);
}

void check_constraint(const Value& constraint, bool repeated, const PodAllowances& allowed,
                      const FieldPath& at, FieldErrors& errors) {
  if (const std::int64_t skew = integer(constraint, "maxSkew"); skew <= 0)
    add_invalid(at / "maxSkew", Value::integer(skew), "must be greater than zero", errors);
  if (value::text_of(constraint, "topologyKey").empty())
    errors.push_back(FieldError::required(at / "topologyKey", "can not be empty"));
  check_choice(value::text_of(constraint, "whenUnsatisfiable"), {"DoNotSchedule", "ScheduleAnyway"},
               at / "whenUnsatisfiable", errors);
  if (repeated) {
    errors.push_back(FieldError::duplicate(at / "{topologyKey, whenUnsatisfiable}",
                                           Value::string(kind_of(constraint))));
  }
  check_min_domains(constraint, at, errors);
  for (const std::string_view key : {"nodeAffinityPolicy", "nodeTaintsPolicy"})
    check_optional_choice(constraint, key, {"Honor", "Ignore"}, at, errors);
  if (allowed.spread_label_keys) {
    check_keys_by_old_rule(constraint, at, errors);
  } else {
    check_label_keys(constraint, at, errors);
  }
  if (!allowed.spread_selectors)
    check_label_selector(constraint.get("labelSelector"), {}, at / "labelSelector", errors);
}

}  // namespace

void check_label_keys(const Value& holder, const FieldPath& at, FieldErrors& errors) {
  check_key_names(holder, kMatch, at, errors);
  check_key_names(holder, kMismatch, at, errors);
  check_keys_of_selector(holder, at, errors);
  Keys mismatched;
  for (const Value& key : items(holder, kMismatch)) mismatched.insert(value::text_of(key));
  const auto keys = items(holder, kMatch);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view key = value::text_of(keys[i]);
    if (mismatched.contains(key)) {
      add_invalid(at / kMatch / i, key, "exists in both matchLabelKeys and mismatchLabelKeys",
                  errors);
    }
  }
}

void check_topology_spread(const Value& spec, const PodAllowances& allowed, const FieldPath& at,
                           FieldErrors& errors) {
  const auto constraints = items(spec, "topologySpreadConstraints");
  // The last of each kind is the one that is not said to repeat.
  std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> last;
  for (std::size_t i = 0; i < constraints.size(); ++i) last[kind_of(constraints[i])] = i;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const bool repeated = last[kind_of(constraints[i])] != i;
    check_constraint(constraints[i], repeated, allowed, at / i, errors);
  }
}

bool has_invalid_spread_selector(const Value& spec) {
  FieldErrors errors;
  for (const Value& constraint : items(spec, "topologySpreadConstraints"))
    check_label_selector(constraint.get("labelSelector"), {}, FieldPath(), errors);
  return !errors.empty();
}

bool has_invalid_spread_label_keys(const Value& spec) {
  FieldErrors errors;
  for (const Value& constraint : items(spec, "topologySpreadConstraints"))
    check_label_keys(constraint, FieldPath(), errors);
  return !errors.empty();
}

}  // namespace strake::kinds
