#include "cli/operate/cluster_commands.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/input_file.h"
#include "base/private_folder.h"
#include "cli/command/shared_flags.h"
#include "cli/operate/operate_flags.h"
#include "cli/operate/operate_run.h"
#include "cli/operate/ordered_json.h"
#include "cli/operate/pod_output.h"
#include "ops/cases/cluster_cases.h"
#include "ops/cases/kubeconfig_merge.h"

namespace strake::cli {
namespace {

using namespace std::chrono_literals;
using provider::FailureClass;
using provider::Outcome;

constexpr std::uint64_t kMostKubeconfigBytes = std::uint64_t{4} << 20;

template <typename Options, Outcome<> (*kCase)(const ops::Session&, const provider::Call&,
                                               const provider::Cluster&, const Options&)>
Outcome<ExitCode> change_cluster(OperateRun& run) {
  STRAKE_TRY(const provider::Cluster* const cluster, run.cluster());
  Options options;
  options.force = run.args().on("force");
  STRAKE_CHECK(kCase(run.session(), run.call(), *cluster, options));
  return ExitCode::kFine;
}

Outcome<ExitCode> show_cluster_status(OperateRun& run) {
  STRAKE_TRY(const provider::Cluster* const cluster, run.cluster());
  STRAKE_TRY(const provider::ClusterStatus status,
             ops::cluster_status(run.session(), run.call(), *cluster));
  OrderedJson out;
  out.open_object()
      .flag("existing", status.existing)
      .flag("provisioned", status.provisioned)
      .flag("installed", status.installed);
  if (!status.ingress_global_ip.empty()) out.text("ingressGlobalIP", status.ingress_global_ip);
  if (!status.ingress_fqdn.empty()) out.text("ingressFQDN", status.ingress_fqdn);
  out.text("cluster_id", cluster->id).text("cluster_name", cluster->name).close();
  run.io().out.write(out.done());
  return ExitCode::kFine;
}

Outcome<ExitCode> show_ingress_logs(OperateRun& run) {
  STRAKE_TRY(const provider::Cluster* const cluster, run.cluster());
  ops::LogOptions options;
  options.follow = run.args().on("follow");
  options.tail = static_cast<std::int64_t>(run.args().number("tail"));
  options.container = run.args().text("container");
  if (options.follow) run.lift_limit();
  PodOutput out(run.io().out);
  STRAKE_CHECK(ops::ingress_logs(run.session(), run.call(), *cluster, options, out));
  return ExitCode::kFine;
}

// Where --merge puts it: the first file that others would read.
Outcome<std::string> kubeconfig_file(const OperateRun& run) {
  if (const std::string_view given = run.args().text("kubeconfig"); !given.empty())
    return run.path(given);
  const std::string listed = run.variable("KUBECONFIG");
  const std::string_view rest = listed;
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find(':', at), rest.size());
    if (end > at) return run.path(rest.substr(at, end - at));
    at = end + 1;
  }
  const std::string home = run.variable("HOME");
  if (home.empty())
    return provider::refuse(FailureClass::kInvalid,
                            "no kubeconfig to merge into: --kubeconfig, KUBECONFIG and HOME are "
                            "not set");
  return fmt::format("{}/.kube/config", home);
}

Outcome<Secret> read_existing_kubeconfig(const std::string& path) {
  auto file = InputFile::open(path, Pipes::kRefused);
  if (!file && file.error().code() == Code::kNotFound) return Secret();
  if (!file) return std::unexpected(provider::Failure(std::move(file).error()).prefixed(path));
  auto text = file->read_all(kMostKubeconfigBytes);
  if (!text) return std::unexpected(provider::Failure(std::move(text).error()).prefixed(path));
  return Secret(*std::move(text));
}

Outcome<> write_kubeconfig_file(const std::string& path, const Secret& text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!std::filesystem::exists(folder, failed)) {
    std::filesystem::create_directories(folder, failed);
    if (!failed) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
    if (failed)
      return provider::refuse(FailureClass::kInternal, "{}: {}", folder.string(), failed.message());
  }
  STRAKE_CHECK(strake::write_file(path, text.reveal(), 0600));
  return {};
}

Outcome<ExitCode> merge_cluster_kubeconfig(OperateRun& run, const Secret& normalized,
                                           ops::KubeconfigFormat format) {
  STRAKE_TRY(const std::string path, kubeconfig_file(run));
  STRAKE_TRY(const Secret existing, read_existing_kubeconfig(path));
  STRAKE_TRY(
      const ops::MergedKubeconfig merged,
      ops::merge_kubeconfig(
          existing, normalized,
          {.force = run.args().on("force"), .set_current = run.args().on("set-current")}, format));
  if (run.args().on("dry-run")) {
    run.io().out.write(merged.plan() + "\n");
    return ExitCode::kFine;
  }
  if (!merged.changed) {
    run.call().step("skip", "kubeconfig", {{"file", path}, {"context", merged.context}});
    return ExitCode::kFine;
  }
  STRAKE_CHECK(write_kubeconfig_file(path, merged.text));
  run.call().step("update", "kubeconfig",
                  {{"file", path},
                   {"context", merged.context},
                   {"current", merged.current ? "true" : "false"}});
  return ExitCode::kFine;
}

// Of the single file of older configurations: what `kubectl` is for there is the app.
std::string default_kubeconfig_namespace(const OperateRun& run, const provider::Cluster& cluster) {
  if (!run.configuration().legacy) return {};
  const auto app = ops::choose_app(run.configuration(), {}, {});
  if (!app || (*app)->cluster_id != cluster.id) return {};
  const auto scope = ops::open_app(run.session(), **app);
  if (!scope) return {};
  const auto names = scope->names();
  return names ? names->namespace_name() : std::string();
}

Outcome<ExitCode> show_kubeconfig(OperateRun& run) {
  const Arguments& args = run.args();
  const std::string out(args.text("out"));
  if (out.empty() && !args.on("merge"))
    return provider::refuse(FailureClass::kInvalid,
                            "no output target specified; use --out FILE, --out - or --merge");
  STRAKE_TRY(const ops::KubeconfigFormat format, ops::parse_kubeconfig_format(args.text("format")));
  STRAKE_TRY(const provider::Cluster* const cluster, run.cluster());
  STRAKE_TRY(const Secret given, ops::cluster_kubeconfig(run.session(), run.call(), *cluster));
  ops::NormalizeKubeconfig how;
  how.context = args.text("context");
  if (how.context.empty()) how.context = fmt::format("kompoxops-{}", cluster->name);
  how.namespace_name = args.text("namespace");
  if (how.namespace_name.empty()) how.namespace_name = default_kubeconfig_namespace(run, *cluster);
  how.read_file = [](const std::string& path) -> Result<std::string> {
    STRAKE_TRY(const InputFile file, InputFile::open(path, Pipes::kRefused));
    return file.read_all(kMostKubeconfigBytes);
  };
  STRAKE_TRY(const Secret normalized, ops::normalize_kubeconfig(given, how, format));
  if (args.on("merge")) STRAKE_CHECK(merge_cluster_kubeconfig(run, normalized, format));
  if (out.empty()) return ExitCode::kFine;
  if (args.on("dry-run")) {
    run.io().out.write(fmt::format("dry-run: will write {}; context={}\n",
                                   out == "-" ? "standard output" : run.path(out), how.context));
  } else if (out == "-") {
    run.io().out.write(normalized.reveal());
  } else {
    STRAKE_CHECK(write_kubeconfig_file(run.path(out), normalized));
    run.call().step("create", "kubeconfig", {{"file", run.path(out)}, {"context", how.context}});
  }
  return ExitCode::kFine;
}

constexpr auto kChangeClusterFlags = flags_of(kClusterFlags, kForceFlags, kDryRunFlags, kRunFlags);
constexpr auto kClusterStatusFlags = flags_of(kClusterFlags, kRunFlags);
constexpr std::string_view kKubeconfigFormats[] = {"yaml", "json"};
constexpr auto kClusterKubeconfigFlags =
    flags_of(kClusterFlags,
             std::to_array<FlagSpec>({
                 {.name = "out",
                  .letter = 'o',
                  .kind = FlagKind::kText,
                  .value_name = "FILE",
                  .summary = "write it to this file, which only you can read; - prints it"},
                 {.name = "merge", .summary = "put it into the kubeconfig of this user"},
                 {.name = "kubeconfig",
                  .kind = FlagKind::kText,
                  .value_name = "FILE",
                  .summary = "with --merge: the file to put it into (default: the first of "
                             "$KUBECONFIG, else ~/.kube/config)"},
                 {.name = "context",
                  .kind = FlagKind::kText,
                  .value_name = "NAME",
                  .summary = "name of the context, the cluster and the user in it (default: "
                             "kompoxops-<cluster>)"},
                 {.name = "namespace",
                  .kind = FlagKind::kText,
                  .value_name = "NAME",
                  .summary = "namespace of the context"},
                 {.name = "set-current", .summary = "with --merge: make it the current one"},
                 {.name = "force",
                  .summary = "with --merge: replace entries of that name, instead of taking "
                             "a free one"},
                 choice_flag("format", "FORMAT", kKubeconfigFormats, "yaml", "yaml or json"),
                 {.name = "dry-run", .summary = "say what would be written, and write nothing"},
             }),
             kRunFlags);
constexpr auto kClusterLogFlags = flags_of(kClusterFlags, kLogChoiceFlags, kRunFlags);

constexpr Operation kProvisionCluster{
    .name = "cluster:provision",
    .limit = 60min,
    .changes = true,
    .flags = kChangeClusterFlags,
    .work = change_cluster<provider::ProvisionOptions, ops::provision_cluster>};
constexpr Operation kDeprovisionCluster{
    .name = "cluster:deprovision",
    .limit = 60min,
    .changes = true,
    .flags = kChangeClusterFlags,
    .work = change_cluster<provider::ProvisionOptions, ops::deprovision_cluster>};
constexpr Operation kInstallCluster{
    .name = "cluster:install",
    .limit = 10min,
    .changes = true,
    .flags = kChangeClusterFlags,
    .work = change_cluster<provider::InstallOptions, ops::install_cluster>};
constexpr Operation kUninstallCluster{
    .name = "cluster:uninstall",
    .limit = 10min,
    .changes = true,
    .flags = kChangeClusterFlags,
    .work = change_cluster<provider::InstallOptions, ops::uninstall_cluster>};
constexpr Operation kShowCluster{.name = "cluster:status",
                                 .limit = 10min,
                                 .flags = kClusterStatusFlags,
                                 .work = show_cluster_status};
constexpr Operation kShowKubeconfig{.name = "cluster:kubeconfig",
                                    .limit = 10min,
                                    .flags = kClusterKubeconfigFlags,
                                    .work = show_kubeconfig};
constexpr Operation kShowIngressLogs{
    .name = "cluster:logs", .limit = 2min, .flags = kClusterLogFlags, .work = show_ingress_logs};

constexpr Example kKubeconfigExamples[] = {
    {"strake cluster kubeconfig --merge --set-current", "for kubectl"},
    {"strake cluster kubeconfig -o -", "print it"},
};

}  // namespace

constinit const Command kClusterProvisionCommand = {
    .name = "cluster provision",
    .group = Group::kOperate,
    .summary = "make the cluster, or bring it to what is declared",
    .description =
        "Has the provider make the cluster, or change what differs from its declaration. A second "
        "run finds everything done. A cluster that is declared with `existing: true` is left "
        "alone, unless --force is given. What `protection.provisioning` forbids stays forbidden.",
    .flags = kChangeClusterFlags,
    .sections = kRunSections,
    .run = run_operation<kProvisionCluster>,
};
constinit const Command kClusterDeprovisionCommand = {
    .name = "cluster deprovision",
    .group = Group::kOperate,
    .summary = "delete the cluster",
    .description =
        "Has the provider delete the cluster. It must be uninstalled first. Disks and snapshots "
        "stay. A cluster that is not there is no failure.",
    .flags = kChangeClusterFlags,
    .sections = kRunSections,
    .run = run_operation<kDeprovisionCluster>,
};
constinit const Command kClusterInstallCommand = {
    .name = "cluster install",
    .group = Group::kOperate,
    .summary = "install the ingress controller and what the provider needs in the cluster",
    .flags = kChangeClusterFlags,
    .sections = kRunSections,
    .run = run_operation<kInstallCluster>,
};
constinit const Command kClusterUninstallCommand = {
    .name = "cluster uninstall",
    .group = Group::kOperate,
    .summary = "remove what `cluster install` has put into the cluster",
    .flags = kChangeClusterFlags,
    .sections = kRunSections,
    .run = run_operation<kUninstallCluster>,
};
constinit const Command kClusterStatusCommand = {
    .name = "cluster status",
    .group = Group::kOperate,
    .summary = "show whether the cluster is provisioned and installed, as JSON",
    .flags = kClusterStatusFlags,
    .sections = kRunSections,
    .run = run_operation<kShowCluster>,
};
constinit const Command kClusterKubeconfigCommand = {
    .name = "cluster kubeconfig",
    .group = Group::kOperate,
    .summary = "write the kubeconfig of the cluster's administrator",
    .description =
        "Asks the provider for the kubeconfig, reduces it to its current context, and prints it, "
        "writes it to a file, or puts it into another kubeconfig.",
    .flags = kClusterKubeconfigFlags,
    .sections = kRunSections,
    .examples = kKubeconfigExamples,
    .run = run_operation<kShowKubeconfig>,
};
constinit const Command kClusterLogsCommand = {
    .name = "cluster logs",
    .group = Group::kOperate,
    .summary = "show the log of the ingress controller",
    .flags = kClusterLogFlags,
    .sections = kRunSections,
    .run = run_operation<kShowIngressLogs>,
};

}  // namespace strake::cli
