#include "ops/cases/disk_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "provider/names/name_checks.h"

namespace strake::ops {

using provider::AppVolume;
using provider::Call;
using provider::Disk;
using provider::FailureClass;
using provider::Outcome;

namespace {

Outcome<> check_disk(const std::string& name) {
  return provider::in_context("validate disk name", provider::check_disk_name(name));
}

std::size_t assigned_of(const std::vector<Disk>& disks) {
  return static_cast<std::size_t>(std::ranges::count_if(disks, &Disk::assigned));
}

struct Counts {
  std::size_t assigned = 0;
  std::size_t total = 0;
};

enum class BootstrapState : std::uint8_t { kDone, kMissing, kInvalid };

BootstrapState state_of(const std::map<std::string, Counts>& volumes) {
  const auto all = [&](auto&& of) { return std::ranges::all_of(volumes, of); };
  if (all([](const auto& one) { return one.second.assigned == 1; })) return BootstrapState::kDone;
  if (all([](const auto& one) { return one.second.assigned == 0; }))
    return BootstrapState::kMissing;
  // What a bootstrap leaves behind that was broken off between two volumes. A volume that has disks
  // and none assigned is not that: somebody has to say which one holds the data.
  if (all([](const auto& one) { return one.second.assigned == 1 || one.second.total == 0; }))
    return BootstrapState::kMissing;
  return BootstrapState::kInvalid;
}

class DiskBootstrap {
 public:
  DiskBootstrap(const Call& call, const AppScope& scope, provider::VolumeDriver& volumes,
                const provider::DiskCreateOptions& options)
      : call_(call), scope_(scope), volumes_(volumes), options_(options) {}

  Outcome<Bootstrap> run() {
    Bootstrap out;
    std::map<std::string, Counts> counts;
    for (const AppVolume& volume : scope_.app.volumes) {
      STRAKE_TRY(const std::vector<Disk> disks, list(volume));
      counts[volume.name] = {.assigned = assigned_of(disks), .total = disks.size()};
    }
    switch (state_of(counts)) {
      case BootstrapState::kDone:
        out.skipped = "already initialized";
        call_.step("skip", "bootstrap disks", {{"app", scope_.app.name}, {"reason", out.skipped}});
        return out;
      case BootstrapState::kInvalid: return refuse_state(counts);
      case BootstrapState::kMissing: break;
    }
    for (const AppVolume& volume : scope_.app.volumes) {
      if (counts[volume.name].assigned == 1) continue;
      STRAKE_TRY(Disk disk, make(volume));
      out.created.push_back(std::move(disk));
    }
    return out;
  }

 private:
  provider::VolumeOf of(const AppVolume& volume) const {
    return {scope_.in.cluster, scope_.app, volume};
  }
  Outcome<std::vector<Disk>> list(const AppVolume& volume) {
    STRAKE_CHECK(call_.check());
    return volumes_.list_disks(call_, of(volume));
  }

  Outcome<Disk> make(const AppVolume& volume) {
    STRAKE_TRY(const std::vector<Disk> disks, list(volume));
    if (assigned_of(disks) != 0)
      return provider::refuse(FailureClass::kConflict,
                              "bootstrap aborted: concurrent assignment detected for volume {}",
                              volume.name);
    STRAKE_TRY(Disk disk, volumes_.create_disk(call_, of(volume), "", "", options_));
    // There is no disk to assign after a dry run.
    if (!call_.dry_run) {
      // Also when it was made assigned: if somebody else did the same just now, one of the two
      // remains.
      STRAKE_CHECK(call_.check());
      STRAKE_CHECK(volumes_.assign_disk(call_, of(volume), disk.name, {.force = options_.force}));
    }
    disk.assigned = true;
    return disk;
  }

  static std::unexpected<provider::Failure> refuse_state(
      const std::map<std::string, Counts>& counts) {
    std::string text = "bootstrap invalid state:";
    for (const auto& [volume, one] : counts)
      text += fmt::format(" {}(assigned={},total={})", volume, one.assigned, one.total);
    return std::unexpected(provider::Failure(FailureClass::kConflict, std::move(text)));
  }

  const Call& call_;
  const AppScope& scope_;
  provider::VolumeDriver& volumes_;
  const provider::DiskCreateOptions& options_;
};

}  // namespace

Outcome<std::vector<Disk>> list_disks(const Session& session, const Call& call,
                                      const provider::App& app, const std::string& volume) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const AppVolume* of, find_volume(app, volume));
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::VolumeDriver * volumes, scope.in.volumes("VolumeDiskList"));
  return volumes->list_disks(call, {scope.in.cluster, app, *of});
}

Outcome<Disk> create_disk(const Session& session, const Call& call, const provider::App& app,
                          const std::string& volume, const NewDisk& wanted) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const AppVolume* of, find_volume(app, volume));
  if (!wanted.name.empty()) STRAKE_CHECK(check_disk(wanted.name));
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::VolumeDriver * volumes, scope.in.volumes("VolumeDiskCreate"));
  return volumes->create_disk(call, {scope.in.cluster, app, *of}, wanted.name, wanted.source,
                              wanted.options);
}

Outcome<> assign_disk(const Session& session, const Call& call, const provider::App& app,
                      const std::string& volume, const std::string& name,
                      const provider::VolumeOptions& options) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const AppVolume* of, find_volume(app, volume));
  STRAKE_CHECK(check_disk(name));
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::VolumeDriver * volumes, scope.in.volumes("VolumeDiskAssign"));
  return volumes->assign_disk(call, {scope.in.cluster, app, *of}, name, options);
}

Outcome<> delete_disk(const Session& session, const Call& call, const provider::App& app,
                      const std::string& volume, const std::string& name,
                      const provider::VolumeOptions& options) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const AppVolume* of, find_volume(app, volume));
  STRAKE_CHECK(check_disk(name));
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::VolumeDriver * volumes, scope.in.volumes("VolumeDiskDelete"));
  const provider::VolumeOf whose{scope.in.cluster, app, *of};
  STRAKE_TRY(const std::vector<Disk> disks, volumes->list_disks(call, whose));
  const auto found = std::ranges::find(disks, name, &Disk::name);
  if (found != disks.end() && found->assigned && !options.force)
    return provider::refuse(FailureClass::kConflict,
                            "disk {} is assigned; assign another disk first before deletion", name);
  // Also when it is not listed: what was half made or half deleted may be left of it.
  STRAKE_CHECK(call.check());
  return volumes->delete_disk(call, whose, name, options);
}

Outcome<Bootstrap> bootstrap_disks(const Session& session, const Call& call,
                                   const provider::App& app,
                                   const provider::DiskCreateOptions& options) {
  STRAKE_CHECK(call.check());
  if (app.volumes.empty()) {
    Bootstrap out;
    out.skipped = "no volumes defined";
    call.step("skip", "bootstrap disks", {{"app", app.name}, {"reason", out.skipped}});
    return out;
  }
  for (const AppVolume& volume : app.volumes)
    STRAKE_CHECK(
        provider::in_context("validate volume name", provider::check_volume_name(volume.name)));
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::VolumeDriver * volumes, scope.in.volumes("VolumeDiskCreate"));
  return DiskBootstrap(call, scope, *volumes, options).run();
}

}  // namespace strake::ops
