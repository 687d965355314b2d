#include "cli/operate/volume_commands.h"

#include "cli/operate/operate_documents.h"
#include "cli/operate/operate_flags.h"
#include "cli/operate/operate_run.h"
#include "ops/cases/disk_cases.h"
#include "ops/cases/snapshot_cases.h"

namespace strake::cli {
namespace {

using namespace std::chrono_literals;
using provider::FailureClass;
using provider::Outcome;

// The same flag under two names: `--name`, and the older one.
std::string name_of_volume_part(const OperateRun& run, std::string_view older) {
  const std::string_view name = run.args().text("name");
  return std::string(name.empty() ? run.args().text(older) : name);
}

Outcome<std::string> required_name(const OperateRun& run, std::string_view older) {
  std::string out = name_of_volume_part(run, older);
  if (out.empty()) return provider::refuse(FailureClass::kInvalid, "--name required");
  return out;
}

template <typename One>
void print_list(OperateRun& run, const std::vector<One>& all,
                void (*write)(const One&, OrderedJson&)) {
  OrderedJson out;
  out.open_list();
  for (const One& one : all) write(one, out);
  run.io().out.write(out.close().done());
}

template <typename One>
void print_one(OperateRun& run, const One& one, void (*write)(const One&, OrderedJson&)) {
  OrderedJson out;
  write(one, out);
  run.io().out.write(out.done());
}

Outcome<ExitCode> show_disks(OperateRun& run) {
  STRAKE_TRY(const std::string volume, run.required("vol-name"));
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_TRY(const auto disks, ops::list_disks(run.session(), run.call(), *app, volume));
  print_list(run, disks, write_disk);
  return ExitCode::kFine;
}

Outcome<ExitCode> make_disk(OperateRun& run) {
  const Arguments& args = run.args();
  provider::DiskCreateOptions options;
  options.zone = args.text("zone");
  STRAKE_TRY(options.options, read_options(args.text("options")));
  const std::string name = name_of_volume_part(run, "disk-name");
  if (args.on("bootstrap")) {
    if (args.given("vol-name") || !name.empty())
      return provider::refuse(FailureClass::kInvalid,
                              "--bootstrap cannot be used with --vol-name or --name");
    STRAKE_TRY(const provider::App* const app, run.app());
    STRAKE_TRY(const ops::Bootstrap made,
               ops::bootstrap_disks(run.session(), run.call(), *app, options));
    if (run.dry_run()) return ExitCode::kFine;
    if (!made.skipped.empty())
      run.call().step("skip", "bootstrap disks", {{"reason", made.skipped}});
    print_list(run, made.created, write_disk);
    return ExitCode::kFine;
  }
  STRAKE_TRY(const std::string volume, run.required("vol-name"));
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_TRY(const provider::Disk disk,
             ops::create_disk(run.session(), run.call(), *app, volume,
                              {.name = name,
                               .source = std::string(args.text("source")),
                               .options = std::move(options)}));
  if (!run.dry_run()) print_one(run, disk, write_disk);
  return ExitCode::kFine;
}

template <Outcome<> (*kCase)(const ops::Session&, const provider::Call&, const provider::App&,
                             const std::string&, const std::string&,
                             const provider::VolumeOptions&)>
Outcome<ExitCode> change_volume(OperateRun& run, std::string_view older_flag) {
  STRAKE_TRY(const std::string volume, run.required("vol-name"));
  STRAKE_TRY(const std::string name, required_name(run, older_flag));
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_CHECK(
      kCase(run.session(), run.call(), *app, volume, name, {.force = run.args().on("force")}));
  return ExitCode::kFine;
}
Outcome<ExitCode> assign_one_disk(OperateRun& run) {
  return change_volume<ops::assign_disk>(run, "disk-name");
}
Outcome<ExitCode> delete_one_disk(OperateRun& run) {
  return change_volume<ops::delete_disk>(run, "disk-name");
}
Outcome<ExitCode> delete_one_snapshot(OperateRun& run) {
  return change_volume<ops::delete_snapshot>(run, "snap-name");
}

Outcome<ExitCode> show_snapshots(OperateRun& run) {
  STRAKE_TRY(const std::string volume, run.required("vol-name"));
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_TRY(const auto snapshots, ops::list_snapshots(run.session(), run.call(), *app, volume));
  print_list(run, snapshots, write_snapshot);
  return ExitCode::kFine;
}

Outcome<ExitCode> make_snapshot(OperateRun& run) {
  STRAKE_TRY(const std::string volume, run.required("vol-name"));
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_TRY(const provider::Snapshot snapshot,
             ops::create_snapshot(run.session(), run.call(), *app, volume,
                                  {.name = name_of_volume_part(run, "snap-name"),
                                   .source = std::string(run.args().text("source")),
                                   .options = {.force = run.args().on("force")}}));
  if (!run.dry_run()) print_one(run, snapshot, write_snapshot);
  return ExitCode::kFine;
}

constexpr auto kDiskNameFlags = std::to_array<FlagSpec>({
    {.name = "name",
     .letter = 'N',
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "the disk"},
    {.name = "disk-name",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "the same as --name"},
});
constexpr auto kSnapshotNameFlags = std::to_array<FlagSpec>({
    {.name = "name",
     .letter = 'N',
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "the snapshot"},
    {.name = "snap-name",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "the same as --name"},
});
constexpr auto kSourceFlags = std::to_array<FlagSpec>({
    {.name = "source",
     .letter = 'S',
     .kind = FlagKind::kText,
     .value_name = "SOURCE",
     .summary = "what to make it from: disk:NAME, snapshot:NAME or an id of the provider"},
});
constexpr auto kDiskMoreFlags = std::to_array<FlagSpec>({
    {.name = "zone",
     .letter = 'Z',
     .kind = FlagKind::kText,
     .value_name = "ZONE",
     .summary = "where the disk is"},
    {.name = "options",
     .letter = 'O',
     .kind = FlagKind::kText,
     .value_name = "JSON",
     .summary = "options for the provider, over those of the volume: an object of texts, numbers "
                "and booleans"},
    {.name = "bootstrap",
     .summary = "make a first, assigned disk for every volume of the app, unless they have one"},
});

constexpr auto kVolumeListFlags = flags_of(kAppFlags, kVolumeFlags, kRunFlags);
constexpr auto kDiskCreateFlags = flags_of(kAppFlags, kVolumeFlags, kDiskNameFlags, kSourceFlags,
                                           kDiskMoreFlags, kForceFlags, kDryRunFlags, kRunFlags);
constexpr auto kDiskChangeFlags =
    flags_of(kAppFlags, kVolumeFlags, kDiskNameFlags, kForceFlags, kDryRunFlags, kRunFlags);
constexpr auto kSnapshotCreateFlags = flags_of(kAppFlags, kVolumeFlags, kSnapshotNameFlags,
                                               kSourceFlags, kForceFlags, kDryRunFlags, kRunFlags);
constexpr auto kSnapshotDeleteFlags =
    flags_of(kAppFlags, kVolumeFlags, kSnapshotNameFlags, kForceFlags, kDryRunFlags, kRunFlags);

constexpr Operation kShowDisks{
    .name = "disk:list", .limit = 2min, .flags = kVolumeListFlags, .work = show_disks};
constexpr Operation kMakeDisk{.name = "disk:create",
                              .limit = 5min,
                              .changes = true,
                              .flags = kDiskCreateFlags,
                              .work = make_disk};
constexpr Operation kAssignDisk{.name = "disk:assign",
                                .limit = 2min,
                                .changes = true,
                                .flags = kDiskChangeFlags,
                                .work = assign_one_disk};
constexpr Operation kRemoveDisk{.name = "disk:delete",
                                .limit = 5min,
                                .changes = true,
                                .flags = kDiskChangeFlags,
                                .work = delete_one_disk};
constexpr Operation kShowSnapshots{
    .name = "snapshot:list", .limit = 2min, .flags = kVolumeListFlags, .work = show_snapshots};
constexpr Operation kMakeSnapshot{.name = "snapshot:create",
                                  .limit = 5min,
                                  .changes = true,
                                  .flags = kSnapshotCreateFlags,
                                  .work = make_snapshot};
constexpr Operation kRemoveSnapshot{.name = "snapshot:delete",
                                    .limit = 5min,
                                    .changes = true,
                                    .flags = kSnapshotDeleteFlags,
                                    .work = delete_one_snapshot};

constexpr Example kDiskCreateExamples[] = {
    {"strake disk create --bootstrap", "a first disk for every volume"},
    {"strake disk create -V data -S snapshot:before", "restore a snapshot into a new disk"},
};

}  // namespace

constinit const Command kDiskListCommand = {
    .name = "disk list",
    .group = Group::kOperate,
    .summary = "list the disks of a volume, newest first, as JSON",
    .flags = kVolumeListFlags,
    .sections = kRunSections,
    .run = run_operation<kShowDisks>,
};
constinit const Command kDiskCreateCommand = {
    .name = "disk create",
    .group = Group::kOperate,
    .summary = "make a disk for a volume, blank or from a snapshot or disk",
    .description =
        "Prints the disk as JSON. The first disk of a volume is assigned: the app uses it. Later "
        "ones are not, until `strake disk assign` says so.",
    .flags = kDiskCreateFlags,
    .sections = kRunSections,
    .examples = kDiskCreateExamples,
    .run = run_operation<kMakeDisk>,
};
constinit const Command kDiskAssignCommand = {
    .name = "disk assign",
    .group = Group::kOperate,
    .summary = "make a disk the one that the volume uses",
    .description = "No other disk of the volume is assigned then. The next deploy uses it.",
    .flags = kDiskChangeFlags,
    .sections = kRunSections,
    .run = run_operation<kAssignDisk>,
};
constinit const Command kDiskDeleteCommand = {
    .name = "disk delete",
    .group = Group::kOperate,
    .summary = "delete a disk",
    .description = "An assigned disk is deleted only with --force.",
    .flags = kDiskChangeFlags,
    .sections = kRunSections,
    .run = run_operation<kRemoveDisk>,
};
constinit const Command kSnapshotListCommand = {
    .name = "snapshot list",
    .group = Group::kOperate,
    .summary = "list the snapshots of a volume, newest first, as JSON",
    .flags = kVolumeListFlags,
    .sections = kRunSections,
    .run = run_operation<kShowSnapshots>,
};
constinit const Command kSnapshotCreateCommand = {
    .name = "snapshot create",
    .group = Group::kOperate,
    .summary = "make a snapshot of a disk, and print it",
    .description = "Without --source, of the disk that is assigned.",
    .flags = kSnapshotCreateFlags,
    .sections = kRunSections,
    .run = run_operation<kMakeSnapshot>,
};
constinit const Command kSnapshotDeleteCommand = {
    .name = "snapshot delete",
    .group = Group::kOperate,
    .summary = "delete a snapshot",
    .flags = kSnapshotDeleteFlags,
    .sections = kRunSections,
    .run = run_operation<kRemoveSnapshot>,
};

}  // namespace strake::cli
