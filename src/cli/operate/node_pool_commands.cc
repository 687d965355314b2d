#include "cli/operate/node_pool_commands.h"

#include "cli/operate/given_file.h"
#include "cli/operate/operate_documents.h"
#include "cli/operate/operate_flags.h"
#include "cli/operate/operate_run.h"
#include "ops/cases/node_pool_cases.h"

namespace strake::cli {
namespace {

using namespace std::chrono_literals;
using provider::Outcome;

constexpr std::uint64_t kMostPoolBytes = std::uint64_t{1} << 20;

Outcome<ExitCode> list_pools(OperateRun& run) {
  STRAKE_TRY(const provider::Cluster* const cluster, run.cluster());
  STRAKE_TRY(const std::vector<provider::NodePool> pools,
             ops::list_node_pools(run.session(), run.call(), *cluster,
                                  std::string(run.args().text("name"))));
  OrderedJson out;
  out.open_list();
  for (const provider::NodePool& one : pools) write_node_pool(one, out);
  run.io().out.write(out.close().done());
  return ExitCode::kFine;
}

template <Outcome<provider::NodePool> (*kCase)(const ops::Session&, const provider::Call&,
                                               const provider::Cluster&, const provider::NodePool&,
                                               const provider::NodePoolOptions&)>
Outcome<ExitCode> write_pool(OperateRun& run) {
  STRAKE_TRY(const std::string file, run.required("file"));
  STRAKE_TRY(const Secret text, read_given_file(run, file, kMostPoolBytes));
  STRAKE_TRY(const provider::NodePool pool, read_node_pool(text.reveal(), file));
  STRAKE_TRY(const provider::Cluster* const cluster, run.cluster());
  STRAKE_TRY(const provider::NodePool now,
             kCase(run.session(), run.call(), *cluster, pool, {.force = run.args().on("force")}));
  if (run.dry_run()) return ExitCode::kFine;
  OrderedJson out;
  write_node_pool(now, out);
  run.io().out.write(out.done());
  return ExitCode::kFine;
}

Outcome<ExitCode> delete_pool(OperateRun& run) {
  STRAKE_TRY(const std::string name, run.required("name"));
  STRAKE_TRY(const provider::Cluster* const cluster, run.cluster());
  STRAKE_CHECK(ops::delete_node_pool(run.session(), run.call(), *cluster, name,
                                     {.force = run.args().on("force")}));
  return ExitCode::kFine;
}

constexpr auto kPoolNameFlags = std::to_array<FlagSpec>({
    {.name = "name", .kind = FlagKind::kText, .value_name = "NAME", .summary = "the node pool"},
});
constexpr auto kPoolFileFlags = std::to_array<FlagSpec>({
    {.name = "file",
     .letter = 'f',
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the node pool, in YAML or JSON; - is standard input"},
});
constexpr auto kPoolListFlags = flags_of(kClusterFlags, kPoolNameFlags, kRunFlags);
constexpr auto kPoolWriteFlags =
    flags_of(kClusterFlags, kPoolFileFlags, kForceFlags, kDryRunFlags, kRunFlags);
constexpr auto kPoolDeleteFlags =
    flags_of(kClusterFlags, kPoolNameFlags, kForceFlags, kDryRunFlags, kRunFlags);

constexpr Operation kListPools{
    .name = "nodepool:list", .limit = 2min, .flags = kPoolListFlags, .work = list_pools};
constexpr Operation kCreatePool{.name = "nodepool:create",
                                .limit = 10min,
                                .changes = true,
                                .flags = kPoolWriteFlags,
                                .work = write_pool<ops::create_node_pool>};
constexpr Operation kUpdatePool{.name = "nodepool:update",
                                .limit = 10min,
                                .changes = true,
                                .flags = kPoolWriteFlags,
                                .work = write_pool<ops::update_node_pool>};
constexpr Operation kDeletePool{.name = "nodepool:delete",
                                .limit = 10min,
                                .changes = true,
                                .flags = kPoolDeleteFlags,
                                .work = delete_pool};

}  // namespace

constinit const Command kNodePoolListCommand = {
    .name = "nodepool list",
    .group = Group::kOperate,
    .summary = "list the node pools of the cluster, as JSON",
    .flags = kPoolListFlags,
    .sections = kRunSections,
    .run = run_operation<kListPools>,
};
constinit const Command kNodePoolCreateCommand = {
    .name = "nodepool create",
    .group = Group::kOperate,
    .summary = "make a node pool from a file, and print it",
    .description =
        "The file has the keys name, providerName, mode, labels, zones, instanceType, osDiskType, "
        "osDiskSizeGiB, priority, autoscaling (enabled, min, max, desired) and extensions. Only "
        "the name is required.",
    .flags = kPoolWriteFlags,
    .sections = kRunSections,
    .run = run_operation<kCreatePool>,
};
constinit const Command kNodePoolUpdateCommand = {
    .name = "nodepool update",
    .group = Group::kOperate,
    .summary = "change a node pool to what a file says, and print it",
    .description =
        "Keys that the file does not have stay as they are. Changing what cannot change (mode, "
        "instanceType, osDiskType, osDiskSizeGiB, priority, zones) is an error.",
    .flags = kPoolWriteFlags,
    .sections = kRunSections,
    .run = run_operation<kUpdatePool>,
};
constinit const Command kNodePoolDeleteCommand = {
    .name = "nodepool delete",
    .group = Group::kOperate,
    .summary = "delete a node pool",
    .flags = kPoolDeleteFlags,
    .sections = kRunSections,
    .run = run_operation<kDeletePool>,
};

}  // namespace strake::cli
