// `kustomize edit set`.
#include <algorithm>
#include <functional>

#include "cli/build/kustomize_file.h"
#include "cli/kustomize/kustomize_command.h"
#include "cli/kustomize/kustomize_edit.h"
#include "kustomize/edit/edit_arguments.h"

namespace strake::cli {
namespace {

using kustomize::KustomizationEditor;

constexpr FlagSpec kSetGeneratorFlags[] = {
    {.name = "from-literal",
     .kind = FlagKind::kTexts,
     .value_name = "K=V",
     .summary = "a key and its value"},
    {.name = "namespace",
     .kind = FlagKind::kText,
     .value_name = "NS",
     .summary = "namespace of the generator to change"},
    {.name = "new-namespace",
     .kind = FlagKind::kText,
     .value_name = "NS",
     .summary = "its new namespace"},
};

Result<> set_one_text(Words args, std::string_view field, std::string_view what) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  if (parsed.operands().size() != 1)
    return fail(Code::kUsage, "must specify exactly one {} value", what);
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    editor.set_text(field, parsed.operands()[0]);
    return {};
  });
}

Result<> set_image(Words args) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  if (parsed.operands().empty()) return fail(Code::kUsage, "no image specified");
  std::vector<kustomize::Image> images;
  for (const std::string& text : parsed.operands()) {
    STRAKE_TRY(kustomize::Image image, kustomize::parse_image_argument(text));
    images.push_back(std::move(image));
  }
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    editor.set_images(images);
    return {};
  });
}

Result<> set_replicas(Words args) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  if (parsed.operands().empty()) return fail(Code::kUsage, "no replicas specified");
  std::vector<kustomize::Replica> replicas;
  for (const std::string& text : parsed.operands()) {
    STRAKE_TRY(kustomize::Replica replica, kustomize::parse_replica_argument(text));
    replicas.push_back(std::move(replica));
  }
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    editor.set_replicas(replicas);
    return {};
  });
}

Result<> set_metadata(Words args, std::string_view field, std::string_view what) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  STRAKE_CHECK(need_words(parsed.operands(), what));
  STRAKE_TRY(const kustomize::TextMap pairs, kustomize::parse_pairs(parsed.operands(), what));
  for (const auto& [key, value] : pairs) {
    if (what == "annotation" && !kustomize::is_annotation_key(key)) {
      return fail(Code::kUsage,
                  "invalid annotation key: see the syntax and character set rules at "
                  "https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/");
    }
  }
  return change_kustomization(
      [&](KustomizationEditor& editor) { return editor.put_entries(field, pairs, true, what); });
}

Result<> set_build_metadata(Words args) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words({}, args));
  STRAKE_TRY(const std::vector<std::string> options, read_build_metadata(parsed.operands()));
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    editor.set_texts("buildMetadata", options);
    return {};
  });
}

Result<> set_generator(Words args, bool secret) {
  STRAKE_TRY(const Arguments parsed, parse_edit_words(kSetGeneratorFlags, args));
  const std::string new_namespace(parsed.text("new-namespace"));
  kustomize::GeneratorArgs generator;
  if (parsed.operands().size() != 1)
    return fail(Code::kUsage, "failed to validate flags: name must be specified once");
  generator.name = parsed.operands()[0];
  generator.namespace_name = parsed.text("namespace");
  generator.literals = parsed.texts("from-literal");
  if (generator.literals.empty() && new_namespace.empty()) {
    return fail(Code::kUsage,
                "failed to validate flags: at least one of [--from-literal, --new-namespace] must "
                "be specified");
  }
  return change_kustomization([&](KustomizationEditor& editor) -> Result<> {
    const auto failed = [&](const Error& error) {
      return fail(error.code(), "failed to create {}: {}", secret ? "secret" : "configmap",
                  error.message());
    };
    if (const Result<> set = editor.set_generator(secret, generator, new_namespace); !set)
      return failed(set.error());
    const Result<> checked =
        check_generator(editor, secret, generator.name,
                        new_namespace.empty() ? generator.namespace_name : new_namespace);
    if (!checked) {
      Error error = checked.error();
      return failed(std::move(error).prefixed(
          fmt::format("failed to validate {} structure", secret ? "Secret" : "ConfigMap")));
    }
    return {};
  });
}

constexpr KustomizeCommand kSetCommands[] = {
    {.name = "annotation",
     .operands = "KEY:VALUE...",
     .summary = "Sets one or more commonAnnotations",
     .run = [](Words args, Io&) { return set_metadata(args, "commonAnnotations", "annotation"); }},
    {.name = "buildmetadata",
     .operands = "OPTION[,OPTION...]",
     .summary = "Sets buildMetadata",
     .run = [](Words args, Io&) { return set_build_metadata(args); }},
    {.name = "configmap",
     .operands = "NAME",
     .summary = "Gives literals of a configMapGenerator new values",
     .flags = kSetGeneratorFlags,
     .run = [](Words args, Io&) { return set_generator(args, false); }},
    {.name = "image",
     .operands = "NAME=NEWNAME:TAG...",
     .summary = "Sets images: new names, tags or digests",
     .run = [](Words args, Io&) { return set_image(args); }},
    {.name = "label",
     .operands = "KEY:VALUE...",
     .summary = "Sets one or more commonLabels",
     .run = [](Words args, Io&) { return set_metadata(args, "commonLabels", "label"); }},
    {.name = "nameprefix",
     .operands = "PREFIX",
     .summary = "Sets namePrefix",
     .run = [](Words args, Io&) { return set_one_text(args, "namePrefix", "prefix"); }},
    {.name = "namespace",
     .operands = "NAME",
     .summary = "Sets namespace",
     .run = [](Words args, Io&) { return set_one_text(args, "namespace", "namespace"); }},
    {.name = "namesuffix",
     .operands = "SUFFIX",
     .summary = "Sets nameSuffix",
     .run = [](Words args, Io&) { return set_one_text(args, "nameSuffix", "suffix"); }},
    {.name = "replicas",
     .operands = "NAME=COUNT...",
     .summary = "Sets replicas",
     .run = [](Words args, Io&) { return set_replicas(args); }},
    {.name = "secret",
     .operands = "NAME",
     .summary = "Gives literals of a secretGenerator new values",
     .flags = kSetGeneratorFlags,
     .run = [](Words args, Io&) { return set_generator(args, true); }},
};

}  // namespace

Result<> edit_set(Words args, Io& io) {
  return run_kustomize_family("edit set",
                              "Sets the value of different fields in kustomization file",
                              kSetCommands, args, io);
}

}  // namespace strake::cli
