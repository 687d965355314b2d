#include "cli/commands.h"

#include "cli/auth/auth_command.h"
#include "cli/build/build_command.h"
#include "cli/cel/cel_command.h"
#include "cli/completion_command.h"
#include "cli/crd/crd_command.h"
#include "cli/fmt/fmt_command.h"
#include "cli/help_command.h"
#include "cli/kustomize_alias.h"
#include "cli/man_command.h"
#include "cli/pulumi/pulumi_command.h"
#include "cli/schema/openapi_command.h"
#include "cli/schema/schema_command.h"
#include "cli/serve/serve_command.h"
#include "cli/serve/store_command.h"
#include "cli/testserver/assets_command.h"
#include "cli/testserver/etcd_alias.h"
#include "cli/testserver/kube_apiserver_alias.h"
#include "cli/testserver/recording_files.h"
#include "cli/testserver/testserver_command.h"
#include "cli/user/user_command.h"
#include "cli/validate/validate_command.h"
#include "cli/version_command.h"
#include "cli/webhook/webhook_command.h"

namespace strake::cli {
namespace {

constexpr const Command* kCommands[] = {
    &kValidateCommand,
    &kCrdLintCommand,
    &kCrdDiffCommand,
    &kFmtCommand,
    &kCrdFromPulumiCommand,
    &kSchemaExplainCommand,
    &kSchemaExportCommand,
    &kBuildCommand,
    &kOpenApiFetchCommand,
    &kOpenApiInfoCommand,
    &kCelCommand,
    &kServeCommand,
    &kTestServerCommand,
    &kTestServerAssetsCommand,
    &kTestServerDiffCommand,
    &kStoreCommand,
    &kWebhookCommand,
    &kAuthWhoCanCommand,
    &kAuthExplainCommand,
    &kUserAddCommand,
    &kUserListCommand,
    &kUserRevokeCommand,
    &kCompletionCommand,
    &kHelpCommand,
    &kVersionCommand,
    &kManCommand,
};

constexpr std::string_view kOperating = "operating clusters";
constexpr PlannedCommand kPlanned[] = {
    {"cluster", kOperating},  {"nodepool", kOperating}, {"disk", kOperating},
    {"snapshot", kOperating}, {"dns", kOperating},      {"app", kOperating},
};

constexpr Alias kAliases[] = {
    {.name = "kustomize", .job = "building overlays", .run = run_kustomize},
    {.name = "pulumi-component-to-crd",
     .job = "making a CRD from a Pulumi component",
     .run = run_pulumi_words},
    {.name = "kompoxops", .job = kOperating},
    {.name = "kube-apiserver", .job = "serving tests", .run = run_kube_apiserver},
    {.name = "etcd", .job = "serving tests", .run = run_etcd},
};

}  // namespace

std::span<const Command* const> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  for (const Command* command : kCommands) {
    if (command->name == name) return command;
  }
  return nullptr;
}

std::span<const Alias> aliases() { return kAliases; }
std::span<const PlannedCommand> planned_commands() { return kPlanned; }

const PlannedCommand* find_planned(std::string_view name) {
  for (const PlannedCommand& planned : kPlanned) {
    if (planned.name == name) return &planned;
  }
  return nullptr;
}

}  // namespace strake::cli
