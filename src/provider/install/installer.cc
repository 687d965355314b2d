#include "provider/install/installer.h"

#include <fmt/format.h>

#include <ranges>

#include "kube/objects/applied.h"
#include "kube/objects/apply_stream.h"
#include "kube/objects/ingresses.h"
#include "kube/objects/namespaces.h"
#include "kube/objects/waiting.h"
#include "provider/install/api_call.h"
#include "provider/install/ingress_manifests.h"
#include "value/fields.h"

namespace strake::provider {
namespace {

using kube::Ensured;
using value::Document;

constexpr std::string_view kUserAgent = "kompoxops/kube";
// To ask whether something is there, when the call has all the time there is.
constexpr std::chrono::seconds kProbe{30};

void tell(const Call& call, Ensured how, const std::string& what) {
  const std::string_view verb = how == Ensured::kCreated   ? "create"
                                : how == Ensured::kUpdated ? "update"
                                                           : "skip";
  if (call.dry_run && how != Ensured::kUnchanged) {
    call.step("plan", fmt::format("{} {}", verb, what));
  } else {
    call.step(verb, what);
  }
}

std::string title_of(const kube::ObjectRef& object) {
  return fmt::format("{} {}{}{}", object.of.kind, object.namespace_name,
                     object.namespace_name.empty() ? "" : "/", object.name);
}

kube::ObjectRef ref_of(const value::Value& object) {
  const value::Value& metadata = object.get("metadata");
  return {.of = {.api_version = std::string(value::text_of(object, "apiVersion")),
                 .kind = std::string(value::text_of(object, "kind"))},
          .namespace_name = std::string(value::text_of(metadata, "namespace")),
          .name = std::string(value::text_of(metadata, "name"))};
}

// What an install has changed, and how it was before.
class Changes {
 public:
  void note(const kube::AppliedObject& one, std::string_view manager) {
    if (one.how == Ensured::kUnchanged) return;
    Change& change = changes_.emplace_back();
    change.object = ref_of(one.wanted);
    if (one.before != nullptr) change.before = kube::applied_by(*one.before, manager);
    change.created = one.before == nullptr;
  }
  bool empty() const { return changes_.empty(); }

  // The last change first. Goes on after a failure, which is told.
  void undo(const Call& call, const kube::Client& client, const std::string& manager) {
    kube::Objects objects(client);
    kube::Applier applier(client, {.field_manager = manager, .force = true});
    for (Change& one : std::ranges::reverse_view(changes_)) {
      // Somebody else's, of which this side had nothing: there is nothing to put back.
      if (!one.created && one.before.root().is_null()) continue;
      const std::string title = title_of(one.object);
      std::optional<Error> error;
      if (one.created) {
        if (auto removed = objects.remove(one.object); !removed) error = removed.error();
      } else if (auto applied = applier.apply(one.before.root()); !applied) {
        error = applied.error();
      }
      if (error) {
        call.warn("roll back", {{"object", title}, {"err", error->to_string()}});
        if (!client.check()) return;
      } else {
        call.step("roll back", title);
      }
    }
    changes_.clear();
  }

 private:
  struct Change {
    kube::ObjectRef object;
    bool created = false;
    Document before;  // what this side had applied; null when nothing
  };
  std::vector<Change> changes_;
};

}  // namespace

Outcome<Installer> Installer::connect(const Secret& kubeconfig, InstallerOptions options,
                                      ExternalCalls& calls) {
  STRAKE_TRY(kube::Access access, kube::access_of_kubeconfig(kubeconfig, {.allow_plugins = false}));
  kube::Client cluster(
      std::move(access),
      {.user_agent = std::string(kUserAgent), .timeout = kProbe, .rate = kube::kOperatorRate});
  return Installer(std::move(cluster), std::move(options), calls);
}

Installer::Installer(kube::Client cluster, InstallerOptions options, ExternalCalls& calls)
    : cluster_(std::move(cluster)), options_(std::move(options)), calls_(&calls) {}

Outcome<> Installer::ensure_ingress_namespace(const Call& call, const Cluster& cluster) {
  const kube::Client client = client_for(cluster_, call.within(options_.gone_within), *calls_);
  kube::Objects objects(client);
  const std::string name = ingress_namespace(cluster);
  // One that others have made stays as it is.
  STRAKE_TRY(const Ensured how,
             of_api(kube::ensure_namespace(objects,
                                           {.name = name,
                                            .labels = {{"app.kubernetes.io/managed-by", "kompox"}},
                                            .keep_labels = true,
                                            .dry_run = call.dry_run})));
  tell(call, how, fmt::format("Namespace {}", name));
  return {};
}

Outcome<> Installer::ensure_ingress_account(const Call& call, const Cluster& cluster,
                                            const std::map<std::string, std::string>& annotations) {
  const kube::Client client = client_for(cluster_, call, *calls_);
  kube::Objects objects(client);
  const kube::ServiceAccountSpec spec{.namespace_name = ingress_namespace(cluster),
                                      .name = ingress_service_account(cluster),
                                      .annotations = annotations,
                                      .labels = {{"app.kubernetes.io/managed-by", "kompox"}},
                                      .dry_run = call.dry_run};
  STRAKE_TRY(const Ensured how, of_api(kube::ensure_service_account(objects, spec)));
  tell(call, how, fmt::format("ServiceAccount {}/{}", spec.namespace_name, spec.name));
  return {};
}

Outcome<> Installer::apply_yaml(const Call& call, std::string_view yaml,
                                const std::string& namespace_name) {
  STRAKE_TRY(const std::vector<Document> manifests, of_api(kube::read_manifests(yaml)));
  const kube::Client client = client_for(cluster_, call, *calls_);
  kube::StreamOptions options;
  options.apply.field_manager = options_.field_manager;
  options.apply.force = true;
  if (!namespace_name.empty()) options.apply.namespace_name = namespace_name;
  options.dry_run = call.dry_run;
  return of_api(kube::apply_manifests(
      client, manifests, options,
      [&](const kube::AppliedObject& one) { tell(call, one.how, one.title); }));
}

Outcome<> Installer::delete_ingress_namespace(const Call& call, const Cluster& cluster) {
  const kube::Client client = client_for(cluster_, call.within(options_.gone_within), *calls_);
  kube::Objects objects(client);
  const std::string name = ingress_namespace(cluster);
  const std::string what = fmt::format("Namespace {}", name);
  if (call.dry_run) {
    STRAKE_TRY(const auto found,
               of_api(objects.find({.of = {.api_version = "v1", .kind = "Namespace"},
                                    .namespace_name = "",
                                    .name = name})));
    call.step(found ? "plan" : "skip", fmt::format("delete {}", what));
    return {};
  }
  STRAKE_TRY(const bool existed, of_api(kube::delete_namespace(objects, name)));
  if (existed) STRAKE_CHECK(of_api(kube::wait_until_namespace_gone(objects, name)));
  call.step(existed ? "delete" : "skip", what);
  return {};
}

Outcome<> Installer::install_ingress(const Call& call, const Cluster& cluster,
                                     const IngressInstall& how) {
  IngressValues values = ingress_values(cluster);
  if (how.edit) STRAKE_CHECK(how.edit(values));
  STRAKE_TRY(const std::vector<Document> manifests, ingress_manifests(values));
  const kube::Client client = client_for(cluster_, call, *calls_);
  kube::StreamOptions options;
  options.apply.field_manager = options_.field_manager;
  options.apply.force = true;
  options.always = how.force;
  options.dry_run = call.dry_run;
  Changes changes;
  Outcome<> outcome =
      of_api(kube::apply_manifests(client, manifests, options, [&](const kube::AppliedObject& one) {
        changes.note(one, options_.field_manager);
        tell(call, one.how, one.title);
      }));
  if (call.dry_run) return outcome;
  const std::string title = fmt::format("Deployment {}/{}", values.namespace_name, kIngressRelease);
  if (outcome && !options_.runs_workloads) {
    call.step("skip", fmt::format("wait for {}", title));
  } else if (outcome) {
    const kube::Client patient = client_for(cluster_, call.within(options_.ready_within), *calls_);
    kube::Objects objects(patient);
    outcome = of_api(
        kube::wait_until_ready(objects, values.namespace_name, std::string(kIngressRelease)));
    if (outcome) call.step("ready", title);
  }
  if (outcome) return {};
  // Nobody waits any more, or there is no time left to put anything back.
  if (!call.check()) return outcome;
  changes.undo(call, client, options_.field_manager);
  return std::unexpected(std::move(outcome).error().prefixed("ingress controller"));
}

Outcome<> Installer::uninstall_ingress(const Call& call, const Cluster& cluster) {
  const kube::Client client = client_for(cluster_, call, *calls_);
  kube::Objects objects(client);
  Outcome<> outcome;
  // What uses the others goes before them.
  std::vector<kube::ObjectRef> all = ingress_objects(ingress_namespace(cluster));
  for (const kube::ObjectRef& one : std::ranges::reverse_view(all)) {
    const std::string title = title_of(one);
    std::optional<Failure> failure;
    if (call.dry_run) {
      auto found = of_api(objects.find(one));
      if (!found) return std::unexpected(std::move(found).error());
      call.step(*found ? "plan" : "skip", fmt::format("delete {}", title));
      continue;
    }
    auto removed = of_api(objects.remove(one));
    if (removed) {
      call.step(*removed ? "delete" : "skip", title);
      continue;
    }
    Failure why = std::move(removed).error().prefixed(title);
    if (!call.check()) return std::unexpected(std::move(why));
    call.warn("delete", {{"object", title}, {"err", why.message()}});
    if (outcome) outcome = std::unexpected(std::move(why));
  }
  return outcome;
}

Outcome<IngressState> Installer::ingress_state(const Call& call, const Cluster& cluster) {
  const kube::Client client = client_for(cluster_, call.within(kProbe), *calls_);
  kube::Objects objects(client);
  const std::string name = ingress_namespace(cluster);
  const auto there = objects.find(
      {.of = {.api_version = "v1", .kind = "Namespace"}, .namespace_name = "", .name = name});
  // Whatever it is that kept us from knowing: only the end of the call is told.
  STRAKE_CHECK(call.check());
  if (!there && there.error().code() == Code::kCancelled)
    return std::unexpected(api_failure(there.error()));
  if (!there || !*there) return IngressState();
  const auto endpoint = kube::ingress_endpoint(objects, name, std::string(kIngressRelease));
  STRAKE_CHECK(call.check());
  if (!endpoint && endpoint.error().code() == Code::kCancelled)
    return std::unexpected(api_failure(endpoint.error()));
  if (!endpoint) return IngressState();
  return IngressState{.installed = true, .ip = endpoint->ip, .hostname = endpoint->hostname};
}

}  // namespace strake::provider
