// The rules of the baseline level: what gives a pod power over its node.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quote.h"
#include "kinds/fields.h"
#include "kinds/pods/pod_security_rules.h"
#include "meta/object_meta.h"

namespace strake::kinds::pod_security {
namespace {

using value::Value;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::ranges::find(texts, text) != texts.end();
}

// --- AppArmor

bool is_allowed_app_armor(const Value& context, Texts& bad_types) {
  const Value* profile = member(context, {"securityContext", "appArmorProfile"});
  if (profile == nullptr) return true;
  const std::string_view type = text_of(*profile, "type");
  if (is_one_of(type, {"RuntimeDefault", "Localhost"})) return true;
  bad_types.emplace(type);
  return false;
}

// Annotations of the time before the field, as `name="value"`.
Texts bad_app_armor_annotations(const Pod& pod) {
  constexpr std::string_view kPrefix = "container.apparmor.security.beta.kubernetes.io/";
  Texts out;
  for (const value::Member& one : members(pod.metadata, "annotations")) {
    const std::string_view profile = value::text_of(one.value);
    if (!one.key.starts_with(kPrefix) || profile.empty() || profile == "runtime/default" ||
        profile.starts_with("localhost/")) {
      continue;
    }
    out.insert(fmt::format("{}={}", one.key, quote(profile)));
  }
  return out;
}

// --- SELinux

struct SeLinuxFaults {
  std::int64_t minor;
  Texts types{};
  bool sets_user = false;
  bool sets_role = false;

  bool is_allowed(const Value& context) {
    constexpr std::int64_t kWithEngine = 31;
    const Value* options = member(context, {"securityContext", "seLinuxOptions"});
    if (options == nullptr) return true;
    const std::string_view type = text_of(*options, "type");
    const bool good_type =
        is_one_of(type, {"", "container_t", "container_init_t", "container_kvm_t"}) ||
        (minor >= kWithEngine && type == "container_engine_t");
    if (!good_type) types.emplace(type);
    const bool user = !text_of(*options, "user").empty();
    const bool role = !text_of(*options, "role").empty();
    sets_user |= user;
    sets_role |= role;
    return good_type && !user && !role;
  }

  std::string text() const {
    std::vector<std::string> out;
    if (!types.empty())
      out.push_back(fmt::format("{} {}", plural(types.size(), "type", "types"), quoted(types)));
    if (sets_user) out.emplace_back("user may not be set");
    if (sets_role) out.emplace_back("role may not be set");
    return fmt::format("{}", fmt::join(out, "; "));
  }
};

// --- seccomp

bool is_seccomp_annotation(std::string_view profile) {
  return is_one_of(profile, {"runtime/default", "docker/default"}) ||
         profile.starts_with("localhost/");
}

// Before 1.19 annotations said it.
Fault seccomp_annotations(const Pod& pod) {
  constexpr std::string_view kPod = "seccomp.security.alpha.kubernetes.io/pod";
  constexpr std::string_view kContainer = "container.seccomp.security.alpha.kubernetes.io/";
  Texts bad;
  const auto look_at = [&](const std::string& name) {
    const Value* profile = member(pod.metadata, {"annotations", name});
    if (profile != nullptr && !is_seccomp_annotation(value::text_of(*profile)))
      bad.insert(fmt::format("{}={}", name, quote(value::text_of(*profile))));
  };
  look_at(std::string(kPod));
  for (const Value* container : pod.containers)
    look_at(fmt::format("{}{}", kContainer, name_of(*container)));
  if (bad.empty()) return std::nullopt;
  return SecurityFault{
      "seccompProfile",
      fmt::format("forbidden {} {}", plural(bad.size(), "annotation", "annotations"),
                  fmt::join(bad, ", "))};
}

// --- hosts of probes

void add_hosts(const Value* handler, Texts& hosts) {
  if (handler == nullptr) return;
  for (const std::string_view kind : {"httpGet", "tcpSocket"}) {
    const std::string_view host = text_of(*handler, {kind, "host"});
    if (!host.empty()) hosts.emplace(host);
  }
}

Texts hosts_of(const Value& container) {
  Texts out;
  for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"})
    add_hosts(member(container, probe), out);
  for (const std::string_view handler : {"postStart", "preStop"})
    add_hosts(member(container, {"lifecycle", handler}), out);
  return out;
}

// --- sysctls

struct AllowedSysctl {
  std::string_view name;
  std::int64_t since;
};
constexpr AllowedSysctl kAllowedSysctls[] = {{"kernel.shm_rmid_forced", 0},
                                             {"net.ipv4.ip_local_port_range", 0},
                                             {"net.ipv4.tcp_syncookies", 0},
                                             {"net.ipv4.ping_group_range", 0},
                                             {"net.ipv4.ip_unprivileged_port_start", 0},
                                             {"net.ipv4.ip_local_reserved_ports", 27},
                                             {"net.ipv4.tcp_keepalive_time", 29},
                                             {"net.ipv4.tcp_fin_timeout", 29},
                                             {"net.ipv4.tcp_keepalive_intvl", 29},
                                             {"net.ipv4.tcp_keepalive_probes", 29},
                                             {"net.ipv4.tcp_rmem", 32},
                                             {"net.ipv4.tcp_wmem", 32}};

bool is_allowed_sysctl(std::string_view name, std::int64_t minor) {
  return std::ranges::any_of(kAllowedSysctls, [&](const AllowedSysctl& one) {
    return one.name == name && minor >= one.since;
  });
}

bool has_host_process(const Value& context) {
  const Value* flag = member(context, {"securityContext", "windowsOptions", "hostProcess"});
  return flag != nullptr && flag->is_bool() && flag->as_bool();
}

}  // namespace

Fault app_armor_profile(const Pod& pod, std::int64_t) {
  Texts types;
  const bool bad_pod = !is_allowed_app_armor(pod.spec, types);
  Names bad;
  for (const Value* container : pod.containers) {
    if (!is_allowed_app_armor(*container, types)) bad.push_back(name_of(*container));
  }
  const Texts annotations = bad_app_armor_annotations(pod);
  std::vector<std::string> who;
  if (std::string fields = setters(bad_pod, bad); !fields.empty()) who.push_back(std::move(fields));
  if (!annotations.empty())
    who.emplace_back(plural(annotations.size(), "annotation", "annotations"));
  if (who.empty()) return std::nullopt;
  std::string values = quoted(types);
  if (!annotations.empty())
    values += fmt::format("{}{}", values.empty() ? "" : ", ", quoted(annotations));
  return SecurityFault{
      std::string(plural(types.size() + annotations.size(), "forbidden AppArmor profile",
                         "forbidden AppArmor profiles")),
      fmt::format("{} must not set AppArmor profile type to {}", fmt::join(who, " and "), values)};
}

Fault default_capabilities(const Pod& pod, std::int64_t) {
  Names bad;
  Texts added;
  for (const Value* container : pod.containers) {
    const Value* capabilities = member(*container, {"securityContext", "capabilities"});
    if (capabilities == nullptr) continue;
    bool good = true;
    for (const Value& one : items(*capabilities, "add")) {
      const std::string_view name = value::text_of(one);
      if (is_one_of(name,
                    {"AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD",
                     "NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"})) {
        continue;
      }
      good = false;
      added.emplace(name);
    }
    if (!good) bad.push_back(name_of(*container));
  }
  if (bad.empty()) return std::nullopt;
  return SecurityFault{"non-default capabilities",
                       fmt::format("{} must not include {} in securityContext.capabilities.add",
                                   containers_named(bad), quoted(added))};
}

Fault host_namespaces(const Pod& pod, std::int64_t) {
  std::vector<std::string> shared;
  for (const std::string_view key : {"hostNetwork", "hostPID", "hostIPC"}) {
    if (value::flag_of(pod.spec, key)) shared.push_back(fmt::format("{}=true", key));
  }
  if (shared.empty()) return std::nullopt;
  return SecurityFault{"host namespaces", fmt::format("{}", fmt::join(shared, ", "))};
}

Fault host_path_volumes(const Pod& pod, std::int64_t) {
  Names bad;
  for (const Value& volume : items(pod.spec, "volumes")) {
    if (member(volume, "hostPath") != nullptr) bad.push_back(name_of(volume));
  }
  if (bad.empty()) return std::nullopt;
  return SecurityFault{"hostPath volumes",
                       fmt::format("{} {}", plural(bad.size(), "volume", "volumes"), quoted(bad))};
}

Fault host_ports(const Pod& pod, std::int64_t) {
  Names bad;
  Texts ports;
  for (const Value* container : pod.containers) {
    bool good = true;
    for (const Value& port : items(*container, "ports")) {
      const std::int64_t number = integer(port, "hostPort");
      if (number == 0) continue;
      good = false;
      ports.insert(fmt::format("{}", number));
    }
    if (!good) bad.push_back(name_of(*container));
  }
  if (bad.empty()) return std::nullopt;
  return SecurityFault{
      "hostPort",
      fmt::format("{} {} {} {}", containers_named(bad), plural(bad.size(), "uses", "use"),
                  plural(ports.size(), "hostPort", "hostPorts"), fmt::join(ports, ", "))};
}

Fault host_probes(const Pod& pod, std::int64_t) {
  Texts bad;
  Texts hosts;
  for (const Value* container : pod.containers) {
    Texts found = hosts_of(*container);
    if (found.empty()) continue;
    bad.emplace(name_of(*container));
    hosts.merge(found);
  }
  if (bad.empty()) return std::nullopt;
  constexpr std::string_view kReason = "probe or lifecycle host";
  return SecurityFault{
      std::string(kReason),
      fmt::format("{} {} {} {} {}", plural(bad.size(), "container", "containers"), quoted(bad),
                  plural(bad.size(), "uses", "use"),
                  plural(hosts.size(), kReason, "probe or lifecycle hosts"), quoted(hosts))};
}

Fault privileged(const Pod& pod, std::int64_t) {
  Names bad;
  for (const Value* container : pod.containers) {
    if (value::flag_of(container->get("securityContext"), "privileged"))
      bad.push_back(name_of(*container));
  }
  if (bad.empty()) return std::nullopt;
  return SecurityFault{"privileged", fmt::format("{} must not set securityContext.privileged=true",
                                                 containers_named(bad))};
}

Fault proc_mount(const Pod& pod, std::int64_t minor) {
  constexpr std::int64_t kSparesOwnUsers = 35;
  if (minor >= kSparesOwnUsers && pod.has_own_users()) return std::nullopt;
  return default_proc_mount(pod, minor);
}

Fault se_linux_options(const Pod& pod, std::int64_t minor) {
  SeLinuxFaults faults{.minor = minor};
  const bool bad_pod = !faults.is_allowed(pod.spec);
  Names bad;
  for (const Value* container : pod.containers) {
    if (!faults.is_allowed(*container)) bad.push_back(name_of(*container));
  }
  const std::string who = setters(bad_pod, bad);
  if (who.empty()) return std::nullopt;
  return SecurityFault{
      "seLinuxOptions",
      fmt::format("{} set forbidden securityContext.seLinuxOptions: {}", who, faults.text())};
}

Fault seccomp_profile(const Pod& pod, std::int64_t minor) {
  constexpr std::int64_t kFieldSince = 19;
  if (minor < kFieldSince) return seccomp_annotations(pod);
  return bad_seccomp_fault(seccomp_setters(pod));
}

Fault sysctls(const Pod& pod, std::int64_t minor) {
  Names bad;
  for (const Value& one : items(pod.spec.get("securityContext"), "sysctls")) {
    if (!is_allowed_sysctl(name_of(one), minor)) bad.push_back(name_of(one));
  }
  if (bad.empty()) return std::nullopt;
  return SecurityFault{"forbidden sysctls", fmt::format("{}", fmt::join(bad, ", "))};
}

Fault windows_host_process(const Pod& pod, std::int64_t) {
  Names bad;
  for (const Value* container : pod.containers) {
    if (has_host_process(*container)) bad.push_back(name_of(*container));
  }
  const std::string who = setters(has_host_process(pod.spec), bad);
  if (who.empty()) return std::nullopt;
  return SecurityFault{
      "hostProcess",
      fmt::format("{} must not set securityContext.windowsOptions.hostProcess=true", who)};
}

}  // namespace strake::kinds::pod_security
