#pragma once
// Compares rules that somebody holds with rules that they want to grant, as kube-apiserver 1.36
// does (rbac's validation.Covers), in bounded time: a role of some megabytes has up to 10^9
// combinations of verb, group and resource, and a user can hold tens of thousands of rules.
#include <cstddef>
#include <span>
#include <vector>

#include "auth/rbac/policy_rule.h"

namespace strake::auth {

struct CoverageLimits {
  // Parts and candidates that are looked at; the default takes less than a second.
  std::size_t steps = 2'000'000;
  // Missing parts that are kept: a refusal that lists more helps nobody.
  std::size_t missing = 5'000;
};

struct Coverage {
  // The parts of the wanted rules that no single held rule covers, each with one verb, and one
  // group and resource or one URL. In the order of the wanted rules.
  std::vector<PolicyRule> missing;
  // False when a limit was reached, or the work was cancelled: what was not compared counts as
  // missing, and is not listed.
  bool complete = true;

  bool is_covered() const { return complete && missing.empty(); }
};

Coverage compare_rules(std::span<const PolicyRule> held, std::span<const PolicyRule> wanted,
                       const CoverageLimits& limits = {});

}  // namespace strake::auth
