#include "ops/cases/box_cases.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "ops/cases/apply_component.h"
#include "ops/cases/pod_choice.h"
#include "ops/compose/components.h"
#include "ops/compose/plan.h"
#include "ops/compose/volumes.h"

namespace strake::ops {

using provider::App;
using provider::Box;
using provider::Call;
using provider::FailureClass;
using provider::Outcome;

namespace {

// It has an image of its own, so the app's Compose document and disks mean nothing to it.
Outcome<DeployReport> deploy_standalone(const Session& session, const Call& call, const App& app,
                                        const Box& box, const DeployOptions& options) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(const compose::Plan plan,
             compose::plan_standalone_box({.workspace = scope.in.workspace,
                                           .provider = scope.in.provider,
                                           .cluster = scope.in.cluster,
                                           .app = app},
                                          box));
  STRAKE_TRY(const compose::Manifest manifest, compose::build(plan, {}));
  STRAKE_TRY(const kube::Client client, connect(session, call, scope.in));
  kube::Objects objects(client);
  DeployReport out;
  STRAKE_CHECK(
      apply_component(call, objects, {.names = plan.names, .objects = manifest.objects()}, out));
  STRAKE_CHECK(wait_for_component(call, objects, plan.names, options.ready_within));
  return out;
}

}  // namespace

std::string component_name(const Box& box) { return std::string(compose::component_of(box)); }

Outcome<const App*> app_of(const Session& session, const Box& box) {
  const App* app = session.store.app_by_id(box.app_id);
  if (app == nullptr)
    return provider::refuse(FailureClass::kNotFound, "app {} not found", quote(box.app_id));
  return app;
}

Outcome<DeployReport> deploy_box(const Session& session, const Call& call, const Box& box,
                                 const DeployOptions& options) {
  STRAKE_TRY(const App* app, app_of(session, box));
  if (!box.image.empty()) return deploy_standalone(session, call, *app, box, options);
  DeployOptions mine = options;
  mine.bootstrap_disks = false;
  return deploy_component(session, call, *app, component_name(box), mine);
}

Outcome<DestroyReport> destroy_box(const Session& session, const Call& call, const Box& box) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const App* app, app_of(session, box));
  STRAKE_TRY(const AppScope scope, open_app(session, *app));
  STRAKE_TRY(const provider::KubeNames names, scope.names(component_name(box)));
  STRAKE_TRY(const provider::ClusterStatus status, status_of(call, scope.in));
  DestroyReport out;
  if (!status.provisioned) {
    call.step("skip", "destroy box",
              {{"box", box.name}, {"reason", "the cluster is not provisioned"}});
    return out;
  }
  STRAKE_TRY(const kube::Client client, connect(session, call, scope.in));
  kube::Objects objects(client);
  const std::vector<kube::ObjectKind> kinds = {
      {"networking.k8s.io/v1", "Ingress"},       {"v1", "Service"}, {"apps/v1", "Deployment"},
      {"networking.k8s.io/v1", "NetworkPolicy"}, {"v1", "Secret"},  {"v1", "ConfigMap"}};
  STRAKE_CHECK(delete_labelled(call, objects, names.namespace_name(),
                               fmt::format("{},{}", names.selector(), names.instance_selector()),
                               kinds, out.deleted));
  return out;
}

Outcome<ComponentStatus> box_status(const Session& session, const Call& call, const Box& box) {
  STRAKE_TRY(const App* app, app_of(session, box));
  return component_status(session, call, *app, component_name(box));
}

}  // namespace strake::ops
