#include "kinds/fields.h"
#include "kinds/pods/edit_members.h"
#include "kinds/pods/image_reference.h"
#include "kinds/pods/pod_defaults.h"
#include "kinds/pods/pod_spec.h"
#include "kinds/pods/pod_volume_defaults.h"
#include "kinds/resource_names.h"

namespace strake::kinds {
namespace {

using value::Value;

constexpr std::int64_t kGraceSeconds = 30;

// What said init containers before there was a field; kube-apiserver 1.36 drops them.
constexpr std::string_view kInitAnnotations[] = {
    "pod.alpha.kubernetes.io/init-container-statuses", "pod.alpha.kubernetes.io/init-containers",
    "pod.beta.kubernetes.io/init-container-statuses", "pod.beta.kubernetes.io/init-containers"};

void default_http_get(Value& action, Arena& arena) {
  set_if_empty(action, "path", "/", arena);
  set_if_empty(action, "scheme", "HTTP", arena);
}

void default_probe(Value& probe, Arena& arena) {
  set_if_zero(probe, "timeoutSeconds", 1, arena);
  set_if_zero(probe, "periodSeconds", 10, arena);
  set_if_zero(probe, "successThreshold", 1, arena);
  set_if_zero(probe, "failureThreshold", 3, arena);
  if (Value* http = object_member(probe, "httpGet")) default_http_get(*http, arena);
  if (Value* grpc = object_member(probe, "grpc"))
    set_if_absent(*grpc, "service", Value::string(""), arena);
}

void default_lifecycle(Value& container, Arena& arena) {
  Value* lifecycle = object_member(container, "lifecycle");
  if (lifecycle == nullptr) return;
  // Behind a feature gate that is off in kube-apiserver 1.36.
  if (lifecycle->remove("stopSignal") && lifecycle->size() == 0) {
    container.remove("lifecycle");
    return;
  }
  for (const std::string_view key : {"postStart", "preStop"}) {
    Value* handler = object_member(*lifecycle, key);
    Value* http = handler != nullptr ? object_member(*handler, "httpGet") : nullptr;
    if (http != nullptr) default_http_get(*http, arena);
  }
}

void default_environment(Value& container, Arena& arena) {
  edit_each(container, "env", [&](Value& variable) {
    Value* from = object_member(variable, "valueFrom");
    if (from == nullptr) return;
    apply_field_ref_defaults(*from, arena);
    if (Value* file = object_member(*from, "fileKeyRef"))
      set_if_absent(*file, "optional", Value::boolean(false), arena);
  });
}

void default_container(Value& container, Arena& arena) {
  const bool latest = is_latest_image(value::text_of(container, "image"));
  set_if_empty(container, "imagePullPolicy", latest ? "Always" : "IfNotPresent", arena);
  set_if_empty(container, "terminationMessagePath", "/dev/termination-log", arena);
  set_if_empty(container, "terminationMessagePolicy", "File", arena);
  edit_each(container, "ports", [&](Value& port) { set_if_empty(port, "protocol", "TCP", arena); });
  default_environment(container, arena);
  round_requirements(container, arena);
  for (const std::string_view key : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    if (Value* probe = object_member(container, key)) default_probe(*probe, arena);
  }
  default_lifecycle(container, arena);
}

// The older name of the account stays in step with the newer one, which wins.
void sync_account(Value& spec, Arena& arena) {
  std::string_view account = value::text_of(spec, "serviceAccountName");
  if (account.empty()) account = value::text_of(spec, "serviceAccount");
  if (account.empty()) return;
  spec.set("serviceAccountName", Value::string(account), arena);
  spec.set("serviceAccount", Value::string(account), arena);
}

}  // namespace

void round_requirements(Value& holder, Arena& arena) {
  Value* resources = object_member(holder, "resources");
  if (resources == nullptr) return;
  round_amounts(*resources, "limits", arena);
  round_amounts(*resources, "requests", arena);
}

void drop_init_annotations(Value& object) {
  Value* metadata = object_member(object, "metadata");
  Value* annotations = metadata != nullptr ? object_member(*metadata, "annotations") : nullptr;
  if (annotations == nullptr) return;
  for (const std::string_view name : kInitAnnotations) annotations->remove(name);
  if (annotations->size() == 0) metadata->remove("annotations");
}

void apply_pod_spec_defaults(Value& spec, Arena& arena) {
  sync_account(spec, arena);
  set_if_empty(spec, "dnsPolicy", "ClusterFirst", arena);
  set_if_empty(spec, "restartPolicy", "Always", arena);
  set_if_empty(spec, "schedulerName", "default-scheduler", arena);
  set_if_absent(spec, "securityContext", Value::object({}), arena);
  set_if_absent(spec, "terminationGracePeriodSeconds", Value::integer(kGraceSeconds), arena);
  // Behind a feature gate that is off in kube-apiserver 1.36.
  spec.remove("schedulingGroup");
  edit_each(spec, "volumes", [&](Value& volume) { apply_volume_defaults(volume, arena); });
  edit_each_container(spec, [&](Value& container) { default_container(container, arena); });
  round_amounts(spec, "overhead", arena);
  round_requirements(spec, arena);
}

void apply_pod_template_defaults(Value& pod_template, Arena& arena) {
  drop_init_annotations(pod_template);
  apply_pod_spec_defaults(pod_template.object_at("spec", arena), arena);
}

}  // namespace strake::kinds
