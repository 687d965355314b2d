#pragma once
// What is to be done about a request: for each policy, binding and parameter that match it, one
// evaluation, or why there can be none.
#include <memory>
#include <string>
#include <vector>

#include "admission/match/attributes.h"
#include "admission/match/namespaces.h"
#include "admission/policy/params.h"
#include "admission/policy/policy_list.h"
#include "api/request/core.h"

namespace strake::admission {

struct StepHead {
  std::shared_ptr<const Binding> binding = {};    // null when the policy itself is at fault
  const kinds::ServedVersion* version = nullptr;  // in which the policy matched
  ParamEndpoint params = {};                      // where the parameter is from
  api::ObjectPtr param = {};                      // null for none
  std::string fault = {};                         // why there is nothing to evaluate
};

template <typename Compiled>
struct Step : StepHead {
  std::shared_ptr<const Definition<Compiled>> policy;
};

// Of one policy, in the order of its bindings.
std::vector<StepHead> steps_of(const PolicyHead& policy,
                               const std::vector<std::shared_ptr<const Binding>>& bindings,
                               const Attributes& request, const Namespaces& namespaces,
                               const api::Registry& registry);

template <typename Compiled>
std::vector<Step<Compiled>> find_steps(const typename PolicyList<Compiled>::Snapshot& snapshot,
                                       const Attributes& request, const Namespaces& namespaces,
                                       const api::Registry& registry) {
  std::vector<Step<Compiled>> out;
  for (const auto& bound : snapshot.policies) {
    if (!bound.policy->match.concerns(request.resource)) continue;
    for (StepHead& head : steps_of(*bound.policy, bound.bindings, request, namespaces, registry)) {
      out.push_back({std::move(head), bound.policy});
    }
  }
  return out;
}

}  // namespace strake::admission
