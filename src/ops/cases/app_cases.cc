#include "ops/cases/app_cases.h"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "kube/objects/namespaces.h"
#include "ops/cases/apply_component.h"
#include "ops/cases/pod_choice.h"
#include "ops/compose/project_files.h"
#include "provider/install/api_call.h"

namespace strake::ops {

using compose::Review;
using compose::Severity;
using provider::App;
using provider::Call;
using provider::Disk;
using provider::Outcome;
using provider::VolumeOf;
using provider::VolumeOptions;

namespace {

// Volumes as they will be once planned disks are made. For the review of a dry run, which only
// reads.
class WithPlannedDisks final : public provider::VolumeDriver {
 public:
  WithPlannedDisks(std::unique_ptr<provider::VolumeDriver> real, const std::vector<Disk>& planned)
      : real_(std::move(real)), planned_(planned) {}

  Outcome<std::vector<Disk>> list_disks(const Call& call, const VolumeOf& of) override {
    STRAKE_TRY(std::vector<Disk> out, real_->list_disks(call, of));
    for (const Disk& one : planned_) {
      if (one.volume_name == of.volume.name) out.push_back(one);
    }
    return out;
  }
  Outcome<Disk> create_disk(const Call& call, const VolumeOf& of, std::string name,
                            std::string source,
                            const provider::DiskCreateOptions& options) override {
    return real_->create_disk(call, of, std::move(name), std::move(source), options);
  }
  Outcome<> delete_disk(const Call& call, const VolumeOf& of, const std::string& name,
                        const VolumeOptions& options) override {
    return real_->delete_disk(call, of, name, options);
  }
  Outcome<> assign_disk(const Call& call, const VolumeOf& of, const std::string& name,
                        const VolumeOptions& options) override {
    return real_->assign_disk(call, of, name, options);
  }
  Outcome<std::vector<provider::Snapshot>> list_snapshots(const Call& call,
                                                          const VolumeOf& of) override {
    return real_->list_snapshots(call, of);
  }
  Outcome<provider::Snapshot> create_snapshot(const Call& call, const VolumeOf& of,
                                              std::string name, std::string source,
                                              const VolumeOptions& options) override {
    return real_->create_snapshot(call, of, std::move(name), std::move(source), options);
  }
  Outcome<> delete_snapshot(const Call& call, const VolumeOf& of, const std::string& name,
                            const VolumeOptions& options) override {
    return real_->delete_snapshot(call, of, name, options);
  }
  Outcome<provider::VolumeClass> volume_class(const VolumeOf& of) override {
    return real_->volume_class(of);
  }

 private:
  std::unique_ptr<provider::VolumeDriver> real_;
  const std::vector<Disk>& planned_;
};

// All drivers, with these disks in what they list.
provider::Registry with_planned(const provider::Registry& real, const std::vector<Disk>& planned) {
  provider::Registry out;
  for (const std::string& name : real.names()) {
    const provider::DriverFactory* factory = real.find(name);
    if (factory == nullptr) continue;
    out.add(name,
            [factory, &planned](
                const provider::Workspace* workspace, const provider::ProviderEntity& of,
                const provider::DriverEnvironment& from) -> Outcome<provider::Driver> {
              STRAKE_TRY(provider::Driver driver, (*factory)(workspace, of, from));
              if (driver.volumes != nullptr)
                driver.volumes =
                    std::make_unique<WithPlannedDisks>(std::move(driver.volumes), planned);
              return driver;
            });
  }
  return out;
}

Outcome<Review> review(const Session& session, const provider::Registry& drivers, const Call& call,
                       const App& app, std::string_view component) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const std::unique_ptr<compose::ProjectFiles> base,
             compose::open_ref_base(app.ref_base));
  const provider::Cluster* cluster = session.store.cluster_by_id(app.cluster_id);
  const provider::ProviderEntity* of =
      cluster == nullptr ? nullptr : session.store.provider_by_id(cluster->provider_id);
  std::vector<provider::Box> boxes;
  for (const provider::Box* box : session.store.boxes_of(app)) boxes.push_back(*box);
  return compose::review_app(
      call, {.workspace = of == nullptr ? nullptr : session.store.workspace_by_id(of->workspace_id),
             .provider = of,
             .cluster = cluster,
             .app = app,
             .boxes = boxes,
             .base = base.get(),
             .environment = session.environment.variables,
             .drivers = drivers,
             .driver_environment = session.environment,
             .component = component});
}

void tell_issues(const Call& call, const std::vector<compose::Issue>& issues) {
  for (const compose::Issue& one : issues) {
    const provider::Journal::Fields fields = {{"severity", std::string(to_string(one.severity))},
                                              {"code", std::string(one.code)},
                                              {"message", one.message}};
    if (one.severity == Severity::kInfo) {
      call.step("note", "app", fields);
    } else {
      call.warn("app", fields);
    }
  }
}

}  // namespace

Outcome<Review> validate_app(const Session& session, const Call& call, const App& app,
                             std::string_view component) {
  return review(session, session.drivers, call, app, component);
}

Outcome<DeployReport> deploy_component(const Session& session, const Call& call, const App& app,
                                       std::string_view component, const DeployOptions& options) {
  STRAKE_CHECK(call.check());
  DeployReport out;
  if (options.bootstrap_disks) {
    STRAKE_TRY(Bootstrap bootstrap, bootstrap_disks(session, call, app));
    out.disks = std::move(bootstrap.created);
  }
  // A handle is made with the disk.
  std::vector<Disk> planned;
  if (call.dry_run) planned = out.disks;
  for (Disk& one : planned) {
    if (one.handle.empty()) one.handle = "planned";
  }
  const provider::Registry drivers = with_planned(session.drivers, planned);
  STRAKE_TRY(Review found, review(session, drivers, call, app, component));
  tell_issues(call, found.issues);
  STRAKE_CHECK(found.check_deployable());
  out.issues = std::move(found.issues);
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(const provider::KubeNames names, scope.names(component));
  STRAKE_TRY(const kube::Client client, connect(session, call, scope.in));
  kube::Objects objects(client);
  ComponentToApply what{.names = names, .objects = found.manifest->objects()};
  for (const Disk& one : planned)
    what.planned_claims.emplace(names.volume_name(one.volume_name, one.handle), one.volume_name);
  STRAKE_CHECK(apply_component(call, objects, what, out));
  STRAKE_CHECK(wait_for_component(call, objects, names, options.ready_within));
  return out;
}

Outcome<DeployReport> deploy_app(const Session& session, const Call& call, const App& app,
                                 const DeployOptions& options) {
  STRAKE_TRY(DeployReport out,
             deploy_component(session, call, app, provider::kAppComponent, options));
  if (options.update_dns) {
    STRAKE_TRY(out.dns, provider::in_context("update DNS", deploy_dns(session, call, app)));
  }
  return out;
}

Outcome<DestroyReport> destroy_app(const Session& session, const Call& call, const App& app,
                                   const DestroyOptions& options) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(const provider::KubeNames names, scope.names());
  STRAKE_TRY(const provider::ClusterStatus status, status_of(call, scope.in));
  DestroyReport out;
  if (!status.provisioned) {
    call.step("skip", "destroy app",
              {{"app", app.name}, {"reason", "the cluster is not provisioned"}});
    return out;
  }
  if (options.update_dns) {
    Outcome<std::vector<DnsResult>> dns = destroy_dns(session, call, app);
    if (dns) {
      out.dns = *std::move(dns);
    } else if (dns.error().stops_everything()) {
      return std::unexpected(std::move(dns).error());
    } else {
      // A zone that cannot be written to must not keep the app running.
      call.warn("update DNS", {{"app", app.name}, {"err", dns.error().message()}});
    }
  }
  STRAKE_TRY(const kube::Client client, connect(session, call, scope.in));
  kube::Objects objects(client);
  const std::vector<kube::ObjectKind> kinds = {{"networking.k8s.io/v1", "Ingress"},
                                               {"v1", "Service"},
                                               {"apps/v1", "Deployment"},
                                               {"v1", "PersistentVolumeClaim"},
                                               {"v1", "PersistentVolume"},
                                               {"v1", "Secret"},
                                               {"v1", "ConfigMap"},
                                               {"networking.k8s.io/v1", "NetworkPolicy"},
                                               {"rbac.authorization.k8s.io/v1", "RoleBinding"},
                                               {"rbac.authorization.k8s.io/v1", "Role"},
                                               {"v1", "ServiceAccount"}};
  const Outcome<> deleted = delete_labelled(call, objects, names.namespace_name(),
                                            names.instance_selector(), kinds, out.deleted);
  if (!deleted && deleted.error().stops_everything()) return std::unexpected(deleted.error());
  if (options.delete_namespace) {
    const std::string title = fmt::format("Namespace {}", names.namespace_name());
    STRAKE_TRY(const std::optional<value::Document> live,
               provider::of_api(objects.find({.of = {.api_version = "v1", .kind = "Namespace"},
                                              .namespace_name = {},
                                              .name = names.namespace_name()})));
    if (!live) {
      call.step("skip", fmt::format("delete {}", title), {{"reason", "it is not there"}});
    } else {
      if (!call.dry_run) {
        STRAKE_CHECK(provider::of_api(kube::delete_namespace(objects, names.namespace_name())));
        STRAKE_CHECK(
            provider::of_api(kube::wait_until_namespace_gone(objects, names.namespace_name())));
      }
      tell(call, "delete", title);
      ++out.deleted;
    }
  }
  if (!deleted) return std::unexpected(deleted.error());
  return out;
}

}  // namespace strake::ops
