#include "kinds/pods/check_security_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/trim.h"
#include "kinds/fields.h"
#include "kinds/pods/check_values.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// --- as Go shows them

// A field of a struct of kube-apiserver 1.36: a pointer, a text, or a list of texts; a pointer to a
// struct has fields.
struct ShownField {
  std::string_view json_name;
  std::string_view go_name;
  bool is_text = false;
  std::span<const ShownField> fields = {};
};

constexpr ShownField kCapabilities[] = {{"add", "Add"}, {"drop", "Drop"}};
constexpr ShownField kSelinux[] = {{"user", "User", true},
                                   {"role", "Role", true},
                                   {"type", "Type", true},
                                   {"level", "Level", true}};
constexpr ShownField kWindows[] = {{"gmsaCredentialSpecName", "GMSACredentialSpecName"},
                                   {"gmsaCredentialSpec", "GMSACredentialSpec"},
                                   {"runAsUserName", "RunAsUserName"},
                                   {"hostProcess", "HostProcess"}};
constexpr ShownField kProfile[] = {{"type", "Type", true},
                                   {"localhostProfile", "LocalhostProfile"}};
constexpr ShownField kContext[] = {{"capabilities", "Capabilities", false, kCapabilities},
                                   {"privileged", "Privileged"},
                                   {"seLinuxOptions", "SELinuxOptions", false, kSelinux},
                                   {"windowsOptions", "WindowsOptions", false, kWindows},
                                   {"runAsUser", "RunAsUser"},
                                   {"runAsGroup", "RunAsGroup"},
                                   {"runAsNonRoot", "RunAsNonRoot"},
                                   {"readOnlyRootFilesystem", "ReadOnlyRootFilesystem"},
                                   {"allowPrivilegeEscalation", "AllowPrivilegeEscalation"},
                                   {"procMount", "ProcMount"},
                                   {"seccompProfile", "SeccompProfile", false, kProfile},
                                   {"appArmorProfile", "AppArmorProfile", false, kProfile}};

std::string show(const Value& object, std::span<const ShownField> fields) {
  std::string out;
  for (const ShownField& field : fields) {
    out += fmt::format(R"({}"{}":)", out.empty() ? "{" : ",", field.go_name);
    const Value* given = member(object, field.json_name);
    if (given == nullptr) {
      out += field.is_text ? R"("")" : "null";
    } else {
      out += field.fields.empty() ? value::to_json(*given) : show(*given, field.fields);
    }
  }
  return out + "}";
}

void refuse_struct(const Value& object, std::span<const ShownField> fields, const FieldPath& at,
                   std::string detail, std::uint64_t times, FieldErrors& errors) {
  std::string shown;
  for (; times > 0; --times) {
    if (errors.full()) return errors.omit(times);
    if (shown.empty()) shown = show(object, fields);
    errors.push_back(
        {.type = FieldError::Type::kInvalid, .path = at, .shown = shown, .detail = detail});
  }
}

// --- profiles

void check_seccomp(const Value& context, const FieldPath& context_path, FieldErrors& errors) {
  const Value* profile = member(context, "seccompProfile");
  if (profile == nullptr) return;
  const FieldPath at = context_path / "seccompProfile";
  const std::string_view type = value::text_of(*profile, "type");
  if (type.empty()) {
    errors.push_back(
        FieldError::required(at / "type", "type is required when seccompProfile is set"));
  } else {
    check_choice(type, {"Localhost", "RuntimeDefault", "Unconfined"}, at / "type", errors);
  }
  const bool has_file = member(*profile, "localhostProfile") != nullptr;
  if (type != "Localhost") {
    if (has_file) {
      refuse_struct(*profile, kProfile, at / "localhostProfile",
                    "can only be set when seccomp type is Localhost", 1, errors);
    }
  } else if (has_file) {
    check_relative_path(value::text_of(*profile, "localhostProfile"), at / "localhostProfile",
                        errors);
  } else {
    errors.push_back(FieldError::required(at / "localhostProfile",
                                          "must be set when seccomp type is Localhost"));
  }
}

void check_app_armor_file(const Value& profile, const FieldPath& at, FieldErrors& errors) {
  constexpr std::int64_t kMostBytes = 4095;  // a path on Linux
  const std::string_view name = value::text_of(profile, "localhostProfile");
  if (trim_unicode(name) != name) {
    add_invalid(at, name, "must not be padded with whitespace", errors);
  } else if (name.empty()) {
    errors.push_back(FieldError::required(at, "must be set when AppArmor type is Localhost"));
  }
  if (name.size() > kMostBytes) errors.push_back(FieldError::too_long(at, kMostBytes));
}

void check_app_armor(const Value& context, const FieldPath& context_path, FieldErrors& errors) {
  const Value* profile = member(context, "appArmorProfile");
  if (profile == nullptr) return;
  const FieldPath at = context_path / "appArmorProfile";
  const std::string_view type = value::text_of(*profile, "type");
  if (type == "Localhost") {
    check_app_armor_file(*profile, at / "localhostProfile", errors);
  } else if (type == "RuntimeDefault" || type == "Unconfined") {
    if (member(*profile, "localhostProfile") != nullptr) {
      add_invalid_as_json(at / "localhostProfile", value::text_of(*profile, "localhostProfile"),
                          "can only be set when AppArmor type is Localhost", errors);
    }
  } else if (type.empty()) {
    errors.push_back(
        FieldError::required(at / "type", "type is required when appArmorProfile is set"));
  } else {
    check_choice(type, {"Localhost", "RuntimeDefault", "Unconfined"}, at / "type", errors);
  }
}

void check_profiles_and_windows(const Value& context, const FieldPath& at, FieldErrors& errors) {
  if (const Value* windows = member(context, "windowsOptions"))
    check_windows_options(*windows, at / "windowsOptions", errors);
  check_app_armor(context, at, errors);
}

// --- containers

void check_escalation(const Value& context, const FieldPath& at, FieldErrors& errors) {
  const Value& allow = context.get("allowPrivilegeEscalation");
  if (!allow.is_bool() || allow.as_bool()) return;
  if (value::flag_of(context, "privileged")) {
    refuse_struct(context, kContext, at,
                  "cannot set `allowPrivilegeEscalation` to false and `privileged` to true", 1,
                  errors);
  }
  const auto added = items(context.get("capabilities"), "add");
  const auto count = std::ranges::count_if(
      added, [](const Value& one) { return value::text_of(one) == "CAP_SYS_ADMIN"; });
  refuse_struct(
      context, kContext, at,
      "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN",
      static_cast<std::uint64_t>(count), errors);
}

// --- sysctls

constexpr std::size_t kMostSysctlBytes = 253;
constexpr std::string_view kSysctlPattern =
    R"(^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$)";

bool is_sysctl_part(std::string_view part) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !part.empty() && is_plain(part.front()) && is_plain(part.back()) &&
         std::ranges::all_of(part, [&](char c) { return is_plain(c) || c == '-' || c == '_'; });
}

bool is_sysctl_name(std::string_view name) {
  if (name.size() > kMostSysctlBytes) return false;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t end = std::min(name.find_first_of("./", from), name.size());
    if (!is_sysctl_part(name.substr(from, end - from))) return false;
    from = end + 1;
  }
  return true;
}

enum class SysctlNamespace { kNone, kIpc, kNet };

// The kernel namespace that a sysctl belongs to. "net/ipv4/ip_forward" is net.ipv4.ip_forward, and
// what stands behind a '*' does not count.
SysctlNamespace namespace_of(std::string_view sysctl) {
  std::string name(sysctl);
  const std::size_t first = name.find_first_of("./");
  if (first != std::string::npos && name[first] == '/') {
    for (char& c : name) c = c == '.' ? '/' : c == '/' ? '.' : c;
  }
  name.resize(std::min(name.find('*'), name.size()));
  for (const std::string_view known :
       {"kernel.sem", "kernel.shmall", "kernel.shmmax", "kernel.shmmni", "kernel.shm_rmid_forced",
        "kernel.shm", "kernel.msgmax", "kernel.msgmnb", "kernel.msgmni", "kernel.msg"}) {
    if (name == known) return SysctlNamespace::kIpc;
  }
  if (name.starts_with("fs.mqueue.")) return SysctlNamespace::kIpc;
  return name.starts_with("net.") ? SysctlNamespace::kNet : SysctlNamespace::kNone;
}

// Why the pod may not have the sysctl; empty when it may.
std::string_view host_namespace_of(std::string_view sysctl, const Value& spec) {
  switch (namespace_of(sysctl)) {
    case SysctlNamespace::kNet:
      return value::flag_of(spec, "hostNetwork") ? "may not be specified when 'hostNetwork' is true"
                                                 : std::string_view();
    case SysctlNamespace::kIpc:
      return value::flag_of(spec, "hostIPC") ? "may not be specified when 'hostIPC' is true"
                                             : std::string_view();
    case SysctlNamespace::kNone: return {};
  }
  return {};
}

void check_sysctls(const Value& context, const PodScope& pod, const FieldPath& at,
                   FieldErrors& errors) {
  std::unordered_set<std::string_view> names;
  const auto sysctls = items(context, "sysctls");
  for (std::size_t i = 0; i < sysctls.size(); ++i) {
    const FieldPath here = at / i;
    const std::string_view name = value::text_of(sysctls[i], "name");
    const bool fresh = names.insert(name).second;
    if (name.empty()) {
      errors.push_back(FieldError::required(here / "name"));
    } else if (!is_sysctl_name(name)) {
      add_invalid(here / "name", name,
                  fmt::format("must have at most {} characters and match regex {}",
                              kMostSysctlBytes, kSysctlPattern),
                  errors);
    } else if (!fresh) {
      errors.push_back(FieldError::duplicate(here / "name", Value::string(name)));
    }
    if (pod.allowed.host_sysctls) continue;
    if (const std::string_view why = host_namespace_of(name, pod.spec); !why.empty())
      add_invalid(here / "name", name, std::string(why), errors);
  }
}

void check_groups(const Value& context, const FieldPath& at, FieldErrors& errors) {
  const auto groups = items(context, "supplementalGroups");
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::int64_t group = groups[i].type() == value::Type::kInt ? groups[i].as_int() : 0;
    if (group < 0 || group > kMaxInt32)
      add_invalid(at / "supplementalGroups" / i, Value::integer(group), range_text(0, kMaxInt32),
                  errors);
  }
}

void check_selinux_policy(const Value& context, bool any_policy, const FieldPath& at,
                          FieldErrors& errors) {
  if (any_policy) {
    check_optional_choice(context, "seLinuxChangePolicy", {"MountOption", "Recursive"}, at, errors);
  } else {
    check_optional_choice(context, "seLinuxChangePolicy", {"Recursive"}, at, errors);
  }
}

}  // namespace

bool has_host_sysctl(const Value& spec) {
  return std::ranges::any_of(items(spec.get("securityContext"), "sysctls"), [&](const Value& one) {
    return !host_namespace_of(value::text_of(one, "name"), spec).empty();
  });
}

void check_container_security_context(const Value& context, bool host_users, const FieldPath& at,
                                      FieldErrors& errors) {
  check_user_id(context, "runAsUser", at, errors);
  check_user_id(context, "runAsGroup", at, errors);
  check_optional_choice(context, "procMount", {"Default", "Unmasked"}, at, errors);
  if (host_users && value::text_of(context, "procMount") == "Unmasked")
    add_invalid(at / "procMount", "Unmasked", "`hostUsers` must be false to use `Unmasked`",
                errors);
  check_seccomp(context, at, errors);
  check_escalation(context, at, errors);
  check_profiles_and_windows(context, at, errors);
}

void check_pod_security_context(const PodScope& pod, const FieldPath& at, FieldErrors& errors) {
  const Value& context = pod.spec.get("securityContext");
  check_user_id(context, "fsGroup", at, errors);
  check_user_id(context, "runAsUser", at, errors);
  check_user_id(context, "runAsGroup", at, errors);
  check_groups(context, at, errors);
  // These are fields of the security context inside kube-apiserver 1.36.
  if (value::flag_of(pod.spec, "shareProcessNamespace") && value::flag_of(pod.spec, "hostPID")) {
    add_invalid(at / "shareProcessNamespace", Value::boolean(true),
                "ShareProcessNamespace and HostPID cannot both be enabled", errors);
  }
  check_sysctls(context, pod, at / "sysctls", errors);
  check_optional_choice(context, "fsGroupChangePolicy", {"Always", "OnRootMismatch"}, at, errors);
  check_seccomp(context, at, errors);
  check_profiles_and_windows(context, at, errors);
  check_optional_choice(context, "supplementalGroupsPolicy", {"Merge", "Strict"}, at, errors);
  check_selinux_policy(context, pod.allowed.selinux_policies, at, errors);
}

}  // namespace strake::kinds
