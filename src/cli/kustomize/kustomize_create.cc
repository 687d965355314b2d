// `kustomize create`.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/build/disk_tree.h"
#include "cli/build/kustomize_file.h"
#include "cli/io/folder_entries.h"
#include "cli/kustomize/kustomize_edit.h"
#include "kustomize/edit/edit_arguments.h"
#include "kustomize/transform/build_context.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;

bool holds_resources(const std::string& path) {
  auto text = DiskTree().read(path, kMostKustomizationBytes);
  if (!text) return false;
  kustomize::BuildContext context;
  return kustomize::read_resources(*std::move(text), context).has_value();
}

Result<> detect(const fs::path& folder, bool recursive, std::vector<std::string>& out) {
  const FolderEntries found = entries_of(folder);
  std::error_code error = found.error;
  if (error) return fail(Code::kIo, "cannot read {}: {}", folder.string(), error.message());
  for (const fs::directory_entry& entry : found.entries) {
    const fs::path& path = entry.path();
    const std::string name = path.lexically_normal().string();
    if (!fs::is_directory(path, error)) {
      if (holds_resources(name)) out.push_back(name);
      continue;
    }
    if (!recursive) continue;
    const bool kustomized = std::ranges::any_of(
        kKustomizationNames, [&](std::string_view one) { return fs::exists(path / one, error); });
    if (kustomized) {
      out.push_back(name);
    } else {
      STRAKE_CHECK(detect(path, recursive, out));
    }
  }
  return {};
}

}  // namespace

Result<> create_kustomization(Words args, Io& io) {
  static_cast<void>(io);
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kCreateFlags, args));
  std::vector<std::string> resources;
  if (parsed.given("resources")) {
    STRAKE_TRY(resources, match_resources(split_at_commas(parsed.text("resources")), true));
  }
  if (find_kustomization()) return fail(Code::kAlreadyExists, "kustomization file already exists");
  if (parsed.on("autodetect")) STRAKE_CHECK(detect(".", parsed.on("recursive"), resources));
  STRAKE_TRY(kustomize::KustomizationEditor editor, kustomize::KustomizationEditor::read(""));
  for (const std::string& resource : resources) editor.append_text("resources", resource);
  editor.set_text("namespace", parsed.text("namespace"));
  editor.set_text("namePrefix", parsed.text("nameprefix"));
  editor.set_text("nameSuffix", parsed.text("namesuffix"));
  const auto add = [&](std::string_view flag, std::string_view field,
                       std::string_view what) -> Result<> {
    if (!parsed.given(flag)) return {};
    STRAKE_TRY(const kustomize::TextMap pairs,
               kustomize::parse_pairs(split_at_commas(parsed.text(flag)), what));
    return editor.put_entries(field, pairs, true, what);
  };
  STRAKE_CHECK(add("annotations", "commonAnnotations", "annotation"));
  STRAKE_CHECK(add("labels", "commonLabels", "label"));
  std::ofstream file("kustomization.yaml", std::ios::binary);
  file << editor.text();
  file.close();
  if (!file) return fail(Code::kIo, "cannot write kustomization.yaml");
  return {};
}

}  // namespace strake::cli
