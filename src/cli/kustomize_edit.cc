#include "cli/kustomize_edit.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/args.h"
#include "cli/disk_tree.h"
#include "cli/files.h"
#include "kustomize/build_context.h"
#include "kustomize/edit.h"
#include "kustomize/repo_spec.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;
using kustomize::KustomizationEditor;
using Words = std::span<const std::string>;

constexpr std::string_view kFileNames[] = {"kustomization.yaml", "kustomization.yml",
                                           "Kustomization"};
constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 26;

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

Result<std::string> find_file() {
  std::vector<std::string> found;
  for (const std::string_view name : kFileNames) {
    if (is_there(std::string(name))) found.emplace_back(name);
  }
  if (found.empty())
    return fail(Code::kNotFound, "Missing kustomization file 'kustomization.yaml'.\n");
  if (found.size() > 1)
    return fail(Code::kInvalid, "Found multiple kustomization file: [{}]\n", fmt::join(found, " "));
  return found.front();
}

// The files that patterns mean. What no file matches must be a folder or a URL, or is refused.
Result<std::vector<std::string>> expand(const std::vector<std::string>& patterns, bool verify) {
  std::vector<std::string> out;
  for (const std::string& pattern : patterns) {
    if (!verify) {
      out.push_back(pattern);
      continue;
    }
    glob_t matches = {};
    const int state = ::glob(pattern.c_str(), 0, nullptr, &matches);
    for (std::size_t i = 0; state == 0 && i < matches.gl_pathc; ++i)
      out.emplace_back(matches.gl_pathv[i]);
    const bool any = state == 0 && matches.gl_pathc > 0;
    ::globfree(&matches);
    if (any) continue;
    if (!kustomize::parse_repo_spec(pattern) && !kustomize::is_http_url(pattern)) {
      return fail(Code::kNotFound,
                  "{} has no match: must build at directory: not a valid directory", pattern);
    }
    out.push_back(pattern);
  }
  return out;
}

std::vector<std::string> split_commas(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (std::string_view text : texts) {
    for (bool more = true; more;) {
      const std::size_t comma = text.find(',');
      more = comma != std::string_view::npos;
      out.emplace_back(text.substr(0, comma));
      if (more) text.remove_prefix(comma + 1);
    }
  }
  return out;
}

// One change to the file of this folder.
template <typename Change>
Result<> change_file(const Change& change) {
  STRAKE_TRY(const std::string name, find_file());
  STRAKE_TRY(const std::string text, DiskTree().read(name, kMostFileBytes));
  STRAKE_TRY(KustomizationEditor editor, KustomizationEditor::read(text));
  STRAKE_CHECK(change(editor));
  return replace_file(name, editor.text());
}

Result<Arguments> parse_words(std::span<const FlagSpec> flags, Words args) {
  return parse_arguments(flags, {.usage = "ARGS", .at_most = kAnyNumber}, args);
}

Result<> need(const std::vector<std::string>& operands, std::string_view what) {
  if (!operands.empty()) return {};
  return fail(Code::kUsage, "must specify {}", what);
}

Result<> run_set(Words args) {
  if (args.empty()) return fail(Code::kUsage, "edit set needs what to set");
  const std::string what = args[0];
  STRAKE_TRY(const Arguments parsed, parse_words({}, args.subspan(1)));
  const std::vector<std::string>& operands = parsed.operands();
  const auto one = [&](std::string_view field) -> Result<> {
    if (operands.size() != 1) return fail(Code::kUsage, "must specify exactly one {} value", field);
    return change_file([&](KustomizationEditor& editor) -> Result<> {
      editor.set_text(field, operands[0]);
      return {};
    });
  };
  if (what == "namespace") return one("namespace");
  if (what == "nameprefix") return one("namePrefix");
  if (what == "namesuffix") return one("nameSuffix");
  if (what == "image") {
    if (operands.empty()) return fail(Code::kUsage, "no image specified");
    std::vector<kustomize::Image> images;
    for (const std::string& text : operands) {
      STRAKE_TRY(kustomize::Image image, kustomize::parse_image_argument(text));
      images.push_back(std::move(image));
    }
    return change_file([&](KustomizationEditor& editor) -> Result<> {
      editor.set_images(images);
      return {};
    });
  }
  if (what == "replicas") {
    if (operands.empty()) return fail(Code::kUsage, "no replicas specified");
    std::vector<kustomize::Replica> replicas;
    for (const std::string& text : operands) {
      STRAKE_TRY(kustomize::Replica replica, kustomize::parse_replica_argument(text));
      replicas.push_back(std::move(replica));
    }
    return change_file([&](KustomizationEditor& editor) -> Result<> {
      editor.set_replicas(replicas);
      return {};
    });
  }
  if (what == "label" || what == "annotation") {
    STRAKE_CHECK(need(operands, what));
    STRAKE_TRY(const kustomize::TextMap pairs,
               kustomize::parse_pairs(split_commas(operands), what));
    return change_file([&](KustomizationEditor& editor) {
      return editor.put_entries(what == "label" ? "commonLabels" : "commonAnnotations", pairs, true,
                                what);
    });
  }
  return fail(Code::kUsage, "unknown command \"{}\" for \"kustomize edit set\"", what);
}

constexpr FlagSpec kListFlags[] = {{.name = "no-verify", .summary = "add without looking"}};
constexpr FlagSpec kLabelFlags[] = {
    {.name = "force", .letter = 'f', .summary = "overwrite what is there"},
    {.name = "without-selector", .summary = "add to labels, not to selectors"},
    {.name = "include-templates", .summary = "and to templates"},
};
constexpr FlagSpec kPatchFlags[] = {
    {.name = "path", .kind = FlagKind::kText, .value_name = "FILE", .summary = "of the patch"},
    {.name = "patch", .kind = FlagKind::kText, .value_name = "TEXT", .summary = "the patch itself"},
    {.name = "group", .kind = FlagKind::kText, .value_name = "RE", .summary = "of the target"},
    {.name = "version", .kind = FlagKind::kText, .value_name = "RE", .summary = "of the target"},
    {.name = "kind", .kind = FlagKind::kText, .value_name = "RE", .summary = "of the target"},
    {.name = "name", .kind = FlagKind::kText, .value_name = "RE", .summary = "of the target"},
    {.name = "namespace", .kind = FlagKind::kText, .value_name = "RE", .summary = "of the target"},
    {.name = "label-selector",
     .kind = FlagKind::kText,
     .value_name = "S",
     .summary = "of the target"},
    {.name = "annotation-selector",
     .kind = FlagKind::kText,
     .value_name = "S",
     .summary = "of the target"},
};
constexpr FlagSpec kGeneratorFlags[] = {
    {.name = "from-literal", .kind = FlagKind::kTexts, .value_name = "K=V", .summary = "a value"},
    {.name = "from-file", .kind = FlagKind::kTexts, .value_name = "FILE", .summary = "a file"},
    {.name = "from-env-file", .kind = FlagKind::kTexts, .value_name = "FILE", .summary = "values"},
    {.name = "behavior",
     .kind = FlagKind::kText,
     .value_name = "B",
     .summary = "create, merge, replace"},
    {.name = "disableNameSuffixHash", .summary = "no hash in the name"},
    {.name = "namespace",
     .kind = FlagKind::kText,
     .value_name = "NS",
     .summary = "of the resource"},
    {.name = "type", .kind = FlagKind::kText, .value_name = "TYPE", .summary = "of a secret"},
};

Result<> add_to_list(Words args, std::string_view field, std::string_view what, bool verify,
                     Io& io) {
  STRAKE_TRY(const Arguments parsed, parse_words(kListFlags, args));
  STRAKE_CHECK(need(parsed.operands(), fmt::format("a {} file", what)));
  STRAKE_TRY(const std::vector<std::string> paths,
             expand(parsed.operands(), verify && !parsed.on("no-verify")));
  return change_file([&](KustomizationEditor& editor) -> Result<> {
    for (const std::string& path : paths) {
      if (std::ranges::find(kFileNames, path) != std::end(kFileNames)) continue;
      if (!editor.append_text(field, path))
        io.err.write(fmt::format("{} {} already in kustomization file\n", what, path));
    }
    return {};
  });
}

Result<> add_labels(Words args, const std::string& what) {
  STRAKE_TRY(const Arguments parsed, parse_words(kLabelFlags, args));
  STRAKE_CHECK(need(parsed.operands(), what));
  if (parsed.on("include-templates") && !parsed.on("without-selector")) {
    return fail(Code::kUsage,
                "--without-selector flag must be specified for --include-templates to work");
  }
  STRAKE_TRY(const kustomize::TextMap pairs,
             kustomize::parse_pairs(split_commas(parsed.operands()), what));
  return change_file([&](KustomizationEditor& editor) -> Result<> {
    if (what == "label" && parsed.on("without-selector")) {
      editor.append_labels(pairs, parsed.on("include-templates"));
      return {};
    }
    return editor.put_entries(what == "label" ? "commonLabels" : "commonAnnotations", pairs,
                              parsed.on("force"), what);
  });
}

Result<> add_patch(Words args) {
  STRAKE_TRY(const Arguments parsed, parse_words(kPatchFlags, args));
  kustomize::Patch patch;
  patch.path = parsed.text("path");
  patch.patch = parsed.text("patch");
  if (!patch.path.empty() && !patch.patch.empty())
    return fail(Code::kUsage, "patch and path can't be set at the same time");
  if (patch.path.empty() && patch.patch.empty())
    return fail(Code::kUsage, "must provide either patch or path");
  kustomize::Selector target;
  target.group = parsed.text("group");
  target.version = parsed.text("version");
  target.kind = parsed.text("kind");
  target.name = parsed.text("name");
  target.space = parsed.text("namespace");
  target.label_selector = parsed.text("label-selector");
  target.annotation_selector = parsed.text("annotation-selector");
  patch.target = target;
  return change_file([&](KustomizationEditor& editor) -> Result<> {
    editor.append_patch(patch);
    return {};
  });
}

Result<> add_generator(Words args, bool secret) {
  STRAKE_TRY(const Arguments parsed, parse_words(kGeneratorFlags, args));
  if (parsed.operands().size() != 1) return fail(Code::kUsage, "name must be specified once");
  kustomize::GeneratorArgs generator;
  generator.name = parsed.operands()[0];
  generator.space = parsed.text("namespace");
  generator.behavior = parsed.text("behavior");
  generator.literals = parsed.texts("from-literal");
  generator.files = parsed.texts("from-file");
  generator.envs = parsed.texts("from-env-file");
  generator.type = parsed.text("type");
  if (generator.literals.empty() && generator.files.empty() && generator.envs.empty()) {
    return fail(Code::kUsage, "at least from-env-file, or from-file or from-literal must be set");
  }
  if (parsed.on("disableNameSuffixHash")) generator.options.emplace().disable_hash = true;
  return change_file(
      [&](KustomizationEditor& editor) { return editor.append_generator(secret, generator); });
}

Result<> run_add(Words args, Io& io) {
  if (args.empty()) return fail(Code::kUsage, "edit add needs what to add");
  const std::string& what = args[0];
  const Words rest = args.subspan(1);
  if (what == "resource") return add_to_list(rest, "resources", what, true, io);
  if (what == "base")
    return add_to_list(split_commas({rest.begin(), rest.end()}), "resources", what, true, io);
  if (what == "component") return add_to_list(rest, "components", what, true, io);
  if (what == "generator") return add_to_list(rest, "generators", what, true, io);
  if (what == "transformer") return add_to_list(rest, "transformers", what, true, io);
  if (what == "buildmetadata")
    return add_to_list(split_commas({rest.begin(), rest.end()}), "buildMetadata", what, false, io);
  if (what == "label" || what == "annotation") return add_labels(rest, what);
  if (what == "patch") return add_patch(rest);
  if (what == "configmap" || what == "secret") return add_generator(rest, what == "secret");
  return fail(Code::kUsage, "unknown command \"{}\" for \"kustomize edit add\"", what);
}

Result<> run_remove(Words args, Io& io) {
  if (args.empty()) return fail(Code::kUsage, "edit remove needs what to remove");
  const std::string& what = args[0];
  STRAKE_TRY(const Arguments parsed, parse_words({}, args.subspan(1)));
  const std::vector<std::string> operands = split_commas(parsed.operands());
  STRAKE_CHECK(need(parsed.operands(), what));
  if (what == "label" || what == "annotation") {
    return change_file([&](KustomizationEditor& editor) {
      return editor.remove_entries(what == "label" ? "commonLabels" : "commonAnnotations", operands,
                                   what);
    });
  }
  const std::string_view field = what == "resource"        ? "resources"
                                 : what == "transformer"   ? "transformers"
                                 : what == "buildmetadata" ? "buildMetadata"
                                                           : "";
  if (field.empty())
    return fail(Code::kUsage, "unknown command \"{}\" for \"kustomize edit remove\"", what);
  return change_file([&](KustomizationEditor& editor) -> Result<> {
    for (const std::string& text : operands) {
      if (!editor.remove_text(field, text))
        io.err.write(fmt::format("{} {} doesn't exist in kustomization file\n", what, text));
    }
    return {};
  });
}

Result<> run_fix() {
  return change_file([](KustomizationEditor& editor) {
    return editor.fix([](const std::string& path) {
      std::error_code error;
      return fs::is_regular_file(path, error);
    });
  });
}

bool holds_resources(const std::string& path) {
  auto text = DiskTree().read(path, kMostFileBytes);
  if (!text) return false;
  kustomize::BuildContext context;
  return kustomize::read_resources(*std::move(text), context).has_value();
}

Result<> detect(const fs::path& folder, bool recursive, std::vector<std::string>& out) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  if (error) return fail(Code::kIo, "cannot read {}: {}", folder.string(), error.message());
  std::ranges::sort(entries);
  for (const fs::path& path : entries) {
    const std::string name = path.lexically_normal().string();
    if (!fs::is_directory(path, error)) {
      if (holds_resources(name)) out.push_back(name);
      continue;
    }
    if (!recursive) continue;
    const bool kustomized = std::ranges::any_of(
        kFileNames, [&](std::string_view one) { return is_there((path / one).string()); });
    if (kustomized) {
      out.push_back(name);
    } else {
      STRAKE_CHECK(detect(path, recursive, out));
    }
  }
  return {};
}

}  // namespace

Result<> edit_kustomization(Words args, Io& io) {
  if (args.empty()) return fail(Code::kUsage, "edit needs one of: add, fix, remove, set");
  const Words rest = args.subspan(1);
  if (args[0] == "set") return run_set(rest);
  if (args[0] == "add") return run_add(rest, io);
  if (args[0] == "remove") return run_remove(rest, io);
  if (args[0] == "fix") return run_fix();
  return fail(Code::kUsage, "unknown command \"{}\" for \"kustomize edit\"", args[0]);
}

Result<> create_kustomization(Words args, Io& io) {
  static_cast<void>(io);
  constexpr FlagSpec kFlags[] = {
      {.name = "resources", .kind = FlagKind::kText, .value_name = "FILES", .summary = "to add"},
      {.name = "namespace", .kind = FlagKind::kText, .value_name = "NS", .summary = "to set"},
      {.name = "annotations", .kind = FlagKind::kText, .value_name = "K:V", .summary = "to add"},
      {.name = "labels", .kind = FlagKind::kText, .value_name = "K:V", .summary = "to add"},
      {.name = "nameprefix", .kind = FlagKind::kText, .value_name = "TEXT", .summary = "to set"},
      {.name = "namesuffix", .kind = FlagKind::kText, .value_name = "TEXT", .summary = "to set"},
      {.name = "autodetect", .summary = "add the resources of this folder"},
      {.name = "recursive", .summary = "and of those below"},
  };
  STRAKE_TRY(const Arguments parsed, parse_words(kFlags, args));
  std::vector<std::string> resources;
  if (parsed.given("resources")) {
    STRAKE_TRY(resources, expand(split_commas({std::string(parsed.text("resources"))}), true));
  }
  if (find_file()) return fail(Code::kAlreadyExists, "kustomization file already exists");
  if (parsed.on("autodetect")) STRAKE_CHECK(detect(".", parsed.on("recursive"), resources));
  STRAKE_TRY(KustomizationEditor editor, KustomizationEditor::read(""));
  for (const std::string& resource : resources) editor.append_text("resources", resource);
  editor.set_text("namespace", parsed.text("namespace"));
  editor.set_text("namePrefix", parsed.text("nameprefix"));
  editor.set_text("nameSuffix", parsed.text("namesuffix"));
  const auto add = [&](std::string_view flag, std::string_view field,
                       std::string_view what) -> Result<> {
    if (!parsed.given(flag)) return {};
    STRAKE_TRY(const kustomize::TextMap pairs,
               kustomize::parse_pairs(split_commas({std::string(parsed.text(flag))}), what));
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
