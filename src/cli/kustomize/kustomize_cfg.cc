#include "cli/kustomize/kustomize_cfg.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "cli/build/disk_tree.h"
#include "cli/command/args.h"
#include "cli/io/files.h"
#include "cli/io/folder_entries.h"
#include "cli/io/terminal.h"
#include "cli/kustomize/kustomize_command.h"
#include "kustomize/edit/format_resource.h"
#include "kustomize/file/paths.h"
#include "meta/names.h"
#include "yaml_edit/layout.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;
using yaml_edit::LayoutDocument;
using yaml_edit::LayoutNode;

constexpr std::uint64_t kMostResourceBytes = std::uint64_t{1} << 28;
constexpr std::string_view kPackageFile = "Krmfile";

constexpr FlagSpec kCfgFmtFlags[] = {
    {.name = "pattern",
     .kind = FlagKind::kText,
     .value_name = "PATTERN",
     .fallback = "%n_%k.yaml",
     .summary = "of file names: %n is metadata.name, %s metadata.namespace, %k the kind"},
    {.name = "set-filenames", .summary = "set file names on resources that have none"},
    {.name = "keep-annotations", .summary = "keep the annotations with index and file name"},
    {.name = "override", .summary = "set file names on resources that have one, too"},
    {.name = "use-schema", .summary = "quote by the schema (not part of this build)"},
    {.name = "recurse-subpackages", .letter = 'R', .summary = "also folders that have a Krmfile"},
};

struct CfgFmtOptions {
  std::string pattern;
  bool set_names = false;
  bool keep_annotations = false;
  bool override_names = false;
  bool recurse = false;
};

// A document, and the file that it goes to.
struct FormattedDocument {
  LayoutDocument document;
  std::string path;
};

std::string name_by_pattern(const LayoutNode& root, std::string_view pattern) {
  const LayoutNode* kind = root.find("kind");
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char verb = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (verb == 'k') {
      out += kind == nullptr ? std::string() : meta::to_lower_ascii(kind->text);
    } else if (verb == 'n') {
      out += meta::to_lower_ascii(kustomize::metadata_text(root, "name"));
    } else if (verb == 's') {
      out += meta::to_lower_ascii(kustomize::metadata_text(root, "namespace"));
    } else {
      out += pattern[i];
      continue;
    }
    ++i;
  }
  return out;
}

void note_place(LayoutNode& root, std::string_view what, std::string_view value) {
  kustomize::set_annotation(root, fmt::format("config.kubernetes.io/{}", what), value);
  kustomize::set_annotation(root, fmt::format("internal.config.kubernetes.io/{}", what), value);
}

// The items of a list are resources themselves; what else there is comes after them.
Result<> format_list(LayoutNode& root) {
  if (LayoutNode* items = root.find("items")) {
    for (yaml_edit::LayoutEntry& item : items->entries)
      STRAKE_CHECK(kustomize::format_resource(item.value));
  }
  constexpr std::string_view kOrder[] = {"apiVersion", "kind", "items", "functionConfig",
                                         "results"};
  std::vector<std::pair<std::ptrdiff_t, std::size_t>> order;
  for (std::size_t i = 0; i < root.entries.size(); ++i)
    order.emplace_back(std::ranges::find(kOrder, root.entries[i].key.text) - kOrder, i);
  std::ranges::sort(order);
  std::vector<yaml_edit::LayoutEntry> sorted;
  for (const auto& [rank, index] : order) sorted.push_back(std::move(root.entries[index]));
  root.entries = std::move(sorted);
  return {};
}

bool is_list_of_resources(const LayoutNode& root) {
  const LayoutNode* kind = root.find("kind");
  const LayoutNode* items = root.find("items");
  return kind != nullptr && (kind->text == "List" || kind->text == "ResourceList") &&
         items != nullptr && items->is_list();
}

// What was written must read as what was meant: an anchor that sorting put behind its alias, say,
// must not cost a file.
Result<> check_written(const std::vector<LayoutDocument>& meant, std::string_view text) {
  const auto again = yaml_edit::read_layout(text);
  bool same = again.has_value() && again->size() == meant.size();
  for (std::size_t i = 0; same && i < meant.size(); ++i)
    same = yaml_edit::same_layout((*again)[i].root, meant[i].root);
  if (same) return {};
  return fail(Code::kUnsupported, "cannot be formatted without changing what it says{}{}",
              again ? "" : ": ", again ? std::string() : again.error().message());
}

Result<std::string> written(std::vector<LayoutDocument> documents) {
  std::string text = yaml_edit::write_layout(documents);
  STRAKE_CHECK(check_written(documents, text));
  return text;
}

Result<std::vector<FormattedDocument>> format_text(std::string_view text, const std::string& path,
                                                   bool unwrap, const CfgFmtOptions& options) {
  STRAKE_TRY(std::vector<LayoutDocument> documents, yaml_edit::read_layout(text));
  std::vector<FormattedDocument> out;
  std::size_t index = 0;
  for (LayoutDocument& document : documents) {
    LayoutNode& root = document.root;
    std::string to = path;
    if (!document.empty && unwrap && documents.size() == 1 && is_list_of_resources(root)) {
      STRAKE_CHECK(format_list(root));
    } else if (!document.empty && root.is_map()) {
      if (options.set_names && (path.empty() || options.override_names))
        to = name_by_pattern(root, options.pattern);
      if (options.keep_annotations) {
        note_place(root, "index", std::to_string(index));
        if (!to.empty()) note_place(root, "path", to);
      }
      ++index;
      STRAKE_CHECK(kustomize::format_resource(root));
    }
    out.push_back({std::move(document), std::move(to)});
  }
  return out;
}

Result<> format_stdin(const CfgFmtOptions& options, Io& io) {
  STRAKE_TRY(const std::string text, io.in.read_all(kMostResourceBytes));
  STRAKE_TRY(std::vector<FormattedDocument> formatted, format_text(text, "", true, options));
  std::vector<LayoutDocument> documents;
  for (FormattedDocument& one : formatted) documents.push_back(std::move(one.document));
  STRAKE_TRY(const std::string out, written(std::move(documents)));
  io.out.write(out);
  return {};
}

bool is_resource_file(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

// Sorted; folders that are packages of their own are left to themselves.
Result<> find_resource_files(const fs::path& folder, std::vector<fs::path>& out) {
  const FolderEntries found = entries_of(folder);
  std::error_code error = found.error;
  if (error) return fail(Code::kIo, "cannot read {}: {}", folder.string(), error.message());
  for (const fs::directory_entry& entry : found.entries) {
    const fs::path& path = entry.path();
    if (fs::is_directory(path, error) && !fs::is_symlink(path, error)) {
      if (!fs::exists(path / kPackageFile, error)) STRAKE_CHECK(find_resource_files(path, out));
    } else if (fs::is_regular_file(path, error) && is_resource_file(path)) {
      out.push_back(path);
    }
  }
  return {};
}

Result<> write_formatted(const fs::path& folder,
                         std::map<std::string, std::vector<LayoutDocument>> files) {
  std::map<std::string, std::string> texts;
  for (auto& [path, documents] : files) {
    const std::string clean = kustomize::clean_path(path);
    if (kustomize::is_absolute(clean))
      return fail(Code::kInvalid, "package paths may not be absolute paths");
    if (clean == ".." || clean.starts_with("../")) {
      return fail(Code::kInvalid, "resource must be written under package {}: {}", folder.string(),
                  clean);
    }
    Result<std::string> text = written(std::move(documents));
    if (!text) return std::unexpected(std::move(text).error().prefixed((folder / path).string()));
    texts[clean] = *std::move(text);
  }
  for (const auto& [path, text] : texts) {
    const fs::path to = folder / path;
    std::error_code error;
    if (fs::exists(to, error)) {
      STRAKE_CHECK(replace_file(to.string(), text));
      continue;
    }
    fs::create_directories(to.parent_path(), error);
    std::ofstream file(to, std::ios::binary);
    file << text;
    file.close();
    if (!file) return fail(Code::kIo, "cannot write {}", to.string());
  }
  return {};
}

Result<> format_package(const fs::path& package, const CfgFmtOptions& options) {
  std::error_code error;
  std::vector<fs::path> paths;
  fs::path folder = package;
  if (!fs::exists(package, error))
    return fail(Code::kNotFound, "lstat {}: no such file or directory", package.string());
  if (fs::is_directory(package, error)) {
    STRAKE_CHECK(find_resource_files(package, paths));
  } else {
    folder = package.has_parent_path() ? package.parent_path() : fs::path(".");
    if (is_resource_file(package)) paths.push_back(package);
  }
  std::map<std::string, std::vector<LayoutDocument>> files;
  for (const fs::path& path : paths) {
    STRAKE_TRY(const std::string text, DiskTree().read(path.string(), kMostResourceBytes));
    auto formatted = format_text(text, path.lexically_relative(folder).string(), false, options);
    if (!formatted) return std::unexpected(std::move(formatted).error().prefixed(path.string()));
    for (FormattedDocument& one : *formatted) files[one.path].push_back(std::move(one.document));
  }
  return write_formatted(folder, std::move(files));
}

Result<> find_packages(const fs::path& root, bool recurse, std::vector<fs::path>& out) {
  out.push_back(root);
  if (!recurse) return {};
  std::error_code error;
  if (!fs::is_directory(root, error)) return {};
  std::vector<fs::path> below;
  for (fs::recursive_directory_iterator at(root, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().filename() == kPackageFile && at->path().parent_path() != root)
      below.push_back(at->path().parent_path());
  }
  if (error) return fail(Code::kIo, "cannot read {}: {}", root.string(), error.message());
  std::ranges::sort(below);
  out.insert(out.end(), below.begin(), below.end());
  return {};
}

Result<> run_cfg_fmt(std::span<const std::string> args, Io& io) {
  STRAKE_TRY(
      const Arguments parsed,
      parse_arguments(kCfgFmtFlags, {.usage = "[DIR|FILE]...", .at_most = kAnyNumber}, args));
  if (parsed.on("use-schema")) {
    return fail(Code::kUnsupported,
                "--use-schema is not part of this build: scalars keep the quotes they have");
  }
  CfgFmtOptions options{.pattern = std::string(parsed.text("pattern")),
                        .set_names = parsed.on("set-filenames"),
                        .keep_annotations = parsed.on("keep-annotations"),
                        .override_names = parsed.on("override"),
                        .recurse = parsed.on("recurse-subpackages")};
  if (options.set_names) options.keep_annotations = true;
  if (parsed.operands().empty()) return format_stdin(options, io);
  for (const std::string& root : parsed.operands()) {
    std::vector<fs::path> packages;
    STRAKE_CHECK(find_packages(root, options.recurse, packages));
    for (std::size_t i = 0; i < packages.size(); ++i) {
      if (i > 0) io.out.write("\n");
      io.out.write(fmt::format("{}/\n", printable(packages[i].string())));
      const Result<> done = format_package(packages[i], options);
      if (!done && !options.recurse) return done;
      io.out.write(done ? "formatted resource files in the package\n"
                        : fmt::format("{}\n", done.error().message()));
    }
  }
  return {};
}

constexpr KustomizeCommand kCfgCommands[] = {
    {.name = "fmt",
     .operands = "[DIR|FILE]...",
     .summary = "Format yaml configuration files; standard input without arguments",
     .flags = kCfgFmtFlags,
     .run = run_cfg_fmt},
};

}  // namespace

Result<> run_kustomize_cfg(std::span<const std::string> args, Io& io) {
  if (!args.empty() &&
      (args[0] == "cat" || args[0] == "count" || args[0] == "grep" || args[0] == "tree")) {
    return fail(Code::kUnsupported, "cfg {} is not part of this build; there is cfg fmt", args[0]);
  }
  return run_kustomize_family("cfg", "Commands for reading and writing configuration", kCfgCommands,
                              args, io);
}

}  // namespace strake::cli
