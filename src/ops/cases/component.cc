#include "ops/cases/component.h"

#include "kube/objects/ingresses.h"
#include "kube/objects/waiting.h"
#include "ops/cases/pod_choice.h"
#include "provider/install/api_call.h"
#include "value/fields.h"

namespace strake::ops {

using provider::Call;
using provider::FailureClass;
using provider::Outcome;
using value::text_of;
using value::Value;

namespace {

std::vector<std::string> words_of_list(const Value& list) {
  std::vector<std::string> out;
  for (const Value& one : list.items()) out.emplace_back(text_of(one));
  return out;
}

// The pod of a component, and the client for what is done with it.
struct OpenPod {
  kube::Client client;
  ChosenPod pod;
};

Outcome<OpenPod> open_pod(const Session& session, const Call& call, const provider::App& app,
                          const PodChoice& choice) {
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(const provider::KubeNames names, scope.names(choice.component));
  STRAKE_TRY(kube::Client client, connect(session, call, scope.in));
  kube::Objects objects(client);
  STRAKE_TRY(ChosenPod pod,
             choose_pod(objects, names.namespace_name(), names.selector(), choice.container));
  return OpenPod{.client = std::move(client), .pod = std::move(pod)};
}

void take_container(const Value& pod_spec, std::string_view name, ComponentStatus& out) {
  for (const Value& one : pod_spec.get("containers").items()) {
    if (!name.empty() && text_of(one, "name") != name) continue;
    out.container = text_of(one, "name");
    out.image = text_of(one, "image");
    out.command = words_of_list(one.get("command"));
    out.args = words_of_list(one.get("args"));
    return;
  }
}

}  // namespace

Outcome<ComponentStatus> component_status(const Session& session, const Call& call,
                                          const provider::App& app, std::string_view component) {
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(const provider::KubeNames names, scope.names(component));
  ComponentStatus out;
  out.app_id = app.id;
  out.app_name = app.name;
  out.cluster_id = scope.in.cluster.id;
  out.cluster_name = scope.in.cluster.name;
  out.component = component;
  out.namespace_name = names.namespace_name();
  STRAKE_TRY(const kube::Client client, connect(session, call, scope.in));
  kube::Objects objects(client);
  STRAKE_TRY(const std::optional<value::Document> deployment,
             provider::of_api(objects.find({.of = {.api_version = "apps/v1", .kind = "Deployment"},
                                            .namespace_name = out.namespace_name,
                                            .name = names.resource_name()})));
  if (deployment) {
    out.deployment = names.resource_name();
    const Result<std::string> missing = kube::missing_for_readiness(deployment->root());
    out.ready = missing && missing->empty();
    take_container(deployment->root().get("spec").get("template").get("spec"), "", out);
  }
  const Outcome<ChosenPod> pod = choose_pod(objects, out.namespace_name, names.selector(), "");
  if (pod) {
    out.pod = pod->target.pod;
    const Value& spec = pod->pod.root().get("spec");
    out.node = text_of(spec, "nodeName");
    take_container(spec, pod->target.container, out);
  } else if (pod.error().error_class() != FailureClass::kNotFound) {
    return std::unexpected(pod.error());
  }
  STRAKE_TRY(const std::vector<kube::IngressHost> hosts,
             provider::of_api(kube::ingress_hosts(objects, out.namespace_name, names.selector())));
  for (const kube::IngressHost& one : hosts) out.ingress_hosts.push_back(one.host);
  return out;
}

Outcome<kube::PodTarget> choose_pod(const Session& session, const Call& call,
                                    const provider::App& app, const PodChoice& choice) {
  STRAKE_TRY(const OpenPod open, open_pod(session, call, app, choice));
  return open.pod.target;
}

Outcome<int> exec_in_pod(const Session& session, const Call& call, const provider::App& app,
                         const PodChoice& choice, kube::ExecRequest request) {
  STRAKE_TRY(const OpenPod open, open_pod(session, call, app, choice));
  request.in = open.pod.target;
  return provider::of_api(kube::exec(open.client, request));
}

Outcome<> pod_logs(const Session& session, const Call& call, const provider::App& app,
                   const PodChoice& choice, const LogOptions& options, kube::OutputStream& out) {
  STRAKE_TRY(const OpenPod open, open_pod(session, call, app, choice));
  return provider::of_api(kube::read_log(open.client, log_request(open.pod, options), out));
}

Outcome<> forward_ports(const Session& session, const Call& call, const provider::App& app,
                        const PodChoice& choice, kube::PortForwardRequest request,
                        kube::ForwardEvents& events) {
  STRAKE_TRY(const OpenPod open, open_pod(session, call, app, choice));
  request.namespace_name = open.pod.target.namespace_name;
  request.pod = open.pod.target.pod;
  return provider::of_api(kube::forward_ports(open.client, request, events));
}

}  // namespace strake::ops
