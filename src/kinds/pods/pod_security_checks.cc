#include "kinds/pods/pod_security_checks.h"

#include <fmt/format.h>

#include <limits>

#include "kinds/fields.h"
#include "kinds/pods/pod_security_rules.h"

namespace strake::kinds {
namespace pod_security {
namespace {

using value::Value;

template <typename List>
std::string join_quoted(const List& list) {
  std::string out;
  for (const auto& one : list) out += fmt::format(R"({}"{}")", out.empty() ? "" : ", ", one);
  return out;
}

}  // namespace

Pod::Pod(const Value& pod_metadata, const Value& pod_spec)
    : metadata(pod_metadata), spec(pod_spec) {
  for (const std::string_view key : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Value& one : items(spec, key)) containers.push_back(&one);
  }
}

bool Pod::is_windows() const { return text_of(spec, {"os", "name"}) == "windows"; }

bool Pod::has_own_users() const {
  const Value* flag = member(spec, "hostUsers");
  return flag != nullptr && flag->is_bool() && !flag->as_bool();
}

std::string_view name_of(const Value& item) { return text_of(item, "name"); }

std::string quoted(const Names& names) { return join_quoted(names); }
std::string quoted(const Texts& texts) { return join_quoted(texts); }

std::string_view plural(std::size_t count, std::string_view one, std::string_view many) {
  return count == 1 ? one : many;
}

std::string containers_named(const Names& names) {
  return fmt::format("{} {}", plural(names.size(), "container", "containers"), quoted(names));
}

std::string setters(bool pod, const Names& containers) {
  if (containers.empty()) return pod ? "pod" : "";
  return fmt::format("{}{}", pod ? "pod and " : "", containers_named(containers));
}

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

struct VersionedRule {
  SecurityLevel level;
  std::int64_t since;
  Rule rule;
  // The first version in which the restricted level has a stricter rule in its place.
  std::int64_t replaced_since = kNever;
};

constexpr SecurityLevel kBaseline = SecurityLevel::kBaseline;
constexpr SecurityLevel kRestricted = SecurityLevel::kRestricted;

// In the order in which faults are said.
constexpr VersionedRule kRules[] = {{kBaseline, 0, app_armor_profile},
                                    {kBaseline, 0, default_capabilities, 22},
                                    {kBaseline, 0, host_namespaces},
                                    {kBaseline, 0, host_path_volumes, 0},
                                    {kBaseline, 0, host_ports},
                                    {kBaseline, 34, host_probes},
                                    {kBaseline, 0, privileged},
                                    {kBaseline, 0, proc_mount, 35},
                                    {kBaseline, 0, se_linux_options},
                                    {kBaseline, 0, seccomp_profile, 19},
                                    {kBaseline, 0, sysctls},
                                    {kBaseline, 0, windows_host_process},
                                    {kRestricted, 8, no_escalation},
                                    {kRestricted, 22, few_capabilities},
                                    {kRestricted, 35, default_proc_mount},
                                    {kRestricted, 0, restricted_volumes},
                                    {kRestricted, 0, run_as_non_root},
                                    {kRestricted, 23, run_as_user},
                                    {kRestricted, 19, has_seccomp_profile}};

bool applies(const VersionedRule& rule, SecurityLevel level, std::int64_t minor) {
  return rule.level <= level && minor >= rule.since &&
         (level != kRestricted || minor < rule.replaced_since);
}

}  // namespace
}  // namespace pod_security

std::vector<SecurityFault> check_pod_security(const LevelVersion& policy,
                                              const value::Value& metadata,
                                              const value::Value& spec) {
  std::vector<SecurityFault> out;
  if (policy.level == SecurityLevel::kPrivileged) return out;
  // Versions that are still to come are as the latest.
  const std::int64_t minor =
      std::min(policy.minor.value_or(pod_security::kNever), pod_security::kNever - 1);
  const pod_security::Pod pod(metadata, spec);
  for (const pod_security::VersionedRule& one : pod_security::kRules) {
    if (!pod_security::applies(one, policy.level, minor)) continue;
    if (auto fault = one.rule(pod, minor)) out.push_back(*std::move(fault));
  }
  return out;
}

std::string join_reasons(std::span<const SecurityFault> faults) {
  std::string out;
  for (const SecurityFault& fault : faults) {
    if (!out.empty()) out += ", ";
    out += fault.reason;
  }
  return out;
}

std::string join_faults(std::span<const SecurityFault> faults) {
  std::string out;
  for (const SecurityFault& fault : faults) {
    if (!out.empty()) out += ", ";
    out += fault.reason;
    if (!fault.detail.empty()) out += fmt::format(" ({})", fault.detail);
  }
  return out;
}

}  // namespace strake::kinds
