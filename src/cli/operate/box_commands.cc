#include "cli/operate/box_commands.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/quote.h"
#include "cli/operate/given_file.h"
#include "cli/operate/operate_flags.h"
#include "cli/operate/operate_run.h"
#include "cli/operate/ordered_json.h"
#include "cli/operate/pod_commands.h"
#include "ops/cases/box_cases.h"
#include "ops/cases/secret_cases.h"

namespace strake::cli {
namespace {

using namespace std::chrono_literals;
using provider::FailureClass;
using provider::Outcome;

constexpr std::uint64_t kMostSecretBytes = std::uint64_t{2} << 20;

// By ID, by name among the boxes of the app, or the only one of the app.
Outcome<const provider::Box*> choose_box(OperateRun& run) {
  std::string wanted(run.args().text("box-id"));
  if (wanted.empty()) wanted = run.args().text("box-name");
  const ops::Store& store = run.configuration().store;
  if (wanted.contains('/')) {
    STRAKE_TRY(const provider::Box* const box, store.find_box(wanted));
    run.log().write(log::Level::kInfo, "CMD:box", {{"resourceId", box->id}});
    return box;
  }
  STRAKE_TRY(const provider::App* const app, run.app());
  const std::vector<const provider::Box*> boxes = store.boxes_of(*app);
  if (wanted.empty() && boxes.size() == 1) return boxes[0];
  if (wanted.empty())
    return provider::refuse(FailureClass::kInvalid, "app {} has {} boxes: --box-name required",
                            quote(app->name), boxes.size());
  for (const provider::Box* box : boxes) {
    if (box->name == wanted) return box;
  }
  return provider::refuse(FailureClass::kNotFound, "box {} not found", quote(wanted));
}

Outcome<ExitCode> deploy_one_box(OperateRun& run) {
  STRAKE_TRY(const provider::Box* const box, choose_box(run));
  STRAKE_CHECK(ops::deploy_box(run.session(), run.call(), *box));
  return ExitCode::kFine;
}

Outcome<ExitCode> destroy_one_box(OperateRun& run) {
  STRAKE_TRY(const provider::Box* const box, choose_box(run));
  STRAKE_CHECK(ops::destroy_box(run.session(), run.call(), *box));
  return ExitCode::kFine;
}

Outcome<ExitCode> show_box_status(OperateRun& run) {
  STRAKE_TRY(const provider::Box* const box, choose_box(run));
  STRAKE_TRY(const ops::ComponentStatus status, ops::box_status(run.session(), run.call(), *box));
  OrderedJson out;
  out.open_object().text("box_id", box->id).text("box_name", box->name);
  write_component_status(status, out);
  run.io().out.write(out.close().done());
  return ExitCode::kFine;
}

Outcome<ExitCode> exec_in_box(OperateRun& run) {
  STRAKE_TRY(const provider::Box* const box, choose_box(run));
  STRAKE_TRY(const provider::App* const app, ops::app_of(run.session(), *box));
  return exec_in_component(run, *app, ops::component_name(*box));
}

bool wants_set(const OperateRun& run) { return run.args().operands()[0] == "set"; }

Outcome<ExitCode> change_env_secret(OperateRun& run) {
  STRAKE_TRY(const std::string service, run.required("service"));
  const ops::EnvSecretOf of{.component = std::string(run.args().text("component")),
                            .service = service};
  if (!wants_set(run)) {
    STRAKE_TRY(const provider::App* const app, run.app());
    STRAKE_CHECK(ops::delete_env_secret(run.session(), run.call(), *app, of));
    return ExitCode::kFine;
  }
  STRAKE_TRY(const std::string file, run.required("file"));
  STRAKE_TRY(const Secret text, read_given_file(run, file, kMostSecretBytes));
  STRAKE_TRY(const provider::App* const app, run.app());
  // Standard input has no name that tells its form.
  const std::string name = file == "-" ? ".env" : std::filesystem::path(file).filename().string();
  STRAKE_CHECK(ops::set_env_secret(run.session(), run.call(), *app, of, name, text));
  return ExitCode::kFine;
}

Outcome<ExitCode> change_pull_secret(OperateRun& run) {
  const std::string component(run.args().text("component"));
  if (!wants_set(run)) {
    STRAKE_TRY(const provider::App* const app, run.app());
    STRAKE_CHECK(ops::delete_pull_secret(run.session(), run.call(), *app, component));
    return ExitCode::kFine;
  }
  STRAKE_TRY(const std::string file, run.required("file"));
  STRAKE_TRY(const Secret text, read_given_file(run, file, kMostSecretBytes));
  STRAKE_TRY(const provider::App* const app, run.app());
  STRAKE_CHECK(ops::set_pull_secret(run.session(), run.call(), *app, component, text));
  return ExitCode::kFine;
}

constexpr auto kBoxFlags = std::to_array<FlagSpec>({
    {.name = "box-id",
     .kind = FlagKind::kText,
     .value_name = "ID",
     .summary = "the box, by its Resource ID"},
    {.name = "box-name",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "the box of the app, by its name (default: the only one)"},
});
constexpr auto kBoxChangeFlags = flags_of(kAppFlags, kBoxFlags, kDryRunFlags, kRunFlags);
constexpr auto kBoxStatusFlags = flags_of(kAppFlags, kBoxFlags, kRunFlags);
constexpr auto kBoxExecFlags = flags_of(kAppFlags, kBoxFlags, kExecFlags, kRunFlags);
constexpr auto kSecretFileFlags = std::to_array<FlagSpec>({
    {.name = "file",
     .letter = 'f',
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "with set: the file to read; - is standard input"},
});
constexpr auto kSecretEnvFlags = flags_of(kAppFlags, kComponentFlags,
                                          std::to_array<FlagSpec>({
                                              {.name = "service",
                                               .letter = 'S',
                                               .kind = FlagKind::kText,
                                               .value_name = "NAME",
                                               .summary = "service of the Compose document"},
                                          }),
                                          kSecretFileFlags, kDryRunFlags, kRunFlags);
constexpr auto kSecretPullFlags =
    flags_of(kAppFlags, kComponentFlags, kSecretFileFlags, kDryRunFlags, kRunFlags);
constexpr std::string_view kSecretVerbs[] = {"set", "delete"};
constexpr OperandSpec kSecretOperands{
    .usage = "set|delete", .at_least = 1, .at_most = 1, .choices = kSecretVerbs};

constexpr Operation kDeployBox{.name = "box:deploy",
                               .limit = 10min,
                               .changes = true,
                               .flags = kBoxChangeFlags,
                               .work = deploy_one_box};
constexpr Operation kDestroyBox{.name = "box:destroy",
                                .limit = 10min,
                                .changes = true,
                                .flags = kBoxChangeFlags,
                                .work = destroy_one_box};
constexpr Operation kShowBox{
    .name = "box:status", .limit = 2min, .flags = kBoxStatusFlags, .work = show_box_status};
constexpr Operation kExecInBox{
    .name = "box:exec", .limit = 2min, .flags = kBoxExecFlags, .work = exec_in_box};
constexpr Operation kChangeEnv{.name = "secret:env",
                               .limit = 2min,
                               .changes = true,
                               .flags = kSecretEnvFlags,
                               .work = change_env_secret};
constexpr Operation kChangePull{.name = "secret:pull",
                                .limit = 2min,
                                .changes = true,
                                .flags = kSecretPullFlags,
                                .work = change_pull_secret};

}  // namespace

constinit const Command kBoxDeployCommand = {
    .name = "box deploy",
    .group = Group::kOperate,
    .summary = "start a box beside the app",
    .flags = kBoxChangeFlags,
    .sections = kRunSections,
    .run = run_operation<kDeployBox>,
};
constinit const Command kBoxDestroyCommand = {
    .name = "box destroy",
    .group = Group::kOperate,
    .summary = "remove a box; the app stays",
    .flags = kBoxChangeFlags,
    .sections = kRunSections,
    .run = run_operation<kDestroyBox>,
};
constinit const Command kBoxStatusCommand = {
    .name = "box status",
    .group = Group::kOperate,
    .summary = "show what of a box runs where, as JSON",
    .flags = kBoxStatusFlags,
    .sections = kRunSections,
    .run = run_operation<kShowBox>,
};
constinit const Command kBoxExecCommand = {
    .name = "box exec",
    .group = Group::kOperate,
    .summary = "run a command in a container of a box",
    .description = "Ends with the exit code of the command.",
    .flags = kBoxExecFlags,
    .sections = kRunSections,
    .operands = kExecOperands,
    .run = run_operation<kExecInBox>,
};
constinit const Command kSecretEnvCommand = {
    .name = "secret env",
    .group = Group::kOperate,
    .summary = "set or delete environment variables of a service",
    .description =
        "`set` reads a .env, .yml, .yaml or .json file; its variables are laid over those of the "
        "Compose document, and pods start anew. Values are shown nowhere.",
    .flags = kSecretEnvFlags,
    .sections = kRunSections,
    .operands = kSecretOperands,
    .run = run_operation<kChangeEnv>,
};
constinit const Command kSecretPullCommand = {
    .name = "secret pull",
    .group = Group::kOperate,
    .summary = "set or delete the credentials for image registries",
    .description = "`set` reads a Docker configuration file (.dockerconfigjson).",
    .flags = kSecretPullFlags,
    .sections = kRunSections,
    .operands = kSecretOperands,
    .run = run_operation<kChangePull>,
};

}  // namespace strake::cli
