#include "admission/policy/steps.h"

namespace strake::admission {
namespace {

StepHead policy_fault(std::string_view why) {
  return {.fault = "failed to configure policy: " + std::string(why)};
}
StepHead binding_fault(const std::shared_ptr<const Binding>& binding, std::string_view why) {
  return {.binding = binding, .fault = "failed to configure binding: " + std::string(why)};
}

}  // namespace

std::vector<StepHead> steps_of(const PolicyHead& policy,
                               const std::vector<std::shared_ptr<const Binding>>& bindings,
                               const Attributes& request, const Namespaces& namespaces,
                               const api::Registry& registry) {
  const auto matched = policy.match.find(request, namespaces);
  if (!matched) return {policy_fault(matched.error().message)};
  if (*matched == nullptr) return {};
  ParamEndpoint from;
  if (policy.param_kind) {
    auto found = find_param_endpoint(registry, *policy.param_kind);
    if (!found) return {policy_fault(found.error())};
    from = *std::move(found);
  }
  std::vector<StepHead> out;
  for (const std::shared_ptr<const Binding>& binding : bindings) {
    if (binding->match) {
      const auto bound = binding->match->find(request, namespaces);
      if (!bound) {
        out.push_back(binding_fault(binding, bound.error().message));
        continue;
      }
      if (*bound == nullptr) continue;
    }
    if (!policy.param_kind || !binding->params) {
      out.push_back({.binding = binding, .version = *matched});
      continue;
    }
    auto params = find_params(from, *binding->params, request.namespace_name);
    if (!params) {
      out.push_back(binding_fault(binding, params.error()));
      continue;
    }
    for (api::ObjectPtr& one : *params) {
      out.push_back(
          {.binding = binding, .version = *matched, .params = from, .param = std::move(one)});
    }
  }
  return out;
}

}  // namespace strake::admission
