#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ops/cases/snapshot_cases.h"
#include "ops/controllers/reconcilers.h"
#include "ops/controllers/volume_reconcile.h"
#include "value/fields.h"

namespace strake::ops {
namespace {

using provider::Call;
using provider::Outcome;
using provider::Snapshot;
using value::text_of;

class SnapshotReconciler {
 public:
  SnapshotReconciler(const ReconcileContext& context, const DeclaredObject& object)
      : context_(context),
        object_(object),
        status_(context, object),
        volume_(text_of(object.spec(), "volumeName")),
        name_(provider_name_of(object)) {}

  Next run() {
    if (object_.deleting && !object_.has_finalizer()) return Next::kGone;
    if (object_.deleting && deletion_policy(object_) == "Retain") return let_go();
    FoundParents parents = parents_of_volume_object(context_.declared, object_);
    if (!parents) return blocked(parents.error());
    parents_ = &*parents;
    if (object_.deleting) return remove();
    if (const DeclaredPtr first = first_of_name(context_.declared, object_))
      return blocked({"DuplicateName", fmt::format("{} is the same snapshot, and was there first",
                                                   to_string(first->key))});
    if (parents->deleting)
      return blocked({"ParentDeleting", "what it belongs to is being deleted"});
    return make_so();
  }

 private:
  Session session() const { return context_.session(*parents_); }
  const provider::App& app() const { return *parents_->app; }

  Next blocked(const NotReady& why) {
    const Next next = tell_not_ready(status_, why);
    return after_write(status_.write(false), next);
  }
  Next failed(std::string_view verb, const provider::Failure& failure) {
    const Next next = tell_failure(context_, object_, status_, verb, failure);
    return after_write(status_.write(false), next);
  }
  Next let_go() { return after_write(put_finalizer(context_, object_, false), Next::kGone); }

  Outcome<std::optional<Snapshot>> look() {
    STRAKE_TRY(const std::vector<Snapshot> all,
               list_snapshots(session(), context_.call, app(), volume_));
    const auto found = std::ranges::find(all, name_, &Snapshot::name);
    if (found == all.end()) return std::nullopt;
    return *found;
  }

  Next lost() {
    const std::string message =
        fmt::format("snapshot {} is gone: a new one would hold something else", name_);
    // Told once as an event, and shown as long as it is so.
    if (!status_.is_true(kDrifted)) tell_drift(context_, object_, status_, "Gone", message);
    return blocked({"Gone", message});
  }

  Next make_so() {
    auto snapshot = look();
    if (!snapshot) return failed("list snapshots", snapshot.error());
    if (const Result<> held = hold(context_, object_, *parents_); !held)
      return failed("finalizer", provider::Failure(held.error()));
    if (!*snapshot) {
      if (!text_of(object_.status(), "handle").empty()) return lost();
      status_.condition(kReady, false, "Creating", "it is being taken");
      if (const Result<> told = status_.write(false); !told)
        return after_write(told, Next::kTryAgain);
      const NewSnapshot wanted{
          .name = name_, .source = std::string(text_of(object_.spec(), "source")), .options = {}};
      const Outcome<> made = act(context_, object_, "Created", [&](const Call& call) -> Outcome<> {
        STRAKE_TRY([[maybe_unused]] const Snapshot one,
                   create_snapshot(session(), call, app(), volume_, wanted));
        return {};
      });
      if (!made) return source_failed(made.error());
      snapshot = look();
      if (!snapshot) return failed("list snapshots", snapshot.error());
      if (!*snapshot) return after_write(status_.write(false), Next::kTryAgain);
    }
    const Snapshot& found = **snapshot;
    status_.set_text("snapshotName", found.name);
    status_.set_text("handle", found.handle);
    status_.set_text("size", exact_size(found.size));
    status_.set_text("createdAt", api_time(found.created_at));
    status_.condition(kReady, true, "Ready");
    status_.condition(kSynced, true, "AsDeclared");
    tell_no_drift(status_);
    return after_write(status_.write(true), Next::kSettled);
  }

  // Its disk may be declared beside it, and not be there yet.
  Next source_failed(const provider::Failure& failure) {
    const Next next = failed("create snapshot", failure);
    return next == Next::kBlocked && failure.error_class() == provider::FailureClass::kValidation
               ? Next::kTryAgain
               : next;
  }

  Next remove() {
    if (first_of_name(context_.declared, object_) != nullptr) return let_go();
    status_.condition(kReady, false, "Deleting", "it is being deleted");
    if (const Result<> written = status_.write(false); !written)
      return after_write(written, Next::kTryAgain);
    const Outcome<> done = act(context_, object_, "Deleted", [&](const Call& call) {
      return delete_snapshot(session(), call, app(), volume_, name_);
    });
    if (!done) return failed("delete snapshot", done.error());
    return let_go();
  }

  const ReconcileContext& context_;
  const DeclaredObject& object_;
  StatusDraft status_;
  const std::string volume_;
  const std::string name_;
  const Parents* parents_ = nullptr;
};

}  // namespace

Next reconcile_snapshot(const ReconcileContext& context, const DeclaredObject& snapshot) {
  return SnapshotReconciler(context, snapshot).run();
}

}  // namespace strake::ops
