#include <fmt/format.h>

#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/workloads/integers.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/selectors.h"
#include "kinds/workloads/workload_checks.h"
#include "kinds/workloads/workload_strategy.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::kinds {
namespace {

using meta::ObjectMeta;
using value::FieldError;
using value::FieldErrors;
using value::Value;

// Where kube-apiserver 1.36 keeps a field of versions that are gone.
constexpr std::string_view kRollback = "deprecated.deployment.rollback.revision";

void check_strategy(const Value& spec, const FieldPath& at_spec, FieldErrors& errors) {
  const FieldPath at = at_spec / "strategy";
  const Value& strategy = spec.get("strategy");
  const std::string_view type = text_of(strategy, "type");
  const Value* rolling = member(strategy, "rollingUpdate");
  const FieldPath at_rolling = at / "rollingUpdate";
  if (type == "Recreate") {
    if (rolling != nullptr) {
      errors.push_back(FieldError::forbidden(
          at_rolling, "may not be specified when strategy `type` is 'Recreate'"));
    }
  } else if (type == "RollingUpdate" && rolling != nullptr) {
    const Value* unavailable = member(*rolling, "maxUnavailable");
    const Value* surge = member(*rolling, "maxSurge");
    check_int_or_percent(unavailable, at_rolling / "maxUnavailable", errors);
    check_int_or_percent(surge, at_rolling / "maxSurge", errors);
    if (number_of(unavailable) == 0 && number_of(surge) == 0) {
      errors.push_back(FieldError::invalid(
          at_rolling / "maxUnavailable", unavailable != nullptr ? *unavailable : Value::integer(0),
          "may not be 0 when `maxSurge` is 0"));
    }
    check_at_most_100_percent(unavailable, at_rolling / "maxUnavailable", errors);
  } else if (type != "RollingUpdate") {
    errors.push_back(not_supported_shown(
        at, show_go_struct(&strategy, described_type("io.k8s.api.apps.v1.DeploymentStrategy")),
        {"Recreate", "RollingUpdate"}));
  }
}

void check_rollback(const Value& object, FieldErrors& errors) {
  const std::int64_t revision = read_number(ObjectMeta::of(object).annotation(kRollback)).value;
  if (revision >= 0) return;
  errors.push_back(FieldError::invalid(FieldPath() / "spec" / "rollback" / "version",
                                       Value::integer(revision),
                                       "must be greater than or equal to 0"));
}

void check_progress_deadline(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const Value* deadline = member(spec, "progressDeadlineSeconds");
  if (deadline == nullptr || deadline->as_int() > integer(spec, "minReadySeconds")) return;
  errors.push_back(FieldError::invalid(at / "progressDeadlineSeconds", *deadline,
                                       "must be greater than minReadySeconds"));
}

class DeploymentStrategy final : public WorkloadStrategy {
 public:
  DeploymentStrategy() : WorkloadStrategy("io.k8s.api.apps.v1.Deployment") {
    std::vector<Column> columns = {
        name_column(), text_column("Ready", "How many pods are ready, of how many are wanted."),
        text_column("Up-to-date", "Pods of the present template."),
        text_column("Available", "Pods that have been ready for long enough."), age_column()};
    add_container_columns(columns);
    columns.push_back(selector_column());
    set_columns(std::move(columns));
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = editable_spec(object, arena);
    default_template(spec, arena);
    set_default(spec, "replicas", Value::integer(1), arena);
    Value& strategy = spec.object_at("strategy", arena);
    set_default_text(strategy, "type", "RollingUpdate", arena);
    default_rolling_update(strategy, arena);
    set_default(spec, "revisionHistoryLimit", Value::integer(10), arena);
    set_default(spec, "progressDeadlineSeconds", Value::integer(600), arena);
    drop_empty_rollback(object);
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    WorkloadStrategy::prepare_update(object, old, arena, request);
    // Annotations are copied to the replica sets, so they count too.
    if (same_annotations(object, old)) return;
    resource::set_meta(object, "generation", Value::integer(ObjectMeta::of(old).generation() + 1),
                       arena);
  }

  void prepare_status(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    WorkloadStrategy::prepare_status(object, old, arena, request);
    keep_member(object.object_at("metadata", arena), old.get("metadata"), "labels", arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return check(object, nullptr);
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors = check(object, &old.get("spec"));
    check_selector_unchanged(object.get("spec"), old.get("spec"), at_spec(), errors);
    return errors;
  }

  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value& status = object.get("status");
    check_not_negative(status,
                       {"observedGeneration", "replicas", "updatedReplicas", "readyReplicas",
                        "availableReplicas", "unavailableReplicas", "terminatingReplicas"},
                       at_status(), errors);
    check_replica_counts(
        status, {.at_most_replicas = {"updatedReplicas", "readyReplicas", "availableReplicas"}},
        at_status(), errors);
    check_collision_count(status, old.get("status"), at_status(), errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    std::vector<std::string> out;
    if (old == nullptr) add_name_warning(object, out);
    if (old == nullptr || !same_member(object, *old, "spec") || !same_annotations(object, *old)) {
      add_template_warnings(object.get("spec"), old != nullptr ? &old->get("spec") : nullptr,
                            at_spec(), out);
    }
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& spec = object.get("spec");
    const Value& status = object.get("status");
    out = {
        name_cell(object),
        text_cell(fmt::format("{}/{}", integer(status, "readyReplicas"), integer(spec, "replicas")),
                  arena),
        number_cell(status, "updatedReplicas"), number_cell(status, "availableReplicas"),
        age_cell(object, now, arena)};
    add_container_cells(spec.get("template"), out, arena);
    // Unlike in the tables of the other kinds, what selects everything is empty here.
    const auto selector = selector_text(member(spec, "selector"));
    out.push_back(selector ? text_cell(*selector, arena) : Value::string("<invalid>"));
  }

 private:
  static FieldErrors check(const Value& object, const Value* old_spec) {
    FieldErrors errors;
    const Value& spec = object.get("spec");
    check_replicated_pods(spec, old_spec, at_spec(), errors);
    check_strategy(spec, at_spec(), errors);
    check_not_negative(spec, {"revisionHistoryLimit", "progressDeadlineSeconds"}, at_spec(),
                       errors);
    check_rollback(object, errors);
    check_progress_deadline(spec, at_spec(), errors);
    return errors;
  }

  static void default_rolling_update(Value& strategy, Arena& arena) {
    const bool applies = text_of(strategy, "type") == "RollingUpdate";
    if (!applies && member(strategy, "rollingUpdate") == nullptr) return;
    Value& rolling = strategy.object_at("rollingUpdate", arena);
    for (const std::string_view key : {"maxUnavailable", "maxSurge"})
      set_default(rolling, key, applies ? Value::string("25%") : Value::integer(0), arena);
  }

  static void drop_empty_rollback(Value& object) {
    Value* metadata = object.find("metadata");
    Value* annotations = metadata != nullptr ? metadata->find("annotations") : nullptr;
    if (annotations == nullptr || annotations->find(kRollback) == nullptr ||
        !text_of(*annotations, kRollback).empty()) {
      return;
    }
    annotations->remove(kRollback);
    if (annotations->size() == 0) metadata->remove("annotations");
  }

  static bool same_annotations(const Value& object, const Value& old) {
    return same_member(object.get("metadata"), old.get("metadata"), "annotations");
  }
};

}  // namespace

const BuiltinStrategy& deployment_strategy() {
  static const DeploymentStrategy& strategy = *new DeploymentStrategy();
  return strategy;
}

}  // namespace strake::kinds
