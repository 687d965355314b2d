#include "kinds/pods/pod_defaults.h"

#include "kinds/fields.h"
#include "kinds/pods/edit_members.h"
#include "kinds/pods/pod_level_resources.h"
#include "kinds/pods/pod_spec.h"
#include "kinds/resource_names.h"
#include "value/fields.h"

namespace strake::kinds {
namespace {

using value::Value;

// What has a limit and no request requests as much.
void request_limits(Value& container, Arena& arena) {
  Value* resources = object_member(container, "resources");
  if (resources != nullptr)
    add_missing(*resources, "requests", members(*resources, "limits"), arena);
}

// Containers in the network of the host have its ports.
void use_host_ports(Value& container, Arena& arena) {
  edit_each(container, "ports", [&](Value& port) {
    if (const std::int64_t number = integer(port, "containerPort"); number != 0)
      set_if_zero(port, "hostPort", number, arena);
  });
}

void default_spec(Value& spec, Arena& arena) {
  if (integer(spec, "terminationGracePeriodSeconds") < 0)
    spec.set("terminationGracePeriodSeconds", Value::integer(1), arena);
  const bool on_host = value::flag_of(spec, "hostNetwork");
  for (const std::string_view key : {"containers", "initContainers"}) {
    edit_each(spec, key, [&](Value& container) {
      request_limits(container, arena);
      if (on_host) use_host_ports(container, arena);
    });
  }
  apply_pod_level_defaults(spec, arena);
  set_if_absent(spec, "enableServiceLinks", Value::boolean(true), arena);
  apply_pod_spec_defaults(spec, arena);
}

// podIP is the first of podIPs; where they differ, podIP is right.
void sync_ips(Value& status, Arena& arena) {
  const std::string_view ip = value::text_of(status, "podIP");
  const auto ips = items(status, "podIPs");
  const std::string_view first = ips.empty() ? "" : value::text_of(ips[0], "ip");
  if (ip.empty()) {
    if (!first.empty()) status.set("podIP", Value::string(first), arena);
  } else if (ip != first) {
    Value only = Value::object({});
    only.set("ip", Value::string(ip), arena);
    status.set("podIPs", Value::array({}), arena).append(only, arena);
  }
}

void default_status(Value& status, Arena& arena) {
  for (const std::string_view key :
       {"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"}) {
    edit_each(status, key, [&](Value& container) {
      round_amounts(container, "allocatedResources", arena);
      round_requirements(container, arena);
      // Behind a feature gate that is off in kube-apiserver 1.36.
      edit_each(container, "volumeMounts", [](Value& mount) { mount.remove("volumeStatus"); });
    });
  }
  round_amounts(status, "allocatedResources", arena);
  round_requirements(status, arena);
  // The same.
  status.remove("nodeAllocatableResourceClaimStatuses");
  sync_ips(status, arena);
}

}  // namespace

void apply_pod_defaults(Value& pod, Arena& arena) {
  drop_init_annotations(pod);
  default_spec(pod.object_at("spec", arena), arena);
  if (Value* status = object_member(pod, "status")) default_status(*status, arena);
}

}  // namespace strake::kinds
