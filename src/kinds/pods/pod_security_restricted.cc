// The rules of the restricted level: what a hardened pod does without.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinds/fields.h"
#include "kinds/pods/pod_security_rules.h"

namespace strake::kinds::pod_security {
namespace {

using value::Value;

// From this version on pods of Windows are spared of what is not of Windows.
constexpr std::int64_t kSparesWindows = 25;
// From this version on pods with users of their own may run as root.
constexpr std::int64_t kSparesOwnUsers = 35;

// Null when nothing is said.
const Value* context_member(const Value& holder, std::string_view key) {
  return member(holder, {"securityContext", key});
}

bool is_false(const Value& flag) { return flag.is_bool() && !flag.as_bool(); }

struct CapabilityFaults {
  Names without_drop;
  Names adding;
  Texts added;

  void look_at(const Value& container) {
    const Value* capabilities = context_member(container, "capabilities");
    const auto dropped =
        capabilities != nullptr ? items(*capabilities, "drop") : std::span<const Value>();
    const bool drops_all =
        std::ranges::any_of(dropped, [](const Value& one) { return value::text_of(one) == "ALL"; });
    if (!drops_all) without_drop.push_back(name_of(container));
    if (capabilities == nullptr) return;
    bool good = true;
    for (const Value& one : items(*capabilities, "add")) {
      const std::string_view name = value::text_of(one);
      if (name == "NET_BIND_SERVICE") continue;
      good = false;
      added.emplace(name);
    }
    if (!good) adding.push_back(name_of(container));
  }

  std::string text() const {
    std::vector<std::string> out;
    if (!without_drop.empty()) {
      out.push_back(fmt::format(R"({} must set securityContext.capabilities.drop=["ALL"])",
                                containers_named(without_drop)));
    }
    if (!adding.empty()) {
      out.push_back(fmt::format("{} must not include {} in securityContext.capabilities.add",
                                containers_named(adding), quoted(added)));
    }
    return fmt::format("{}", fmt::join(out, "; "));
  }
};

// Empty for a volume that is allowed.
std::string_view restricted_type(const Value& volume) {
  for (const std::string_view allowed : {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral",
                                         "image", "persistentVolumeClaim", "projected", "secret"}) {
    if (member(volume, allowed) != nullptr) return {};
  }
  for (const std::string_view known : {"hostPath",
                                       "gcePersistentDisk",
                                       "awsElasticBlockStore",
                                       "gitRepo",
                                       "nfs",
                                       "iscsi",
                                       "glusterfs",
                                       "rbd",
                                       "flexVolume",
                                       "cinder",
                                       "cephfs",
                                       "flocker",
                                       "fc",
                                       "azureFile",
                                       "vsphereVolume",
                                       "quobyte",
                                       "azureDisk",
                                       "photonPersistentDisk",
                                       "portworxVolume",
                                       "scaleIO",
                                       "storageos"}) {
    if (member(volume, known) != nullptr) return known;
  }
  return "unknown";
}

bool is_seccomp_type(std::string_view type) {
  return type == "Localhost" || type == "RuntimeDefault";
}

}  // namespace

SeccompSetters seccomp_setters(const Pod& pod) {
  SeccompSetters out;
  const auto type_of = [](const Value& profile) { return text_of(profile, "type"); };
  if (const Value* profile = context_member(pod.spec, "seccompProfile")) {
    out.pod_is_good = is_seccomp_type(type_of(*profile));
    out.pod = !out.pod_is_good;
    if (out.pod) out.values.emplace(type_of(*profile));
  }
  for (const Value* container : pod.containers) {
    const Value* profile = context_member(*container, "seccompProfile");
    if (profile == nullptr) {
      out.without.push_back(name_of(*container));
    } else if (!is_seccomp_type(type_of(*profile))) {
      out.containers.push_back(name_of(*container));
      out.values.emplace(type_of(*profile));
    }
  }
  return out;
}

Fault bad_seccomp_fault(const SeccompSetters& found) {
  const std::string who = setters(found.pod, found.containers);
  if (who.empty()) return std::nullopt;
  return SecurityFault{"seccompProfile",
                       fmt::format("{} must not set securityContext.seccompProfile.type to {}", who,
                                   quoted(found.values))};
}

Fault no_escalation(const Pod& pod, std::int64_t minor) {
  if (minor >= kSparesWindows && pod.is_windows()) return std::nullopt;
  Names bad;
  for (const Value* container : pod.containers) {
    const Value* flag = context_member(*container, "allowPrivilegeEscalation");
    if (flag == nullptr || !is_false(*flag)) bad.push_back(name_of(*container));
  }
  if (bad.empty()) return std::nullopt;
  return SecurityFault{"allowPrivilegeEscalation != false",
                       fmt::format("{} must set securityContext.allowPrivilegeEscalation=false",
                                   containers_named(bad))};
}

Fault few_capabilities(const Pod& pod, std::int64_t minor) {
  if (minor >= kSparesWindows && pod.is_windows()) return std::nullopt;
  CapabilityFaults faults;
  for (const Value* container : pod.containers) faults.look_at(*container);
  std::string text = faults.text();
  if (text.empty()) return std::nullopt;
  return SecurityFault{"unrestricted capabilities", std::move(text)};
}

Fault default_proc_mount(const Pod& pod, std::int64_t) {
  Names bad;
  Texts mounts;
  for (const Value* container : pod.containers) {
    const Value* mount = context_member(*container, "procMount");
    if (mount == nullptr || value::text_of(*mount) == "Default") continue;
    bad.push_back(name_of(*container));
    mounts.emplace(value::text_of(*mount));
  }
  if (bad.empty()) return std::nullopt;
  return SecurityFault{"procMount", fmt::format("{} must not set securityContext.procMount to {}",
                                                containers_named(bad), quoted(mounts))};
}

Fault restricted_volumes(const Pod& pod, std::int64_t) {
  Names bad;
  Texts types;
  for (const Value& volume : items(pod.spec, "volumes")) {
    const std::string_view type = restricted_type(volume);
    if (type.empty()) continue;
    bad.push_back(name_of(volume));
    types.emplace(type);
  }
  if (bad.empty()) return std::nullopt;
  return SecurityFault{
      "restricted volume types",
      fmt::format("{} {} {} {} {}", plural(bad.size(), "volume", "volumes"), quoted(bad),
                  plural(bad.size(), "uses", "use"),
                  plural(types.size(), "restricted volume type", "restricted volume types"),
                  quoted(types))};
}

Fault run_as_non_root(const Pod& pod, std::int64_t minor) {
  constexpr std::string_view kKey = "runAsNonRoot";
  if (minor >= kSparesOwnUsers && pod.has_own_users()) return std::nullopt;
  const Value* of_pod = context_member(pod.spec, kKey);
  const bool bad_pod = of_pod != nullptr && is_false(*of_pod);
  const bool good_pod = of_pod != nullptr && !bad_pod;
  Names bad;
  Names silent;
  for (const Value* container : pod.containers) {
    const Value* flag = context_member(*container, kKey);
    if (flag == nullptr) {
      silent.push_back(name_of(*container));
    } else if (is_false(*flag)) {
      bad.push_back(name_of(*container));
    }
  }
  constexpr std::string_view kReason = "runAsNonRoot != true";
  if (const std::string who = setters(bad_pod, bad); !who.empty()) {
    return SecurityFault{std::string(kReason),
                         fmt::format("{} must not set securityContext.runAsNonRoot=false", who)};
  }
  if (good_pod || silent.empty()) return std::nullopt;
  return SecurityFault{std::string(kReason),
                       fmt::format("pod or {} must set securityContext.runAsNonRoot=true",
                                   containers_named(silent))};
}

Fault run_as_user(const Pod& pod, std::int64_t minor) {
  if (minor >= kSparesOwnUsers && pod.has_own_users()) return std::nullopt;
  const auto is_root = [](const Value& holder) {
    const Value* user = context_member(holder, "runAsUser");
    return user != nullptr && user->type() == value::Type::kInt && user->as_int() == 0;
  };
  Names bad;
  for (const Value* container : pod.containers) {
    if (is_root(*container)) bad.push_back(name_of(*container));
  }
  const std::string who = setters(is_root(pod.spec), bad);
  if (who.empty()) return std::nullopt;
  return SecurityFault{"runAsUser=0", fmt::format("{} must not set runAsUser=0", who)};
}

Fault has_seccomp_profile(const Pod& pod, std::int64_t minor) {
  if (minor >= kSparesWindows && pod.is_windows()) return std::nullopt;
  const SeccompSetters found = seccomp_setters(pod);
  if (Fault bad = bad_seccomp_fault(found)) return bad;
  if (found.pod_is_good || found.without.empty()) return std::nullopt;
  return SecurityFault{
      "seccompProfile",
      fmt::format(R"(pod or {} must set securityContext.seccompProfile.type to "RuntimeDefault" )"
                  R"(or "Localhost")",
                  containers_named(found.without))};
}

}  // namespace strake::kinds::pod_security
