// ReplicaSets, and the ReplicationControllers that came before them.
#include <algorithm>

#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/selectors.h"
#include "kinds/workloads/workload_checks.h"
#include "kinds/workloads/workload_strategy.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

// Both keep a number of pods running.
class ReplicasStrategy : public WorkloadStrategy {
 public:
  explicit ReplicasStrategy(std::string_view full_type_name) : WorkloadStrategy(full_type_name) {
    std::vector<Column> columns = {
        name_column(), number_column("Desired", "How many pods are wanted."),
        number_column("Current", "How many pods there are."),
        number_column("Ready", "How many pods are ready."), age_column()};
    add_container_columns(columns);
    columns.push_back(selector_column());
    set_columns(std::move(columns));
  }

  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value& status = object.get("status");
    check_not_negative(status,
                       {"replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas",
                        "observedGeneration", "terminatingReplicas"},
                       at_status(), errors);
    check_replica_counts(
        status,
        {.at_most_replicas = {"fullyLabeledReplicas", "readyReplicas", "availableReplicas"}},
        at_status(), errors);
    return errors;
  }

 protected:
  void first_cells(const Value& object, WallTime now, std::vector<Value>& out, Arena& arena) const {
    const Value& status = object.get("status");
    out = {name_cell(object), number_cell(object.get("spec"), "replicas"),
           number_cell(status, "replicas"), number_cell(status, "readyReplicas"),
           age_cell(object, now, arena)};
    add_container_cells(object.get("spec").get("template"), out, arena);
  }
};

class ReplicaSetStrategy final : public ReplicasStrategy {
 public:
  ReplicaSetStrategy() : ReplicasStrategy("io.k8s.api.apps.v1.ReplicaSet") {}

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = editable_spec(object, arena);
    default_template(spec, arena);
    set_default(spec, "replicas", Value::integer(1), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_replicated_pods(object.get("spec"), nullptr, at_spec(), errors);
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value& spec = object.get("spec");
    const Value& old_spec = old.get("spec");
    check_replicated_pods(spec, &old_spec, at_spec(), errors);
    check_selector_unchanged(spec, old_spec, at_spec(), errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    std::vector<std::string> out;
    if (old == nullptr) add_name_warning(object, out);
    if (old == nullptr || !same_member(object, *old, "spec")) {
      add_template_warnings(object.get("spec"), old != nullptr ? &old->get("spec") : nullptr,
                            at_spec(), out);
    }
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    first_cells(object, now, out, arena);
    out.push_back(selector_cell(object.get("spec"), arena));
  }
};

class ReplicationControllerStrategy final : public ReplicasStrategy {
 public:
  ReplicationControllerStrategy() : ReplicasStrategy("io.k8s.api.core.v1.ReplicationController") {}

  std::optional<Orphans> orphans_by_default() const override { return Orphans(); }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = editable_spec(object, arena);
    default_template(spec, arena);
    set_default(spec, "replicas", Value::integer(1), arena);
    const Value* labels = template_labels(spec.get("template"));
    if (labels == nullptr || labels->size() == 0) return;
    const Value copy = value::deep_copy(*labels, arena);
    if (members(spec, "selector").empty()) spec.set("selector", copy, arena);
    Value& metadata = object.object_at("metadata", arena);
    if (members(metadata, "labels").empty()) metadata.set("labels", copy, arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return check(object.get("spec"), nullptr);
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors = check(object.get("spec"), &old.get("spec"));
    check_inconvertible(object, old, errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    std::vector<std::string> out;
    if (old == nullptr) {
      add_name_warning(object, out);
      add_template_warnings(object.get("spec"), nullptr, at_spec(), out);
    } else if (!same_member(object, *old, "spec")) {
      // kube-apiserver 1.36 takes the old template for the new one here.
      add_template_warnings(old->get("spec"), &object.get("spec"), at_spec(), out);
    }
    return out;
  }

  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {"status.replicas"};
    return kLabels;
  }
  std::string field(const Value& object, std::string_view label) const override {
    if (label != "status.replicas") return {};
    return std::to_string(integer(object.get("status"), "replicas"));
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    first_cells(object, now, out, arena);
    const std::string selector = labels_text(members(object.get("spec"), "selector"));
    out.push_back(selector.empty() ? Value::string("<none>") : text_cell(selector, arena));
  }

 private:
  static FieldErrors check(const Value& spec, const Value* old_spec) {
    FieldErrors errors;
    const FieldPath& at = at_spec();
    check_not_negative(spec, {"minReadySeconds", "replicas"}, at, errors);
    const auto selector = members(spec, "selector");
    if (selector.empty()) errors.push_back(FieldError::required(at / "selector"));
    const Value* pod_template = member(spec, "template");
    if (pod_template == nullptr) {
      errors.push_back(FieldError::required(at / "template"));
      return errors;
    }
    const Value* labels = template_labels(*pod_template);
    const bool selected = std::ranges::all_of(selector, [&](const Member& one) {
      const Value* label = labels != nullptr ? labels->find(one.key) : nullptr;
      return label != nullptr && value::text_of(*label) == value::text_of(one.value);
    });
    if (!selected) {
      errors.push_back(FieldError::invalid(at / "template" / "metadata" / "labels",
                                           labels != nullptr ? *labels : Value(),
                                           "`selector` does not match template `labels`"));
    }
    check_running_template(spec, old_spec, "ReplicationController", at, errors);
    return errors;
  }

  // Fields that another version of the kind had, and that this one notes in annotations.
  static void check_inconvertible(const Value& object, const Value& old, FieldErrors& errors) {
    constexpr std::string_view kPrefix = "non-convertible.kubernetes.io";
    const Value* annotations = meta::ObjectMeta::of(old).annotations();
    if (annotations == nullptr) return;
    for (const Member& one : annotations->members()) {
      const std::size_t slash = one.key.find('/');
      if (!one.key.starts_with(kPrefix) || slash == std::string_view::npos ||
          one.key.find('/', slash + 1) != std::string_view::npos) {
        continue;
      }
      const std::string_view field = one.key.substr(slash + 1);
      if (!field.contains("selector")) {
        FieldError unknown = FieldError::not_found(FieldPath() / field, one.value);
        unknown.detail = "unknown non-convertible field";
        errors.push_back(std::move(unknown));
      } else if (!same_member(object.get("spec"), old.get("spec"), "selector")) {
        errors.push_back(FieldError::invalid(at_spec() / "selector",
                                             object.get("spec").get("selector"),
                                             "cannot update non-convertible selector"));
      }
    }
  }
};

}  // namespace

const BuiltinStrategy& replica_set_strategy() {
  static const ReplicaSetStrategy& strategy = *new ReplicaSetStrategy();
  return strategy;
}

const BuiltinStrategy& replication_controller_strategy() {
  static const ReplicationControllerStrategy& strategy = *new ReplicationControllerStrategy();
  return strategy;
}

}  // namespace strake::kinds
