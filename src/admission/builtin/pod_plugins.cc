#include <fmt/format.h>

#include "admission/builtin/plugin.h"
#include "api/verbs/write.h"
#include "base/quote.h"
#include "kinds/limits/limit_ranger.h"
#include "kinds/limits/resize_on_node.h"
#include "kinds/nodes/runtime_class_admission.h"
#include "kinds/nodes/topology_labels.h"
#include "kinds/pods/pod_priority.h"
#include "kinds/pods/pod_service_account.h"
#include "kinds/pods/pod_tolerations.h"
#include "kinds/pods/pod_update_checks.h"
#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::admission {
namespace {

using api::Answer;
using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

constexpr std::string_view kScheduling = "scheduling.k8s.io";

// ---- LimitRanger

bool is_going(const PluginRequest& at) {
  return at.old() != nullptr && ObjectMeta::of(*at.old()).is_being_deleted();
}

Answer<> give_limits(const PluginRequest& at) {
  for (const Document& range : at.stored.all("", "limitranges", at.call.info.namespace_name))
    STRAKE_CHECK(at.forbid_if(kinds::set_limit_defaults(at.object, range.root(), at.arena)));
  return {};
}

Answer<> check_limits(const PluginRequest& at) {
  if (is_going(at)) return {};
  for (const Document& range : at.stored.all("", "limitranges", at.call.info.namespace_name))
    STRAKE_CHECK(at.forbid_if(kinds::pod_limit_fault(at.object, range.root())));
  return {};
}

Answer<> check_claim_limits(const PluginRequest& at) {
  if (is_going(at)) return {};
  for (const Document& range : at.stored.all("", "limitranges", at.call.info.namespace_name))
    STRAKE_CHECK(at.forbid_if(kinds::claim_limit_fault(at.object, range.root())));
  return {};
}

// ---- Priority

Answer<> set_priority(const PluginRequest& at) {
  if (at.old() != nullptr) {
    kinds::keep_pod_priority(at.object, *at.old(), at.arena);
    return {};
  }
  std::optional<Document> named;
  std::vector<Document> all;
  const kinds::PriorityClasses classes{
      .find = [&](std::string_view name) -> const Value* {
        named = at.stored.find(kScheduling, "priorityclasses", {}, name);
        return named ? &named->root() : nullptr;
      },
      .global_default = [&]() -> const Value* {
        all = at.stored.all(kScheduling, "priorityclasses");
        const Value* lowest = nullptr;
        for (const Document& one : all) {
          if (!value::flag_of(one.root(), "globalDefault")) continue;
          if (lowest == nullptr ||
              one.root().get("value").as_int() < lowest->get("value").as_int()) {
            lowest = &one.root();
          }
        }
        return lowest;
      }};
  return at.forbid_if(kinds::set_pod_priority(at.object, classes, at.arena));
}

// ---- DefaultTolerationSeconds

Answer<> add_tolerations(const PluginRequest& at) {
  kinds::add_default_tolerations(at.object, at.arena);
  return {};
}

// ---- RuntimeClass

struct NamedRuntimeClass {
  std::optional<Document> document;
  const Value* get() const { return document ? &document->root() : nullptr; }
};

Answer<NamedRuntimeClass> runtime_class_of_pod(const PluginRequest& at) {
  const auto name = kinds::runtime_class_of(at.object);
  if (!name) return NamedRuntimeClass();
  NamedRuntimeClass out{at.stored.find("node.k8s.io", "runtimeclasses", {}, *name)};
  if (!out.document) return at.forbid(kinds::no_runtime_class(*name));
  return out;
}

Answer<> use_runtime_class(const PluginRequest& at) {
  STRAKE_TRY(const NamedRuntimeClass found, runtime_class_of_pod(at));
  return at.forbid_if(kinds::apply_runtime_class(at.object, found.get(), at.arena));
}

Answer<> check_runtime_class(const PluginRequest& at) {
  STRAKE_TRY(const NamedRuntimeClass found, runtime_class_of_pod(at));
  return at.forbid_if(kinds::runtime_class_fault(at.object, found.get()));
}

// ---- ServiceAccount

Answer<Document> account_of_pod(const PluginRequest& at) {
  const std::string& where = at.call.info.namespace_name;
  const std::string_view name = kinds::service_account_of_pod(at.object);
  auto found = at.stored.find("", "serviceaccounts", where, name);
  if (found) return *std::move(found);
  return at.forbid(
      fmt::format("error looking up service account {}/{}: serviceaccount {} not found", where,
                  name, quote(name)));
}

Answer<> run_as_account(const PluginRequest& at) {
  if (kinds::is_mirror_pod(at.object)) return at.forbid_if(kinds::mirror_pod_fault(at.object));
  kinds::give_service_account(at.object, at.arena);
  STRAKE_TRY(const Document account, account_of_pod(at));
  const std::string volume = std::string(kinds::kTokenVolumePrefix) + api::name_suffix();
  kinds::use_service_account(at.object, account.root(), volume, at.arena);
  return {};
}

Answer<> check_account(const PluginRequest& at) {
  if (kinds::is_mirror_pod(at.object)) return at.forbid_if(kinds::mirror_pod_fault(at.object));
  STRAKE_TRY(const Document account, account_of_pod(at));
  const bool is_create = at.request.operation == api::AdmissionRequest::Operation::kCreate;
  return at.forbid_if(kinds::service_account_fault(at.object, account.root(), is_create));
}

// ---- PodTopologyLabels

Answer<> label_by_node(const PluginRequest& at, std::string_view node) {
  if (const auto found = at.stored.find("", "nodes", {}, node))
    kinds::copy_topology_labels(at.object, found->root(), at.arena);
  return {};
}

Answer<> label_pod(const PluginRequest& at) {
  return label_by_node(at, kinds::node_of_pod(at.object));
}

Answer<> label_binding(const PluginRequest& at) {
  return label_by_node(at, kinds::node_of_binding(at.object));
}

// ---- PodResizeValidator

Answer<> check_node_of_resize(const PluginRequest& at) {
  const std::string_view name = kinds::node_of_pod(at.object);
  const bool changed = at.old() != nullptr && ObjectMeta::of(*at.old()).generation() !=
                                                  ObjectMeta::of(at.object).generation();
  if (name.empty() || !changed) return {};
  const auto node = at.stored.find("", "nodes", {}, name);
  if (!node) return at.forbid(fmt::format("node {} not found", quote(name)));
  const std::string lacking = kinds::lacks_on_node(at.object, node->root());
  if (lacking.empty()) return {};
  Status status = Status::forbidden(at.call.group_resource(), at.request.name, lacking);
  status.details.causes.push_back({.reason = std::string(kinds::kNodeCapacity)});
  return api::refuse(std::move(status));
}

using enum Plugin::Phase;

constexpr Plugin kPodPlugins[] = {
    {.name = "LimitRanger", .plural = "pods", .on_create = true, .run = give_limits},
    {.name = "ServiceAccount", .plural = "pods", .on_create = true, .run = run_as_account},
    {.name = "Priority",
     .plural = "pods",
     .on_create = true,
     .on_update = true,
     .run = set_priority},
    {.name = "DefaultTolerationSeconds",
     .plural = "pods",
     .on_create = true,
     .on_update = true,
     .run = add_tolerations},
    {.name = "RuntimeClass", .plural = "pods", .on_create = true, .run = use_runtime_class},
    {.name = "PodTopologyLabels", .plural = "pods", .on_create = true, .run = label_pod},
    {.name = "PodTopologyLabels",
     .plural = "pods",
     .subresource = "binding",
     .on_create = true,
     .run = label_binding},
    {.name = "PodTopologyLabels", .plural = "bindings", .on_create = true, .run = label_binding},
    {.name = "LimitRanger",
     .phase = kValidating,
     .plural = "pods",
     .on_create = true,
     .run = check_limits},
    {.name = "LimitRanger",
     .phase = kValidating,
     .plural = "pods",
     .subresource = "resize",
     .on_update = true,
     .run = check_limits},
    {.name = "LimitRanger",
     .phase = kValidating,
     .plural = "persistentvolumeclaims",
     .on_create = true,
     .on_update = true,
     .run = check_claim_limits},
    {.name = "ServiceAccount",
     .phase = kValidating,
     .plural = "pods",
     .on_create = true,
     .run = check_account},
    {.name = "ServiceAccount",
     .phase = kValidating,
     .plural = "pods",
     .subresource = "ephemeralcontainers",
     .on_update = true,
     .run = check_account},
    {.name = "PodResizeValidator",
     .phase = kValidating,
     .plural = "pods",
     .subresource = "resize",
     .on_update = true,
     .run = check_node_of_resize},
    {.name = "RuntimeClass",
     .phase = kValidating,
     .plural = "pods",
     .on_create = true,
     .run = check_runtime_class},
};

}  // namespace

std::span<const Plugin> pod_plugins() { return kPodPlugins; }

}  // namespace strake::admission
