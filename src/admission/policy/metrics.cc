#include "admission/policy/metrics.h"

#include "base/metrics.h"

namespace strake::admission {
namespace {

CounterFamily policy_checks(
    "apiserver_validating_admission_policy_check_total",
    "[BETA] Validation admission policy check total, labeled by policy and further identified by "
    "binding and enforcement action taken.",
    {"enforcement_action", "error_type", "policy", "policy_binding"});

std::string_view error_type(std::string_view error) {
  if (error.empty()) return "no_error";
  if (error.contains("budget")) return "out_of_budget_error";
  if (error.contains("compilation")) return "compile_error";
  return "invalid_error";
}

}  // namespace

void count_policy_check(std::string_view policy, std::string_view binding, std::string_view action,
                        std::string_view error) {
  policy_checks.at({action, error_type(error), policy, binding}).add();
}

}  // namespace strake::admission
