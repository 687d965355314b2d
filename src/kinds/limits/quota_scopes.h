#pragma once
// Scopes of a ResourceQuota: which objects it is about. An object has to be in all of them.
#include <string>
#include <vector>

#include "meta/selectors.h"
#include "value/value.h"

namespace strake::kinds {

struct QuotaScope {
  // As if an object had one label, of the name of the scope: "PriorityClass in (a,b)".
  meta::LabelSelector::Requirement requirement;
  const std::string& name() const { return requirement.key; }
};

// spec.scopes and spec.scopeSelector of a quota.
std::vector<QuotaScope> read_quota_scopes(const value::Value& spec);

bool is_pod_in(const value::Value& pod, const QuotaScope& scope);
bool is_claim_in(const value::Value& claim, const QuotaScope& scope);

// Whether the pod ends by itself some time.
bool is_terminating(const value::Value& pod);

}  // namespace strake::kinds
