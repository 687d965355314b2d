#include "kinds/limits/quota_scopes.h"

#include <algorithm>
#include <optional>

#include "kinds/fields.h"
#include "kinds/limits/amounts.h"
#include "kinds/limits/pod_amounts.h"

namespace strake::kinds {

using value::Value;
using Operator = meta::LabelSelector::Operator;

namespace {

std::optional<Operator> operator_of(std::string_view text) {
  if (text == "In") return Operator::kIn;
  if (text == "NotIn") return Operator::kNotIn;
  if (text == "Exists") return Operator::kExists;
  if (text == "DoesNotExist") return Operator::kDoesNotExist;
  return std::nullopt;
}

bool has_amount(const Value& resources) {
  for (const std::string_view list : {"requests", "limits"}) {
    for (const std::string_view name : {"cpu", "memory"}) {
      const auto amount = Quantity::parse(text_of(resources, {list, name}));
      if (amount && !amount->is_zero()) return true;
    }
  }
  return false;
}

// Nobody has promised it cpu or memory, nor set a limit to it.
bool is_best_effort(const Value& pod) {
  if (const std::string_view told = text_of(pod, {"status", "qosClass"}); !told.empty())
    return told == "BestEffort";
  const Value& spec = pod.get("spec");
  if (has_pod_resources(pod)) return !has_amount(spec.get("resources"));
  const auto is_plain = [](const Value& one) { return !has_amount(one.get("resources")); };
  return std::ranges::all_of(items(spec, "containers"), is_plain) &&
         std::ranges::all_of(items(spec, "initContainers"), is_plain);
}

bool crosses_namespaces(const Value& term) {
  return !items(term, "namespaces").empty() || member(term, "namespaceSelector") != nullptr;
}

bool has_affinity_elsewhere(const Value& pod) {
  for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
    const Value& affinity = pod.get("spec").get("affinity").get(kind);
    for (const Value& term : items(affinity, "requiredDuringSchedulingIgnoredDuringExecution")) {
      if (crosses_namespaces(term)) return true;
    }
    for (const Value& one : items(affinity, "preferredDuringSchedulingIgnoredDuringExecution")) {
      if (crosses_namespaces(one.get("podAffinityTerm"))) return true;
    }
  }
  return false;
}

std::optional<std::string_view> label_of(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

std::vector<QuotaScope> read_quota_scopes(const Value& spec) {
  std::vector<QuotaScope> out;
  for (const Value& one : items(spec, "scopes")) {
    out.push_back(
        {{.key = std::string(value::text_of(one)), .op = Operator::kExists, .values = {}}});
  }
  for (const Value& one : items(spec.get("scopeSelector"), "matchExpressions")) {
    // A quota with another operator is refused when it is written.
    const auto op = operator_of(text_of(one, "operator"));
    if (!op) continue;
    QuotaScope scope{{.key = std::string(text_of(one, "scopeName")), .op = *op, .values = {}}};
    for (const Value& text : items(one, "values"))
      scope.requirement.values.emplace_back(value::text_of(text));
    std::ranges::sort(scope.requirement.values);
    const auto rest = std::ranges::unique(scope.requirement.values);
    scope.requirement.values.erase(rest.begin(), rest.end());
    out.push_back(std::move(scope));
  }
  return out;
}

bool is_terminating(const Value& pod) {
  const Value* seconds = member(pod, {"spec", "activeDeadlineSeconds"});
  return seconds != nullptr && seconds->as_int() >= 0;
}

bool is_pod_in(const Value& pod, const QuotaScope& scope) {
  if (scope.name() == "Terminating") return is_terminating(pod);
  if (scope.name() == "NotTerminating") return !is_terminating(pod);
  if (scope.name() == "BestEffort") return is_best_effort(pod);
  if (scope.name() == "NotBestEffort") return !is_best_effort(pod);
  if (scope.name() == "CrossNamespacePodAffinity") return has_affinity_elsewhere(pod);
  if (scope.name() == "PriorityClass")
    return scope.requirement.holds(label_of(text_of(pod, {"spec", "priorityClassName"})));
  return false;
}

// A claim may be on its way from one class to another: it is of both.
bool is_claim_in(const Value& claim, const QuotaScope& scope) {
  if (scope.name() != "VolumeAttributesClass") return false;
  bool has_class = false;
  for (const std::string_view name :
       {text_of(claim, {"spec", "volumeAttributesClassName"}),
        text_of(claim, {"status", "currentVolumeAttributesClassName"}),
        text_of(claim, {"status", "modifyVolumeStatus", "targetVolumeAttributesClassName"})}) {
    if (name.empty()) continue;
    has_class = true;
    if (scope.requirement.holds(name)) return true;
  }
  return !has_class && scope.requirement.holds(std::nullopt);
}

}  // namespace strake::kinds
