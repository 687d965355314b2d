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
#include "cli/operate/app_commands.h"
#include "cli/operate/box_commands.h"
#include "cli/operate/cluster_commands.h"
#include "cli/operate/init_commands.h"
#include "cli/operate/kompoxops_alias.h"
#include "cli/operate/node_pool_commands.h"
#include "cli/operate/volume_commands.h"
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
    &kInitCommand,
    &kConfigCommand,
    &kClusterProvisionCommand,
    &kClusterDeprovisionCommand,
    &kClusterInstallCommand,
    &kClusterUninstallCommand,
    &kClusterStatusCommand,
    &kClusterKubeconfigCommand,
    &kClusterLogsCommand,
    &kNodePoolListCommand,
    &kNodePoolCreateCommand,
    &kNodePoolUpdateCommand,
    &kNodePoolDeleteCommand,
    &kDiskListCommand,
    &kDiskCreateCommand,
    &kDiskAssignCommand,
    &kDiskDeleteCommand,
    &kSnapshotListCommand,
    &kSnapshotCreateCommand,
    &kSnapshotDeleteCommand,
    &kAppValidateCommand,
    &kAppDeployCommand,
    &kAppDestroyCommand,
    &kAppStatusCommand,
    &kAppExecCommand,
    &kAppLogsCommand,
    &kAppTunnelCommand,
    &kBoxDeployCommand,
    &kBoxDestroyCommand,
    &kBoxStatusCommand,
    &kBoxExecCommand,
    &kSecretEnvCommand,
    &kSecretPullCommand,
    &kDnsDeployCommand,
    &kDnsDestroyCommand,
    &kCompletionCommand,
    &kHelpCommand,
    &kVersionCommand,
    &kManCommand,
};

constexpr Alias kAliases[] = {
    {.name = "kustomize", .run = run_kustomize},
    {.name = "pulumi-component-to-crd", .run = run_pulumi_words},
    {.name = "kompoxops", .run = run_kompoxops, .starts_servers = true},
    {.name = "kube-apiserver", .run = run_kube_apiserver},
    {.name = "etcd", .run = run_etcd},
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

}  // namespace strake::cli
