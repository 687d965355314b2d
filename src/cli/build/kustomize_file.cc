#include "cli/build/kustomize_file.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>

#include "cli/build/build_options.h"
#include "cli/build/disk_tree.h"
#include "cli/io/files.h"
#include "cli/io/terminal.h"
#include "kustomize/file/loader.h"
#include "kustomize/generators.h"
#include "kustomize/transform/build_context.h"

namespace strake::cli {
namespace {

constexpr std::string_view kBuildMetadata[] = {"managedByLabel", "originAnnotations",
                                               "transformerAnnotations"};

std::vector<std::string> glob_files(const std::string& pattern) {
  std::vector<std::string> out;
  glob_t matches = {};
  const int state = ::glob(pattern.c_str(), 0, nullptr, &matches);
  for (std::size_t i = 0; state == 0 && i < matches.gl_pathc; ++i)
    out.emplace_back(matches.gl_pathv[i]);
  ::globfree(&matches);
  return out;
}

std::string_view namespace_or_default(std::string_view namespace_name) {
  return namespace_name.empty() ? "default" : namespace_name;
}

}  // namespace

Result<std::string> find_kustomization() {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::error_code error;
  for (const std::string_view name : kKustomizationNames) {
    if (fs::exists(name, error)) found.emplace_back(name);
  }
  if (found.empty())
    return fail(Code::kNotFound, "Missing kustomization file 'kustomization.yaml'.\n");
  if (found.size() > 1)
    return fail(Code::kInvalid, "Found multiple kustomization file: [{}]\n", fmt::join(found, " "));
  if (fs::is_directory(found.front(), error))
    return fail(Code::kInvalid, "{} should be a file", found.front());
  return found.front();
}

Result<> change_kustomization(
    const std::function<Result<>(kustomize::KustomizationEditor&)>& change) {
  return maybe_change_kustomization([&](kustomize::KustomizationEditor& editor) -> Result<bool> {
    STRAKE_CHECK(change(editor));
    return true;
  });
}

Result<> maybe_change_kustomization(
    const std::function<Result<bool>(kustomize::KustomizationEditor&)>& change) {
  STRAKE_TRY(const std::string name, find_kustomization());
  STRAKE_TRY(const std::string text, DiskTree().read(name, kMostKustomizationBytes));
  STRAKE_TRY(kustomize::KustomizationEditor editor, kustomize::KustomizationEditor::read(text));
  STRAKE_TRY(const bool changed, change(editor));
  if (!changed) return {};
  return replace_file(name, editor.text());
}

std::vector<std::string> match_files(const std::vector<std::string>& patterns, Io& io) {
  std::vector<std::string> out;
  for (const std::string& pattern : patterns) {
    const std::vector<std::string> files = glob_files(pattern);
    if (files.empty()) io.err.write(fmt::format("{} has no match\n", printable(pattern)));
    out.insert(out.end(), files.begin(), files.end());
  }
  return out;
}

Result<std::vector<std::string>> match_resources(const std::vector<std::string>& patterns,
                                                 bool verify) {
  if (!verify) return patterns;
  std::vector<std::string> out;
  for (const std::string& pattern : patterns) {
    const std::vector<std::string> files = glob_files(pattern);
    out.insert(out.end(), files.begin(), files.end());
    if (!files.empty()) continue;
    const DiskTree disk;
    ProgramRemote remote;
    const kustomize::LoaderServices services{.files = &disk, .remote = &remote};
    STRAKE_TRY(const std::string here, working_folder());
    STRAKE_TRY(const auto loader, kustomize::Loader::open(services, ".", here));
    if (const auto below = loader->open_below(pattern); !below) {
      Error error = below.error();
      return std::unexpected(
          without_credentials(std::move(error).prefixed(fmt::format("{} has no match", pattern))));
    }
    out.push_back(pattern);
  }
  return out;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> out;
  for (;;) {
    const std::size_t comma = text.find(',');
    out.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

Result<std::vector<std::string>> read_build_metadata(const std::vector<std::string>& operands) {
  if (operands.empty()) return fail(Code::kUsage, "must specify a buildMetadata option");
  if (operands.size() > 1) {
    return fail(Code::kUsage,
                "too many arguments: [{}]; to provide multiple buildMetadata options, please "
                "separate options by comma",
                fmt::join(operands, " "));
  }
  std::vector<std::string> out = split_at_commas(operands[0]);
  for (const std::string& one : out) {
    if (std::ranges::find(kBuildMetadata, one) == std::end(kBuildMetadata))
      return fail(Code::kUsage, "invalid buildMetadata option: {}", one);
  }
  return out;
}

Result<Arguments> parse_edit_words(std::span<const FlagSpec> flags, Words args) {
  return parse_arguments(flags, {.usage = "ARGS", .at_most = kAnyNumber}, args);
}

Result<> need_words(const std::vector<std::string>& operands, std::string_view what) {
  if (!operands.empty()) return {};
  return fail(Code::kUsage, "must specify {}", what);
}

Result<> check_generator(const kustomize::KustomizationEditor& editor, bool secret,
                         std::string_view name, std::string_view namespace_name) {
  STRAKE_TRY(const kustomize::Kustomization now, kustomize::read_kustomization(editor.text(), "."));
  const DiskTree disk;
  STRAKE_TRY(const std::string here, working_folder());
  STRAKE_TRY(const auto loader, kustomize::Loader::open({.files = &disk}, ".", here));
  for (const kustomize::GeneratorArgs& args : secret ? now.secrets : now.config_maps) {
    if (args.name != name ||
        namespace_or_default(args.namespace_name) != namespace_or_default(namespace_name))
      continue;
    kustomize::BuildContext context;
    if (secret) {
      STRAKE_CHECK(kustomize::generate_secret(args, *loader, context));
    } else {
      STRAKE_CHECK(kustomize::generate_config_map(args, *loader, context));
    }
    return {};
  }
  return {};
}

Result<kustomize::Patch> read_patch_flags(const Arguments& parsed) {
  kustomize::Patch patch;
  patch.path = parsed.text("path");
  patch.patch = parsed.text("patch");
  if (!patch.path.empty() && !patch.patch.empty())
    return fail(Code::kUsage, "patch and path can't be set at the same time");
  kustomize::Selector& target = patch.target.emplace();
  target.group = parsed.text("group");
  target.version = parsed.text("version");
  target.kind = parsed.text("kind");
  target.name = parsed.text("name");
  target.namespace_name = parsed.text("namespace");
  target.label_selector = parsed.text("label-selector");
  target.annotation_selector = parsed.text("annotation-selector");
  return patch;
}

}  // namespace strake::cli
