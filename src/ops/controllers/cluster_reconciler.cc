#include <fmt/format.h>

#include "ops/cases/cluster_cases.h"
#include "ops/controllers/reconcilers.h"
#include "ops/protection.h"
#include "value/fields.h"

namespace strake::ops {
namespace {

using provider::Call;
using provider::Cluster;
using provider::ClusterStatus;
using provider::Outcome;
using value::Value;

constexpr std::string_view kProvisioned = "Provisioned";
constexpr std::string_view kInstalled = "Installed";

class ClusterReconciler {
 public:
  ClusterReconciler(const ReconcileContext& context, const DeclaredObject& object)
      : context_(context), object_(object), status_(context, object) {}

  Next run() {
    if (object_.deleting && !object_.has_finalizer()) return Next::kGone;
    FoundParents parents = parents_of_cluster(context_.declared, object_);
    if (!parents) {
      const Next next = tell_not_ready(status_, parents.error());
      return after_write(status_.write(false), next);
    }
    parents_ = &*parents;
    return object_.deleting ? remove() : make_so();
  }

 private:
  const Cluster& cluster() const { return *parents_->cluster; }
  Session session() const { return context_.session(*parents_); }

  Next failed(std::string_view verb, const provider::Failure& failure) {
    const Next next = tell_failure(context_, object_, status_, verb, failure);
    return after_write(status_.write(false), next);
  }

  // A dry run changes nothing, so protection has no say in what differs.
  Cluster unprotected() const {
    Cluster out = cluster();
    out.protection = {};
    return out;
  }

  void show(const ClusterStatus& found) {
    status_.set("existing", Value::boolean(found.existing));
    status_.set("provisioned", Value::boolean(found.provisioned));
    status_.set("installed", Value::boolean(found.installed));
    status_.set_text("ingressGlobalIP", found.ingress_global_ip);
    status_.set_text("ingressFQDN", found.ingress_fqdn);
    status_.condition(kProvisioned, found.provisioned,
                      found.provisioned ? "Provisioned" : "NotProvisioned");
    status_.condition(kInstalled, found.installed, found.installed ? "Installed" : "NotInstalled");
  }

  // What is done, while it is done.
  Result<> announce(std::string_view condition, bool there, std::string_view reason,
                    std::string_view message) {
    if (!there) status_.condition(condition, false, reason, message);
    status_.condition(kReady, false, reason, message);
    return status_.write(false);
  }

  // Plans it by a dry run, and does it when anything is planned. False when it failed, and `next_`
  // is what is next.
  bool ensure(std::string_view condition, bool was_there, bool is_there, std::string_view doing,
              std::string_view done, std::string_view verb,
              const std::function<Outcome<>(const Call& call, const Cluster& cluster)>& work) {
    const Cluster plain = unprotected();
    auto plan = plan_of(context_.call, [&](const Call& dry) { return work(dry, plain); });
    if (!plan) {
      next_ = failed(verb, plan.error());
      return false;
    }
    if (plan->empty()) return true;
    const std::string steps = StepJournal::listed(*plan);
    if (was_synced(object_) && was_there) {
      drifted_ = true;
      tell_drift(context_, object_, status_, is_there ? "Differs" : "Gone", steps);
    }
    if (const Result<> told = announce(condition, is_there, doing, steps); !told) {
      next_ = after_write(told, Next::kTryAgain);
      return false;
    }
    const Outcome<> outcome =
        act(context_, object_, done, [&](const Call& call) { return work(call, cluster()); });
    if (!outcome) {
      next_ = failed(verb, outcome.error());
      return false;
    }
    return true;
  }

  Next make_so() {
    if (parents_->deleting) {
      const Next next =
          tell_not_ready(status_, {"ParentDeleting", "what it belongs to is being deleted"});
      return after_write(status_.write(false), next);
    }
    auto found = cluster_status(session(), context_.call, cluster());
    if (!found) return failed("status", found.error());
    show(*found);
    if (const Result<> held = hold(context_, object_, *parents_); !held)
      return failed("finalizer", provider::Failure(held.error()));

    const bool was_provisioned = value::flag_of(object_.status(), "provisioned");
    const bool was_installed = value::flag_of(object_.status(), "installed");
    const bool good = ensure(kProvisioned, was_provisioned, found->provisioned, "Provisioning",
                             "Provisioned", "provision",
                             [&](const Call& call, const Cluster& one) {
                               return provision_cluster(session(), call, one);
                             }) &&
                      (!cluster().ingress ||
                       ensure(kInstalled, was_installed, found->installed, "Installing",
                              "Installed", "install", [&](const Call& call, const Cluster& one) {
                                return install_cluster(session(), call, one);
                              }));
    if (!good) return next_;

    found = cluster_status(session(), context_.call, cluster());
    if (!found) return failed("status", found.error());
    show(*found);
    const bool complete = found->provisioned && (found->installed || !cluster().ingress);
    if (!complete) {
      // Its API does not answer yet, or a cluster that others make is not there.
      const std::string_view reason = found->provisioned ? "NotInstalled" : "NotProvisioned";
      status_.condition(kReady, false, reason, "what is declared was done, and is not seen yet");
      status_.condition(kSynced, false, reason, "what is declared was done, and is not seen yet");
      return after_write(status_.write(false), Next::kTryAgain);
    }
    status_.condition(kReady, true, "Ready");
    status_.condition(kSynced, true, "AsDeclared");
    tell_no_drift(status_);
    if (drifted_)
      context_.access.tell(object_, EventType::kNormal, "PutRight", "it is as declared again");
    return after_write(status_.write(true), Next::kSettled);
  }

  Next remove() {
    const std::vector<DeclaredPtr> needed = context_.declared.dependents(object_);
    if (!needed.empty()) {
      std::vector<std::string> names;
      for (const DeclaredPtr& one : needed) names.push_back(to_string(one->key));
      const Next next =
          tell_not_ready(status_, {"InUse", "deletion waits for " + StepJournal::listed(names)});
      return after_write(status_.write(false), next);
    }
    // What others made stays, and what was not installed for this object as well.
    const bool uninstall = !cluster().existing || cluster().ingress;
    // Before anything is taken away: a cluster that stays is not to lose its ingress.
    if (!cluster().existing) {
      const Outcome<> allowed = check_protection("provisioning", cluster().protection.provisioning,
                                                 ClusterOperation::kDelete);
      if (!allowed) return failed("deprovision", allowed.error());
    }
    status_.condition(kReady, false, "Deleting", "it is being uninstalled and deprovisioned");
    if (const Result<> written = status_.write(false); !written)
      return after_write(written, Next::kTryAgain);
    if (uninstall) {
      const Outcome<> outcome = act(context_, object_, "Uninstalled", [&](const Call& call) {
        return uninstall_cluster(session(), call, cluster());
      });
      if (!outcome) return failed("uninstall", outcome.error());
    }
    const Outcome<> outcome = act(context_, object_, "Deprovisioned", [&](const Call& call) {
      return deprovision_cluster(session(), call, cluster());
    });
    if (!outcome) return failed("deprovision", outcome.error());
    return after_write(put_finalizer(context_, object_, false), Next::kGone);
  }

  const ReconcileContext& context_;
  const DeclaredObject& object_;
  StatusDraft status_;
  const Parents* parents_ = nullptr;
  bool drifted_ = false;
  Next next_ = Next::kTryAgain;
};

}  // namespace

Next reconcile_cluster(const ReconcileContext& context, const DeclaredObject& cluster) {
  return ClusterReconciler(context, cluster).run();
}

}  // namespace strake::ops
