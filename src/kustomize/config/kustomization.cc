#include "kustomize/config/kustomization.h"

#include <algorithm>

#include "value/yaml_reader.h"
#include "value/yaml_writer.h"

namespace strake::kustomize {
namespace {

using value::Value;

constexpr std::string_view kVersion = "kustomize.config.k8s.io/v1beta1";
constexpr std::string_view kComponentVersion = "kustomize.config.k8s.io/v1alpha1";

void read_patch(JsonDecoder& d, const Value& v, Patch& out) {
  d.structure(v, "Patch",
              {{"path", d.text(out.path)},
               {"patch", d.text(out.patch)},
               {"target", d.optional(out.target, read_selector)},
               {"options", d.flag_map(out.options)}});
}

void read_labels(JsonDecoder& d, const Value& v, Labels& out) {
  d.structure(v, "Label",
              {{"pairs", d.text_map(out.pairs)},
               {"includeSelectors", d.flag(out.include_selectors)},
               {"includeTemplates", d.flag(out.include_templates)},
               {"fields", d.list(out.fields, "[]types.FieldSpec", read_field_spec)}});
}

void read_field_options(JsonDecoder& d, const Value& v, FieldOptions& out) {
  d.structure(v, "FieldOptions",
              {{"delimiter", d.text(out.delimiter)},
               {"index", d.whole(out.index, "int")},
               {"encoding", d.text(out.encoding)},
               {"create", d.flag(out.create)}});
}

void read_source(JsonDecoder& d, const Value& v, ReplacementSource& out) {
  d.structure(v, "SourceSelector",
              {{"group", d.text(out.id.group)},
               {"version", d.text(out.id.version)},
               {"kind", d.text(out.id.kind)},
               {"name", d.text(out.id.name)},
               {"namespace", d.text(out.id.namespace_name)},
               {"fieldPath", d.text(out.field_path)},
               {"options", d.optional(out.options, read_field_options)}});
}

void read_target(JsonDecoder& d, const Value& v, ReplacementTarget& out) {
  d.structure(v, "TargetSelector",
              {{"select", d.optional(out.select, read_selector)},
               {"reject", d.list(out.reject, "[]*types.Selector", read_selector)},
               {"fieldPaths", d.texts(out.field_paths)},
               {"options", d.optional(out.options, read_field_options)}});
}

void read_targets(JsonDecoder& d, const Value& v, std::vector<ReplacementTarget>& out) {
  d.list(out, "[]*types.TargetSelector", read_target)(v);
}

void read_generator(JsonDecoder& d, const Value& v, GeneratorArgs& out) {
  d.structure(v, "ConfigMapArgs",
              {{"name", d.text(out.name)},
               {"namespace", d.text(out.namespace_name)},
               {"behavior", d.text(out.behavior)},
               {"literals", d.texts(out.literals)},
               {"files", d.texts(out.files)},
               {"envs", d.texts(out.envs)},
               {"env", d.text(out.env)},
               {"options", d.optional(out.options, read_generator_options)}});
}

void read_secret(JsonDecoder& d, const Value& v, GeneratorArgs& out) {
  d.structure(v, "SecretArgs",
              {{"name", d.text(out.name)},
               {"namespace", d.text(out.namespace_name)},
               {"behavior", d.text(out.behavior)},
               {"literals", d.texts(out.literals)},
               {"files", d.texts(out.files)},
               {"envs", d.texts(out.envs)},
               {"env", d.text(out.env)},
               {"options", d.optional(out.options, read_generator_options)},
               {"type", d.text(out.type)}});
}

void read_object_ref(JsonDecoder& d, const Value& v, Variable& out) {
  d.structure(v, "Target",
              {{"apiVersion", d.text(out.api_version)},
               {"group", d.text(out.group)},
               {"version", d.text(out.version)},
               {"kind", d.text(out.kind)},
               {"name", d.text(out.object_name)},
               {"namespace", d.text(out.namespace_name)}});
}

void read_field_ref(JsonDecoder& d, const Value& v, Variable& out) {
  d.structure(v, "FieldSelector", {{"fieldPath", d.text(out.field_path)}});
}

void read_variable(JsonDecoder& d, const Value& v, Variable& out) {
  d.structure(v, "Var",
              {{"name", d.text(out.name)},
               {"objref", d.plain(out, read_object_ref)},
               {"fieldref", d.plain(out, read_field_ref)}});
}

void read_legacy_order(JsonDecoder& d, const Value& v, SortOptions::Legacy& out) {
  d.structure(v, "LegacySortOptions",
              {{"orderFirst", d.texts(out.first)}, {"orderLast", d.texts(out.last)}});
}

void read_sort_options(JsonDecoder& d, const Value& v, SortOptions& out) {
  d.structure(v, "SortOptions",
              {{"order", d.text(out.order, "types.SortOrder")},
               {"legacySortOptions", d.optional(out.legacy, read_legacy_order)}});
}

void read_helm_globals(JsonDecoder& d, const Value& v, HelmGlobals& out) {
  d.structure(v, "HelmGlobals",
              {{"chartHome", d.text(out.chart_home)}, {"configHome", d.text(out.config_home)}});
}

JsonDecoder::Read inline_values(JsonDecoder& d, std::string& out) {
  return [&d, &out](const Value& v) {
    if (!v.is_object()) return d.mismatch(v, "map[string]interface {}");
    out = value::to_yaml(v);
  };
}

void read_helm_chart(JsonDecoder& d, const Value& v, HelmChart& out) {
  d.structure(v, "HelmChart",
              {{"name", d.text(out.name)},
               {"version", d.text(out.version)},
               {"repo", d.text(out.repo)},
               {"releaseName", d.text(out.release_name)},
               {"namespace", d.text(out.namespace_name)},
               {"additionalValuesFiles", d.texts(out.additional_values_files)},
               {"valuesFile", d.text(out.values_file)},
               {"valuesInline", inline_values(d, out.values_inline)},
               {"valuesMerge", d.text(out.values_merge)},
               {"includeCRDs", d.flag(out.include_crds)},
               {"skipHooks", d.flag(out.skip_hooks)},
               {"apiVersions", d.texts(out.api_versions)},
               {"kubeVersion", d.text(out.kube_version)},
               {"nameTemplate", d.text(out.name_template)},
               {"skipTests", d.flag(out.skip_tests)},
               {"debug", d.flag(out.debug)}});
}

// The older form of a chart, with what is global in it.
struct OldHelmChart {
  HelmChart chart;
  HelmGlobals globals;
  std::string unused;
  std::vector<std::string> extra_args;
};

void read_old_helm_chart(JsonDecoder& d, const Value& v, OldHelmChart& out) {
  d.structure(v, "HelmChartArgs",
              {{"chartName", d.text(out.chart.name)},
               {"chartVersion", d.text(out.chart.version)},
               {"chartRepoUrl", d.text(out.chart.repo)},
               {"chartHome", d.text(out.globals.chart_home)},
               {"chartRepoName", d.text(out.unused)},
               {"helmBin", d.text(out.unused)},
               {"helmHome", d.text(out.globals.config_home)},
               {"values", d.text(out.chart.values_file)},
               {"valuesLocal", inline_values(d, out.chart.values_inline)},
               {"valuesMerge", d.text(out.chart.values_merge)},
               {"releaseName", d.text(out.chart.release_name)},
               {"releaseNamespace", d.text(out.unused)},
               {"extraArgs", d.texts(out.extra_args)}});
}

void read_keys(JsonDecoder& d, const Value& v, SchemaLayer::Keys& out) {
  d.structure(v, "MergeKeys",
              {{"group", d.text(out.group)},
               {"version", d.text(out.version)},
               {"kind", d.text(out.kind)},
               {"path", d.text(out.path)},
               {"keys", d.texts(out.keys)}});
}

void read_extras(JsonDecoder& d, const Value& v, OpenApiExtras& out) {
  d.structure(v, "Strake",
              {{"schemas", d.texts(out.schemas)},
               {"mergeKeys", d.list(out.keys, "[]types.MergeKeys", read_keys)},
               {"keepOrder", d.flag(out.keep_order)},
               {"replaceItems", d.flag(out.replace_items)}});
}

JsonDecoder::Read open_api(JsonDecoder& d, Kustomization& k) {
  return [&d, &k](const Value& v) {
    if (!v.is_object()) return d.mismatch(v, "map[string]string");
    for (const value::Member& member : v.members()) {
      if (member.key == "strake" && member.value.is_object()) {
        read_extras(d, member.value, k.openapi_extras.emplace());
        continue;
      }
      if (!member.value.is_string() && !member.value.is_null()) {
        d.mismatch(member.value, "string");
        continue;
      }
      const std::string_view text =
          member.value.is_null() ? std::string_view() : member.value.as_string();
      if (member.key == "path") k.openapi_path = text;
      if (member.key == "version") k.openapi_version = text;
    }
  };
}

void read_metadata(JsonDecoder& d, const Value& v, Kustomization& k) {
  static_cast<void>(k);
  std::string text;
  TextMap map;
  d.structure(v, "ObjectMeta",
              {{"name", d.text(text)},
               {"namespace", d.text(text)},
               {"labels", d.text_map(map)},
               {"annotations", d.text_map(map)}});
}

struct Deprecated {
  bool bases = false;
  bool common_labels = false;
  bool image_tags = false;
  bool patches_json6902 = false;
  bool patches_strategic_merge = false;
  bool vars = false;
};

std::string warning(std::string_view old, std::string_view now, bool experimental = false) {
  return fmt::format(
      "# Warning: '{}' is deprecated. Please use '{}' instead. {}Run 'kustomize edit fix' to "
      "update "
      "your Kustomization automatically.",
      old, now, experimental ? "[EXPERIMENTAL] " : "");
}

void warn(const Deprecated& used, std::vector<std::string>& out) {
  if (used.bases) out.push_back(warning("bases", "resources"));
  if (used.common_labels) out.push_back(warning("commonLabels", "labels"));
  if (used.image_tags) out.push_back(warning("imageTags", "images"));
  if (used.patches_json6902) out.push_back(warning("patchesJson6902", "patches"));
  if (used.patches_strategic_merge) out.push_back(warning("patchesStrategicMerge", "patches"));
  if (used.vars) out.push_back(warning("vars", "replacements", true));
}

JsonDecoder::Read noted(bool& flag, JsonDecoder::Read read) {
  return [&flag, read = std::move(read)](const Value& v) {
    flag = true;
    read(v);
  };
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void move_env(std::vector<GeneratorArgs>& generators) {
  for (GeneratorArgs& one : generators) {
    if (!one.env.empty()) one.envs.push_back(std::exchange(one.env, {}));
  }
}

// Whether the file says anything beyond what it is.
bool says_something(const Value& root) {
  if (!root.is_object()) return false;
  return std::ranges::any_of(root.members(), [](const value::Member& member) {
    const auto is = [&](std::string_view name) {
      return std::ranges::equal(member.key, name,
                                [](char a, char b) { return (a | 0x20) == (b | 0x20); });
    };
    if (is("apiVersion") || is("kind") || member.value.is_null()) return false;
    return !member.value.is_string() || !member.value.as_string().empty();
  });
}

Result<> check_kind(const Kustomization& k, std::string_view root) {
  std::vector<std::string> wrong;
  if (k.kind != "Kustomization" && k.kind != "Component")
    wrong.emplace_back("kind should be Kustomization or Component");
  const std::string_view wanted = k.is_component() ? kComponentVersion : kVersion;
  if (k.api_version != wanted)
    wrong.push_back(fmt::format("apiVersion for {} should be {}", k.kind, wanted));
  if (wrong.empty()) return {};
  return fail(Code::kInvalid, "Failed to read kustomization file under {}:\n{}", root,
              fmt::join(wrong, "\n"));
}

}  // namespace

void read_selector(JsonDecoder& d, const Value& v, Selector& out) {
  d.structure(v, "Selector",
              {{"group", d.text(out.group)},
               {"version", d.text(out.version)},
               {"kind", d.text(out.kind)},
               {"name", d.text(out.name)},
               {"namespace", d.text(out.namespace_name)},
               {"labelSelector", d.text(out.label_selector)},
               {"annotationSelector", d.text(out.annotation_selector)}});
}

void read_field_spec(JsonDecoder& d, const Value& v, FieldSpec& out) {
  d.structure(v, "FieldSpec",
              {{"group", d.text(out.group)},
               {"version", d.text(out.version)},
               {"kind", d.text(out.kind)},
               {"path", d.text(out.path)},
               {"create", d.flag(out.create)}});
}

void read_image(JsonDecoder& d, const Value& v, Image& out) {
  d.structure(v, "Image",
              {{"name", d.text(out.name)},
               {"newName", d.text(out.new_name)},
               {"tagSuffix", d.text(out.tag_suffix)},
               {"newTag", d.text(out.new_tag)},
               {"digest", d.text(out.digest)}});
}

void read_replica(JsonDecoder& d, const Value& v, Replica& out) {
  d.structure(v, "Replica", {{"name", d.text(out.name)}, {"count", d.whole(out.count)}});
}

void read_replacement(JsonDecoder& d, const Value& v, Replacement& out) {
  d.structure(v, "ReplacementField",
              {{"source", d.optional(out.source, read_source)},
               {"targets", d.optional(out.targets, read_targets)},
               {"path", d.text(out.path)}});
}

void read_generator_options(JsonDecoder& d, const Value& v, GeneratorOptions& out) {
  d.structure(v, "GeneratorOptions",
              {{"labels", d.text_map(out.labels)},
               {"annotations", d.text_map(out.annotations)},
               {"disableNameSuffixHash", d.flag(out.disable_hash)},
               {"immutable", d.flag(out.immutable)}});
}

std::optional<GeneratorOptions> with_global(std::optional<GeneratorOptions> local,
                                            const std::optional<GeneratorOptions>& global) {
  if (!global) return local;
  GeneratorOptions merged = std::move(local).value_or(GeneratorOptions{});
  // insert() keeps what is there: entries of the generator win over global ones. Flags can only be
  // set, not cleared, since false cannot be told from absent.
  merged.labels.insert(global->labels.begin(), global->labels.end());
  merged.annotations.insert(global->annotations.begin(), global->annotations.end());
  merged.disable_hash = merged.disable_hash || global->disable_hash;
  merged.immutable = merged.immutable || global->immutable;
  return merged;
}

Result<value::Document> read_config_yaml(std::string_view text, bool positions) {
  value::ReadOptions options;
  options.positions = positions;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.limits.depth = 1000;
  return value::read_yaml(text, options);
}

Result<value::Document> read_kustomization_yaml(std::string_view text) {
  auto document = read_config_yaml(text, true);
  if (!document)
    return std::unexpected(std::move(document).error().prefixed("invalid Kustomization"));
  return document;
}

Result<Kustomization> read_kustomization(std::string_view text, std::string_view root) {
  STRAKE_TRY(const value::Document document, read_kustomization_yaml(text));
  return decode_kustomization(document.root(), root);
}

Result<Kustomization> decode_kustomization(const Value& top, std::string_view root) {
  Kustomization k;
  Deprecated used;
  std::vector<std::string> bases;
  std::vector<Image> image_tags;
  std::vector<OldHelmChart> old_charts;
  JsonDecoder d(true);
  if (!top.is_null()) {
    d.structure(
        top, "Kustomization",
        {{"apiVersion", d.text(k.api_version)},
         {"kind", d.text(k.kind)},
         {"metadata", d.plain(k, read_metadata)},
         {"openapi", open_api(d, k)},
         {"namePrefix", d.text(k.name_prefix)},
         {"nameSuffix", d.text(k.name_suffix)},
         {"namespace", d.text(k.namespace_name)},
         {"commonLabels", noted(used.common_labels, d.text_map(k.common_labels))},
         {"labels", d.list(k.labels, "[]types.Label", read_labels)},
         {"commonAnnotations", d.text_map(k.common_annotations)},
         {"patchesStrategicMerge",
          noted(used.patches_strategic_merge, d.texts(k.patches_strategic_merge))},
         {"patchesJson6902",
          noted(used.patches_json6902, d.list(k.patches_json6902, "[]types.Patch", read_patch))},
         {"patches", d.list(k.patches, "[]types.Patch", read_patch)},
         {"images", d.list(k.images, "[]types.Image", read_image)},
         {"imageTags", noted(used.image_tags, d.list(image_tags, "[]types.Image", read_image))},
         {"replacements", d.list(k.replacements, "[]types.ReplacementField", read_replacement)},
         {"replicas", d.list(k.replicas, "[]types.Replica", read_replica)},
         {"vars", noted(used.vars, d.list(k.vars, "[]types.Var", read_variable))},
         {"sortOptions", d.optional(k.sort_options, read_sort_options)},
         {"resources", d.texts(k.resources)},
         {"components", d.texts(k.components)},
         {"crds", d.texts(k.crds)},
         {"bases", noted(used.bases, d.texts(bases))},
         {"configMapGenerator", d.list(k.config_maps, "[]types.ConfigMapArgs", read_generator)},
         {"secretGenerator", d.list(k.secrets, "[]types.SecretArgs", read_secret)},
         {"helmGlobals", d.optional(k.helm_globals, read_helm_globals)},
         {"helmCharts", d.list(k.helm_charts, "[]types.HelmChart", read_helm_chart)},
         {"helmChartInflationGenerator",
          d.list(old_charts, "[]types.HelmChartArgs", read_old_helm_chart)},
         {"generatorOptions", d.optional(k.generator_options, read_generator_options)},
         {"configurations", d.texts(k.configurations)},
         {"generators", d.texts(k.generators)},
         {"transformers", d.texts(k.transformers)},
         {"validators", d.texts(k.validators)},
         {"buildMetadata", d.texts(k.build_metadata)}});
  }
  if (auto decoded = d.result(); !decoded)
    return std::unexpected(std::move(decoded).error().prefixed("invalid Kustomization"));
  warn(used, k.warnings);

  // Deprecated fields are folded into those that replaced them, so that the build knows one form
  // only. They come behind what is there: order decides the output, and which image entry is
  // applied last.
  if (k.kind.empty()) k.kind = "Kustomization";
  if (k.api_version.empty()) k.api_version = k.is_component() ? kComponentVersion : kVersion;
  append(k.resources, bases);
  k.images.insert(k.images.end(), image_tags.begin(), image_tags.end());
  move_env(k.config_maps);
  move_env(k.secrets);
  for (OldHelmChart& old : old_charts) {
    if (!k.helm_globals && (!old.globals.chart_home.empty() || !old.globals.config_home.empty()))
      k.helm_globals = old.globals;
    k.helm_charts.push_back(std::move(old.chart));
  }
  if (!says_something(top)) return fail(Code::kInvalid, "kustomization.yaml is empty");
  STRAKE_CHECK(check_kind(k, root));
  return k;
}

}  // namespace strake::kustomize
