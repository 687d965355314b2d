#include "ops/cases/apply_component.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "kube/applier.h"
#include "kube/objects/apply_stream.h"
#include "kube/objects/namespaces.h"
#include "kube/objects/selection.h"
#include "kube/objects/waiting.h"
#include "ops/compose/pod_template.h"
#include "ops/compose/tree_builder.h"
#include "provider/install/api_call.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::ops {

using compose::PodReference;
using kube::Ensured;
using kube::ObjectKind;
using kube::ObjectRef;
using provider::Call;
using provider::of_api;
using provider::Outcome;
using value::Document;
using value::text_of;
using value::Value;

namespace {

std::string shown(const ObjectRef& object) {
  return fmt::format("{} {}{}{}", object.of.kind, object.namespace_name,
                     object.namespace_name.empty() ? "" : "/", object.name);
}

ObjectRef named(const Value& object) {
  const Value& metadata = object.get("metadata");
  return {.of = {.api_version = std::string(text_of(object, "apiVersion")),
                 .kind = std::string(text_of(object, "kind"))},
          .namespace_name = std::string(text_of(metadata, "namespace")),
          .name = std::string(text_of(metadata, "name"))};
}

// An object that is being deleted takes changes, and goes all the same.
bool is_waited_for(std::string_view kind) {
  return kind == "Namespace" || kind == "PersistentVolume" || kind == "PersistentVolumeClaim";
}

Outcome<> wait_for_leaving(const Call& call, kube::Objects& objects,
                           const std::vector<Document>& wanted) {
  for (const Document& one : wanted) {
    const ObjectRef object = named(one.root());
    if (!is_waited_for(object.of.kind)) continue;
    STRAKE_TRY(const std::optional<Document> live, of_api(objects.find(object)));
    if (!live) continue;
    if (live->root().get("metadata").find("deletionTimestamp") == nullptr) continue;
    call.step("wait", shown(object), {{"reason", "it is being deleted"}});
    if (call.dry_run) continue;
    STRAKE_CHECK(of_api(kube::wait_until_gone(objects, object)));
  }
  return {};
}

Outcome<> prune_headless(const Call& call, kube::Objects& objects, const ComponentToApply& what,
                         DeployReport& report) {
  std::set<std::string, std::less<>> wanted;
  for (const Document& one : what.objects) {
    if (text_of(one.root(), "kind") == "Service")
      wanted.emplace(text_of(one.root().get("metadata"), "name"));
  }
  const ObjectKind services{.api_version = "v1", .kind = "Service"};
  STRAKE_TRY(const std::vector<Document> pages,
             of_api(objects.list({.of = services,
                                  .namespace_name = what.names.namespace_name(),
                                  .label_selector = what.names.headless_selector()})));
  for (const Document& page : pages) {
    for (const Value& item : page.root().get("items").items()) {
      const std::string name(text_of(item.get("metadata"), "name"));
      if (wanted.contains(name)) continue;
      const ObjectRef object{
          .of = services, .namespace_name = what.names.namespace_name(), .name = name};
      if (!call.dry_run) STRAKE_CHECK(of_api(objects.remove(object)));
      tell(call, "delete", shown(object), {{"reason", "no Compose service has that name"}});
      ++report.pruned;
    }
  }
  return {};
}

class PodTemplate {
 public:
  PodTemplate(const Call& call, kube::Objects& objects, const provider::KubeNames& names)
      : call_(call), objects_(objects), names_(names) {}

  Outcome<> settle() {
    STRAKE_TRY(std::optional<Document> live, of_api(objects_.find(deployment())));
    if (!live) return {};
    STRAKE_TRY(const std::optional<Document> pull,
               of_api(objects_.find(of("Secret", names_.pull_secret_name()))));
    const bool has_pull = pull.has_value();
    const bool pull_differs = refers_to_pull(live->root()) != has_pull;
    STRAKE_CHECK(set_pull(*live, has_pull));
    STRAKE_TRY(const std::string hash, hash_of(live->root()));
    const std::string_view now =
        text_of(live->root().get("spec").get("template").get("metadata").get("annotations"),
                provider::kContentHashAnnotation);
    const std::string title = shown(deployment());
    if (hash == now && !pull_differs) {
      call_.step("skip", fmt::format("pod template of {}", title));
      return {};
    }
    if (!call_.dry_run) {
      STRAKE_CHECK(of_api(objects_.patch({.object = deployment(),
                                          .type = kube::PatchRequest::Type::kStrategicMerge,
                                          .body = patch(hash, pull_differs, has_pull),
                                          .subresource = {}})));
    }
    tell(call_, "update", fmt::format("pod template of {}", title), {{"hash", hash}});
    return {};
  }

 private:
  ObjectRef of(std::string_view kind, std::string name) const {
    return {.of = {.api_version = "v1", .kind = std::string(kind)},
            .namespace_name = names_.namespace_name(),
            .name = std::move(name)};
  }
  ObjectRef deployment() const {
    return {.of = {.api_version = "apps/v1", .kind = "Deployment"},
            .namespace_name = names_.namespace_name(),
            .name = names_.resource_name()};
  }

  bool refers_to_pull(const Value& live) const {
    return std::ranges::any_of(
        live.get("spec").get("template").get("spec").get("imagePullSecrets").items(),
        [this](const Value& one) { return text_of(one, "name") == names_.pull_secret_name(); });
  }

  // As the list will be, since the hash depends on it.
  Outcome<> set_pull(Document& live, bool has_pull) const {
    if (refers_to_pull(live.root()) == has_pull) return {};
    const compose::TreeBuilder build(live.arena());
    Value list = Value::array({});
    for (const Value& one :
         live.root().get("spec").get("template").get("spec").get("imagePullSecrets").items()) {
      if (text_of(one, "name") != names_.pull_secret_name()) build.add(list, one);
    }
    if (has_pull) build.add(list, build.map({{"name", build.text(names_.pull_secret_name())}}));
    STRAKE_CHECK(live.set(FieldPath() / "spec" / "template" / "spec" / "imagePullSecrets", list));
    return {};
  }

  Outcome<std::string> hash_of(const Value& live) {
    std::map<std::pair<std::string_view, std::string>, std::string> known;
    for (const PodReference& one : compose::pod_references(live)) {
      STRAKE_TRY(const std::optional<Document> found,
                 of_api(objects_.find(of(one.kind, one.name))));
      if (!found) continue;
      known.insert_or_assign({one.kind, one.name},
                             std::string(text_of(found->root().get("metadata").get("annotations"),
                                                 provider::kContentHashAnnotation)));
    }
    return compose::pod_hash(live, [&known](const PodReference& one) {
      const auto found = known.find({one.kind, one.name});
      return found == known.end() ? std::string() : found->second;
    });
  }

  std::string patch(const std::string& hash, bool pull_differs, bool has_pull) const {
    Document out;
    const compose::TreeBuilder b(out.arena());
    const Value annotation = hash.empty() ? Value() : b.text(hash);
    Value pod = b.map(
        {{"metadata",
          b.map({{"annotations", b.map({{provider::kContentHashAnnotation, annotation}})}})}});
    if (pull_differs) {
      Value one = b.map({{"name", b.text(names_.pull_secret_name())}});
      if (!has_pull) b.put(one, "$patch", b.text("delete"));
      b.put(pod, "spec", b.map({{"imagePullSecrets", b.list({one})}}));
    }
    out.root() = b.map({{"spec", b.map({{"template", pod}})}});
    return value::to_json(out.root());
  }

  const Call& call_;
  kube::Objects& objects_;
  const provider::KubeNames& names_;
};

// A controller of Deployments says what it has seen. Where none has ever said anything, in places
// where a cluster that works has Deployments, there is nobody to wait for.
Outcome<bool> runs_deployments(kube::Objects& objects, const std::string& namespace_name) {
  for (const std::string& place : {namespace_name, std::string("kube-system"),
                                   std::string(provider::kDefaultIngressNamespace)}) {
    STRAKE_TRY(const std::vector<Document> pages,
               of_api(objects.list({.of = {.api_version = "apps/v1", .kind = "Deployment"},
                                    .namespace_name = place})));
    for (const Document& page : pages) {
      for (const Value& item : page.root().get("items").items()) {
        if (item.get("status").find("observedGeneration") != nullptr) return true;
      }
    }
  }
  return false;
}

}  // namespace

void tell_ensured(const Call& call, Ensured how, const std::string& title) {
  if (how == Ensured::kUnchanged) {
    call.step("skip", title, {{"reason", "it is so already"}});
  } else {
    tell(call, how == Ensured::kCreated ? "create" : "update", title);
  }
}

Outcome<> apply_component(const Call& call, kube::Objects& objects, const ComponentToApply& what,
                          DeployReport& report) {
  STRAKE_CHECK(wait_for_leaving(call, objects, what.objects));
  kube::StreamOptions options;
  options.apply = {.field_manager = std::string(kFieldManager),
                   .force = true,
                   .namespace_name = what.names.namespace_name()};
  options.dry_run = call.dry_run;
  STRAKE_CHECK(of_api(kube::apply_manifests(
      objects.client(), what.objects, options, [&](const kube::AppliedObject& one) {
        switch (one.how) {
          case Ensured::kCreated: ++report.created; break;
          case Ensured::kUpdated: ++report.updated; break;
          case Ensured::kUnchanged: ++report.unchanged; break;
        }
        const auto planned =
            what.planned_claims.find(std::string(text_of(one.wanted.get("metadata"), "name")));
        tell_ensured(
            call, one.how,
            planned == what.planned_claims.end()
                ? one.title
                : fmt::format("{} of volume {}", text_of(one.wanted, "kind"), planned->second));
      })));
  STRAKE_CHECK(prune_headless(call, objects, what, report));
  // Pods run without it: they only do not start anew by themselves.
  const Outcome<> settled = settle_pod_template(call, objects, what.names);
  if (settled) return {};
  if (settled.error().stops_everything()) return settled;
  call.warn("pod content hash",
            {{"deployment", what.names.resource_name()}, {"err", settled.error().message()}});
  return {};
}

Outcome<> wait_for_component(const Call& call, kube::Objects& objects,
                             const provider::KubeNames& names,
                             std::chrono::nanoseconds ready_within) {
  const std::string title =
      fmt::format("Deployment {}/{}", names.namespace_name(), names.resource_name());
  if (ready_within.count() == 0 || call.dry_run) return {};
  STRAKE_TRY(const bool runs, runs_deployments(objects, names.namespace_name()));
  if (!runs) {
    call.step("skip", fmt::format("wait for {}", title),
              {{"reason", "nothing in the cluster runs Deployments"}});
    return {};
  }
  const Call mine = call.within(ready_within);
  const kube::Client client =
      objects.client().within({}, Deadline::after(mine.deadline.remaining(*mine.clock)));
  kube::Objects within(client);
  return of_api(kube::wait_until_ready(within, names.namespace_name(), names.resource_name()));
}

Outcome<> settle_pod_template(const Call& call, kube::Objects& objects,
                              const provider::KubeNames& names) {
  return PodTemplate(call, objects, names).settle();
}

Outcome<> delete_labelled(const Call& call, kube::Objects& objects,
                          const std::string& namespace_name, const std::string& selector,
                          const std::vector<ObjectKind>& kinds, std::size_t& deleted) {
  std::optional<provider::Failure> first;
  const auto note = [&](provider::Failure why) {
    call.warn("delete", {{"err", why.message()}});
    if (!first) first = std::move(why);
  };
  for (const ObjectKind& kind : kinds) {
    if (call.dry_run) {
      const auto pages = of_api(
          objects.list({.of = kind, .namespace_name = namespace_name, .label_selector = selector}));
      if (!pages && pages.error().error_class() == provider::FailureClass::kNotFound) continue;
      if (!pages) return std::unexpected(pages.error());
      for (const Document& page : *pages) {
        for (const Value& item : page.root().get("items").items()) {
          ObjectRef one = named(item);
          one.of = kind;
          tell(call, "delete", shown(one));
          ++deleted;
        }
      }
      continue;
    }
    const auto gone = of_api(kube::delete_selected(
        objects, {.kinds = {kind}, .namespace_name = namespace_name, .label_selector = selector}));
    if (!gone) {
      if (gone.error().stops_everything()) return std::unexpected(gone.error());
      note(gone.error());
      continue;
    }
    for (const ObjectRef& one : gone->objects) tell(call, "delete", shown(one));
    deleted += gone->objects.size();
    for (const Error& error : gone->errors) note(provider::api_failure(error).prefixed(kind.kind));
  }
  if (first) return std::unexpected(*std::move(first));
  return {};
}

}  // namespace strake::ops
