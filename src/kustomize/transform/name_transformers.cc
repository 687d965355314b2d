#include "kustomize/transform/name_transformers.h"

#include <array>
#include <unordered_map>
#include <unordered_set>

namespace strake::kustomize {
namespace {

constexpr FieldWriter::Make kMakeString{NodeKind::kScalar, Tag::kString};

// Kinds whose names mean something to the cluster.
bool keeps_its_name(const Gvk& original) {
  return original.kind == "CustomResourceDefinition" || original.kind == "Namespace" ||
         (original.kind == "APIService" && original.group == "apiregistration.k8s.io");
}

// Writes a text as kustomize's setter does: without a tag, in the style that is there.
void write_text(Node& node, const std::string& text, NodeArena& arena) {
  const std::uint32_t comment = node.comment;
  arena.rewrite(node, text);
  node.comment = comment;
}

class AffixTransformer final : public Transformer {
 public:
  AffixTransformer(bool prefix, std::string text, const FieldSpecs& specs)
      : prefix_(prefix), text_(std::move(text)) {
    for (const FieldSpec& spec : specs) specs_.emplace_back(spec, FieldWriter(spec));
  }

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    NodeArena& arena = context.arena();
    const std::string_view kept = arena.keep(text_);
    for (Resource* resource : set.list()) {
      const Gvk original = resource->original_id(set.scopes()).gvk;
      if (keeps_its_name(original)) continue;
      for (const auto& [spec, writer] : specs_) {
        if (!original.selected_by(spec.gvk())) continue;
        if (spec.path == "metadata/name" && !text_.empty()) {
          (prefix_ ? resource->prefixes : resource->suffixes).push_back(kept);
          resource->store_id(set.scopes(), arena);
        }
        // The kind may have changed since: the prefix is noted by the first kind, and written by
        // the present one.
        if (!resource->gvk().selected_by(spec.gvk())) continue;
        STRAKE_CHECK(writer.apply(
            *resource->root, &kMakeString,
            [&](Node& node) -> Result<> {
              if (!node.is_scalar())
                return fail(Code::kInvalid, "wrong node kind: expected ScalarNode");
              write_text(node,
                         prefix_ ? text_ + std::string(node.text) : std::string(node.text) + text_,
                         arena);
              return {};
            },
            arena));
      }
    }
    set.ids_changed();
    return {};
  }

 private:
  bool prefix_;
  std::string text_;
  std::vector<std::pair<FieldSpec, FieldWriter>> specs_;
};

void write_namespace(Node& node, std::string_view namespace_name, bool unset_only,
                     NodeArena& arena) {
  if (unset_only && !node.is_null() && !(node.is_scalar() && node.text.empty())) return;
  if (node.is_scalar() && node.text == namespace_name && !node.is_null()) return;
  arena.rewrite(node, namespace_name, Tag::kString);
}

Result<> set_subjects(Node& root, std::string_view namespace_name, const NamespaceOptions& options,
                      NodeArena& arena) {
  if (options.subjects == SubjectMode::kNone) return {};
  Node* subjects = root.find("subjects");
  if (missing_or_null(subjects)) return {};
  if (!subjects->is_list()) {
    return fail(Code::kInvalid,
                "setting namespace on (cluster)role binding subjects: wrong node kind: expected "
                "SequenceNode");
  }
  for (Node* subject : subjects->elements()) {
    if (!subject->is_map()) continue;
    const bool wanted = options.subjects == SubjectMode::kDefaultOnly
                            ? subject->text_of("name") == "default"
                            : subject->text_of("kind") == "ServiceAccount";
    if (!wanted) continue;
    Node* field = subject->find("namespace");
    if (field == nullptr) {
      field = arena.scalar({});
      arena.append(*subject, "namespace", field);
    }
    write_namespace(*field, namespace_name, options.unset_only, arena);
  }
  return {};
}

class NamespaceTransformer final : public Transformer {
 public:
  NamespaceTransformer(std::string namespace_name, const FieldSpecs& specs,
                       const NamespaceOptions& options)
      : namespace_name_(std::move(namespace_name)), options_(options) {
    for (std::size_t i = 0; i < writers_.size(); ++i)
      writers_[i].emplace(namespace_specs(specs, (i & 1) != 0, (i & 2) != 0));
  }

  Result<> transform(ResourceSet& set, const TransformContext& context) override {
    if (namespace_name_.empty()) return {};
    for (Resource* resource : set.list()) {
      if (resource->gone()) continue;
      resource->store_id(set.scopes(), context.arena());
      const bool binding =
          resource->kind() == "RoleBinding" || resource->kind() == "ClusterRoleBinding";
      FieldWriters& writers =
          *writers_[(resource->api_version() == "v1" ? 1U : 0U) | (binding ? 2U : 0U)];
      STRAKE_CHECK(set_namespace(*resource, namespace_name_, writers, options_, set.scopes(),
                                 context.arena()));
    }
    set.ids_changed();
    // Two resources that differed by namespace alone are one now.
    std::unordered_set<std::string> seen;
    for (const Resource* resource : set.list()) {
      const ResourceId id = resource->id(set.scopes());
      if (!seen.insert(id.key()).second) {
        return fail(Code::kConflict, "namespace transformation produces ID conflict: {}",
                    id.to_string());
      }
    }
    return {};
  }

 private:
  std::string namespace_name_;
  NamespaceOptions options_;
  std::array<std::optional<FieldWriters>, 4> writers_;  // by version v1, and by binding
};

}  // namespace

FieldSpecs namespace_specs(const FieldSpecs& specs, bool core_namespace, bool role_binding) {
  FieldSpecs out;
  for (const FieldSpec& spec : specs) {
    if (spec.path == "metadata/namespace") continue;
    if (spec.path == "metadata/name" && !core_namespace) continue;
    if (role_binding && spec.path == "subjects/namespace" &&
        (spec.kind == "RoleBinding" || spec.kind == "ClusterRoleBinding"))
      continue;
    out.push_back(spec);
  }
  return out;
}

Result<> set_namespace(Resource& resource, std::string_view namespace_name, FieldWriters& writers,
                       const NamespaceOptions& options, Scopes& scopes, NodeArena& arena) {
  Node& root = *resource.root;
  if (!scopes.is_cluster_scoped(resource.api_version(), resource.kind())) {
    Node* meta = arena.map_at(root, "metadata");
    if (!meta->is_map()) {
      return fail(Code::kInvalid, "considering field 'metadata/namespace' of object {}: {}",
                  object_name(root), "expected sequence or mapping node");
    }
    Node* field = meta->find("namespace");
    if (field == nullptr) {
      field = arena.scalar({});
      arena.append(*meta, "namespace", field);
    }
    write_namespace(*field, namespace_name, options.unset_only, arena);
  }
  if (resource.kind() == "RoleBinding" || resource.kind() == "ClusterRoleBinding")
    STRAKE_CHECK(set_subjects(root, namespace_name, options, arena));
  Result<> done = writers.apply(
      root, &kMakeString,
      [&](Node& node) -> Result<> {
        if (!node.is_scalar()) {
          return fail(Code::kInvalid,
                      "namespace field specs must target scalar nodes: wrong node kind");
        }
        write_namespace(node, namespace_name, options.unset_only, arena);
        return {};
      },
      arena);
  if (done) return done;
  return std::unexpected(std::move(done).error().prefixed("namespace transformation failed"));
}

std::unique_ptr<Transformer> make_prefix(std::string prefix, const FieldSpecs& specs) {
  return std::make_unique<AffixTransformer>(true, std::move(prefix), specs);
}

std::unique_ptr<Transformer> make_suffix(std::string suffix, const FieldSpecs& specs) {
  return std::make_unique<AffixTransformer>(false, std::move(suffix), specs);
}

std::unique_ptr<Transformer> make_namespace(std::string namespace_name, const FieldSpecs& specs,
                                            const NamespaceOptions& options) {
  return std::make_unique<NamespaceTransformer>(std::move(namespace_name), specs, options);
}

}  // namespace strake::kustomize
