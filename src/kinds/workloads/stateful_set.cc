#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/pods/pod_spec.h"
#include "kinds/storage/claim_spec.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/selectors.h"
#include "kinds/workloads/workload_checks.h"
#include "kinds/workloads/workload_strategy.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

const Type& update_strategy_type() {
  static const Type& type = described_type("io.k8s.api.apps.v1.StatefulSetUpdateStrategy");
  return type;
}

void check_rolling_update(const Value& rolling, const FieldPath& at, FieldErrors& errors) {
  check_not_negative(rolling, {"partition"}, at, errors);
  const Value* unavailable = member(rolling, "maxUnavailable");
  if (unavailable == nullptr) return;
  check_int_or_percent(unavailable, at / "maxUnavailable", errors);
  if (number_of(unavailable) == 0)
    errors.push_back(FieldError::invalid(at / "maxUnavailable", *unavailable, "cannot be 0"));
  check_at_most_100_percent(unavailable, at / "maxUnavailable", errors);
}

void check_update_strategy(const Value& spec, const FieldPath& at_spec, FieldErrors& errors) {
  const FieldPath at = at_spec / "updateStrategy";
  const Value& strategy = spec.get("updateStrategy");
  const std::string_view type = text_of(strategy, "type");
  const Value* rolling = member(strategy, "rollingUpdate");
  if (type == "OnDelete") {
    if (rolling == nullptr) return;
    errors.push_back(invalid_shown(
        at / "rollingUpdate",
        show_go_struct(rolling,
                       described_type("io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy")),
        "only allowed for updateStrategy 'RollingUpdate'"));
  } else if (type == "RollingUpdate") {
    if (rolling != nullptr) check_rolling_update(*rolling, at / "rollingUpdate", errors);
  } else {
    errors.push_back(invalid_shown(at, show_go_struct(&strategy, update_strategy_type()),
                                   "must be 'RollingUpdate' or 'OnDelete'"));
  }
}

void check_management(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const std::string_view policy = text_of(spec, "podManagementPolicy");
  if (policy == "OrderedReady" || policy == "Parallel") return;
  errors.push_back(FieldError::invalid(at / "podManagementPolicy", Value::string(policy),
                                       "must be 'OrderedReady' or 'Parallel'"));
}

void check_retention(const Value& spec, const FieldPath& at_spec, FieldErrors& errors) {
  const Value* policy = member(spec, "persistentVolumeClaimRetentionPolicy");
  if (policy == nullptr) return;
  const FieldPath at = at_spec / "persistentVolumeClaimRetentionPolicy";
  for (const std::string_view key : {"whenDeleted", "whenScaled"})
    check_text_is_one_of(text_of(*policy, key), {"Retain", "Delete"}, at / key, errors);
}

// The template as its pods will have it: the set gives them their host names, and volumes for its
// claims, which go before those that the template names.
Value template_of_pods(const Value& spec, Arena& arena) {
  Value out = value::deep_copy(spec.get("template"), arena);
  Value* pod_spec = out.find("spec");
  if (pod_spec == nullptr || !pod_spec->is_object()) return out;
  pod_spec->remove("subdomain");
  pod_spec->remove("hostname");
  const auto claims = items(spec, "volumeClaimTemplates");
  if (claims.empty()) return out;
  Value volumes = Value::array({});
  std::unordered_set<std::string_view> names;
  for (const Value& claim : claims) {
    const std::string_view name = text_of(claim, {"metadata", "name"});
    if (!names.insert(name).second) continue;
    Value source = Value::object({});
    source.set("claimName", Value::string(name), arena);
    Value volume = Value::object({});
    volume.set("name", Value::string(name), arena);
    volume.set("persistentVolumeClaim", source, arena);
    volumes.append(volume, arena);
  }
  for (const Value& volume : items(*pod_spec, "volumes")) {
    if (!names.contains(text_of(volume, "name"))) volumes.append(volume, arena);
  }
  pod_spec->set("volumes", volumes, arena);
  return out;
}

// What is looked at: an update tolerates what was stored before a rule came.
struct StatefulSetOptions {
  bool check_service_name = true;
  bool check_claims = true;
  bool check_template = true;
  const Value* old_spec = nullptr;
};

void check_template(const Value& spec, const StatefulSetOptions& options, const FieldPath& at_spec,
                    FieldErrors& errors) {
  const FieldPath at = at_spec / "template";
  if (!check_template_is_selected(spec, at_spec, errors)) {
    errors.push_back(
        invalid_shown(at_spec / "selector", show_label_selector(member(spec, "selector")), {}));
    return;
  }
  Arena arena;
  const Value pod_template = template_of_pods(spec, arena);
  if (options.check_template) {
    const Value* old =
        options.old_spec != nullptr ? member(*options.old_spec, {"template", "spec"}) : nullptr;
    check_pod_template(pod_template, {.in_template = true, .old_spec = old}, at, errors);
  }
  // kube-apiserver 1.36 checks the labels once more.
  if (const Value* labels = template_labels(pod_template))
    check_labels(labels->members(), at / "labels", errors);
}

FieldErrors check_spec(const Value& spec, const StatefulSetOptions& options, const FieldPath& at) {
  FieldErrors errors;
  check_management(spec, at, errors);
  check_update_strategy(spec, at, errors);
  check_retention(spec, at, errors);
  if (options.check_claims) {
    const auto claims = items(spec, "volumeClaimTemplates");
    for (std::size_t i = 0; i < claims.size(); ++i)
      check_claim_spec(claims[i].get("spec"), at / "volumeClaimTemplates" / i / "spec", errors);
  }
  check_not_negative(spec, {"replicas", "minReadySeconds"}, at, errors);
  check_not_negative(spec.get("ordinals"), {"start"}, at / "ordinals", errors);
  if (const std::string_view name = text_of(spec, "serviceName");
      options.check_service_name && !name.empty()) {
    add_messages(meta::check_dns1123_label(name), name, at / "serviceName", errors);
  }
  check_required_selector(spec, "statefulset", at, errors);
  check_template(spec, options, at, errors);
  check_template_keeps_running(spec.get("template"), "StatefulSet", at / "template", errors);
  return errors;
}

void check_changes(const Value& spec, const Value& old, const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view key :
       {"selector", "volumeClaimTemplates", "serviceName", "podManagementPolicy"}) {
    if (same_member(spec, old, key)) continue;
    errors.push_back(FieldError::forbidden(
        at,
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
        "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
        "'minReadySeconds' are forbidden"));
    return;
  }
}

class StatefulSetStrategy final : public WorkloadStrategy {
 public:
  StatefulSetStrategy() : WorkloadStrategy("io.k8s.api.apps.v1.StatefulSet") {
    std::vector<Column> columns = {
        name_column(), text_column("Ready", "How many pods are ready, of how many are wanted."),
        age_column()};
    add_container_columns(columns);
    set_columns(std::move(columns));
  }

  meta::Messages check_name(std::string_view name, bool prefix) const override {
    return meta::name_is_dns_label(name, prefix);
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = editable_spec(object, arena);
    default_template(spec, arena);
    default_claims(spec, arena);
    set_default_text(spec, "podManagementPolicy", "OrderedReady", arena);
    default_update_strategy(spec.object_at("updateStrategy", arena), arena);
    Value& retention = spec.object_at("persistentVolumeClaimRetentionPolicy", arena);
    set_default_text(retention, "whenDeleted", "Retain", arena);
    set_default_text(retention, "whenScaled", "Retain", arena);
    set_default(spec, "replicas", Value::integer(1), arena);
    set_default(spec, "revisionHistoryLimit", Value::integer(10), arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest& request) const override {
    WorkloadStrategy::prepare_create(object, arena, request);
    drop_max_unavailable(object);
  }

  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    WorkloadStrategy::prepare_update(object, old, arena, request);
    if (member(old, {"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"}) == nullptr)
      drop_max_unavailable(object);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return check_spec(object.get("spec"), {}, at_spec());
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    const Value& old_spec = old.get("spec");
    StatefulSetOptions options{
        .check_service_name = false, .check_claims = false, .old_spec = &old_spec};
    options.check_template = check_spec(old_spec, options, at_spec()).empty();
    FieldErrors errors = check_spec(object.get("spec"), options, at_spec());
    check_changes(object.get("spec"), old_spec, at_spec(), errors);
    return errors;
  }

  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value& status = object.get("status");
    check_not_negative(status,
                       {"replicas", "readyReplicas", "currentReplicas", "updatedReplicas",
                        "availableReplicas", "observedGeneration"},
                       at_status(), errors);
    check_replica_counts(status,
                         {.at_most_replicas = {"readyReplicas", "currentReplicas",
                                               "updatedReplicas", "availableReplicas"},
                          .ready = "status.readyReplicas"},
                         at_status(), errors);
    check_collision_count(status, old.get("status"), at_status(), errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    std::vector<std::string> out;
    const Value& spec = object.get("spec");
    if (old == nullptr || !same_member(object, *old, "spec")) {
      add_template_warnings(spec, old != nullptr ? &old->get("spec") : nullptr, at_spec(), out);
    }
    if (integer(spec, "revisionHistoryLimit") < 0) {
      out.emplace_back(
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value "
          ">= 0 is recommended");
    }
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& spec = object.get("spec");
    out = {name_cell(object),
           text_cell(fmt::format("{}/{}", integer(object.get("status"), "readyReplicas"),
                                 integer(spec, "replicas")),
                     arena),
           age_cell(object, now, arena)};
    add_container_cells(spec.get("template"), out, arena);
  }

 private:
  static void default_update_strategy(Value& strategy, Arena& arena) {
    if (text_of(strategy, "type").empty()) {
      strategy.set("type", Value::string("RollingUpdate"), arena);
      strategy.object_at("rollingUpdate", arena);
    }
    Value* rolling = strategy.find("rollingUpdate");
    if (rolling != nullptr && rolling->is_object())
      set_default(*rolling, "partition", Value::integer(0), arena);
  }

  static void default_claims(Value& spec, Arena& arena) {
    Value* claims = spec.find("volumeClaimTemplates");
    if (claims == nullptr) return;
    for (Value& claim : claims->mutable_items()) {
      if (!claim.is_object()) continue;
      // Whatever the client says they are.
      claim.set("apiVersion", Value::string("v1"), arena);
      claim.set("kind", Value::string("PersistentVolumeClaim"), arena);
      apply_claim_spec_defaults(claim.object_at("spec", arena), arena);
      set_default_text(claim.object_at("status", arena), "phase", "Pending", arena);
    }
  }

  // Not yet for everybody in kube-apiserver 1.36: it stays where it is.
  static void drop_max_unavailable(Value& object) {
    Value* spec = object.find("spec");
    Value* strategy = spec != nullptr ? spec->find("updateStrategy") : nullptr;
    Value* rolling = strategy != nullptr ? strategy->find("rollingUpdate") : nullptr;
    if (rolling != nullptr) rolling->remove("maxUnavailable");
  }
};

}  // namespace

const BuiltinStrategy& stateful_set_strategy() {
  static const StatefulSetStrategy& strategy = *new StatefulSetStrategy();
  return strategy;
}

}  // namespace strake::kinds
