#pragma once
// The schemas that strategic merges of one build go by, and the scopes of kinds. Holds to
// kustomize's ways where the `openapi` field of kustomizations is concerned, the odd ones included:
// one custom document a build, read only when something asks, and built-in definitions that may or
// may not stay in force beside it, depending on what was asked before.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "kustomize/tree/scopes.h"
#include "value/document.h"

namespace strake::kustomize {

// How a list merges.
struct MergeRule {
  bool merges = false;
  std::vector<std::string_view> keys;  // none for lists of scalars
};

// Definitions by name and by kind; later ones take the place of earlier ones.
class SchemaIndex {
 public:
  // A Swagger document. Fails with kInvalid when a kind is named without version or kind.
  Result<> add(const value::Value& document);
  void add_kind(std::string_view api_version, std::string_view kind, const value::Value* schema);
  void add_scope(std::string_view api_version, std::string_view kind, bool namespaced);

  const value::Value* kind(std::string_view api_version, std::string_view kind) const;
  const value::Value* resolve(
      const value::Value* schema) const;  // follows $ref; null when it cannot
  std::optional<bool> namespaced(std::string_view api_version, std::string_view kind) const;

 private:
  template <typename T>
  using Table = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;
  Table<const value::Value*> definitions_;
  Table<const value::Value*> kinds_;
  Table<bool> namespaced_;
};

class BuildSchemas final : public Scopes {
 public:
  // The `openapi` field of the top kustomization, or of one below it; `document` is the text of
  // openapi.path. Fails with kInvalid and kustomize's words.
  Result<> set(const std::optional<std::string>& version, std::optional<std::string> document,
               bool top);

  // Null when nothing is known of the kind.
  const value::Value* for_kind(std::string_view api_version, std::string_view kind);
  // Below a schema, which may be null.
  const value::Value* field(const value::Value* schema, std::string_view name);
  const value::Value* items(const value::Value* schema);
  MergeRule rule(const value::Value* schema) const;
  // A schema that stands in a comment, with its $ref followed; null for other JSON.
  const value::Value* from_comment(std::string_view json);

  bool is_cluster_scoped(std::string_view api_version, std::string_view kind) override;

  // What was wrong with a document that a question had to load, if one was.
  Result<> check() const;

 private:
  enum class Builtin : unsigned char { kNotLoaded, kPutOff, kLoaded };
  void load();
  void load_builtin();

  SchemaIndex index_;
  std::string version_;
  std::optional<std::string> custom_;
  bool loaded_ = false;
  Builtin builtin_ = Builtin::kNotLoaded;
  std::vector<std::unique_ptr<value::Document>> documents_;
  std::unordered_map<std::string, const value::Value*, TextHash, std::equal_to<>> comments_;
  std::optional<Error> broken_;
};

// JSON when it starts with a brace, else YAML, as schema files are read.
Result<value::Document> read_schema_file(std::string_view text);

}  // namespace strake::kustomize
