// `kustomize edit add`.
#include <algorithm>
#include <filesystem>

#include "cli/build/kustomize_file.h"
#include "cli/io/terminal.h"
#include "cli/kustomize/kustomize_command.h"
#include "cli/kustomize/kustomize_edit.h"
#include "kustomize/edit/edit_arguments.h"

namespace strake::cli {
namespace {

using kustomize::KustomizationEditor;

constexpr FlagSpec kResourceFlags[] = {
    {.name = "no-verify", .summary = "add without checking that the file exists"}};
constexpr FlagSpec kAnnotationFlags[] = {
    {.name = "force", .letter = 'f', .summary = "overwrite what is there"},
};
constexpr FlagSpec kLabelFlags[] = {
    {.name = "force", .letter = 'f', .summary = "overwrite what is there"},
    {.name = "without-selector", .summary = "add to labels, not to selectors"},
    {.name = "include-templates", .summary = "add to templates too; needs --without-selector"},
};
constexpr FlagSpec kFromLiteral = {.name = "from-literal",
                                   .kind = FlagKind::kTexts,
                                   .value_name = "K=V",
                                   .summary = "a key and its value"};
constexpr FlagSpec kFromFile = {.name = "from-file",
                                .kind = FlagKind::kTexts,
                                .value_name = "FILE",
                                .summary = "a file, or KEY=FILE"};
constexpr FlagSpec kFromEnvFile = {.name = "from-env-file",
                                   .kind = FlagKind::kText,
                                   .value_name = "FILE",
                                   .summary = "a file with a K=V a line"};
constexpr FlagSpec kWithoutHash = {.name = "disableNameSuffixHash",
                                   .summary = "no hash in the name"};
constexpr FlagSpec kOfNamespace = {.name = "namespace",
                                   .kind = FlagKind::kText,
                                   .value_name = "NS",
                                   .summary = "namespace of what is generated"};
constexpr FlagSpec kConfigMapFlags[] = {
    kFromLiteral,
    kFromFile,
    kFromEnvFile,
    kWithoutHash,
    kOfNamespace,
    {.name = "behavior",
     .kind = FlagKind::kText,
     .value_name = "B",
     .summary = "what an overlay does: create, merge or replace"},
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
     .summary = "type of the secret"},
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
        io.err.write(fmt::format("{} {} already in kustomization file\n", what, printable(path)));
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
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kPatchFlags, args));
  STRAKE_TRY(const kustomize::Patch patch, read_patch_flags(parsed));
  if (patch.path.empty() && patch.patch.empty())
    return fail(Code::kUsage, "must provide either patch or path");
  return maybe_change_kustomization([&](KustomizationEditor& editor) -> Result<bool> {
    const bool added = editor.append_patch(patch);
    if (!added) {
      io.err.write(fmt::format("patch {} already in kustomization file\n",
                               printable(patch.path.empty() ? patch.patch : patch.path)));
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
  generator.namespace_name = parsed.text("namespace");
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
    const Result<> checked =
        check_generator(editor, secret, generator.name, generator.namespace_name);
    if (checked) return {};
    return fail(checked.error().code(), "failed to create {}: {}", secret ? "secret" : "configmap",
                checked.error().message());
  });
}

constexpr KustomizeCommand kAddCommands[] = {
    {.name = "annotation",
     .operands = "KEY:VALUE...",
     .summary = "Adds one or more commonAnnotations",
     .flags = kAnnotationFlags,
     .run = [](Words args, Io&) { return add_annotations(args); }},
    {.name = "base",
     .operands = "DIR[,DIR...]",
     .summary = "Adds one or more bases",
     .run = [](Words args, Io&) { return add_base(args); }},
    {.name = "buildmetadata",
     .operands = "OPTION[,OPTION...]",
     .summary = "Adds options to buildMetadata",
     .run = [](Words args, Io&) { return add_build_metadata(args); }},
    {.name = "component", .operands = "DIR...", .summary = "Adds components", .run = add_component},
    {.name = "configmap",
     .operands = "NAME",
     .summary = "Adds a configMapGenerator, or to one",
     .flags = kConfigMapFlags,
     .run = [](Words args, Io& io) { return add_generator(args, false, io); }},
    {.name = "generator",
     .operands = "FILE...",
     .summary = "Adds files with configurations of generators",
     .run = [](Words args, Io& io) { return add_plugin(args, "generators", "generator", io); }},
    {.name = "label",
     .operands = "KEY:VALUE...",
     .summary = "Adds one or more commonLabels",
     .flags = kLabelFlags,
     .run = [](Words args, Io&) { return add_labels(args); }},
    {.name = "patch", .summary = "Adds a patch", .flags = kPatchFlags, .run = add_patch},
    {.name = "resource",
     .operands = "FILE|DIR|URL...",
     .summary = "Adds resources",
     .flags = kResourceFlags,
     .run = add_resource},
    {.name = "secret",
     .operands = "NAME",
     .summary = "Adds a secretGenerator, or to one",
     .flags = kSecretFlags,
     .run = [](Words args, Io& io) { return add_generator(args, true, io); }},
    {.name = "transformer",
     .operands = "FILE...",
     .summary = "Adds files with configurations of transformers",
     .run = [](Words args, Io& io) { return add_plugin(args, "transformers", "transformer", io); }},
};

}  // namespace

Result<> edit_add(Words args, Io& io) {
  return run_kustomize_family("edit add", "Adds an item to the kustomization file", kAddCommands,
                              args, io);
}

}  // namespace strake::cli
