#include "admission/policy/metrics.h"

#include "base/metrics.h"

namespace strake::admission {
namespace {

CounterFamily policy_checks(
    "apiserver_validating_admission_policy_check_total",
    "[BETA] Validation admission policy check total, labeled by policy and further identified by "
    "binding and enforcement action taken.",
    {"enforcement_action", "error_type", "policy", "policy_binding"});

CounterFamily mutations(
    "apiserver_mutating_admission_policy_check_total",
    "[ALPHA] Mutation admission policy check total, labeled by policy and further identified by "
    "binding.",
    {"error_type", "policy", "policy_binding"});
HistogramFamily mutation_durations(
    "apiserver_mutating_admission_policy_check_duration_seconds",
    "[ALPHA] Mutation admission latency for individual mutation expressions in seconds, labeled by "
    "policy and binding.",
    {"error_type", "policy", "policy_binding"}, {0.0000005, 0.001, 0.01, 0.1, 1});

std::string_view error_type(std::string_view error) {
  if (error.empty()) return "no_error";
  if (error.contains("budget")) return "out_of_budget";
  if (error.contains("compilation")) return "compile_error";
  return "invalid_error";
}

}  // namespace

void count_policy_check(std::string_view policy, std::string_view binding, std::string_view action,
                        std::string_view error) {
  policy_checks.at({action, error_type(error), policy, binding}).add();
}

void count_mutation(std::string_view policy, std::string_view binding,
                    std::chrono::nanoseconds time, std::string_view error) {
  mutations.at({error_type(error), policy, binding}).add();
  mutation_durations.observe({error_type(error), policy, binding},
                             std::chrono::duration<double>(time).count());
}

}  // namespace strake::admission
