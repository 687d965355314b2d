#include "admission/builtin/plugin.h"
#include "kinds/limits/certificate_subject.h"
#include "kinds/networking/default_ingress_class.h"
#include "kinds/nodes/default_priority_class.h"
#include "kinds/nodes/not_ready_taint.h"
#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::admission {
namespace {

using api::Answer;
using meta::ObjectMeta;
using value::Document;
using value::Value;

constexpr std::string_view kClasses = "priorityclasses";
constexpr std::string_view kSchedulingGroup = "scheduling.k8s.io";

Answer<> taint_node(const PluginRequest& at) {
  kinds::add_not_ready_taint(at.object, at.arena);
  return {};
}

// Of several the one of the lowest value.
Answer<> check_default_class(const PluginRequest& at) {
  std::string current;
  std::int64_t lowest = 0;
  for (const Document& one : at.stored.all(kSchedulingGroup, kClasses)) {
    const std::int64_t value = one.root().get("value").as_int();
    if (!value::flag_of(one.root(), "globalDefault") || (!current.empty() && value >= lowest))
      continue;
    current = ObjectMeta::of(one.root()).name();
    lowest = value;
  }
  return at.forbid_if(kinds::second_default_fault(at.object, at.old(), current));
}

Answer<> give_ingress_class(const PluginRequest& at) {
  const std::vector<Document> all = at.stored.all("networking.k8s.io", "ingressclasses");
  std::vector<kinds::DefaultIngressClass> defaults;
  for (const Document& one : all) {
    const ObjectMeta metadata = ObjectMeta::of(one.root());
    if (kinds::is_default_ingress_class(one.root()))
      defaults.push_back({.name = metadata.name(), .created = metadata.creation_timestamp()});
  }
  kinds::set_default_ingress_class(at.object, defaults, at.arena);
  return {};
}

Answer<> check_certificate_subject(const PluginRequest& at) {
  return at.forbid_if(kinds::certificate_subject_fault(at.object));
}

using enum Plugin::Phase;

constexpr Plugin kClusterPlugins[] = {
    {.name = "TaintNodesByCondition", .plural = "nodes", .on_create = true, .run = taint_node},
    {.name = "DefaultIngressClass",
     .group = "networking.k8s.io",
     .plural = "ingresses",
     .on_create = true,
     .run = give_ingress_class},
    {.name = "Priority",
     .phase = kValidating,
     .group = kSchedulingGroup,
     .plural = kClasses,
     .on_create = true,
     .on_update = true,
     .run = check_default_class},
    {.name = "CertificateSubjectRestriction",
     .phase = kValidating,
     .group = "certificates.k8s.io",
     .plural = "certificatesigningrequests",
     .on_create = true,
     .run = check_certificate_subject},
};

}  // namespace

std::span<const Plugin> cluster_plugins() { return kClusterPlugins; }

}  // namespace strake::admission
