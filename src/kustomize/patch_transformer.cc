#include "kustomize/patch_transformer.h"

#include <unordered_set>

#include "base/quote.h"
#include "kustomize/json6902.h"
#include "kustomize/node_value.h"
#include "kustomize/selector.h"

namespace strake::kustomize {
namespace {

std::string_view without_outer_space(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n\v\f");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n\v\f") - from + 1);
}

// Applies one strategic merge patch to one resource. What it may not change is put back.
Result<> merge_into(Resource& target, const Resource& patch, Node* patch_root,
                    const TransformContext& context, Scopes& scopes) {
  NodeArena& arena = context.arena();
  const std::string name(target.name());
  const std::string space(target.space());
  const std::string kind(target.kind());
  if (patch.may_rename || patch.may_change_kind) target.store_id(scopes, arena);
  Result<Node*> done =
      strategic_merge(target.root, patch_root, context.merge_schemas(), context.merge, arena);
  if (!done) return std::unexpected(context.build.placed(std::move(done).error(), *patch.root));
  Node* merged = *done;
  if (merged == nullptr) {
    target.root = nullptr;
    return {};
  }
  if (target.gone()) return {};
  if (!patch.may_change_kind) target.set_kind(kind, arena);
  if (!patch.may_rename) target.set_name(name, arena);
  target.set_space(space, arena);
  return {};
}

// The kind and version of the target, and the kind of the patch, as the reference sets them.
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
  const bool ids_stay = !patch.may_rename && !patch.may_change_kind;
  if (ids_stay && left.size() == set.size()) return {};
  set.replace_list({});
  return set.append_all(left);
}

// The one resource that the patch names. The message is the reference's.
Result<Resource*> find_target(ResourceSet& set, const ResourceId& id) {
  const std::vector<Resource*> found = set.with_any_id(id);
  if (found.size() == 1) return found.front();
  const std::string text = id.to_string();
  return fail(Code::kNotFound, "{} matches for Id {}; failed to find unique target for patch {}",
              found.empty() ? "no" : "multiple", text, text);
}

Result<> apply_operations(Resource& target, const std::vector<PatchOperation>& operations,
                          bool has_annotations, NodeArena& arena) {
  {
    Arena scratch;
    STRAKE_CHECK(to_value(*target.root, scratch));  // what has no JSON form fails here
  }
  STRAKE_CHECK(take_through_json(*target.root, arena));
  // By now the reference has annotations of its own on it.
  if (has_annotations) arena.map_at(*arena.map_at(*target.root, "metadata"), "annotations");
  return apply_json_patch(target.root, operations, arena);
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
                                .space = target->space};
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
      STRAKE_CHECK(apply_operations(*resource, operations, true, context.arena()));
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
    for (Resource* resource : selected) {
      const bool tracked = !resource->previous.empty() || !resource->prefixes.empty() ||
                           !resource->suffixes.empty() || resource->generated;
      STRAKE_CHECK(apply_operations(*resource, operations, tracked, context.arena()));
    }
    if (!selected.empty()) set.ids_changed();
    return {};
  }
};

// Sets the origin of nodes while they are read.
class ReadingFrom {
 public:
  ReadingFrom(BuildContext& context, std::string file)
      : arena_(context.arena), before_(context.arena.origin()) {
    arena_.set_origin(context.origins.add({.file = std::move(file), .step = {}}));
  }
  ~ReadingFrom() { arena_.set_origin(before_); }
  ReadingFrom(const ReadingFrom&) = delete;
  ReadingFrom& operator=(const ReadingFrom&) = delete;

 private:
  NodeArena& arena_;
  OriginId before_;
};

}  // namespace

Result<std::unique_ptr<Transformer>> make_patch(const Patch& patch, const Loader& loader,
                                                const std::string& file, BuildContext& context) {
  auto out = std::make_unique<PatchTransformer>();
  std::string text(without_outer_space(patch.patch));
  if (text.empty() && patch.path.empty())
    return fail(Code::kInvalid, "must specify one of patch and path in\n");
  if (!text.empty() && !patch.path.empty())
    return fail(Code::kInvalid, "patch and path can't be set at the same time\n");
  std::string from = file;
  if (!text.empty()) {
    out->source = fmt::format("[patch: {}]", quote(text));
  } else {
    Result<std::string> loaded = loader.load(patch.path);
    if (!loaded) {
      return std::unexpected(std::move(loaded).error().prefixed(
          fmt::format("failed to get the patch file from path({})", patch.path)));
    }
    text = *std::move(loaded);
    from = loader.full_path(patch.path);
    out->source = fmt::format("[path: {}]", quote(patch.path));
  }
  const ReadingFrom reading(context, from);
  auto merges = read_resources(text, context);
  auto operations = read_json_patch(text, context.arena);
  if (merges && operations) {
    return fail(Code::kInvalid, "illegally qualifies as both an SM and JSON patch: {}",
                out->source);
  }
  if (!merges && !operations) {
    Error error(Code::kInvalid,
                fmt::format("unable to parse SM or JSON patch from {}", out->source));
    if (from != file) {
      error = std::move(error).in(from);
      if (merges.error().position()) error = std::move(error).at(*merges.error().position());
    }
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
    const std::string& file, BuildContext& context) {
  if (paths.empty() && inline_patches.empty())
    return fail(Code::kInvalid, "empty file path and empty patch content");
  auto out = std::make_unique<MergePatches>();
  const auto add = [&](const std::vector<Resource*>& more) {
    out->patches.insert(out->patches.end(), more.begin(), more.end());
  };
  for (const std::string& path : paths) {
    {
      const ReadingFrom reading(context, file);
      if (const auto inline_patch = read_resources(path, context)) {
        add(*inline_patch);
        continue;
      }
    }
    STRAKE_TRY(std::string text, loader.load(path));
    const ReadingFrom reading(context, loader.full_path(path));
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
    const ReadingFrom reading(context, file);
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
                                                         const std::string& file,
                                                         BuildContext& context) {
  if (!patch.target || patch.target->name.empty())
    return fail(Code::kInvalid, "must specify the target name");
  if (patch.path.empty() && patch.patch.empty())
    return fail(Code::kInvalid, "empty file path and empty jsonOp");
  if (!patch.path.empty() && !patch.patch.empty())
    return fail(Code::kInvalid, "must specify a file path or jsonOp, not both");
  std::string text = patch.patch;
  std::string from = file;
  if (!patch.path.empty()) {
    STRAKE_TRY(text, loader.load(patch.path));
    from = loader.full_path(patch.path);
    if (text.empty())
      return fail(Code::kInvalid, "patch file '{}' empty seems to be empty", patch.path);
  }
  const ReadingFrom reading(context, from);
  auto out = std::make_unique<JsonPatch>();
  STRAKE_TRY(out->operations, read_json_patch(text, context.arena));
  if (out->operations.empty()) {
    return fail(Code::kInvalid, "patch appears to be empty; file={}, JsonOp={}", patch.path, text);
  }
  out->target = *patch.target;
  return out;
}

}  // namespace strake::kustomize
