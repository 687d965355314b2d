#include "cli/operate/app_commands.h"

#include <fmt/format.h>

#include "cli/io/terminal.h"
#include "cli/operate/given_file.h"
#include "cli/operate/operate_flags.h"
#include "cli/operate/operate_run.h"
#include "cli/operate/ordered_json.h"
#include "cli/operate/pod_commands.h"
#include "cli/operate/pod_output.h"
#include "ops/cases/app_cases.h"

namespace strake::cli {
namespace {

using namespace std::chrono_literals;
using provider::FailureClass;
using provider::Outcome;

Outcome<ExitCode> validate_one_app(OperateRun& run) {
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_TRY(const ops::compose::Review review, ops::validate_app(run.session(), run.call(), *app));
  for (const ops::compose::Issue& issue : review.issues) {
    const provider::Journal::Fields fields = {{"severity", std::string(to_string(issue.severity))},
                                              {"code", std::string(issue.code)},
                                              {"message", issue.message}};
    if (issue.severity == ops::compose::Severity::kInfo) {
      run.call().step("info", "app", fields);
    } else {
      run.call().warn("app", fields);
    }
  }
  STRAKE_CHECK(review.check_valid());
  if (const std::string_view to = run.args().text("out-compose"); !to.empty())
    STRAKE_CHECK(write_given_file(run, to, review.compose));
  if (const std::string_view to = run.args().text("out-manifest"); !to.empty()) {
    // Warnings stand in the way of one, and have been told.
    if (!review.manifest) {
      STRAKE_CHECK(review.check_deployable());
      return provider::refuse(FailureClass::kValidation, "no manifest could be made");
    }
    STRAKE_CHECK(write_given_file(run, to, review.manifest->yaml()));
  }
  return ExitCode::kFine;
}

Outcome<ExitCode> deploy_one_app(OperateRun& run) {
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_TRY(const ops::DeployReport report,
             ops::deploy_app(run.session(), run.call(), *app,
                             {.bootstrap_disks = run.args().on("bootstrap-disks"),
                              .update_dns = run.args().on("update-dns")}));
  run.log().write(log::Level::kInfo, "CMD:app:deploy",
                  {{"created", std::to_string(report.created)},
                   {"updated", std::to_string(report.updated)},
                   {"unchanged", std::to_string(report.unchanged)},
                   {"pruned", std::to_string(report.pruned)}});
  return ExitCode::kFine;
}

Outcome<ExitCode> destroy_one_app(OperateRun& run) {
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_TRY(const ops::DestroyReport report,
             ops::destroy_app(run.session(), run.call(), *app,
                              {.delete_namespace = run.args().on("delete-namespace"),
                               .update_dns = run.args().on("update-dns")}));
  run.log().write(log::Level::kInfo, "CMD:app:destroy",
                  {{"deleted", std::to_string(report.deleted)}});
  return ExitCode::kFine;
}

Outcome<ExitCode> show_app_status(OperateRun& run) {
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_TRY(const ops::ComponentStatus status,
             ops::component_status(run.session(), run.call(), *app));
  OrderedJson out;
  out.open_object();
  write_component_status(status, out);
  run.io().out.write(out.close().done());
  return ExitCode::kFine;
}

Outcome<ExitCode> exec_in_app(OperateRun& run) {
  STRAKE_TRY(const provider::App* const app, run.app());
  return exec_in_component(run, *app, std::string(run.args().text("component")));
}

Outcome<ExitCode> show_app_logs(OperateRun& run) {
  STRAKE_TRY(const provider::App* const app, run.app());
  ops::LogOptions options;
  options.follow = run.args().on("follow");
  options.tail = static_cast<std::int64_t>(run.args().number("tail"));
  if (options.follow) run.lift_limit();
  PodOutput out(run.io().out);
  STRAKE_CHECK(ops::pod_logs(run.session(), run.call(), *app,
                             {.component = std::string(run.args().text("component")),
                              .container = std::string(run.args().text("container"))},
                             options, out));
  return ExitCode::kFine;
}

class TunnelEvents final : public kube::ForwardEvents {
 public:
  TunnelEvents(Io& io, bool quiet) : io_(io), quiet_(quiet) {}

  void on_listening(const std::string& address,
                    const std::vector<kube::ForwardedPort>& ports) override {
    if (quiet_) return;
    for (const kube::ForwardedPort& one : ports) {
      io_.out.write(
          printable(fmt::format("Forwarding from {}:{} -> {}", address, one.local, one.pod)) +
          "\n");
    }
    static_cast<void>(io_.out.flush());
  }
  void on_failure(const kube::ForwardedPort& port, const Error& why) override {
    io_.err.write(printable(fmt::format("port {}: {}", port.pod, why.to_string())) + "\n");
    static_cast<void>(io_.err.flush());
  }

 private:
  Io& io_;
  const bool quiet_;
};

Outcome<ExitCode> tunnel_to_app(OperateRun& run) {
  const Arguments& args = run.args();
  kube::PortForwardRequest request;
  for (const std::string& one : args.texts("port")) {
    STRAKE_TRY(request.ports.emplace_back(), read_forwarded_port(one));
  }
  if (request.ports.empty()) return provider::refuse(FailureClass::kInvalid, "--port required");
  request.address = args.text("address");
  STRAKE_TRY(const provider::App* const app, run.app());
  run.lift_limit();
  TunnelEvents events(run.io(), args.on("quiet"));
  const auto done = ops::forward_ports(run.session(), run.call(), *app,
                                       {.component = std::string(args.text("component"))},
                                       std::move(request), events);
  // Ctrl-C is how a tunnel is closed.
  if (!done && done.error().error_class() == FailureClass::kCanceled) return ExitCode::kFine;
  STRAKE_CHECK(done);
  return ExitCode::kFine;
}

template <Outcome<std::vector<ops::DnsResult>> (*kCase)(
    const ops::Session&, const provider::Call&, const provider::App&, const ops::DnsOptions&)>
Outcome<ExitCode> change_dns(OperateRun& run) {
  STRAKE_TRY(const provider::App* const app, run.app());
  ops::DnsOptions options;
  options.component = run.args().text("component");
  options.strict = run.args().on("strict");
  STRAKE_TRY(const std::vector<ops::DnsResult> results,
             kCase(run.session(), run.call(), *app, options));
  for (const ops::DnsResult& one : results) {
    run.log().write(
        log::Level::kInfo, fmt::format("CMD:dns:{}", to_string(one.action)),
        {{"host", one.host}, {"type", one.type}, {"ip", one.ip}, {"desc", one.message}});
  }
  if (results.empty()) run.call().step("skip", "DNS records", {{"reason", "no ingress hosts"}});
  return ExitCode::kFine;
}

constexpr auto kAppValidateFlags =
    flags_of(kAppFlags,
             std::to_array<FlagSpec>({
                 {.name = "out-compose",
                  .kind = FlagKind::kText,
                  .value_name = "FILE",
                  .summary = "write the normalised Compose document; - prints it"},
                 {.name = "out-manifest",
                  .kind = FlagKind::kText,
                  .value_name = "FILE",
                  .summary = "write the Kubernetes objects; - prints them"},
             }),
             kRunFlags);
constexpr auto kUpdateDnsFlags = std::to_array<FlagSpec>({
    {.name = "update-dns", .summary = "apply the DNS records of the app's hosts as well"},
});
constexpr auto kAppDeployFlags = flags_of(
    kAppFlags,
    std::to_array<FlagSpec>({
        {.name = "bootstrap-disks", .summary = "make the first disks of volumes that have none"},
    }),
    kUpdateDnsFlags, kDryRunFlags, kRunFlags);
constexpr auto kAppDestroyFlags = flags_of(
    kAppFlags,
    std::to_array<FlagSpec>({
        {.name = "delete-namespace", .summary = "delete the namespace as well"},
        {.name = "update-dns", .summary = "first delete the DNS records of the app's hosts"},
    }),
    kDryRunFlags, kRunFlags);
constexpr auto kAppStatusFlags = flags_of(kAppFlags, kRunFlags);
constexpr auto kAppExecFlags = flags_of(kAppFlags, kComponentFlags, kExecFlags, kRunFlags);
constexpr auto kAppLogFlags = flags_of(kAppFlags, kComponentFlags, kLogChoiceFlags, kRunFlags);
constexpr auto kAppTunnelFlags =
    flags_of(kAppFlags, kComponentFlags,
             std::to_array<FlagSpec>({
                 {.name = "port",
                  .letter = 'p',
                  .kind = FlagKind::kTexts,
                  .value_name = "[LOCAL:]REMOTE",
                  .summary = "a port here and a port of the pod; :REMOTE takes any that is free"},
                 {.name = "address",
                  .kind = FlagKind::kText,
                  .value_name = "IP",
                  .fallback = "127.0.0.1",
                  .summary = "listen at this address"},
                 {.name = "quiet", .letter = 'q', .summary = "do not print the ports"},
             }),
             kRunFlags);
constexpr auto kDnsFlags =
    flags_of(kAppFlags, kComponentFlags,
             std::to_array<FlagSpec>({
                 {.name = "strict",
                  .summary = "fail when a record could not be written, or a host has no address"},
             }),
             kDryRunFlags, kRunFlags);

constexpr Operation kValidateApp{
    .name = "app:validate", .limit = 2min, .flags = kAppValidateFlags, .work = validate_one_app};
constexpr Operation kDeployApp{.name = "app:deploy",
                               .limit = 10min,
                               .changes = true,
                               .flags = kAppDeployFlags,
                               .work = deploy_one_app};
constexpr Operation kDestroyApp{.name = "app:destroy",
                                .limit = 10min,
                                .changes = true,
                                .flags = kAppDestroyFlags,
                                .work = destroy_one_app};
constexpr Operation kShowApp{
    .name = "app:status", .limit = 2min, .flags = kAppStatusFlags, .work = show_app_status};
constexpr Operation kExecInApp{
    .name = "app:exec", .limit = 2min, .flags = kAppExecFlags, .work = exec_in_app};
constexpr Operation kShowAppLogs{
    .name = "app:logs", .limit = 2min, .flags = kAppLogFlags, .work = show_app_logs};
constexpr Operation kTunnelToApp{
    .name = "app:tunnel", .limit = 2min, .flags = kAppTunnelFlags, .work = tunnel_to_app};
constexpr Operation kDeployDns{.name = "dns:deploy",
                               .limit = 5min,
                               .changes = true,
                               .flags = kDnsFlags,
                               .work = change_dns<ops::deploy_dns>};
constexpr Operation kDestroyDns{.name = "dns:destroy",
                                .limit = 5min,
                                .changes = true,
                                .flags = kDnsFlags,
                                .work = change_dns<ops::destroy_dns>};

constexpr Example kAppValidateExamples[] = {
    {"strake app validate --out-manifest -", "what would be applied, for a look or for kubectl"},
};
constexpr Example kAppExecExamples[] = {
    {"strake app exec -it -c db -- psql -U store", "in one of the containers"},
};
constexpr Example kAppTunnelExamples[] = {
    {"strake app tunnel -p 8080:80", "until Ctrl-C"},
};

}  // namespace

constinit const Command kAppValidateCommand = {
    .name = "app validate",
    .group = Group::kOperate,
    .summary = "say whether the app can be deployed, and print what that would be",
    .description =
        "Reads the Compose document, asks for the disks, and makes the Kubernetes objects. Errors "
        "fail the command; warnings, such as a volume without an assigned disk, stand in the way "
        "of a deploy only.",
    .flags = kAppValidateFlags,
    .sections = kRunSections,
    .examples = kAppValidateExamples,
    .run = run_operation<kValidateApp>,
};
constinit const Command kAppDeployCommand = {
    .name = "app deploy",
    .group = Group::kOperate,
    .summary = "deploy the app to its cluster",
    .description =
        "Applies the Kubernetes objects of the app's Compose document with its disks, ingress and "
        "network policy. A second run changes only what differs.",
    .flags = kAppDeployFlags,
    .sections = kRunSections,
    .run = run_operation<kDeployApp>,
};
constinit const Command kAppDestroyCommand = {
    .name = "app destroy",
    .group = Group::kOperate,
    .summary = "remove the app from its cluster; its disks stay",
    .flags = kAppDestroyFlags,
    .sections = kRunSections,
    .run = run_operation<kDestroyApp>,
};
constinit const Command kAppStatusCommand = {
    .name = "app status",
    .group = Group::kOperate,
    .summary = "show what of the app runs where, as JSON",
    .flags = kAppStatusFlags,
    .sections = kRunSections,
    .run = run_operation<kShowApp>,
};
constinit const Command kAppExecCommand = {
    .name = "app exec",
    .group = Group::kOperate,
    .summary = "run a command in a container of the app",
    .description = "Ends with the exit code of the command.",
    .flags = kAppExecFlags,
    .sections = kRunSections,
    .operands = kExecOperands,
    .examples = kAppExecExamples,
    .run = run_operation<kExecInApp>,
};
constinit const Command kAppLogsCommand = {
    .name = "app logs",
    .group = Group::kOperate,
    .summary = "show the log of a container of the app",
    .flags = kAppLogFlags,
    .sections = kRunSections,
    .run = run_operation<kShowAppLogs>,
};
constinit const Command kAppTunnelCommand = {
    .name = "app tunnel",
    .group = Group::kOperate,
    .summary = "forward ports of this machine to the app, until Ctrl-C",
    .flags = kAppTunnelFlags,
    .sections = kRunSections,
    .examples = kAppTunnelExamples,
    .run = run_operation<kTunnelToApp>,
};
constinit const Command kDnsDeployCommand = {
    .name = "dns deploy",
    .group = Group::kOperate,
    .summary = "apply DNS records for the hosts of the app",
    .description =
        "Takes hosts and addresses from the Ingresses in the cluster. A host without an address "
        "yet is skipped.",
    .flags = kDnsFlags,
    .sections = kRunSections,
    .run = run_operation<kDeployDns>,
};
constinit const Command kDnsDestroyCommand = {
    .name = "dns destroy",
    .group = Group::kOperate,
    .summary = "delete the DNS records of the app's hosts",
    .flags = kDnsFlags,
    .sections = kRunSections,
    .run = run_operation<kDestroyDns>,
};

}  // namespace strake::cli
