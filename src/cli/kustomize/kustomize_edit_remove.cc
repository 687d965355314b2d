// `kustomize edit remove`.
#include <fnmatch.h>

#include <algorithm>

#include "cli/build/kustomize_file.h"
#include "cli/io/terminal.h"
#include "cli/kustomize/kustomize_command.h"
#include "cli/kustomize/kustomize_edit.h"

namespace strake::cli {
namespace {

using kustomize::KustomizationEditor;

constexpr FlagSpec kIgnoreFlags[] = {
    {.name = "ignore-non-existence", .letter = 'i', .summary = "what is not there is no error"},
};
constexpr FlagSpec kSpaceFlags[] = {
    {.name = "namespace", .kind = FlagKind::kText, .value_name = "NS", .summary = "to remove from"},
};

Result<> remove_metadata(Words args, std::string_view field, std::string_view what) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kIgnoreFlags, args));
  // kustomize's messages about arguments call annotations labels.
  STRAKE_CHECK(need_words(parsed.operands(), "label"));
  if (parsed.operands().size() > 1)
    return fail(Code::kUsage, "labels must be comma-separated, with no spaces");
  const std::vector<std::string> keys = split_at_commas(parsed.operands()[0]);
  if (std::ranges::find(keys, "") != keys.end())
    return fail(Code::kUsage, "invalid label: '' (name is empty)");
  return change_kustomization([&](KustomizationEditor& editor) {
    return editor.remove_entries(field, keys, parsed.on("ignore-non-existence"), what);
  });
}

// Paths of the list that any of the patterns matches. Nothing is written when none is.
Result<> remove_paths(Words args, std::string_view field, std::string_view what) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  STRAKE_CHECK(need_words(parsed.operands(), fmt::format("a {} file", what)));
  return maybe_change_kustomization([&](KustomizationEditor& editor) -> Result<bool> {
    std::vector<std::string> left = editor.texts(field);
    const std::size_t removed = std::erase_if(left, [&](const std::string& path) {
      return std::ranges::any_of(parsed.operands(), [&](const std::string& pattern) {
        return ::fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0;
      });
    });
    editor.set_texts(field, left);
    return removed > 0;
  });
}

Result<> remove_generators(Words args, bool secret, Io& io) {
  const std::string_view what = secret ? "secret" : "configmap";
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kSpaceFlags, args));
  if (parsed.operands().empty())
    return fail(Code::kUsage, "at least one {} name must be specified", what);
  if (parsed.operands().size() > 1) {
    return fail(Code::kUsage,
                "too many arguments: [{}]; to provide multiple {}s to remove, please separate {} "
                "names by commas",
                fmt::join(parsed.operands(), " "), what, what);
  }
  const std::vector<std::string> names = split_at_commas(parsed.operands()[0]);
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    const std::set<std::string> found =
        editor.remove_generators(secret, names, parsed.text("namespace"));
    if (found.empty()) {
      return fail(Code::kNotFound, "no specified {}(s) were found in the kustomization.yaml file",
                  what);
    }
    for (const std::string& name : names) {
      if (!found.contains(name))
        io.err.write(
            fmt::format("{} {} doesn't exist in kustomization file\n", what, printable(name)));
    }
    return {};
  });
}

Result<> remove_patch(Words args, Io& io) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kPatchFlags, args));
  STRAKE_TRY(const kustomize::Patch patch, read_patch_flags(parsed));
  return maybe_change_kustomization([&](KustomizationEditor& editor) -> Result<bool> {
    const bool removed = editor.remove_patch(patch);
    if (!removed) {
      io.err.write(fmt::format("patch {} doesn't exist in kustomization file\n",
                               printable(patch.path.empty() ? patch.patch : patch.path)));
    }
    return removed;
  });
}

Result<> remove_build_metadata(Words args) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  STRAKE_TRY(const std::vector<std::string> options, read_build_metadata(parsed.operands()));
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    std::vector<std::string> left = editor.texts("buildMetadata");
    std::erase_if(left, [&](const std::string& one) {
      return std::ranges::find(options, one) != options.end();
    });
    editor.set_texts("buildMetadata", left);
    return {};
  });
}

constexpr KustomizeCommand kRemoveCommands[] = {
    {.name = "annotation",
     .operands = "KEY[,KEY...]",
     .summary = "Removes commonAnnotations",
     .flags = kIgnoreFlags,
     .run = [](Words args,
               Io&) { return remove_metadata(args, "commonAnnotations", "annotation"); }},
    {.name = "buildmetadata",
     .operands = "OPTION[,OPTION...]",
     .summary = "Removes options of buildMetadata",
     .run = [](Words args, Io&) { return remove_build_metadata(args); }},
    {.name = "configmap",
     .operands = "NAME[,NAME...]",
     .summary = "Removes configMapGenerators",
     .flags = kSpaceFlags,
     .run = [](Words args, Io& io) { return remove_generators(args, false, io); }},
    {.name = "label",
     .operands = "KEY[,KEY...]",
     .summary = "Removes commonLabels",
     .flags = kIgnoreFlags,
     .run = [](Words args, Io&) { return remove_metadata(args, "commonLabels", "label"); }},
    {.name = "patch", .summary = "Removes a patch", .flags = kPatchFlags, .run = remove_patch},
    {.name = "resource",
     .operands = "PATTERN...",
     .summary = "Removes resources",
     .run = [](Words args, Io&) { return remove_paths(args, "resources", "resource"); }},
    {.name = "secret",
     .operands = "NAME[,NAME...]",
     .summary = "Removes secretGenerators",
     .flags = kSpaceFlags,
     .run = [](Words args, Io& io) { return remove_generators(args, true, io); }},
    {.name = "transformer",
     .operands = "PATTERN...",
     .summary = "Removes transformers",
     .run = [](Words args, Io&) { return remove_paths(args, "transformers", "transformer"); }},
};

}  // namespace

Result<> edit_remove(Words args, Io& io) {
  return run_kustomize_family("edit remove", "Removes items from the kustomization file",
                              kRemoveCommands, args, io);
}

}  // namespace strake::cli
