#include "cli/kustomize_alias.h"

#include "cli/build/build_options.h"
#include "cli/io/terminal.h"
#include "cli/kustomize/kustomize_cfg.h"
#include "cli/kustomize/kustomize_command.h"
#include "cli/kustomize/kustomize_edit.h"
#include "cli/schema/openapi_command.h"

namespace strake::cli {
namespace {

constexpr std::string_view kKustomizeVersion = "v5.5.0";  // the tool whose results these are

// Flags of the tool that only its plugins need.
constexpr FlagSpec kPluginFlags[] = {
    {.name = "enable-alpha-plugins", .summary = "accepted for compatibility; plugins are not run"},
    {.name = "network", .summary = "let plugins use the network"},
    {.name = "network-name",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "accepted for compatibility"},
    {.name = "mount",
     .kind = FlagKind::kTexts,
     .value_name = "MOUNT",
     .summary = "storage of plugins"},
    {.name = "env",
     .letter = 'e',
     .kind = FlagKind::kTexts,
     .value_name = "NAME",
     .summary = "environment variable of plugins"},
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

constexpr FlagSpec kVersionFlags[] = {
    {.name = "short", .summary = "the version in braces"},
    {.name = "output",
     .letter = 'o',
     .kind = FlagKind::kText,
     .value_name = "FORMAT",
     .summary = "yaml or json"},
};

Result<> run_kustomize_version(std::span<const std::string> args, Io& io) {
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

constexpr KustomizeCommand kKustomizeCommands[] = {
    {.name = "build",
     .operands = "DIR",
     .summary = "Build a kustomization target from a directory or URL",
     .flags = kSharedBuildFlags,
     .more_flags = kPluginFlags,
     .run = run_kustomize_build},
    {.name = "cfg",
     .summary = "Commands for reading and writing configuration",
     .run = run_kustomize_cfg,
     .family = true},
    {.name = "create",
     .summary = "Create a new kustomization in the current directory",
     .flags = kCreateFlags,
     .run = create_kustomization},
    {.name = "edit",
     .summary = "Edits a kustomization file",
     .run = edit_kustomization,
     .family = true},
    {.name = "openapi",
     .summary = "Commands for interacting with the OpenAPI data",
     .run = run_kustomize_openapi,
     .family = true},
    {.name = "version",
     .summary = "Prints the kustomize version",
     .flags = kVersionFlags,
     .run = run_kustomize_version},
};

Result<> dispatch(std::span<const std::string> args, Io& io) {
  std::vector<std::string> words(args.begin(), args.end());
  if (!words.empty() && words[0] == "init") words[0] = "create";
  if (!words.empty() && (words[0] == "fn" || words[0] == "localize" || words[0] == "completion"))
    return fail(Code::kUnsupported, "{} is not part of this build", words[0]);
  return run_kustomize_family(
      "", "Manages declarative configuration of Kubernetes, as kustomize v5.5.0 does.",
      kKustomizeCommands, words, io);
}

}  // namespace

ExitCode run_kustomize(std::span<const std::string> args, Io& io) {
  const Result<> done = dispatch(args, io);
  if (done) return ExitCode::kFine;
  io.err.write(fmt::format("Error: {}\n", printable_lines(done.error().message())));
  return ExitCode::kFindings;  // 1, whatever is wrong
}

}  // namespace strake::cli
