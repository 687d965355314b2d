#include "kustomize/transform/field_transformers.h"

#include <algorithm>

#include "kustomize/config/image_name.h"
#include "kustomize/transform/name_transformers.h"
#include "kustomize/transform/selector.h"
#include "kustomize/transform/tracking.h"
#include "kustomize/tree/content_hash.h"
#include "schema/pattern/pattern.h"

namespace strake::kustomize {
namespace {

constexpr FieldWriter::Make kMakeMap{NodeKind::kMap, Tag::kNone};
constexpr FieldWriter::Make kMakeInt{NodeKind::kScalar, Tag::kInt};

class EntriesTransformer final : public Transformer {
 public:
  EntriesTransformer(const TextMap& entries, const FieldSpecs& specs)
      : entries_(entries), writers_(specs) {
    finds_annotations_ = std::ranges::any_of(specs, [](const FieldSpec& spec) {
      return !spec.create && spec.path == "metadata/annotations";
    });
  }

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    if (entries_.empty()) return {};
    for (Resource* resource : set.list()) {
      if (finds_annotations_) write_tracking(*resource, context.arena());
      for (const auto& [key, text] : entries_)
        STRAKE_CHECK(write(*resource->root, key, text, context.arena()));
      if (finds_annotations_) read_tracking(*resource, context.build);
    }
    set.drop_gone();
    return {};
  }

 private:
  // All fields that get a new entry share its node, as kustomize's do: whoever later changes
  // one of them in place changes them all.
  Result<> write(Node& root, std::string_view key, std::string_view text, NodeArena& arena) {
    Node* value = arena.string(text);
    return writers_.apply(
        root, &kMakeMap,
        [&](Node& map) -> Result<> {
          if (map.is_null()) return {};  // only a spec that may create turns it into a map
          if (!map.is_map()) {
            return fail(Code::kInvalid, "wrong node kind: expected MappingNode but got {}",
                        map.is_list() ? "SequenceNode" : "ScalarNode");
          }
          set_field(map, key, value, arena);
          return {};
        },
        arena);
  }

  TextMap entries_;
  FieldWriters writers_;
  bool finds_annotations_ =
      false;  // which are there as soon as kustomize v5.5.0 remembers something
};

class ImageTransformer final : public Transformer {
 public:
  ImageTransformer(const Image& image, schema::PatternPtr pattern, const FieldSpecs& specs)
      : image_(image), pattern_(std::move(pattern)), writers_(specs) {}

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    NodeArena& arena = context.arena();
    // Two passes, as in kustomize v5.5.0: containers at any depth, then the configured fields. A
    // container that both find is changed twice, which shows with tagSuffix.
    for (Resource* resource : set.list()) {
      if (resource->kind() == "CustomResourceDefinition") continue;
      STRAKE_CHECK(walk(*resource->root, arena));
    }
    for (Resource* resource : set.list()) {
      if (resource->kind() == "CustomResourceDefinition") continue;
      STRAKE_CHECK(writers_.apply(
          *resource->root, nullptr, [&](Node& node) { return update(node, arena); }, arena));
    }
    return {};
  }

 private:
  Result<> update(Node& node, NodeArena& arena) {
    if (!node.is_scalar()) {
      return fail(Code::kInvalid, "wrong node kind: expected ScalarNode but got {}",
                  node.is_map() ? "MappingNode" : "SequenceNode");
    }
    if (!pattern_->search(node.text)) return {};
    const std::string name = changed_image(node.text, image_);
    if (name == node.text) return {};
    arena.rewrite(node, name);
    return {};
  }

  // Images of containers, wherever they are.
  Result<> walk(Node& node, NodeArena& arena) {
    for (Node* item : node.elements()) STRAKE_CHECK(walk(*item, arena));
    for (const Entry& entry : node.members()) {
      STRAKE_CHECK(walk(*entry.value, arena));
      if (entry.key != "containers" && entry.key != "initContainers") continue;
      for (Node* container : entry.value->elements()) {
        Node* image = container->find("image");
        if (image != nullptr && !image->is_null()) STRAKE_CHECK(update(*image, arena));
      }
    }
    return {};
  }

  Image image_;
  schema::PatternPtr pattern_;
  FieldWriters writers_;
};

class ReplicaTransformer final : public Transformer {
 public:
  ReplicaTransformer(const Replica& replica, const FieldSpecs& specs)
      : replica_(replica), specs_(specs) {}

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    NodeArena& arena = context.arena();
    bool found = false;
    for (const FieldSpec& spec : specs_) {
      const FieldWriter writer(spec);
      for (Resource* resource : set.list()) {
        if (!is_meant(*resource, spec)) continue;
        found = true;
        if (!resource->gvk().selected_by(spec.gvk())) continue;
        STRAKE_CHECK(writer.apply(
            *resource->root, &kMakeInt,
            [&](Node& node) -> Result<> {
              const std::string count = fmt::format("{}", replica_.count);
              if (node.is_scalar() && node.text == count && node.tag == Tag::kInt) return {};
              arena.rewrite(node, count, Tag::kInt);
              return {};
            },
            arena));
      }
    }
    if (found) return {};
    std::vector<std::string> kinds;
    for (const FieldSpec& spec : specs_) kinds.push_back(spec.gvk().to_string());
    return fail(Code::kNotFound,
                "resource with name {} does not match a config with the following GVK [{}]",
                replica_.name, fmt::join(kinds, " "));
  }

 private:
  bool is_meant(const Resource& resource, const FieldSpec& spec) const {
    if (resource.name() == replica_.name && resource.gvk().selected_by(spec.gvk())) return true;
    for (std::size_t i = 0; i < resource.previous.size(); ++i) {
      const ResourceId id = resource.previous_id(i);
      if (id.name == replica_.name && id.gvk.selected_by(spec.gvk())) return true;
    }
    return false;
  }

  Replica replica_;
  FieldSpecs specs_;
};

// Puts a part into a file path: at most behind the last one.
std::string with_part(std::string_view path, std::int64_t position, const std::string& part) {
  if (path.empty()) return part;
  const bool rooted = path.starts_with('/');
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  const auto at = std::min<std::size_t>(static_cast<std::size_t>(position), parts.size());
  parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), part);
  return (rooted ? "/" : "") + fmt::format("{}", fmt::join(parts, "/"));
}

class ValueAddTransformer final : public Transformer {
 public:
  ValueAddTransformer(std::string value, std::vector<ValueTarget> targets)
      : value_(std::move(value)), targets_(std::move(targets)) {}

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    FieldWriters no_specs{FieldSpecs{}};
    for (const ValueTarget& target : targets_) {
      std::vector<Resource*> resources = set.list();
      if (target.selector) {
        STRAKE_TRY(resources, select(set, *target.selector));
      }
      for (Resource* resource : resources) {
        if (target.field_path == "metadata/namespace") {
          STRAKE_CHECK(
              set_namespace(*resource, value_, no_specs, {}, set.scopes(), context.arena()));
        } else {
          STRAKE_CHECK(add(*resource->root, target, context.arena()));
        }
      }
    }
    set.ids_changed();
    return {};
  }

 private:
  Result<> add(Node& root, const ValueTarget& target, NodeArena& arena) {
    Node* at = &root;
    const std::vector<std::string> steps = split_path(target.field_path, '/');
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!at->is_map()) {
        return fail(Code::kInvalid, "wrong node kind: expected MappingNode but got {}",
                    at->is_list() ? "SequenceNode" : "ScalarNode");
      }
      Node* next = at->find(steps[i]);
      if (next == nullptr) {
        next = i + 1 == steps.size() ? arena.scalar({}) : arena.map();
        arena.append(*at, arena.keep(steps[i]), next);
      }
      at = next;
    }
    if (!at->is_scalar()) {
      return fail(Code::kInvalid, "wrong node kind: expected ScalarNode but got {}",
                  at->is_map() ? "MappingNode" : "SequenceNode");
    }
    const std::string text =
        target.position > 0 ? with_part(at->text, target.position - 1, value_) : value_;
    arena.rewrite(*at, text);
    return {};
  }

  std::string value_;
  std::vector<ValueTarget> targets_;
};

class HashTransformer final : public Transformer {
 public:
  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    for (Resource* resource : set.list()) {
      if (!resource->needs_hash) continue;
      const Result<std::string> hash = content_hash(*resource->root);
      if (!hash) return std::unexpected(unprintable(hash.error(), *resource, context.build));
      resource->store_id(set.scopes(), context.arena());
      resource->set_name(fmt::format("{}-{}", resource->name(), *hash), context.arena());
    }
    set.ids_changed();
    return {};
  }
};

}  // namespace

std::unique_ptr<Transformer> make_entries(const TextMap& entries, const FieldSpecs& specs) {
  return std::make_unique<EntriesTransformer>(entries, specs);
}

Result<std::unique_ptr<Transformer>> make_image(const Image& image, const FieldSpecs& specs) {
  const std::string pattern =
      fmt::format("^{}(:[a-zA-Z0-9_.{{}}-]*)?(@sha256:[a-zA-Z0-9_.{{}}-]*)?$", image.name);
  STRAKE_CHECK(schema::check_pattern(pattern));
  return std::make_unique<ImageTransformer>(image, schema::intern_pattern(pattern), specs);
}

std::unique_ptr<Transformer> make_replica(const Replica& replica, const FieldSpecs& specs) {
  return std::make_unique<ReplicaTransformer>(replica, specs);
}

std::unique_ptr<Transformer> make_value_add(std::string value, std::vector<ValueTarget> targets) {
  return std::make_unique<ValueAddTransformer>(std::move(value), std::move(targets));
}

std::unique_ptr<Transformer> make_hash() { return std::make_unique<HashTransformer>(); }

}  // namespace strake::kustomize
