#include "kinds/pods/resources.h"

#include <algorithm>

#include "kinds/declare_resource.h"
#include "kinds/pods/pod_bodies.h"
#include "kinds/pods/pod_kinds.h"

namespace strake::kinds {
namespace {

using Connection = Subresource::Connection;

constexpr std::string_view kPod = "io.k8s.api.core.v1.Pod";

const std::vector<Verb> kChangeVerbs = {Verb::kGet, Verb::kPatch, Verb::kUpdate};
const std::vector<Verb> kStreamVerbs = {Verb::kCreate, Verb::kGet};

// A subresource that writes these members of the spec: it resets everything else.
Subresource spec_part(std::string name, std::initializer_list<std::string_view> written) {
  std::vector<std::string> resets = {"metadata", "status"};
  for (const Field& field : described_type("io.k8s.api.core.v1.PodSpec").fields) {
    if (std::ranges::find(written, field.name) == written.end())
      resets.push_back("spec." + std::string(field.name));
  }
  return {std::move(name), {"", "v1", "Pod"}, kChangeVerbs, std::move(resets)};
}

// What a kubelet answers, or whatever listens in the pod.
Subresource connection(std::string name, std::string kind, Connection connection,
                       std::vector<Verb> verbs) {
  return {.name = std::move(name),
          .kind = {"", "v1", std::move(kind)},
          .verbs = std::move(verbs),
          .resets = {},
          .connection = connection};
}

std::vector<Subresource> pod_subresources() {
  return {
      connection("attach", "PodAttachOptions", Connection::kStream, kStreamVerbs),
      {.name = "binding", .kind = {"", "v1", "Binding"}, .verbs = {Verb::kCreate}, .resets = {}},
      spec_part("ephemeralcontainers", {"ephemeralContainers"}),
      {.name = "eviction",
       .kind = {"policy", "v1", "Eviction"},
       .verbs = {Verb::kCreate},
       .resets = {}},
      connection("exec", "PodExecOptions", Connection::kStream, kStreamVerbs),
      connection("log", "Pod", Connection::kReads, {Verb::kGet}),
      connection("portforward", "PodPortForwardOptions", Connection::kStream, kStreamVerbs),
      connection("proxy", "PodProxyOptions", Connection::kProxy,
                 {Verb::kCreate, Verb::kDelete, Verb::kGet, Verb::kPatch, Verb::kUpdate}),
      // A write in which only some members of a container are kept still owns what it says of
      // the others.
      spec_part("resize", {"containers", "initContainers", "resources"}),
      status_subresource(described_type(kPod),
                         {"metadata.deletionTimestamp", "metadata.ownerReferences", "spec"})};
}

}  // namespace

void add_pod_resources(std::vector<ResourcePtr>& out) {
  out.push_back(make_resource({.type = kPod,
                               .plural = "pods",
                               .strategy = &pod_strategy(),
                               .short_names = {"po"},
                               .categories = {"all"},
                               .keeps_generation = true,
                               .unconditional_update = true,
                               .returns_deleted = true,
                               .subresources = pod_subresources()}));
  out.push_back(binding_resource());
  out.push_back(make_resource({.type = "io.k8s.api.core.v1.PodTemplate",
                               .plural = "podtemplates",
                               .strategy = &pod_template_strategy(),
                               .keeps_generation = true,
                               .unconditional_update = true,
                               .returns_deleted = true}));
}

}  // namespace strake::kinds
