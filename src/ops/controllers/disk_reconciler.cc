#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ops/cases/disk_cases.h"
#include "ops/controllers/reconcilers.h"
#include "ops/controllers/volume_reconcile.h"
#include "ops/kom/models.h"
#include "value/fields.h"

namespace strake::ops {
namespace {

using provider::Call;
using provider::Disk;
using provider::Outcome;
using value::text_of;
using value::Value;

class DiskReconciler {
 public:
  DiskReconciler(const ReconcileContext& context, const DeclaredObject& object)
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
      return blocked({"DuplicateName", fmt::format("{} is the same disk, and was there first",
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

  Outcome<std::optional<Disk>> look() {
    STRAKE_TRY(std::vector<Disk> disks, list_disks(session(), context_.call, app(), volume_));
    const auto found = std::ranges::find(disks, name_, &Disk::name);
    if (found == disks.end()) return std::nullopt;
    return *found;
  }

  void show(const Disk& disk) {
    status_.set_text("diskName", disk.name);
    status_.set_text("handle", disk.handle);
    status_.set_text("size", exact_size(disk.size));
    status_.set_text("zone", disk.zone);
    status_.set("assigned", Value::boolean(disk.assigned));
    status_.set_text("createdAt", api_time(disk.created_at));
  }

  void drift(std::string_view reason, std::string message) {
    drifted_ = true;
    tell_drift(context_, object_, status_, reason, message);
  }

  Outcome<> create() {
    const bool was_there = !text_of(object_.status(), "handle").empty();
    if (was_there) drift("Gone", fmt::format("disk {} is gone", name_));
    status_.condition(kReady, false, "Creating", "it is being created");
    STRAKE_CHECK(status_.write(false));
    NewDisk wanted{
        .name = name_,
        .source = std::string(text_of(object_.spec(), "source")),
        .options = {
            .force = false, .zone = std::string(text_of(object_.spec(), "zone")), .options = {}}};
    std::vector<KomFault> faults;
    wanted.options.options =
        read_options(object_.spec().get("options"), FieldPath() / "spec" / "options", faults);
    if (!faults.empty())
      return provider::refuse(provider::FailureClass::kValidation, "{}",
                              faults.front().to_string());
    return act(context_, object_, "Created", [&](const Call& call) -> Outcome<> {
      STRAKE_TRY([[maybe_unused]] const Disk made,
                 create_disk(session(), call, app(), volume_, wanted));
      return {};
    });
  }

  // Others of its volume that want to be the assigned one.
  std::vector<std::string> rivals() const {
    std::vector<std::string> out;
    for (const DeclaredPtr& one : context_.declared.of_volume(
             OperatedKind::kDisk, object_.key.namespace_name, object_.app_name(), volume_)) {
      if (one->key != object_.key && !one->deleting && value::flag_of(one->spec(), "assigned"))
        out.push_back(one->key.name);
    }
    return out;
  }

  Next make_so() {
    auto disk = look();
    if (!disk) return failed("list disks", disk.error());
    if (const Result<> held = hold(context_, object_, *parents_); !held)
      return failed("finalizer", provider::Failure(held.error()));
    if (!*disk) {
      if (const Outcome<> made = create(); !made) return failed("create disk", made.error());
      disk = look();
      if (!disk) return failed("list disks", disk.error());
      if (!*disk) return after_write(status_.write(false), Next::kTryAgain);
    }
    if (value::flag_of(object_.spec(), "assigned") && !(*disk)->assigned) {
      if (const auto others = rivals(); !others.empty()) {
        show(**disk);
        return blocked({"AssignedTwice",
                        fmt::format("{} of the same volume are to be assigned too: nothing is "
                                    "changed until only one is",
                                    StepJournal::listed(others))});
      }
      if (was_synced(object_) && value::flag_of(object_.status(), "assigned"))
        drift("Differs", fmt::format("disk {} is not the assigned one any more", name_));
      const Outcome<> done = act(context_, object_, "Assigned", [&](const Call& call) {
        return assign_disk(session(), call, app(), volume_, name_);
      });
      if (!done) return failed("assign disk", done.error());
      disk = look();
      if (!disk) return failed("list disks", disk.error());
      if (!*disk) return after_write(status_.write(false), Next::kTryAgain);
    }
    show(**disk);
    status_.condition(kReady, true, "Ready");
    settle(**disk);
    return after_write(status_.write(true), Next::kSettled);
  }

  // What no driver changes is told.
  void settle(const Disk& disk) {
    const auto volume = find_volume(app(), volume_);
    if (volume && (*volume)->size != disk.size) {
      const std::string message = fmt::format(
          "the disk has {}, and volume {} is declared with {}: the size of a disk stays",
          exact_size(disk.size), volume_, exact_size((*volume)->size));
      status_.condition(kSynced, false, "SizeDiffers", message);
      status_.condition(kDrifted, true, "SizeDiffers", message);
      return;
    }
    status_.condition(kSynced, true, "AsDeclared");
    tell_no_drift(status_);
    if (drifted_)
      context_.access.tell(object_, EventType::kNormal, "PutRight", "it is as declared again");
  }

  // One that is assigned goes with its app, or by force: otherwise the app would lose its data by a
  // slip.
  Next remove() {
    if (const DeclaredPtr first = first_of_name(context_.declared, object_)) return let_go();
    const bool app_goes = parents_->objects.back()->deleting;
    const bool forced = text_of(object_.metadata().get("annotations"), kForceAnnotation) == "true";
    status_.condition(kReady, false, "Deleting", "it is being deleted");
    if (const Result<> written = status_.write(false); !written)
      return after_write(written, Next::kTryAgain);
    auto disk = look();
    if (!disk) return failed("list disks", disk.error());
    if (*disk && (*disk)->assigned && !app_goes && !forced) {
      show(**disk);
      return blocked({"Assigned",
                      fmt::format("disk {} is assigned; assign another disk first, delete the App, "
                                  "or annotate the Disk with {}=true",
                                  name_, kForceAnnotation)});
    }
    const Outcome<> done = act(context_, object_, "Deleted", [&](const Call& call) {
      return delete_disk(session(), call, app(), volume_, name_, {.force = app_goes || forced});
    });
    if (!done) return failed("delete disk", done.error());
    return let_go();
  }

  const ReconcileContext& context_;
  const DeclaredObject& object_;
  StatusDraft status_;
  const std::string volume_;
  const std::string name_;
  const Parents* parents_ = nullptr;
  bool drifted_ = false;
};

}  // namespace

Next reconcile_disk(const ReconcileContext& context, const DeclaredObject& disk) {
  return DiskReconciler(context, disk).run();
}

}  // namespace strake::ops
