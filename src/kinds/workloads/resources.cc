#include "kinds/workloads/resources.h"

#include "kinds/declare_resource.h"
#include "kinds/workloads/workload_strategy.h"

namespace strake::kinds {
namespace {

// Kinds whose status is written apart from their spec.
struct WorkloadEntry {
  std::string_view type;
  std::string plural;
  const BuiltinStrategy* strategy = nullptr;
  std::vector<std::string> short_names{};
  bool has_scale = false;
  std::vector<std::string> status_resets{"spec"};
};

std::shared_ptr<Resource> make_workload(WorkloadEntry entry) {
  std::vector<Subresource> subresources;
  if (entry.has_scale) subresources.push_back(scale_subresource());
  subresources.push_back(
      status_subresource(described_type(entry.type), std::move(entry.status_resets)));
  return make_resource({.type = entry.type,
                        .plural = std::move(entry.plural),
                        .strategy = entry.strategy,
                        .short_names = std::move(entry.short_names),
                        .categories = {"all"},
                        .keeps_generation = true,
                        .unconditional_update = true,
                        .subresources = std::move(subresources)});
}

void add_apps(std::vector<ResourcePtr>& out) {
  out.push_back(make_workload({.type = "io.k8s.api.apps.v1.Deployment",
                               .plural = "deployments",
                               .strategy = &deployment_strategy(),
                               .short_names = {"deploy"},
                               .has_scale = true,
                               .status_resets = {"spec", "metadata.labels"}}));
  out.push_back(make_workload({.type = "io.k8s.api.apps.v1.ReplicaSet",
                               .plural = "replicasets",
                               .strategy = &replica_set_strategy(),
                               .short_names = {"rs"},
                               .has_scale = true}));
  out.push_back(make_workload({.type = "io.k8s.api.apps.v1.StatefulSet",
                               .plural = "statefulsets",
                               .strategy = &stateful_set_strategy(),
                               .short_names = {"sts"},
                               .has_scale = true}));
  out.push_back(make_workload({.type = "io.k8s.api.apps.v1.DaemonSet",
                               .plural = "daemonsets",
                               .strategy = &daemon_set_strategy(),
                               .short_names = {"ds"}}));
  out.push_back(make_resource({.type = "io.k8s.api.apps.v1.ControllerRevision",
                               .plural = "controllerrevisions",
                               .strategy = &controller_revision_strategy(),
                               .unconditional_update = true}));
  auto controllers = make_workload({.type = "io.k8s.api.core.v1.ReplicationController",
                                    .plural = "replicationcontrollers",
                                    .strategy = &replication_controller_strategy(),
                                    .short_names = {"rc"},
                                    .has_scale = true});
  controllers->storage_prefix = "/registry/controllers/";
  out.push_back(std::move(controllers));
}

void add_batch(std::vector<ResourcePtr>& out) {
  out.push_back(make_workload(
      {.type = "io.k8s.api.batch.v1.Job", .plural = "jobs", .strategy = &job_strategy()}));
  out.push_back(make_workload({.type = "io.k8s.api.batch.v1.CronJob",
                               .plural = "cronjobs",
                               .strategy = &cron_job_strategy(),
                               .short_names = {"cj"}}));
}

// Autoscalers of both versions lie in one place, in the form of v2.
void add_autoscalers(std::vector<ResourcePtr>& out) {
  const auto add = [&](std::string_view type, const BuiltinStrategy& strategy) {
    auto made = make_workload({.type = type,
                               .plural = "horizontalpodautoscalers",
                               .strategy = &strategy,
                               .short_names = {"hpa"}});
    made->keeps_generation = false;
    made->many_forms = true;
    out.push_back(made);
    return made;
  };
  add("io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler", autoscaler_strategy());
  const auto old =
      add("io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler", old_autoscaler_strategy());
  old->version_priority = 15;
  old->beside = true;
  old->stored_as = meta::GroupVersionKind{"autoscaling", "v2", "HorizontalPodAutoscaler"};
}

void add_budgets(std::vector<ResourcePtr>& out) {
  auto budgets = make_workload({.type = "io.k8s.api.policy.v1.PodDisruptionBudget",
                                .plural = "poddisruptionbudgets",
                                .strategy = &pod_disruption_budget_strategy(),
                                .short_names = {"pdb"}});
  budgets->categories.clear();
  budgets->unconditional_update = false;
  out.push_back(std::move(budgets));
}

}  // namespace

void add_controller_resources(std::vector<ResourcePtr>& out) {
  add_apps(out);
  add_batch(out);
  add_autoscalers(out);
  add_budgets(out);
}

}  // namespace strake::kinds
