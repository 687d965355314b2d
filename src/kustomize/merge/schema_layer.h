#pragma once
// Schemas that kustomizations add to those of the build (the block `openapi.strake`): OpenAPI
// documents, CRDs as they are, and merge keys given by hand. They say more; nothing that is known
// without them is hidden. A layer holds for the kustomization that has it and for those above.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/merge/build_schemas.h"

namespace strake::kustomize {

class SchemaLayer {
 public:
  // OpenAPI v2 or v3, or CustomResourceDefinitions (several documents). Fails with kInvalid or
  // kParse.
  Result<> add_document(std::string_view text);
  // The list at the path (a/b/c, through lists too) of kinds that fit merges by these keys; no keys
  // for a list of scalars. Empty group, version and kind fit any.
  struct Keys {
    std::string group;
    std::string version;
    std::string kind;
    std::string path;
    std::vector<std::string> keys;
  };
  Result<> add_keys(const Keys& keys);
  // All of another layer, below this one.
  void add_layer(std::shared_ptr<const SchemaLayer> below) { below_.push_back(std::move(below)); }

  void find(std::string_view api_version, std::string_view kind,
            std::vector<const value::Value*>& out) const;
  const value::Value* resolve(const value::Value* schema) const;
  std::optional<bool> namespaced(std::string_view api_version, std::string_view kind) const;

 private:
  struct HandMade {
    Keys keys;
    const value::Value* schema;
  };
  Result<> add_crd(const value::Value& crd);

  SchemaIndex index_;
  std::vector<HandMade> hand_made_;
  std::vector<std::unique_ptr<value::Document>> documents_;
  std::vector<std::shared_ptr<const SchemaLayer>> below_;
};

// A place in the schemas of the build and those of the layers at once.
struct SchemaAt {
  const value::Value* build = nullptr;
  std::vector<const value::Value*> extra;
  bool known() const { return build != nullptr || !extra.empty(); }
};

class MergeSchemas {
 public:
  MergeSchemas(BuildSchemas& build, const SchemaLayer* layer) : build_(&build), layer_(layer) {}
  SchemaAt for_kind(std::string_view api_version, std::string_view kind) const;
  SchemaAt field(const SchemaAt& at, std::string_view name) const;
  SchemaAt items(const SchemaAt& at) const;
  MergeRule rule(const SchemaAt& at) const;
  SchemaAt from_comment(std::string_view json) const { return {build_->from_comment(json), {}}; }

 private:
  BuildSchemas* build_;
  const SchemaLayer* layer_;
};

}  // namespace strake::kustomize
