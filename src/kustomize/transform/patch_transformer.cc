#include "kustomize/transform/patch_transformer.h"

#include <algorithm>

#include "base/quote.h"
#include "base/trim.h"
#include "kustomize/transform/json6902.h"
#include "kustomize/transform/selector.h"
#include "kustomize/transform/tracking.h"
#include "kustomize/tree/node_value.h"

namespace strake::kustomize {
namespace {

// Applies one strategic merge patch to one resource. What it may not change is put back.
Result<> merge_into(Resource& target, const Resource& patch, Node* patch_root,
                    const TransformContext& context, Scopes& scopes) {
  NodeArena& arena = context.arena();
  const std::string name(target.name());
  const std::string namespace_name(target.namespace_name());
  const std::string kind(target.kind());
  if (patch.may_rename || patch.may_change_kind) target.store_id(scopes, arena);
  // kustomize keeps previous names in annotations, so a patch of annotations can change them. Here
  // they are fields of the resource, and are written out as annotations only around such a patch.
  const bool tracking = may_change_tracking(*patch_root);
  if (tracking) write_tracking(target, arena);
  Result<Node*> done =
      strategic_merge(target.root, patch_root, context.merge_schemas(), context.merge, arena);
  if (!done) {
    context.build.blame(target);
    return std::unexpected(context.build.placed(std::move(done).error(), *patch.root));
  }
  Node* merged = *done;
  if (merged == nullptr) {
    target.root = nullptr;
    return {};
  }
  if (target.gone()) return {};
  if (tracking) read_tracking(target, context.build);
  if (!patch.may_change_kind) target.set_kind(kind, arena);
  if (!patch.may_rename) target.set_name(name, arena);
  target.set_namespace_name(namespace_name, arena);
  return {};
}

// The kind and version of the target, and the kind of the patch, as kustomize v5.5.0 sets them.
Node* patch_for(const Resource& target, const Resource& patch, NodeArena& arena) {
  Resource copy;
  copy.root = arena.copy(patch.root);
  if (!target.api_version().empty()) copy.set_api_version(target.api_version(), arena);
  return copy.root;
}

Result<> merge_into_all(ResourceSet& set, const std::vector<Resource*>& targets,
                        const Resource& patch, const TransformContext& context) {
  for (Resource* target : targets) {
    STRAKE_CHECK(merge_into(*target, patch, patch_for(*target, patch, context.arena()), context,
                            set.scopes()));
  }
  std::vector<Resource*> left;
  for (Resource* resource : set.list()) {
    if (!resource->gone()) left.push_back(resource);
  }
  // The list is built anew to find ids that have become equal, which append_all() reports.
  const bool ids_stay = !patch.may_rename && !patch.may_change_kind;
  if (ids_stay && left.size() == set.size()) return {};
  set.replace_list({});
  return set.append_all(left);
}

// The one resource that the patch names. The message is kustomize's.
Result<Resource*> find_target(ResourceSet& set, const ResourceId& id) {
  const std::vector<Resource*> found = set.with_any_id(id);
  if (found.size() == 1) return found.front();
  const std::string text = id.to_string();
  return fail(Code::kNotFound, "{} matches for Id {}; failed to find unique target for patch {}",
              found.empty() ? "no" : "multiple", text, text);
}

// kustomize v5.5.0 puts annotations of its own back that the patch took away.
Result<> apply_operations(Resource& target, const std::vector<PatchOperation>& operations,
                          BuildContext& context) {
  NodeArena& arena = context.arena;
  {
    Arena scratch;
    if (const auto value = to_value(*target.root, scratch); !value)
      return std::unexpected(unprintable(value.error(), target, context));
  }
  target.root = arena.copy(target.root);  // from here on, nothing is shared
  // kustomize patches the JSON form of a resource; styles and numbers come back as JSON has them.
  STRAKE_CHECK(take_through_json(*target.root, arena));
  write_tracking(target, arena);
  TextMap kept = text_map(target.annotations());
  std::erase_if(kept, [](const auto& entry) { return !is_internal_annotation(entry.first); });
  const Resource before = target;
  if (Result<> done = apply_json_patch(target.root, operations, arena); !done) {
    context.blame(before);
    return std::unexpected(context.placed(std::move(done).error(), operations.front().origin, 0));
  }
  if (!target.root->is_map()) {
    return fail(Code::kInvalid,
                "json: cannot unmarshal array into Go value of type map[string]interface {{}}");
  }
  TextMap annotations = text_map(target.annotations());
  for (const auto& [key, text] : kept) annotations.insert_or_assign(key, text);
  set_metadata_map(*target.root, "annotations", annotations, arena);
  read_tracking(target, context);
  return {};
}

class PatchTransformer final : public Transformer {
 public:
  std::vector<Resource*> merges;
  bool is_merge = false;
  std::vector<PatchOperation> operations;
  std::optional<Selector> target;
  std::string source;

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    return is_merge ? transform_merge(set, context) : transform_json(set, context);
  }

 private:
  Result<> transform_merge(ResourceSet& set, const TransformContext& context) {
    if (target) {
      if (merges.size() > 1) {
        return fail(Code::kInvalid,
                    "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set "
                    "`patches.target` field: {}",
                    source);
      }
      if (merges.empty()) return {};
      Result<std::vector<Resource*>> selected = select(set, *target);
      if (!selected) {
        const ResourceId wanted{.gvk = {target->group, target->version, target->kind},
                                .name = target->name,
                                .namespace_name = target->namespace_name};
        const std::string text = fmt::format("{}:a={}:l={}", wanted.to_string(),
                                             target->annotation_selector, target->label_selector);
        return std::unexpected(std::move(selected).error().prefixed(
            fmt::format("unable to find patch target {} in `resources`", quote(text))));
      }
      return merge_into_all(set, *selected, *merges.front(), context);
    }
    for (const Resource* patch : merges) {
      const ResourceId id = patch->original_id(set.scopes());
      Result<Resource*> found = find_target(set, id);
      if (!found) {
        Error error = context.build.placed(std::move(found).error(), *patch->root);
        return std::unexpected(std::move(error).prefixed(
            fmt::format("no resource matches strategic merge patch {}", quote(id.to_string()))));
      }
      STRAKE_CHECK(
          merge_into(**found, *patch, context.arena().copy(patch->root), context, set.scopes()));
      if (patch->may_rename || patch->may_change_kind || (*found)->gone()) set.ids_changed();
    }
    return {};
  }

  Result<> transform_json(ResourceSet& set, const TransformContext& context) {
    if (!target) return fail(Code::kInvalid, "must specify a target for JSON patch {}", source);
    STRAKE_TRY(const std::vector<Resource*> selected, select(set, *target));
    for (Resource* resource : selected) {
      resource->store_id(set.scopes(), context.arena());
      STRAKE_CHECK(apply_operations(*resource, operations, context.build));
    }
    if (!selected.empty()) set.ids_changed();
    return {};
  }
};

class MergePatches final : public Transformer {
 public:
  std::vector<Resource*> patches;

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    for (const Resource* patch : patches) {
      Result<Resource*> target = find_target(set, patch->original_id(set.scopes()));
      if (!target)
        return std::unexpected(context.build.placed(std::move(target).error(), *patch->root));
      STRAKE_CHECK(merge_into_all(set, {*target}, *patch, context));
    }
    return {};
  }
};

class JsonPatch final : public Transformer {
 public:
  std::vector<PatchOperation> operations;
  Selector target;

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    STRAKE_TRY(const std::vector<Resource*> selected, select(set, target));
    for (Resource* resource : selected)
      STRAKE_CHECK(apply_operations(*resource, operations, context.build));
    if (!selected.empty()) set.ids_changed();
    return {};
  }
};

// Sets the origin of nodes while they are read.
class ReadingFrom {
 public:
  ReadingFrom(BuildContext& context, OriginTable::Row row)
      : arena_(context.arena), before_(context.arena.origin()) {
    arena_.set_origin(context.origins.add(std::move(row)));
  }
  ~ReadingFrom() { arena_.set_origin(before_); }
  ReadingFrom(const ReadingFrom&) = delete;
  ReadingFrom& operator=(const ReadingFrom&) = delete;

 private:
  NodeArena& arena_;
  OriginId before_;
};

std::uint32_t lines_in(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
}

// Operations are told by the step that does them, as well as by where they stand.
Result<std::vector<PatchOperation>> read_operations(std::string_view text, OriginTable::Row row,
                                                    const PatchHolder& holder,
                                                    BuildContext& context) {
  row.step = holder.step;
  const ReadingFrom reading(context, std::move(row));
  return read_json_patch(text, context.arena);
}

}  // namespace

Result<std::unique_ptr<Transformer>> make_patch(const Patch& patch, const Loader& loader,
                                                const PatchHolder& holder, BuildContext& context) {
  auto out = std::make_unique<PatchTransformer>();
  std::string text(trim(patch.patch));
  if (text.empty() && patch.path.empty())
    return fail(Code::kInvalid, "must specify one of patch and path in\n");
  if (!text.empty() && !patch.path.empty())
    return fail(Code::kInvalid, "patch and path can't be set at the same time\n");
  OriginTable::Row row{.file = holder.file, .step = {}};
  if (!text.empty()) {
    out->source = fmt::format("[patch: {}]", quote(text));
    row.place = holder.place;
    const std::string_view given = patch.patch;
    row.place->skipped = lines_in(given.substr(0, given.find(text)));
  } else {
    Result<std::string> loaded = loader.load(patch.path);
    if (!loaded) {
      return std::unexpected(std::move(loaded).error().prefixed(
          fmt::format("failed to get the patch file from path({})", patch.path)));
    }
    text = *std::move(loaded);
    row.file = loader.full_path(patch.path);
    out->source = fmt::format("[path: {}]", quote(patch.path));
  }
  const ReadingFrom reading(context, row);
  auto merges = read_resources(text, context);
  auto operations = read_operations(text, row, holder, context);
  if (merges && operations) {
    return fail(Code::kInvalid, "illegally qualifies as both an SM and JSON patch: {}",
                out->source);
  }
  if (!merges && !operations) {
    Error error(Code::kInvalid,
                fmt::format("unable to parse SM or JSON patch from {}", out->source));
    if (merges.error().position()) error = std::move(error).at(*merges.error().position());
    error = context.placed(std::move(error), context.arena.origin(), 0);
    return std::unexpected(std::move(error).because(merges.error()));
  }
  out->target = patch.target;
  if (merges) {
    const auto on = [&](std::string_view name) {
      const auto found = patch.options.find(name);
      return found != patch.options.end() && found->second;
    };
    // No document at all counts as a JSON patch of nothing.
    out->is_merge = !merges->empty();
    out->merges = *std::move(merges);
    for (Resource* one : out->merges) {
      one->may_rename = on("allowNameChange");
      one->may_change_kind = on("allowKindChange");
    }
  } else {
    out->operations = *std::move(operations);
  }
  return out;
}

Result<std::unique_ptr<Transformer>> make_patches_strategic_merge(
    const std::vector<std::string>& paths, const std::string& inline_patches, const Loader& loader,
    const PatchHolder& holder, BuildContext& context) {
  if (paths.empty() && inline_patches.empty())
    return fail(Code::kInvalid, "empty file path and empty patch content");
  auto out = std::make_unique<MergePatches>();
  const auto add = [&](const std::vector<Resource*>& more) {
    out->patches.insert(out->patches.end(), more.begin(), more.end());
  };
  OriginTable::Row inline_row{.file = holder.file, .step = {}, .place = holder.place};
  for (const std::string& path : paths) {
    {
      const ReadingFrom reading(context, inline_row);
      ++inline_row.place->index;
      if (const auto inline_patch = read_resources(path, context)) {
        add(*inline_patch);
        continue;
      }
    }
    STRAKE_TRY(std::string text, loader.load(path));
    const ReadingFrom reading(context, {.file = loader.full_path(path), .step = {}});
    Result<std::vector<Resource*>> patches = read_resources(std::move(text), context);
    if (!patches) {
      Error error = std::move(patches).error();
      error = std::move(error).in(loader.full_path(path));
      if (error.message().find("MalformedYAMLError") == std::string::npos)
        return std::unexpected(std::move(error));
      Error named(error.code(), fmt::format("{} in File: {}", error.message(), path));
      if (error.position()) named = std::move(named).at(*error.position());
      return std::unexpected(std::move(named).in(error.source()));
    }
    add(*patches);
  }
  if (!inline_patches.empty()) {
    const ReadingFrom reading(context, inline_row);
    STRAKE_TRY(const std::vector<Resource*> patches, read_resources(inline_patches, context));
    add(patches);
  }
  if (out->patches.empty()) {
    return fail(Code::kInvalid, "patch appears to be empty; files=[{}], Patch={}",
                fmt::join(paths, " "), inline_patches);
  }
  return out;
}

Result<std::unique_ptr<Transformer>> make_patch_json6902(const Patch& patch, const Loader& loader,
                                                         const PatchHolder& holder,
                                                         BuildContext& context) {
  if (!patch.target || patch.target->name.empty())
    return fail(Code::kInvalid, "must specify the target name");
  if (patch.path.empty() && patch.patch.empty())
    return fail(Code::kInvalid, "empty file path and empty jsonOp");
  if (!patch.path.empty() && !patch.patch.empty())
    return fail(Code::kInvalid, "must specify a file path or jsonOp, not both");
  std::string text = patch.patch;
  OriginTable::Row row{.file = holder.file, .step = {}};
  if (patch.path.empty()) {
    row.place = holder.place;
  } else {
    STRAKE_TRY(text, loader.load(patch.path));
    row.file = loader.full_path(patch.path);
    if (text.empty())
      return fail(Code::kInvalid, "patch file '{}' empty seems to be empty", patch.path);
  }
  auto out = std::make_unique<JsonPatch>();
  STRAKE_TRY(out->operations, read_operations(text, std::move(row), holder, context));
  if (out->operations.empty()) {
    return fail(Code::kInvalid, "patch appears to be empty; file={}, JsonOp={}", patch.path, text);
  }
  out->target = *patch.target;
  return out;
}

}  // namespace strake::kustomize
