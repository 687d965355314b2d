#include "kinds/limits/quota_evaluator.h"

#include <algorithm>
#include <vector>

#include "kinds/limits/quota_evaluators.h"

namespace strake::kinds {

std::span<const meta::GroupResource> evaluated_resources() {
  static const auto& resources = *new std::vector<meta::GroupResource>{
      {"", "pods"}, {"", "services"}, {"", "persistentvolumeclaims"}};
  return resources;
}

const QuotaEvaluator* find_quota_evaluator(const meta::GroupResource& resource) {
  if (!resource.group.empty()) return nullptr;
  if (resource.resource == "pods") return &pod_quota_evaluator();
  if (resource.resource == "services") return &service_quota_evaluator();
  if (resource.resource == "persistentvolumeclaims") return &claim_quota_evaluator();
  return nullptr;
}

bool is_in_all(const QuotaEvaluator& evaluator, const value::Value& object,
               std::span<const QuotaScope> scopes) {
  return std::ranges::all_of(
      scopes, [&](const QuotaScope& scope) { return evaluator.is_in(object, scope); });
}

}  // namespace strake::kinds
