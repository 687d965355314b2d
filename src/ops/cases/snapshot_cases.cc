#include "ops/cases/snapshot_cases.h"

#include "provider/names/name_checks.h"

namespace strake::ops {

using provider::Call;
using provider::Outcome;
using provider::Snapshot;

namespace {

Outcome<> check_snapshot(const std::string& name) {
  return provider::in_context("validate snapshot name", provider::check_snapshot_name(name));
}

}  // namespace

Outcome<std::vector<Snapshot>> list_snapshots(const Session& session, const Call& call,
                                              const provider::App& app, const std::string& volume) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const provider::AppVolume* of, find_volume(app, volume));
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::VolumeDriver * volumes, scope.in.volumes("VolumeSnapshotList"));
  return volumes->list_snapshots(call, {scope.in.cluster, app, *of});
}

Outcome<Snapshot> create_snapshot(const Session& session, const Call& call,
                                  const provider::App& app, const std::string& volume,
                                  const NewSnapshot& wanted) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const provider::AppVolume* of, find_volume(app, volume));
  if (!wanted.name.empty()) STRAKE_CHECK(check_snapshot(wanted.name));
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::VolumeDriver * volumes, scope.in.volumes("VolumeSnapshotCreate"));
  return volumes->create_snapshot(call, {scope.in.cluster, app, *of}, wanted.name, wanted.source,
                                  wanted.options);
}

Outcome<> delete_snapshot(const Session& session, const Call& call, const provider::App& app,
                          const std::string& volume, const std::string& name,
                          const provider::VolumeOptions& options) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const provider::AppVolume* of, find_volume(app, volume));
  STRAKE_CHECK(check_snapshot(name));
  STRAKE_TRY(const AppScope scope, open_app(session, app));
  STRAKE_TRY(provider::VolumeDriver * volumes, scope.in.volumes("VolumeSnapshotDelete"));
  return volumes->delete_snapshot(call, {scope.in.cluster, app, *of}, name, options);
}

}  // namespace strake::ops
