#include "cli/kustomize_edit.h"

#include <filesystem>

#include "cli/build_options.h"
#include "cli/disk_tree.h"
#include "cli/files.h"
#include "cli/kustomize_file.h"

namespace strake::cli {
namespace {

constexpr std::string_view kEditHelp =
    "Edits a kustomization file\n\n"
    "Usage:\n  kustomize edit [command]\n\n"
    "Available Commands:\n"
    "  add                        Adds an item to the kustomization file\n"
    "  alpha-list-builtin-plugin  [Alpha] List the builtin plugins\n"
    "  fix                        Fix the missing fields in kustomization file\n"
    "  remove                     Removes items from the kustomization file\n"
    "  set                        Sets the value of different fields in kustomization file\n";

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

// The reference lists them in another order each time.
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

Result<> edit_fix(Words args, Io& io) {
  constexpr FlagSpec kFixFlags[] = {{.name = "vars", .summary = "convert vars to replacements"}};
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

}  // namespace

Result<> edit_kustomization(Words args, Io& io) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    io.out.write(kEditHelp);
    return {};
  }
  const Words rest = args.subspan(1);
  if (args[0] == "set") return edit_set(rest, io);
  if (args[0] == "add") return edit_add(rest, io);
  if (args[0] == "remove") return edit_remove(rest, io);
  if (args[0] == "fix") return edit_fix(rest, io);
  if (args[0] == "alpha-list-builtin-plugin") {
    io.out.write("Builtin plugins:\n\n");
    for (const std::string_view one : kBuiltinPlugins) io.out.write(fmt::format(" * {}\n", one));
    return {};
  }
  return fail(Code::kUsage, "unknown command \"{}\" for \"kustomize edit\"", args[0]);
}

}  // namespace strake::cli
