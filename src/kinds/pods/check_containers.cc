#include "kinds/pods/check_containers.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/trim.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/pods/check_env.h"
#include "kinds/pods/check_mounts.h"
#include "kinds/pods/check_probes.h"
#include "kinds/pods/check_resources.h"
#include "kinds/pods/check_restart_rules.h"
#include "kinds/pods/check_security_context.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

using Names = std::unordered_set<std::string_view>;

std::string_view name_of(const Value& container) { return value::text_of(container, "name"); }

Names names_of(std::span<const Value> containers) {
  Names out;
  for (const Value& container : containers) out.insert(name_of(container));
  return out;
}

void refuse_name(const Value& container, const FieldPath& at, FieldErrors& errors) {
  errors.push_back(FieldError::duplicate(at / "name", Value::string(name_of(container))));
}

// Ports of the host that are taken, "TCP/10.0.0.1/80".
class HostPorts {
 public:
  void take(const Value& container, const FieldPath& at, FieldErrors& errors) {
    const auto ports = items(container, "ports");
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const std::int64_t port = integer(ports[i], "hostPort");
      if (port == 0) continue;
      std::string taken = fmt::format("{}/{}/{}", value::text_of(ports[i], "protocol"),
                                      value::text_of(ports[i], "hostIP"), port);
      if (taken_.contains(taken)) {
        errors.push_back(
            FieldError::duplicate(at / "ports" / i / "hostPort", Value::string(taken)));
      } else {
        taken_.insert(std::move(taken));
      }
    }
  }

 private:
  std::unordered_set<std::string, TextHash, std::equal_to<>> taken_;
};

// What every container must have right.
void check_common(const Value& container, const PodScope& pod, const FieldPath& at,
                  FieldErrors& errors) {
  require_text(container, "name", at, errors);
  check_optional_text(container, "name", meta::check_dns1123_label, at, errors);
  // An image may be spaces: some templates have " " where it is filled in later.
  require_text(container, "image", at, errors);
  check_required_choice(container, "terminationMessagePolicy", {"File", "FallbackToLogsOnError"},
                        at, errors);
  check_container_ports(container, at / "ports", errors);
  check_env(items(container, "env"), at / "env", errors);
  check_env_from(items(container, "envFrom"), at / "envFrom", errors);
  check_mounts(container, pod, at, errors);
  check_pull_policy(container, "imagePullPolicy", at, errors);
  check_container_resources(container.get("resources"), pod, at / "resources", errors);
  check_resize_policy(container, pod, at / "resizePolicy", errors);
  if (const Value* context = member(container, "securityContext"))
    check_container_security_context(*context, pod.host_users, at / "securityContext", errors);
}

void check_regular(const PodScope& pod, const FieldPath& at, FieldErrors& errors) {
  const auto containers = items(pod.spec, "containers");
  if (containers.empty()) return errors.push_back(FieldError::required(at));
  Names names;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const FieldPath here = at / i;
    check_common(containers[i], pod, here, errors);
    if (!names.insert(name_of(containers[i])).second) refuse_name(containers[i], here, errors);
    check_probes_and_hooks(containers[i], pod, here, errors);
    check_restart_rules(containers[i], here, errors);
  }
  HostPorts taken;
  for (std::size_t i = 0; i < containers.size(); ++i) taken.take(containers[i], at / i, errors);
}

void check_restart_of_init(const Value& container, const PodScope& pod, const FieldPath& at,
                           FieldErrors& errors) {
  if (is_sidecar(container) || pod.allowed.restart_of_init_containers) return;
  const auto policies = items(container, "resizePolicy");
  for (std::size_t i = 0; i < policies.size(); ++i) {
    if (value::text_of(policies[i], "restartPolicy") != "RestartContainer") continue;
    add_invalid(at / "resizePolicy" / i / "restartPolicy", "RestartContainer",
                "must not be set to 'RestartContainer' for non-sidecar initContainers", errors);
  }
}

void check_init(const PodScope& pod, const FieldPath& at, FieldErrors& errors) {
  Names names = names_of(items(pod.spec, "containers"));
  const auto containers = items(pod.spec, "initContainers");
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const Value& container = containers[i];
    const FieldPath here = at / i;
    check_common(container, pod, here, errors);
    check_init_restart_rules(container, here, errors);
    if (names.contains(name_of(container))) {
      refuse_name(container, here, errors);
    } else if (!name_of(container).empty()) {
      names.insert(name_of(container));
    }
    // They run one after the other: their ports cannot collide. kube-apiserver 1.36 has the index
    // of the container wrong.
    HostPorts().take(container, at / 0, errors);
    if (is_sidecar(container)) {
      check_probes_and_hooks(container, pod, here, errors);
    } else {
      for (const std::string_view key :
           {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
        if (member(container, key) == nullptr) continue;
        errors.push_back(FieldError::forbidden(
            here / key, "may not be set for init containers without restartPolicy=Always"));
      }
    }
    check_restart_of_init(container, pod, here, errors);
  }
}

// Nothing that a service of the pod would rely on.
void check_ephemeral_fields(const Value& container, const FieldPath& at, FieldErrors& errors) {
  constexpr std::string_view kWhy = "cannot be set for an Ephemeral Container";
  for (const std::string_view key :
       {"ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules",
        "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"}) {
    const Value* given = member(container, key);
    // Resources are no pointer in Go: an empty object is none.
    if (given == nullptr || (key == "resources" && given->size() == 0)) continue;
    errors.push_back(FieldError::forbidden(at / key, std::string(kWhy)));
  }
  const auto mounts = items(container, "volumeMounts");
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    for (const std::string_view key : {"subPath", "subPathExpr"}) {
      if (!value::text_of(mounts[i], key).empty())
        errors.push_back(FieldError::forbidden(at / "volumeMounts" / i / key, std::string(kWhy)));
    }
  }
}

void check_ephemeral(const PodScope& pod, const FieldPath& at, FieldErrors& errors) {
  const auto containers = items(pod.spec, "ephemeralContainers");
  if (containers.empty()) return;
  Names others = names_of(items(pod.spec, "containers"));
  others.merge(names_of(items(pod.spec, "initContainers")));
  Names names = others;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const FieldPath here = at / i;
    check_common(containers[i], pod, here, errors);
    check_image_of_pod(containers[i], here, errors);
    if (!names.insert(name_of(containers[i])).second) refuse_name(containers[i], here, errors);
    const std::string_view target = value::text_of(containers[i], "targetContainerName");
    if (!target.empty() && !others.contains(target))
      errors.push_back(FieldError::not_found(here / "targetContainerName", Value::string(target)));
    check_ephemeral_fields(containers[i], here, errors);
  }
}

}  // namespace

void check_pull_policy(const Value& holder, std::string_view key, const FieldPath& at,
                       FieldErrors& errors) {
  check_required_choice(holder, key, {"Always", "IfNotPresent", "Never"}, at, errors);
}

void check_container_ports(const Value& container, const FieldPath& at, FieldErrors& errors) {
  Names names;
  const auto ports = items(container, "ports");
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const FieldPath here = at / i;
    if (const std::string_view name = value::text_of(ports[i], "name"); !name.empty()) {
      const std::uint64_t before = count_of(errors);
      check_port_or_name(Value::string(name), here / "name", errors);
      if (count_of(errors) == before && !names.insert(name).second)
        errors.push_back(FieldError::duplicate(here / "name", Value::string(name)));
    }
    if (integer(ports[i], "containerPort") == 0) {
      errors.push_back(FieldError::required(here / "containerPort"));
    } else {
      check_number_range(ports[i], "containerPort", 1, 65535, here, errors);
    }
    if (integer(ports[i], "hostPort") != 0)
      check_number_range(ports[i], "hostPort", 1, 65535, here, errors);
    check_required_choice(ports[i], "protocol", {"SCTP", "TCP", "UDP"}, here, errors);
  }
}

void check_image_of_pod(const Value& container, const FieldPath& at, FieldErrors& errors) {
  const std::string_view image = value::text_of(container, "image");
  if (trim_unicode(image).size() != image.size())
    add_invalid(at / "image", image, "must not have leading or trailing whitespace", errors);
}

void check_images_of_pod(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view key : {"containers", "initContainers"}) {
    const auto containers = items(spec, key);
    for (std::size_t i = 0; i < containers.size(); ++i)
      check_image_of_pod(containers[i], at / key / i, errors);
  }
}

void check_containers(const PodScope& pod, const FieldPath& at, FieldErrors& errors) {
  check_regular(pod, at / "containers", errors);
  check_init(pod, at / "initContainers", errors);
  check_ephemeral(pod, at / "ephemeralContainers", errors);
}

}  // namespace strake::kinds
