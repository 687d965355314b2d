#pragma once
// The rules of pod security one by one; pod_security_checks.h says which apply.
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kinds/pods/pod_security_checks.h"
#include "value/value.h"

namespace strake::kinds::pod_security {

// A pod as the rules look at it.
struct Pod {
  Pod(const value::Value& pod_metadata, const value::Value& pod_spec);

  const value::Value& metadata;
  const value::Value& spec;
  std::vector<const value::Value*> containers;  // of all kinds

  bool is_windows() const;
  // It has users of its own: root in it is nobody outside.
  bool has_own_users() const;
};

// Nothing when the pod is allowed.
using Fault = std::optional<SecurityFault>;
using Names = std::vector<std::string_view>;
using Texts = std::set<std::string, std::less<>>;

// Of a container, or a volume.
std::string_view name_of(const value::Value& item);
// `"a", "b"`
std::string quoted(const Names& names);
std::string quoted(const Texts& texts);
std::string_view plural(std::size_t count, std::string_view one, std::string_view many);
// `container "a"`, `containers "a", "b"`
std::string containers_named(const Names& names);
// What sets something: `pod and container "a"`. Empty when neither does.
std::string setters(bool pod, const Names& containers);

// `minor` is the version of the policy.
using Rule = Fault (*)(const Pod& pod, std::int64_t minor);

Fault app_armor_profile(const Pod& pod, std::int64_t minor);
Fault default_capabilities(const Pod& pod, std::int64_t minor);
Fault host_namespaces(const Pod& pod, std::int64_t minor);
Fault host_path_volumes(const Pod& pod, std::int64_t minor);
Fault host_ports(const Pod& pod, std::int64_t minor);
Fault host_probes(const Pod& pod, std::int64_t minor);
Fault privileged(const Pod& pod, std::int64_t minor);
Fault proc_mount(const Pod& pod, std::int64_t minor);
Fault se_linux_options(const Pod& pod, std::int64_t minor);
Fault seccomp_profile(const Pod& pod, std::int64_t minor);
Fault sysctls(const Pod& pod, std::int64_t minor);
Fault windows_host_process(const Pod& pod, std::int64_t minor);

Fault no_escalation(const Pod& pod, std::int64_t minor);
Fault few_capabilities(const Pod& pod, std::int64_t minor);
Fault default_proc_mount(const Pod& pod, std::int64_t minor);
Fault restricted_volumes(const Pod& pod, std::int64_t minor);
Fault run_as_non_root(const Pod& pod, std::int64_t minor);
Fault run_as_user(const Pod& pod, std::int64_t minor);
Fault has_seccomp_profile(const Pod& pod, std::int64_t minor);

// Shared by both levels: what sets a profile that is not allowed.
struct SeccompSetters {
  bool pod = false;  // sets a bad one
  bool pod_is_good = false;
  Names containers;
  Names without;  // containers that say nothing
  Texts values;
};
SeccompSetters seccomp_setters(const Pod& pod);
Fault bad_seccomp_fault(const SeccompSetters& found);

}  // namespace strake::kinds::pod_security
