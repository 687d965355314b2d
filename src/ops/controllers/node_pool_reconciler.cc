#include <fmt/format.h>

#include <limits>
#include <optional>

#include "ops/cases/node_pool_cases.h"
#include "ops/controllers/reconcilers.h"
#include "ops/kom/models.h"
#include "ops/kom/schemas.h"
#include "value/fields.h"

namespace strake::ops {
namespace {

using provider::Call;
using provider::NodePool;
using provider::Outcome;
using value::text_of;
using value::Value;

std::optional<std::string> text_at(const Value& spec, std::string_view key) {
  const Value* found = spec.find(key);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->as_string());
}

std::optional<std::int64_t> integer_at(const Value& object, std::string_view key) {
  const Value& found = object.get(key);
  if (found.type() != value::Type::kInt) return std::nullopt;
  return found.as_int();
}

// What is absent is not changed.
NodePool read_pool(const DeclaredObject& object, std::vector<KomFault>& faults) {
  const Value& spec = object.spec();
  NodePool out;
  const std::string_view name = text_of(spec, "poolName");
  out.name = name.empty() ? object.key.name : std::string(name);
  out.provider_name = text_at(spec, "providerName");
  out.mode = text_at(spec, "mode");
  if (const Value* labels = spec.find("labels"); labels != nullptr && labels->is_object()) {
    out.labels.emplace();
    for (const value::Member& one : labels->members())
      out.labels->emplace(one.key, text_of(one.value));
  }
  if (const Value* zones = spec.find("zones"); zones != nullptr && zones->is_array()) {
    out.zones.emplace();
    for (const Value& one : zones->items()) out.zones->emplace_back(text_of(one));
  }
  out.instance_type = text_at(spec, "instanceType");
  out.os_disk_type = text_at(spec, "osDiskType");
  out.os_disk_size_gib = integer_at(spec, "osDiskSizeGiB");
  out.priority = text_at(spec, "priority");
  if (const Value& scale = spec.get("autoscaling"); scale.is_object()) {
    out.autoscaling = provider::Autoscaling{.enabled = value::flag_of(scale, "enabled"),
                                            .min = integer_at(scale, "min").value_or(0),
                                            .max = integer_at(scale, "max").value_or(0),
                                            .desired = integer_at(scale, "desired")};
  }
  out.extensions =
      read_options(spec.get("extensions"), FieldPath() / "spec" / "extensions", faults);
  return out;
}

class NodePoolReconciler {
 public:
  NodePoolReconciler(const ReconcileContext& context, const DeclaredObject& object)
      : context_(context), object_(object), status_(context, object) {}

  Next run() {
    if (object_.deleting && !object_.has_finalizer()) return Next::kGone;
    if (object_.deleting && deletion_policy(object_) == "Retain") return let_go();
    FoundParents parents = parents_of_node_pool(context_.declared, object_);
    if (!parents) return blocked(parents.error());
    parents_ = &*parents;
    std::vector<KomFault> faults;
    pool_ = read_pool(object_, faults);
    if (!faults.empty()) return blocked({"InvalidSpec", faults.front().to_string()});
    if (object_.deleting) return remove();
    if (parents->deleting)
      return blocked({"ParentDeleting", "what it belongs to is being deleted"});
    if (!value::flag_of(parents->cluster_object->status(), "provisioned"))
      return blocked(
          {"ClusterNotProvisioned", fmt::format("Cluster {} is not provisioned", cluster().name)});
    return make_so();
  }

 private:
  Session session() const { return context_.session(*parents_); }
  const provider::Cluster& cluster() const { return *parents_->cluster; }

  Next blocked(const NotReady& why) {
    const Next next = tell_not_ready(status_, why);
    return after_write(status_.write(false), next);
  }
  Next failed(std::string_view verb, const provider::Failure& failure) {
    const Next next = tell_failure(context_, object_, status_, verb, failure);
    return after_write(status_.write(false), next);
  }
  Next let_go() { return after_write(put_finalizer(context_, object_, false), Next::kGone); }

  Outcome<std::optional<NodePool>> look() {
    STRAKE_TRY(std::vector<NodePool> pools,
               list_node_pools(session(), context_.call, cluster(), *pool_.name));
    if (pools.empty()) return std::nullopt;
    return std::move(pools.front());
  }

  Outcome<> change(const Call& call, bool is_new) {
    if (is_new) {
      STRAKE_TRY([[maybe_unused]] const NodePool made,
                 create_node_pool(session(), call, cluster(), pool_));
    } else {
      STRAKE_TRY([[maybe_unused]] const NodePool changed,
                 update_node_pool(session(), call, cluster(), pool_));
    }
    return {};
  }

  Next make_so() {
    auto found = look();
    if (!found) return failed("list node pools", found.error());
    if (const Result<> held = hold(context_, object_, *parents_); !held)
      return failed("finalizer", provider::Failure(held.error()));
    const bool is_new = !found->has_value();
    const std::string_view verb = is_new ? "create node pool" : "update node pool";
    const auto plan = plan_of(context_.call, [&](const Call& dry) { return change(dry, is_new); });
    if (!plan) return failed(verb, plan.error());
    bool drifted = false;
    if (!plan->empty() || is_new) {
      if (was_synced(object_)) {
        drifted = true;
        tell_drift(
            context_, object_, status_, is_new ? "Gone" : "Differs",
            is_new ? fmt::format("node pool {} is gone", *pool_.name) : StepJournal::listed(*plan));
      }
      if (is_new) status_.condition(kReady, false, "Creating", "it is being created");
      if (const Result<> told = status_.write(false); !told)
        return after_write(told, Next::kTryAgain);
      const Outcome<> done = act(context_, object_, is_new ? "Created" : "Updated",
                                 [&](const Call& call) { return change(call, is_new); });
      if (!done) return failed(verb, done.error());
      found = look();
      if (!found) return failed("list node pools", found.error());
      if (!*found) return after_write(status_.write(false), Next::kTryAgain);
    }
    show(**found);
    status_.condition(kReady, true, "Ready");
    status_.condition(kSynced, true, "AsDeclared");
    tell_no_drift(status_);
    if (drifted)
      context_.access.tell(object_, EventType::kNormal, "PutRight", "it is as declared again");
    return after_write(status_.write(true), Next::kSettled);
  }

  void show(const NodePool& pool) {
    const provider::NodePoolStatus status = pool.status.value_or(provider::NodePoolStatus());
    status_.set_text("provisioningState", status.provisioning_state.value_or(std::string()));
    const std::int64_t count = status.current_node_count.value_or(-1);
    const bool is_count = count >= 0 && count <= std::numeric_limits<std::int32_t>::max();
    status_.set("currentNodeCount", is_count ? Value::integer(count) : Value());
  }

  Next remove() {
    status_.condition(kReady, false, "Deleting", "it is being deleted");
    if (const Result<> written = status_.write(false); !written)
      return after_write(written, Next::kTryAgain);
    const Outcome<> done = act(context_, object_, "Deleted", [&](const Call& call) {
      return delete_node_pool(session(), call, cluster(), *pool_.name);
    });
    if (!done) return failed("delete node pool", done.error());
    return let_go();
  }

  const ReconcileContext& context_;
  const DeclaredObject& object_;
  StatusDraft status_;
  const Parents* parents_ = nullptr;
  NodePool pool_;
};

}  // namespace

Next reconcile_node_pool(const ReconcileContext& context, const DeclaredObject& pool) {
  return NodePoolReconciler(context, pool).run();
}

}  // namespace strake::ops
