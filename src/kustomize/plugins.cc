#include "kustomize/plugins.h"

#include "kustomize/config/json_decode.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/file/paths.h"
#include "kustomize/generators.h"
#include "kustomize/transform/field_transformers.h"
#include "kustomize/transform/name_transformers.h"
#include "kustomize/transform/patch_transformer.h"
#include "kustomize/transform/replacement.h"
#include "kustomize/tree/node_value.h"

// Maps configuration objects to the transformers that the fields of a kustomization use. They are
// read by decoders that are not strict: kustomize v5.5.0 ignores unknown fields here, which it
// refuses in a kustomization.

namespace strake::kustomize {
namespace {

using value::Value;
using Made = Result<std::unique_ptr<Transformer>>;

JsonDecoder::Read field_specs(JsonDecoder& d, FieldSpecs& out) {
  return d.list(out, "[]types.FieldSpec", read_field_spec);
}

void read_value_target(JsonDecoder& d, const Value& v, ValueTarget& out) {
  d.structure(v, "Target",
              {{"selector", d.optional(out.selector, read_selector)},
               {"fieldPath", d.text(out.field_path)},
               {"filePathPosition", d.whole(out.position, "int")}});
}

Made make_labels(const Value& v, std::string_view kind, std::string_view field) {
  TextMap entries;
  FieldSpecs fields;
  JsonDecoder d(false);
  d.structure(v, kind, {{field, d.text_map(entries)}, {"fieldSpecs", field_specs(d, fields)}});
  STRAKE_CHECK(d.result());
  return make_entries(entries, fields);
}

Result<> check_field_specs(const Value& v) {
  const Value* found = v.find("fieldSpecs");
  if (found != nullptr && !found->is_null()) return {};
  return fail(Code::kInvalid, "fieldSpecs is not expected to be nil");
}

Made make_affix(const Value& v, bool prefix) {
  std::string text;
  FieldSpecs fields;
  JsonDecoder d(false);
  d.structure(
      v, prefix ? "PrefixTransformerPlugin" : "SuffixTransformerPlugin",
      {{prefix ? "prefix" : "suffix", d.text(text)}, {"fieldSpecs", field_specs(d, fields)}});
  STRAKE_CHECK(d.result());
  STRAKE_CHECK(check_field_specs(v));
  return prefix ? make_prefix(text, fields) : make_suffix(text, fields);
}

// Two in one, of older times.
class Both final : public Transformer {
 public:
  Both(std::unique_ptr<Transformer> first, std::unique_ptr<Transformer> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    STRAKE_CHECK(first_->transform(set, context));
    return second_->transform(set, context);
  }

 private:
  std::unique_ptr<Transformer> first_;
  std::unique_ptr<Transformer> second_;
};

Made make_both_affixes(const Value& v) {
  std::string prefix;
  std::string suffix;
  FieldSpecs fields;
  JsonDecoder d(false);
  d.structure(v, "PrefixSuffixTransformerPlugin",
              {{"prefix", d.text(prefix)},
               {"suffix", d.text(suffix)},
               {"fieldSpecs", field_specs(d, fields)}});
  STRAKE_CHECK(d.result());
  STRAKE_CHECK(check_field_specs(v));
  return std::make_unique<Both>(make_prefix(prefix, fields), make_suffix(suffix, fields));
}

Made make_namespace_plugin(const Value& v) {
  std::string namespace_name;
  std::string subjects;
  FieldSpecs fields;
  NamespaceOptions options;
  JsonDecoder d(false);
  d.structure(v, "NamespaceTransformerPlugin",
              {{"metadata",
                [&](const Value& meta) {
                  d.structure(meta, "ObjectMeta", {{"namespace", d.text(namespace_name)}});
                }},
               {"fieldSpecs", field_specs(d, fields)},
               {"unsetOnly", d.flag(options.unset_only)},
               {"setRoleBindingSubjects", d.text(subjects)}});
  STRAKE_CHECK(d.result());
  if (subjects == "allServiceAccounts") {
    options.subjects = SubjectMode::kAllServiceAccounts;
  } else if (subjects == "none") {
    options.subjects = SubjectMode::kNone;
  } else if (!subjects.empty() && subjects != "defaultOnly") {
    return fail(Code::kInvalid,
                "invalid value \"{}\" for setRoleBindingSubjects: must be one of \"defaultOnly\", "
                "\"none\" or \"allServiceAccounts\"",
                subjects);
  }
  return make_namespace(namespace_name, fields, options);
}

Made make_image_plugin(const Value& v) {
  Image image;
  FieldSpecs fields;
  JsonDecoder d(false);
  d.structure(v, "ImageTagTransformerPlugin",
              {{"imageTag", d.plain(image, read_image)}, {"fieldSpecs", field_specs(d, fields)}});
  STRAKE_CHECK(d.result());
  return make_image(image, fields);
}

Made make_replica_plugin(const Value& v) {
  Replica replica;
  FieldSpecs fields;
  JsonDecoder d(false);
  d.structure(
      v, "ReplicaCountTransformerPlugin",
      {{"replica", d.plain(replica, read_replica)}, {"fieldSpecs", field_specs(d, fields)}});
  STRAKE_CHECK(d.result());
  return make_replica(replica, fields);
}

PatchHolder holder_of(const PluginContext& context, std::string_view kind) {
  return {.file = context.file, .step = fmt::format("transformers ({})", kind)};
}

Made make_patch_plugin(const Value& v, const PluginContext& context) {
  Patch patch;
  JsonDecoder d(false);
  d.structure(v, "PatchTransformerPlugin",
              {{"path", d.text(patch.path)},
               {"patch", d.text(patch.patch)},
               {"target", d.optional(patch.target, read_selector)},
               {"options", d.flag_map(patch.options)}});
  STRAKE_CHECK(d.result());
  return make_patch(patch, context.loader, holder_of(context, "PatchTransformer"), context.build);
}

Made make_json_patch_plugin(const Value& v, const PluginContext& context) {
  Patch patch;
  JsonDecoder d(false);
  d.structure(v, "PatchJson6902TransformerPlugin",
              {{"path", d.text(patch.path)},
               {"jsonOp", d.text(patch.patch)},
               {"target", d.optional(patch.target, read_selector)}});
  STRAKE_CHECK(d.result());
  return make_patch_json6902(patch, context.loader, holder_of(context, "PatchJson6902Transformer"),
                             context.build);
}

Made make_merge_plugin(const Value& v, const PluginContext& context) {
  std::vector<std::string> paths;
  std::string patches;
  JsonDecoder d(false);
  d.structure(v, "PatchStrategicMergeTransformerPlugin",
              {{"paths", d.texts(paths)}, {"patches", d.text(patches)}});
  STRAKE_CHECK(d.result());
  return make_patches_strategic_merge(paths, patches, context.loader,
                                      holder_of(context, "PatchStrategicMergeTransformer"),
                                      context.build);
}

Made make_replacement_plugin(const Value& v, const PluginContext& context) {
  std::vector<Replacement> entries;
  JsonDecoder d(false);
  d.structure(v, "ReplacementTransformerPlugin",
              {{"replacements", d.list(entries, "[]types.ReplacementField", read_replacement)}});
  STRAKE_CHECK(d.result());
  return make_replacements(entries, context.loader);
}

Made make_value_add_plugin(const Value& v, const PluginContext& context) {
  std::string value;
  std::string target_file;
  std::vector<ValueTarget> targets;
  JsonDecoder d(false);
  d.structure(v, "ValueAddTransformerPlugin",
              {{"value", d.text(value)},
               {"targets", d.list(targets, "[]builtins.Target", read_value_target)},
               {"targetFilePath", d.text(target_file)}});
  STRAKE_CHECK(d.result());
  if (value.empty()) value = base_name(context.loader.root());
  if (!target_file.empty()) {
    STRAKE_TRY(const std::string text, context.loader.load(target_file));
    STRAKE_TRY(const value::Document document, read_config_yaml(text));
    std::vector<ValueTarget> more;
    JsonDecoder file_decoder(false);
    file_decoder.structure(
        document.root(), "Targets",
        {{"targets", file_decoder.list(more, "[]builtins.Target", read_value_target)}});
    STRAKE_CHECK(file_decoder.result());
    targets.insert(targets.end(), more.begin(), more.end());
  }
  if (targets.empty()) return fail(Code::kInvalid, "must specify at least one target");
  for (const ValueTarget& target : targets) {
    if (target.field_path.empty()) return fail(Code::kInvalid, "fieldPath cannot be empty");
    if (target.position < 0) {
      return fail(Code::kInvalid, "value of FilePathPosition ({}) cannot be negative",
                  target.position);
    }
  }
  return make_value_add(value, std::move(targets));
}

Result<> check_builtin(const Resource& config) {
  if (config.api_version() == "builtin") return {};
  return fail(Code::kUnsupported, "external plugins disabled; unable to load external plugin '{}'",
              config.kind());
}

std::unexpected<Error> unknown(const Resource& config) {
  return fail(Code::kUnsupported, "unable to load builtin {}", config.gvk().to_string());
}

Made make_by_kind(const Resource& config, const Value& v, const PluginContext& context) {
  const std::string_view kind = config.kind();
  if (kind == "AnnotationsTransformer")
    return make_labels(v, "AnnotationsTransformerPlugin", "annotations");
  if (kind == "LabelTransformer") return make_labels(v, "LabelTransformerPlugin", "labels");
  if (kind == "PrefixTransformer") return make_affix(v, true);
  if (kind == "SuffixTransformer") return make_affix(v, false);
  if (kind == "PrefixSuffixTransformer") return make_both_affixes(v);
  if (kind == "NamespaceTransformer") return make_namespace_plugin(v);
  if (kind == "ImageTagTransformer") return make_image_plugin(v);
  if (kind == "ReplicaCountTransformer") return make_replica_plugin(v);
  if (kind == "PatchTransformer") return make_patch_plugin(v, context);
  if (kind == "PatchJson6902Transformer") return make_json_patch_plugin(v, context);
  if (kind == "PatchStrategicMergeTransformer") return make_merge_plugin(v, context);
  if (kind == "ReplacementTransformer") return make_replacement_plugin(v, context);
  if (kind == "ValueAddTransformer") return make_value_add_plugin(v, context);
  if (kind == "HashTransformer") return make_hash();
  return unknown(config);
}

Result<Resource*> run_generator(const Value& v, bool secret, const PluginContext& context) {
  GeneratorArgs args;
  JsonDecoder d(false);
  d.structure(v, secret ? "SecretArgs" : "ConfigMapArgs",
              {{"name", d.text(args.name)},
               {"namespace", d.text(args.namespace_name)},
               {"behavior", d.text(args.behavior)},
               {"literals", d.texts(args.literals)},
               {"files", d.texts(args.files)},
               {"envs", d.texts(args.envs)},
               {"env", d.text(args.env)},
               {"options", d.optional(args.options, read_generator_options)},
               {"type", d.text(args.type)}});
  STRAKE_CHECK(d.result());
  // The names in the object's metadata count where its own fields are silent.
  const Value* meta = v.find("metadata");
  const auto from_meta = [&](std::string_view key, std::string& out) {
    const Value* found = meta == nullptr ? nullptr : meta->find(key);
    if (out.empty() && found != nullptr && found->is_string()) out = found->as_string();
  };
  from_meta("name", args.name);
  from_meta("namespace", args.namespace_name);
  return secret ? generate_secret(args, context.loader, context.build)
                : generate_config_map(args, context.loader, context.build);
}

Result<Resource*> run_iam_generator(const Value& v, const PluginContext& context) {
  IamPolicyArgs args;
  JsonDecoder d(false);
  d.structure(
      v, "IAMPolicyGeneratorArgs",
      {{"cloud", d.text(args.cloud)},
       {"kubernetesService",
        [&](const Value& service) {
          d.structure(
              service, "KubernetesService",
              {{"namespace", d.text(args.service_space)}, {"name", d.text(args.service_name)}});
        }},
       {"serviceAccount", [&](const Value& account) {
          d.structure(account, "ServiceAccount",
                      {{"name", d.text(args.account_name)}, {"projectId", d.text(args.project)}});
        }}});
  STRAKE_CHECK(d.result());
  return generate_iam_policy(args, context.build);
}

template <typename T>
Result<T> configured(Result<T> made, const Resource& config, BuildContext& context) {
  if (made || made.error().code() == Code::kUnsupported) return made;
  return std::unexpected(std::move(made).error().prefixed(fmt::format(
      "plugin {} fails configuration", config.original_id(context.schemas).to_string())));
}

}  // namespace

Result<std::unique_ptr<Transformer>> make_plugin_transformer(const Resource& config,
                                                             const PluginContext& context) {
  STRAKE_CHECK(check_builtin(config));
  Arena scratch;
  STRAKE_TRY(const Value v, to_value(*config.root, scratch));
  return configured(make_by_kind(config, v, context), config, context.build);
}

Result<std::vector<Resource*>> run_plugin_generator(const Resource& config,
                                                    const PluginContext& context) {
  STRAKE_CHECK(check_builtin(config));
  Arena scratch;
  STRAKE_TRY(const Value v, to_value(*config.root, scratch));
  const std::string_view kind = config.kind();
  if (kind == "ConfigMapGenerator" || kind == "SecretGenerator") {
    STRAKE_TRY(Resource * made, configured(run_generator(v, kind == "SecretGenerator", context),
                                           config, context.build));
    return std::vector{made};
  }
  if (kind == "IAMPolicyGenerator") {
    STRAKE_TRY(Resource * made, configured(run_iam_generator(v, context), config, context.build));
    return std::vector{made};
  }
  return unknown(config);
}

}  // namespace strake::kustomize
