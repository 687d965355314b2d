#include "kinds/pods/check_pod_os.h"

#include <fmt/format.h>

#include "kinds/fields.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void forbid_fields(const Value& object, Choices keys, std::string_view why, const FieldPath& at,
                   FieldErrors& errors) {
  for (const std::string_view key : keys) {
    if (member(object, key) != nullptr)
      errors.push_back(FieldError::forbidden(at / key, std::string(why)));
  }
}

void check_linux(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  constexpr std::string_view kWhy = "windows options cannot be set for a linux pod";
  forbid_fields(spec.get("securityContext"), {"windowsOptions"}, kWhy, at / "securityContext",
                errors);
  visit_containers(spec, at, [&](const Value& container, const FieldPath& here) {
    forbid_fields(container.get("securityContext"), {"windowsOptions"}, kWhy,
                  here / "securityContext", errors);
  });
}

void check_windows(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  constexpr std::string_view kWhy = "cannot be set for a windows pod";
  const auto forbid_set = [&](const Value& object, std::string_view key, const FieldPath& path) {
    const Value& given = object.get(key);
    const bool is_set = given.is_bool() ? given.as_bool() : given.size() > 0;
    if (is_set) errors.push_back(FieldError::forbidden(path / key, std::string(kWhy)));
  };
  const Value& context = spec.get("securityContext");
  const FieldPath context_path = at / "securityContext";
  forbid_fields(context, {"appArmorProfile", "seLinuxOptions"}, kWhy, context_path, errors);
  forbid_fields(spec, {"hostUsers"}, kWhy, at, errors);
  forbid_set(spec, "hostPID", at);
  forbid_set(spec, "hostIPC", at);
  forbid_fields(context, {"seccompProfile", "fsGroup", "fsGroupChangePolicy"}, kWhy, context_path,
                errors);
  forbid_set(context, "sysctls", context_path);
  forbid_fields(spec, {"shareProcessNamespace"}, kWhy, at, errors);
  forbid_fields(context,
                {"runAsUser", "runAsGroup", "supplementalGroups", "supplementalGroupsPolicy",
                 "seLinuxChangePolicy"},
                kWhy, context_path, errors);
  visit_containers(spec, at, [&](const Value& container, const FieldPath& here) {
    forbid_fields(container.get("securityContext"),
                  {"appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities",
                   "readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation", "procMount",
                   "runAsUser", "runAsGroup"},
                  kWhy, here / "securityContext", errors);
  });
}

// Null when it is not set.
const Value* host_process_of(const Value& holder) {
  return member(holder, {"securityContext", "windowsOptions", "hostProcess"});
}

}  // namespace

void check_host_network_ports(const PodScope& pod, const FieldPath& at, FieldErrors& errors) {
  if (!value::flag_of(pod.spec, "hostNetwork")) return;
  const auto containers = items(pod.spec, "containers");
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const auto ports = items(containers[i], "ports");
    for (std::size_t j = 0; j < ports.size(); ++j) {
      const std::int64_t host_port = integer(ports[j], "hostPort");
      // In a template it may be missing: it is filled in when a pod is made.
      if (!pod.is_pod && host_port == 0) continue;
      if (host_port == integer(ports[j], "containerPort")) continue;
      add_invalid(at / "containers" / i / "ports" / j / "hostPort", Value::integer(host_port),
                  "must match `containerPort` when `hostNetwork` is true", errors);
    }
  }
}

void check_host_processes(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const Value* of_pod = host_process_of(spec);
  std::size_t containers = 0;
  std::size_t host_processes = 0;
  visit_containers(spec, at, [&](const Value& container, const FieldPath& here) {
    ++containers;
    const Value* own = host_process_of(container);
    if (own != nullptr && of_pod != nullptr && own->as_bool() != of_pod->as_bool()) {
      add_invalid(
          here / "securityContext" / "windowsOptions" / "hostProcess", *own,
          fmt::format("pod hostProcess value must be identical if both are specified, was {}",
                      of_pod->as_bool()),
          errors);
    }
    const Value* effective = own != nullptr ? own : of_pod;
    host_processes += effective != nullptr && effective->as_bool() ? 1 : 0;
  });
  if (host_processes == 0) return;
  if (host_processes != containers) {
    add_invalid(
        at, "",
        "If pod contains any hostProcess containers then all containers must be HostProcess "
        "containers",
        errors);
  }
  if (!value::flag_of(spec, "hostNetwork")) {
    add_invalid(at / "hostNetwork", Value::boolean(false),
                "hostNetwork must be true if pod contains any hostProcess containers", errors);
  }
}

void check_host_users(const PodScope& pod, const FieldPath& at, FieldErrors& errors) {
  if (pod.host_users) return;
  constexpr std::string_view kWhy = "when `hostUsers` is false";
  const auto forbid = [&](FieldPath path) {
    errors.push_back(FieldError::forbidden(std::move(path), std::string(kWhy)));
  };
  if (!pod.allowed.host_network_of_user_namespace && value::flag_of(pod.spec, "hostNetwork"))
    forbid(at / "hostNetwork");
  // As kube-apiserver 1.36 writes them.
  if (value::flag_of(pod.spec, "hostPID")) forbid(at / "HostPID");
  if (value::flag_of(pod.spec, "hostIPC")) forbid(at / "HostIPC");
  if (pod.allowed.devices_of_user_namespace) return;
  visit_containers(pod.spec, at, [&](const Value& container, const FieldPath& here) {
    if (!items(container, "volumeDevices").empty()) forbid(here / "volumeDevices");
  });
}

void check_os(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const Value* os = member(spec, "os");
  if (os == nullptr) return;
  const std::string_view name = value::text_of(*os, "name");
  if (name.empty()) return errors.push_back(FieldError::required(at / "os" / "name"));
  if (name == "linux") return check_linux(spec, at, errors);
  if (name == "windows") return check_windows(spec, at, errors);
  check_choice(name, {"linux", "windows"}, at / "os", errors);
}

}  // namespace strake::kinds
