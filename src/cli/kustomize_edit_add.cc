// `kustomize edit add`.
#include <algorithm>
#include <filesystem>

#include "cli/kustomize_edit.h"
#include "cli/kustomize_file.h"
#include "kustomize/edit_arguments.h"

namespace strake::cli {
namespace {

using kustomize::KustomizationEditor;

constexpr std::string_view kAddHelp =
    "Adds an item to the kustomization file\n\n"
    "Usage:\n  kustomize edit add [command]\n\n"
    "Available Commands:\n"
    "  annotation     Adds one or more commonAnnotations: KEY:VALUE...\n"
    "  base           Adds one or more bases: DIR[,DIR...]\n"
    "  buildmetadata  Adds options to buildMetadata: OPTION[,OPTION...]\n"
    "  component      Adds components: DIR...\n"
    "  configmap      Adds a configMapGenerator, or to one\n"
    "  generator      Adds files with configurations of generators\n"
    "  label          Adds one or more commonLabels: KEY:VALUE...\n"
    "  patch          Adds a patch\n"
    "  resource       Adds resources: FILE|DIR|URL...\n"
    "  secret         Adds a secretGenerator, or to one\n"
    "  transformer    Adds files with configurations of transformers\n";

constexpr FlagSpec kResourceFlags[] = {
    {.name = "no-verify", .summary = "add without checking that the file exists"}};
constexpr FlagSpec kAnnotationFlags[] = {
    {.name = "force", .letter = 'f', .summary = "overwrite what is there"},
};
constexpr FlagSpec kLabelFlags[] = {
    {.name = "force", .letter = 'f', .summary = "overwrite what is there"},
    {.name = "without-selector", .summary = "add to labels, not to selectors"},
    {.name = "include-templates", .summary = "and to templates"},
};
constexpr FlagSpec kFromLiteral = {
    .name = "from-literal", .kind = FlagKind::kTexts, .value_name = "K=V", .summary = "a value"};
constexpr FlagSpec kFromFile = {
    .name = "from-file", .kind = FlagKind::kTexts, .value_name = "FILE", .summary = "a file"};
constexpr FlagSpec kFromEnvFile = {
    .name = "from-env-file", .kind = FlagKind::kText, .value_name = "FILE", .summary = "values"};
constexpr FlagSpec kWithoutHash = {.name = "disableNameSuffixHash",
                                   .summary = "no hash in the name"};
constexpr FlagSpec kOfNamespace = {
    .name = "namespace", .kind = FlagKind::kText, .value_name = "NS", .summary = "of the resource"};
constexpr FlagSpec kConfigMapFlags[] = {
    kFromLiteral,
    kFromFile,
    kFromEnvFile,
    kWithoutHash,
    kOfNamespace,
    {.name = "behavior",
     .kind = FlagKind::kText,
     .value_name = "B",
     .summary = "create, merge, replace"},
};
constexpr FlagSpec kSecretFlags[] = {
    kFromLiteral,
    kFromFile,
    kFromEnvFile,
    kWithoutHash,
    kOfNamespace,
    {.name = "type",
     .kind = FlagKind::kText,
     .value_name = "TYPE",
     .fallback = "Opaque",
     .summary = "of the secret"},
};

// What is there already is told and passed over.
Result<> append_paths(const std::vector<std::string>& paths, std::string_view field,
                      std::string_view what, Io& io) {
  if (paths.empty()) return {};
  STRAKE_TRY(const std::string own, find_kustomization());
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    for (const std::string& path : paths) {
      if (path == own) continue;
      if (!editor.append_text(field, path))
        io.err.write(fmt::format("{} {} already in kustomization file\n", what, path));
    }
    return {};
  });
}

Result<> add_resource(Words args, Io& io) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kResourceFlags, args));
  STRAKE_CHECK(need_words(parsed.operands(), "a resource file"));
  STRAKE_TRY(const std::vector<std::string> paths,
             match_resources(parsed.operands(), !parsed.on("no-verify")));
  return append_paths(paths, "resources", "resource", io);
}

Result<> add_component(Words args, Io& io) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  STRAKE_CHECK(need_words(parsed.operands(), "a component file"));
  STRAKE_TRY(const std::vector<std::string> paths, match_resources(parsed.operands(), true));
  return append_paths(paths, "components", "component", io);
}

Result<> add_plugin(Words args, std::string_view field, std::string_view what, Io& io) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  STRAKE_CHECK(need_words(parsed.operands(),
                          fmt::format("a yaml file which contains a {} plugin resource", what)));
  return append_paths(match_files(parsed.operands(), io), field, what, io);
}

Result<> add_base(Words args) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  if (parsed.operands().size() != 1) return fail(Code::kUsage, "must specify a base directory");
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    for (const std::string& path : split_at_commas(parsed.operands()[0])) {
      std::error_code error;
      if (!std::filesystem::exists(path, error))
        return fail(Code::kNotFound, "{} does not exist", path);
      if (!editor.append_text("resources", path))
        return fail(Code::kAlreadyExists, "base {} already in kustomization file", path);
    }
    return {};
  });
}

Result<> add_build_metadata(Words args) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  STRAKE_TRY(const std::vector<std::string> options, read_build_metadata(parsed.operands()));
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    for (const std::string& option : options) {
      if (!editor.append_text("buildMetadata", option)) {
        return fail(Code::kAlreadyExists, "buildMetadata option {} already in kustomization file",
                    option);
      }
    }
    return {};
  });
}

Result<> add_annotations(Words args) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kAnnotationFlags, args));
  STRAKE_CHECK(need_words(parsed.operands(), "annotation"));
  STRAKE_TRY(const kustomize::TextMap pairs,
             kustomize::parse_pairs(parsed.operands(), "annotation"));
  return change_kustomization([&](KustomizationEditor& editor) {
    return editor.put_entries("commonAnnotations", pairs, parsed.on("force"), "annotation");
  });
}

Result<> add_labels(Words args) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kLabelFlags, args));
  STRAKE_CHECK(need_words(parsed.operands(), "label"));
  if (parsed.on("include-templates") && !parsed.on("without-selector")) {
    return fail(Code::kUsage,
                "--without-selector flag must be specified for --include-templates to work");
  }
  STRAKE_TRY(const kustomize::TextMap pairs, kustomize::parse_pairs(parsed.operands(), "label"));
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    if (!parsed.on("without-selector"))
      return editor.put_entries("commonLabels", pairs, parsed.on("force"), "label");
    editor.append_labels(pairs, parsed.on("include-templates"));
    return {};
  });
}

Result<> add_patch(Words args, Io& io) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words(patch_flags(), args));
  STRAKE_TRY(const kustomize::Patch patch, read_patch_flags(parsed));
  if (patch.path.empty() && patch.patch.empty())
    return fail(Code::kUsage, "must provide either patch or path");
  return maybe_change_kustomization([&](KustomizationEditor& editor) -> Result<bool> {
    const bool added = editor.append_patch(patch);
    if (!added) {
      io.err.write(fmt::format("patch {} already in kustomization file\n",
                               patch.path.empty() ? patch.patch : patch.path));
    }
    return added;
  });
}

// "[key=]pattern", several, also with commas between them.
Result<std::vector<std::string>> expand_file_sources(const std::vector<std::string>& given,
                                                     Io& io) {
  std::vector<std::string> out;
  for (const std::string& list : given) {
    for (const std::string& source : split_at_commas(list)) {
      const bool keyed = std::ranges::count(source, '=') == 1;
      const std::size_t equals = source.find('=');
      const std::vector<std::string> files =
          match_files({keyed ? source.substr(equals + 1) : source.substr(0, equals)}, io);
      if (!keyed || equals == 0) {
        out.insert(out.end(), files.begin(), files.end());
      } else if (files.size() != 1) {
        return fail(Code::kUsage,
                    "failed to expand file source: 'pattern '{}' catches files [{}], should catch "
                    "only one",
                    source, fmt::join(files, " "));
      } else {
        out.push_back(source.substr(0, equals + 1) + files[0]);
      }
    }
  }
  return out;
}

Result<> check_generator_flags(const Arguments& parsed, const kustomize::GeneratorArgs& generator) {
  const auto refuse = [](std::string_view why) {
    return fail(Code::kUsage, "failed to validate flags: {}", why);
  };
  if (parsed.operands().size() != 1) return refuse("name must be specified once");
  const bool others = !generator.files.empty() || !generator.literals.empty();
  if (generator.envs.empty() && !others)
    return refuse("at least from-env-file, or from-file or from-literal must be set");
  if (!generator.envs.empty() && others)
    return refuse("from-env-file cannot be combined with from-file or from-literal");
  const std::string& behavior = generator.behavior;
  if (!behavior.empty() && behavior != "create" && behavior != "merge" && behavior != "replace")
    return refuse("invalid behavior: must be one of \"create\", \"merge\", or \"replace\"");
  return {};
}

Result<> add_generator(Words args, bool secret, Io& io) {
  STRAKE_TRY(const Arguments parsed, secret ? parse_edit_words(kSecretFlags, args)
                                            : parse_edit_words(kConfigMapFlags, args));
  kustomize::GeneratorArgs generator;
  STRAKE_TRY(generator.files, expand_file_sources(parsed.texts("from-file"), io));
  generator.literals = parsed.texts("from-literal");
  if (!parsed.text("from-env-file").empty())
    generator.envs.emplace_back(parsed.text("from-env-file"));
  generator.space = parsed.text("namespace");
  if (secret) {
    generator.type = parsed.text("type");
  } else {
    generator.behavior = parsed.text("behavior");
  }
  STRAKE_CHECK(check_generator_flags(parsed, generator));
  generator.name = parsed.operands()[0];
  if (parsed.on("disableNameSuffixHash")) generator.options.emplace().disable_hash = true;
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    editor.append_generator(secret, generator);
    const Result<> checked = check_generator(editor, secret, generator.name, generator.space);
    if (checked) return {};
    return fail(checked.error().code(), "failed to create {}: {}", secret ? "secret" : "configmap",
                checked.error().message());
  });
}

}  // namespace

Result<> edit_add(Words args, Io& io) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h") {
    io.out.write(kAddHelp);
    return {};
  }
  const std::string& what = args[0];
  const Words rest = args.subspan(1);
  if (what == "resource") return add_resource(rest, io);
  if (what == "base") return add_base(rest);
  if (what == "component") return add_component(rest, io);
  if (what == "generator") return add_plugin(rest, "generators", what, io);
  if (what == "transformer") return add_plugin(rest, "transformers", what, io);
  if (what == "buildmetadata") return add_build_metadata(rest);
  if (what == "label") return add_labels(rest);
  if (what == "annotation") return add_annotations(rest);
  if (what == "patch") return add_patch(rest, io);
  if (what == "configmap" || what == "secret") return add_generator(rest, what == "secret", io);
  return fail(Code::kUsage, "unknown command \"{}\" for \"kustomize edit add\"", what);
}

}  // namespace strake::cli
