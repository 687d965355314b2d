// The steps of a kustomization: which there are, and how they are run.
#include "kustomize/file/kustomization_places.h"
#include "kustomize/plugins.h"
#include "kustomize/target.h"
#include "kustomize/transform/field_transformers.h"
#include "kustomize/transform/name_transformers.h"
#include "kustomize/transform/patch_transformer.h"
#include "kustomize/transform/replacement.h"
#include "kustomize/transform/tracking.h"
#include "value/yaml_writer.h"

namespace strake::kustomize {
namespace {

using value::Value;

std::unexpected<Error> trouble(Error error, std::string_view kind, const std::string& config) {
  return std::unexpected(std::move(error).prefixed(
      fmt::format("trouble configuring builtin {} with config: `\n{}`", kind, config)));
}

void show(Value& object, std::string_view key, const std::string& text, Arena& arena) {
  if (!text.empty()) object.set(key, Value::string(text), arena);
}

// An entry as kustomize v5.5.0 shows it in messages.
std::string patch_text(const Patch& patch, std::string_view inline_field) {
  Arena arena;
  Value out = Value::object({});
  show(out, "path", patch.path, arena);
  show(out, inline_field, patch.patch, arena);
  if (patch.target) {
    Value target = Value::object({});
    show(target, "group", patch.target->group, arena);
    show(target, "version", patch.target->version, arena);
    show(target, "kind", patch.target->kind, arena);
    show(target, "name", patch.target->name, arena);
    show(target, "namespace", patch.target->namespace_name, arena);
    show(target, "labelSelector", patch.target->label_selector, arena);
    show(target, "annotationSelector", patch.target->annotation_selector, arena);
    out.set("target", target, arena);
  }
  if (!patch.options.empty()) {
    Value options = Value::object({});
    for (const auto& [key, on] : patch.options) options.set(key, Value::boolean(on), arena);
    out.set("options", options, arena);
  }
  return value::to_yaml(out);
}

// All resources as they are, to see whether a validator changes them.
std::vector<const Node*> copies(const ResourceSet& set, NodeArena& arena) {
  std::vector<const Node*> out;
  for (const Resource* resource : set.list()) out.push_back(arena.copy(resource->root));
  return out;
}

void remove_validated_by(Node& root) {
  Node* meta = root.find("metadata");
  Node* labels = meta == nullptr ? nullptr : meta->find("labels");
  if (labels == nullptr || !NodeArena::remove(*labels, "validated-by")) return;
  if (labels->count == 0) NodeArena::remove(*meta, "labels");
}

}  // namespace

TransformContext Target::transform_context(const Accumulator& into) const {
  TransformContext out{.build = context_, .layer = into.layer.get(), .merge = {}};
  if (file_.openapi_extras) {
    out.merge.keep_order = file_.openapi_extras->keep_order;
    out.merge.replace_items = file_.openapi_extras->replace_items;
  }
  return out;
}

void Target::add_step(std::vector<Step>& steps, std::unique_ptr<Transformer> transformer,
                      std::string_view field, std::string_view kind, std::string entry) {
  steps.push_back({.transformer = std::move(transformer),
                   .name = std::string(field),
                   .file = full_file_name(),
                   .entry = std::move(entry),
                   .origin = builtin_origin(kind)});
}

PatchHolder Target::holder(std::string_view field, std::size_t index) {
  return {.file = full_file_name(),
          .step = std::string(field),
          .place = {.in = places_, .field = std::string(field), .index = index}};
}

Result<> Target::configure_patches(std::vector<Step>& steps) {
  if (!file_.patches_strategic_merge.empty()) {
    auto made = make_patches_strategic_merge(file_.patches_strategic_merge, "", loader_,
                                             holder("patchesStrategicMerge", 0), context_);
    if (!made) {
      note_failure(made.error(), "patchesStrategicMerge");
      Arena arena;
      Value paths = Value::array({});
      for (const std::string& path : file_.patches_strategic_merge)
        paths.append(Value::string(path), arena);
      Value config = Value::object({});
      config.set("paths", paths, arena);
      return trouble(std::move(made).error(), "PatchStrategicMergeTransformer",
                     value::to_yaml(config));
    }
    add_step(steps, *std::move(made), "patchesStrategicMerge", "PatchStrategicMergeTransformer");
  }
  for (std::size_t i = 0; i < file_.patches.size(); ++i) {
    const Patch& patch = file_.patches[i];
    auto made = make_patch(patch, loader_, holder("patches", i), context_);
    if (!made) {
      const std::string config = patch_text(patch, "patch");
      Error error = std::move(made).error();
      // These two show the entry once more.
      if (error.message().ends_with('\n')) error = Error(error.code(), error.message() + config);
      note_failure(error, "patches", patch.path.empty() ? patch.patch : patch.path);
      return trouble(std::move(error), "PatchTransformer", config);
    }
    add_step(steps, *std::move(made), "patches", "PatchTransformer",
             patch.path.empty() ? patch.patch : patch.path);
  }
  return {};
}

Result<> Target::configure_labels(const TransformerConfig& config, std::vector<Step>& steps) {
  if (file_.labels.empty() && file_.common_labels.empty()) return {};
  for (const Labels& labels : file_.labels) {
    FieldSpecs specs = labels.fields;
    const auto merge = [&](const FieldSpecs& more, std::string_view context) -> Result<> {
      Result<> done = merge_specs(specs, more);
      return done ? done : std::unexpected(std::move(done).error().prefixed(context));
    };
    STRAKE_CHECK(merge(config.labels, "failed to merge labels"));
    if (labels.include_selectors) {
      STRAKE_CHECK(merge(config.common_labels, "failed to merge labels"));
    } else {
      if (labels.include_templates)
        STRAKE_CHECK(merge(config.template_labels, "failed to merge template fieldSpec"));
      FieldSpec metadata;
      metadata.path = "metadata/labels";
      metadata.create = true;
      STRAKE_CHECK(merge({metadata}, "failed to merge labels"));
    }
    add_step(steps, make_entries(labels.pairs, specs), "labels", "LabelTransformer");
  }
  // Runs whether or not there are any.
  add_step(steps, make_entries(file_.common_labels, config.common_labels), "commonLabels",
           "LabelTransformer");
  return {};
}

// The order of kustomize v5.5.0, which is fixed and not that of the fields in the file. Patches
// come first, so they name resources as their files do; images and replacements come last.
Result<> Target::configure_builtin(const TransformerConfig& config, std::vector<Step>& steps) {
  STRAKE_CHECK(configure_patches(steps));
  if (!file_.namespace_name.empty())
    add_step(steps, make_namespace(file_.namespace_name, config.namespace_specs, {}), "namespace",
             "NamespaceTransformer");
  if (!file_.name_prefix.empty())
    add_step(steps, make_prefix(file_.name_prefix, config.name_prefix), "namePrefix",
             "PrefixTransformer");
  if (!file_.name_suffix.empty())
    add_step(steps, make_suffix(file_.name_suffix, config.name_suffix), "nameSuffix",
             "SuffixTransformer");
  STRAKE_CHECK(configure_labels(config, steps));
  if (!file_.common_annotations.empty())
    add_step(steps, make_entries(file_.common_annotations, config.common_annotations),
             "commonAnnotations", "AnnotationsTransformer");
  for (std::size_t i = 0; i < file_.patches_json6902.size(); ++i) {
    const Patch& patch = file_.patches_json6902[i];
    auto made = make_patch_json6902(patch, loader_, holder("patchesJson6902", i), context_);
    if (!made) {
      note_failure(made.error(), "patchesJson6902", patch.path);
      return trouble(std::move(made).error(), "PatchJson6902Transformer",
                     patch_text(patch, "jsonOp"));
    }
    add_step(steps, *std::move(made), "patchesJson6902", "PatchJson6902Transformer", patch.path);
  }
  for (const Replica& replica : file_.replicas)
    add_step(steps, make_replica(replica, config.replicas), "replicas", "ReplicaCountTransformer",
             replica.name);
  for (const Image& image : file_.images) {
    auto made = make_image(image, config.images);
    if (!made) {
      note_failure(made.error(), "images", image.name);
      return std::unexpected(std::move(made).error());
    }
    add_step(steps, *std::move(made), "images", "ImageTagTransformer", image.name);
  }
  if (!file_.replacements.empty()) {
    auto made = make_replacements(file_.replacements, loader_);
    if (!made) {
      note_failure(made.error(), "replacements");
      return std::unexpected(
          std::move(made).error().prefixed("trouble configuring builtin ReplacementTransformer"));
    }
    add_step(steps, *std::move(made), "replacements", "ReplacementTransformer");
  }
  return {};
}

Result<> Target::configure_plugins(std::string_view field, const std::vector<std::string>& entries,
                                   std::vector<Step>& steps) {
  STRAKE_TRY(const std::vector<Resource*> configs, read_configs(field, entries));
  for (const Resource* config : configs) {
    auto made = make_plugin_transformer(*config, {context_, loader_, full_file_name()});
    if (!made) {
      note_failure(context_.placed(made.error(), *config->root), field);
      return std::unexpected(std::move(made).error());
    }
    steps.push_back({.transformer = *std::move(made),
                     .name = fmt::format("transformers ({})", config->kind()),
                     .file = full_file_name(),
                     .origin = plugin_origin(*config)});
  }
  return {};
}

Result<> Target::run_step(Step& step, Accumulator& into) {
  NodeArena& arena = context_.arena;
  const OriginId before = arena.origin();
  arena.set_origin(context_.origins.add({.file = step.file, .step = step.name}));
  Result<> done = step.transformer->transform(into.set, transform_context(into));
  arena.set_origin(before);
  STRAKE_CHECK(context_.schemas.check());
  if (!done) {
    note_failure(done.error(), std::string_view(step.name).substr(0, step.name.find(' ')),
                 step.entry);
    return done;
  }
  if (step.origin != nullptr) {
    for (Resource* resource : into.set.list()) {
      if (resource->origin == nullptr) {
        resource->origin = step.origin;
      } else {
        take_written_transformations(*resource, context_);
        resource->transformations.push_back(step.origin);
      }
      // kustomize v5.5.0 writes all annotations anew with these.
      if (!resource->gone() && resource->annotations() != nullptr)
        set_metadata_map(*resource->root, "annotations", text_map(resource->annotations()), arena);
    }
  }
  into.set.drop_gone();
  return {};
}

Result<> Target::run_transformers(Accumulator& into) {
  std::vector<Step> steps;
  STRAKE_CHECK(configure_builtin(*into.config, steps));
  STRAKE_CHECK(configure_plugins("transformers", file_.transformers, steps));
  for (Step& step : steps) STRAKE_CHECK(run_step(step, into));
  return {};
}

Result<> Target::run_validators(Accumulator& into) {
  if (file_.validators.empty()) return {};
  std::vector<Step> steps;
  STRAKE_CHECK(configure_plugins("validators", file_.validators, steps));
  for (Step& step : steps) {
    const std::vector<const Node*> before = copies(into.set, context_.arena);
    STRAKE_CHECK(step.transformer->transform(into.set, transform_context(into)));
    bool same = before.size() == into.set.size();
    for (std::size_t i = 0; same && i < before.size(); ++i) {
      Node* now = context_.arena.copy(into.set.list()[i]->root);
      if (now != nullptr) remove_validated_by(*now);
      same = same_tree(before[i], now);
    }
    if (!same) {
      return fail(Code::kInvalid, "validator shouldn't modify the resource map: {} changed it",
                  step.name);
    }
  }
  return {};
}

}  // namespace strake::kustomize
