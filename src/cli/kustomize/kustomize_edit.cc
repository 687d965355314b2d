#include "cli/kustomize/kustomize_edit.h"

#include <filesystem>

#include "cli/build/build_options.h"
#include "cli/build/disk_tree.h"
#include "cli/build/kustomize_file.h"
#include "cli/io/files.h"
#include "cli/kustomize/kustomize_command.h"

namespace strake::cli {
namespace {

constexpr std::string_view kFixed =
    "\nFixed fields:\n"
    "  patchesJson6902 -> patches\n"
    "  patchesStrategicMerge -> patches\n"
    "  commonLabels -> labels\n";
constexpr std::string_view kVarsLeft =
    "\nTo convert vars -> replacements, run the command `kustomize edit fix --vars`\n"
    "\nWARNING: Converting vars to replacements will potentially overwrite many resource files \n"
    "and the resulting files may not produce the same output when `kustomize build` is run. \n"
    "We recommend doing this in a clean git repository where the change is easy to undo.\n";

// kustomize v5.5.0 lists them in another order each time.
constexpr std::string_view kBuiltinPlugins[] = {
    "AnnotationsTransformer",   "ConfigMapGenerator",
    "HashTransformer",          "HelmChartInflationGenerator",
    "IAMPolicyGenerator",       "ImageTagTransformer",
    "LabelTransformer",         "NamespaceTransformer",
    "PatchJson6902Transformer", "PatchStrategicMergeTransformer",
    "PatchTransformer",         "PrefixSuffixTransformer",
    "PrefixTransformer",        "ReplacementTransformer",
    "ReplicaCountTransformer",  "SecretGenerator",
    "SuffixTransformer",        "ValueAddTransformer",
};

class DiskEditFiles final : public kustomize::EditFiles {
 public:
  Result<std::string> read(const std::string& path) override {
    return DiskTree().read(path, kMostKustomizationBytes);
  }
  Result<> write(const std::string& path, std::string_view text) override {
    return replace_file(path, text);
  }
};

Result<std::string> build_here(Io& io) {
  BuildRun run;
  STRAKE_TRY(const Arguments none, parse_arguments(kSharedBuildFlags, {}, {}));
  STRAKE_CHECK(run.read(none, true));
  STRAKE_TRY(const kustomize::BuildResult result, run.run(io));
  return result.yaml();
}

constexpr FlagSpec kFixFlags[] = {{.name = "vars", .summary = "convert vars to replacements"}};

Result<> edit_fix(Words args, Io& io) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kFixFlags, args));
  const Result<std::string> before = build_here(io);
  STRAKE_CHECK(change_kustomization([&](kustomize::KustomizationEditor& editor) -> Result<> {
    STRAKE_CHECK(editor.fix([](const std::string& path) {
      std::error_code error;
      return std::filesystem::is_regular_file(path, error);
    }));
    if (!parsed.on("vars")) return {};
    DiskEditFiles files;
    return editor.replace_vars(files);
  }));
  io.out.write(kFixed);
  io.out.write(parsed.on("vars") ? "  vars -> replacements\n" : kVarsLeft);
  const Result<std::string> after = build_here(io);
  if (!after) {
    io.out.write(fmt::format(
        "Warning: 'Fixed' kustomization now produces the error when running `kustomize build`: "
        "{}\n",
        after.error().message()));
  } else if (*after != before.value_or("")) {
    io.out.write(fmt::format(
        "Warning: 'Fixed' kustomization now produces different output when running `kustomize "
        "build`:\n...{}...\n",
        *after));
  }
  return {};
}

Result<> list_plugins(Words args, Io& io) {
  STRAKE_CHECK(parse_edit_words({}, args));
  io.out.write("Builtin plugins:\n\n");
  for (const std::string_view one : kBuiltinPlugins) io.out.write(fmt::format(" * {}\n", one));
  return {};
}

constexpr KustomizeCommand kEditCommands[] = {
    {.name = "add",
     .summary = "Adds an item to the kustomization file",
     .run = edit_add,
     .family = true},
    {.name = "alpha-list-builtin-plugin",
     .summary = "[Alpha] List the builtin plugins",
     .run = list_plugins},
    {.name = "fix",
     .summary = "Fix the missing fields in kustomization file",
     .flags = kFixFlags,
     .run = edit_fix},
    {.name = "remove",
     .summary = "Removes items from the kustomization file",
     .run = edit_remove,
     .family = true},
    {.name = "set",
     .summary = "Sets the value of different fields in kustomization file",
     .run = edit_set,
     .family = true},
};

}  // namespace

Result<> edit_kustomization(Words args, Io& io) {
  return run_kustomize_family("edit", "Edits a kustomization file", kEditCommands, args, io);
}

}  // namespace strake::cli
