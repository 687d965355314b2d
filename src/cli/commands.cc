#include "cli/commands.h"

#include "cli/build_command.h"
#include "cli/cel_command.h"
#include "cli/completion_command.h"
#include "cli/crd_command.h"
#include "cli/fmt_command.h"
#include "cli/help_command.h"
#include "cli/kustomize_alias.h"
#include "cli/man_command.h"
#include "cli/openapi_command.h"
#include "cli/pulumi_command.h"
#include "cli/schema_command.h"
#include "cli/serve_command.h"
#include "cli/store_command.h"
#include "cli/validate_command.h"
#include "cli/version_command.h"

namespace strake::cli {
namespace {

constexpr const Command* kCommands[] = {
    &kValidateCommand,      &kCrdLintCommand,       &kCrdDiffCommand,      &kFmtCommand,
    &kCrdFromPulumiCommand, &kSchemaExplainCommand, &kSchemaExportCommand, &kBuildCommand,
    &kOpenApiFetchCommand,  &kOpenApiInfoCommand,   &kCelCommand,          &kServeCommand,
    &kStoreCommand,         &kCompletionCommand,    &kHelpCommand,         &kVersionCommand,
    &kManCommand,
};

constexpr std::string_view kColourChoices[] = {"auto", "always", "never"};
constexpr FlagSpec kColour{.name = "color",
                           .kind = FlagKind::kChoice,
                           .value_name = "WHEN",
                           .choices = kColourChoices,
                           .fallback = "auto",
                           .summary = "colour the output: auto, always or never"};
constexpr FlagSpec kHelp{.name = "help", .letter = 'h', .summary = "show this help"};

constexpr FlagSpec kCommonFlags[] = {kColour, kHelp};
constexpr FlagSpec kRootFlags[] = {
    kColour,
    kHelp,
    {.name = "version",
     .letter = 'v',
     .summary = "show the version and the commit it was built from"}};

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
};

}  // namespace

std::span<const Command* const> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  for (const Command* command : kCommands) {
    if (command->name == name) return command;
  }
  return nullptr;
}

std::span<const FlagSpec> common_flags() { return kCommonFlags; }
std::span<const FlagSpec> root_flags() { return kRootFlags; }
std::span<const Alias> aliases() { return kAliases; }
std::span<const PlannedCommand> planned_commands() { return kPlanned; }

const PlannedCommand* find_planned(std::string_view name) {
  for (const PlannedCommand& planned : kPlanned) {
    if (planned.name == name) return &planned;
  }
  return nullptr;
}

std::string_view to_string(Group group) {
  switch (group) {
    case Group::kCheck: return "check";
    case Group::kAuthor: return "author";
    case Group::kBuild: return "build";
    case Group::kServe: return "serve";
    case Group::kOperate: return "operate";
    case Group::kGeneral: return "general";
  }
  return "general";
}

}  // namespace strake::cli
