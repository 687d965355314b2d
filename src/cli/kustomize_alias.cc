#include "cli/kustomize_alias.h"

#include "cli/build_options.h"
#include "cli/kustomize_cfg.h"
#include "cli/kustomize_edit.h"
#include "cli/openapi_command.h"

namespace strake::cli {
namespace {

constexpr std::string_view kKustomizeVersion = "v5.5.0";  // the tool whose results these are

constexpr std::string_view kKustomizeHelp =
    "Manages declarative configuration of Kubernetes, as kustomize v5.5.0 does.\n\n"
    "Usage:\n  kustomize [command]\n\n"
    "Available Commands:\n"
    "  build    Build a kustomization target from a directory or URL\n"
    "  cfg      Commands for reading and writing configuration: fmt\n"
    "  create   Create a new kustomization in the current directory\n"
    "  edit     Edits a kustomization file: set, add, remove, fix,\n"
    "           alpha-list-builtin-plugin\n"
    "  openapi  Schemas: info tells which is built in, fetch takes the cluster's\n"
    "  version  Prints the kustomize version\n";

// Flags of the tool that only its plugins need.
constexpr FlagSpec kPluginFlags[] = {
    {.name = "enable-alpha-plugins", .summary = "accepted for compatibility; plugins are not run"},
    {.name = "network", .summary = "let plugins use the network"},
    {.name = "network-name",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "accepted for compatibility"},
    {.name = "mount", .kind = FlagKind::kTexts, .value_name = "MOUNT", .summary = "for plugins"},
    {.name = "env",
     .letter = 'e',
     .kind = FlagKind::kTexts,
     .value_name = "NAME",
     .summary = "for plugins"},
    {.name = "as-current-user", .summary = "run plugins as this user"},
};

Result<> run_kustomize_build(std::span<const std::string> args, Io& io) {
  std::vector<FlagSpec> flags(std::begin(kSharedBuildFlags), std::end(kSharedBuildFlags));
  flags.insert(flags.end(), std::begin(kPluginFlags), std::end(kPluginFlags));
  STRAKE_TRY(const Arguments parsed,
             parse_arguments(flags, {.usage = "[DIR]", .at_most = kAnyNumber}, args));
  if (parsed.operands().size() > 1)
    return fail(Code::kUsage, "specify one path to kustomization.yaml");
  BuildRun run;
  STRAKE_CHECK(run.read(parsed, true));
  if (!parsed.operands().empty()) run.set_target(parsed.operands()[0]);
  STRAKE_TRY(const kustomize::BuildResult result, run.run(io));
  return write_build(result, std::string(parsed.text("output")), io);
}

Result<> run_kustomize_version(std::span<const std::string> args, Io& io) {
  constexpr FlagSpec kVersionFlags[] = {
      {.name = "short", .summary = "short form"},
      {.name = "output",
       .letter = 'o',
       .kind = FlagKind::kText,
       .value_name = "FORMAT",
       .summary = "yaml or json"},
  };
  STRAKE_TRY(const Arguments parsed, parse_arguments(kVersionFlags, {}, args));
  const std::string_view output = parsed.text("output");
  if (parsed.on("short") && !output.empty())
    return fail(Code::kUsage, "--short and --output are mutually exclusive");
  if (output == "yaml") {
    io.out.write(fmt::format("version: {}\n\n", kKustomizeVersion));
  } else if (output == "json") {
    io.out.write(fmt::format("{{\n  \"version\": \"{}\"\n}}\n", kKustomizeVersion));
  } else if (parsed.on("short")) {
    io.out.write(fmt::format("{{{}}}\n", kKustomizeVersion));
  } else {
    io.out.write(fmt::format("{}\n", kKustomizeVersion));
  }
  return {};
}

Result<> dispatch(std::span<const std::string> args, Io& io) {
  if (args.empty() || args[0] == "help" || args[0] == "--help" || args[0] == "-h") {
    io.out.write(kKustomizeHelp);
    return {};
  }
  const auto rest = args.subspan(1);
  if (args[0] == "build") return run_kustomize_build(rest, io);
  if (args[0] == "version") return run_kustomize_version(rest, io);
  if (args[0] == "openapi") return run_kustomize_openapi(rest, io);
  if (args[0] == "edit") return edit_kustomization(rest, io);
  if (args[0] == "create" || args[0] == "init") return create_kustomization(rest, io);
  if (args[0] == "cfg") return run_kustomize_cfg(rest, io);
  if (args[0] == "fn" || args[0] == "localize" || args[0] == "completion")
    return fail(Code::kUnsupported, "{} is not part of this build", args[0]);
  return fail(Code::kUsage, "unknown command \"{}\" for \"kustomize\"", args[0]);
}

}  // namespace

ExitCode run_kustomize(std::span<const std::string> args, Io& io) {
  const Result<> done = dispatch(args, io);
  if (done) return ExitCode::kFine;
  io.err.write(fmt::format("Error: {}\n", done.error().message()));
  return ExitCode::kFindings;  // 1, whatever is wrong
}

}  // namespace strake::cli
