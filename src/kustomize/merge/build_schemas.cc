#include "kustomize/merge/build_schemas.h"

#include "kustomize/merge/builtin_schema.h"
#include "kustomize/merge/builtin_table.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

// One schema per build, as in kustomize v5.5.0: the first kustomization that sets `openapi` decides
// for all. It is read on first use, since a file that is never needed may be broken. The quirk that
// built-in definitions stay beside custom ones when something asked for them before is kept as well
// (Builtin::kPutOff): results depend on it.

namespace strake::kustomize {
namespace {

using value::Value;

constexpr std::string_view kGvk = "x-kubernetes-group-version-kind";
constexpr int kMostReferences = 100;

std::string key_of(std::string_view api_version, std::string_view kind) {
  std::string out(api_version);
  return out.append(1, ' ').append(kind);
}

struct NamedKind {
  std::string api_version;
  std::string_view kind;
};

Result<std::optional<NamedKind>> read_gvk(const Value& gvk) {
  if (!gvk.is_object()) return std::nullopt;
  const std::string_view group = text_of(gvk, "group");
  const std::string_view version = text_of(gvk, "version");
  const std::string_view kind = text_of(gvk, "kind");
  for (const std::string_view key : {"version", "kind"}) {
    const Value* found = gvk.find(key);
    if (found == nullptr || !found->is_string())
      return fail(Code::kInvalid, "{} without a {}", kGvk, key);
  }
  return NamedKind{group.empty() ? std::string(version) : fmt::format("{}/{}", group, version),
                   kind};
}

Result<> check_map(const Value& document, std::string_view key, std::string_view type) {
  const Value* found = document.find(key);
  if (found == nullptr || found->is_null() || found->is_object()) return {};
  return fail(Code::kInvalid,
              "json: cannot unmarshal {} into Go struct field SwaggerProps.{} of type {}",
              to_string(found->type()), key, type);
}

}  // namespace

Result<value::Document> read_schema_file(std::string_view text) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.limits.depth = 1000;
  if (text.starts_with('{')) return value::read_json(text, options);
  return value::read_yaml(text, options);
}

Result<> SchemaIndex::add(const Value& document) {
  if (!document.is_object() && !document.is_null()) {
    return fail(Code::kInvalid, "json: cannot unmarshal {} into Go value of type spec.SwaggerProps",
                to_string(document.type()));
  }
  STRAKE_CHECK(check_map(document, "definitions", "spec.Definitions"));
  STRAKE_CHECK(check_map(document, "paths", "spec.Paths"));
  if (const Value* definitions = document.find("definitions"); definitions != nullptr) {
    for (const value::Member& member : definitions->members()) {
      definitions_.insert_or_assign(std::string(member.key), &member.value);
      const Value* kinds = member.value.find(kGvk);
      if (kinds == nullptr || !kinds->is_array()) continue;
      for (const Value& one : kinds->items()) {
        STRAKE_TRY(const auto named, read_gvk(one));
        if (named) add_kind(named->api_version, named->kind, &member.value);
      }
    }
  }
  const Value* paths = document.find("paths");
  if (paths == nullptr || !paths->is_object()) return {};
  for (const value::Member& path : paths->members()) {
    const Value* get = path.value.find("get");
    const Value* gvk = get == nullptr ? nullptr : get->find(kGvk);
    if (gvk == nullptr || !gvk->is_object()) continue;
    STRAKE_TRY(const auto named, read_gvk(*gvk));
    if (!named) continue;
    const bool spaced = path.key.find("namespaces/{namespace}") != std::string_view::npos;
    // One namespaced path makes a kind namespaced, wherever it stands among the paths.
    if (spaced || !namespaced(named->api_version, named->kind))
      add_scope(named->api_version, named->kind, spaced);
  }
  return {};
}

void SchemaIndex::add_kind(std::string_view api_version, std::string_view kind,
                           const Value* schema) {
  kinds_.insert_or_assign(key_of(api_version, kind), schema);
}

void SchemaIndex::add_scope(std::string_view api_version, std::string_view kind, bool namespaced) {
  namespaced_.insert_or_assign(key_of(api_version, kind), namespaced);
}

const Value* SchemaIndex::kind(std::string_view api_version, std::string_view kind) const {
  const auto found = kinds_.find(key_of(api_version, kind));
  return found == kinds_.end() ? nullptr : found->second;
}

std::optional<bool> SchemaIndex::namespaced(std::string_view api_version,
                                            std::string_view kind) const {
  const auto found = namespaced_.find(key_of(api_version, kind));
  if (found == namespaced_.end()) return std::nullopt;
  return found->second;
}

const Value* SchemaIndex::resolve(const Value* schema) const {
  for (int i = 0; schema != nullptr && i < kMostReferences; ++i) {
    const std::string_view ref = text_of(*schema, "$ref");
    if (ref.empty()) return schema;
    constexpr std::string_view kDefinitions = "#/definitions/";
    FieldPath path;
    if (!ref.starts_with(kDefinitions) || !FieldPath::parse_pointer(ref.substr(1), path))
      return nullptr;
    const auto found = definitions_.find(path.steps()[1].name);
    schema = found == definitions_.end() ? nullptr : found->second;
    for (std::size_t step = 2; schema != nullptr && step < path.steps().size(); ++step)
      schema = schema->find(path.steps()[step].name);
  }
  return nullptr;  // or the references run in a circle
}

Result<> BuildSchemas::set(const std::optional<std::string>& version,
                           std::optional<std::string> document, bool top) {
  // Whoever comes first wins.
  if ((!version_.empty() || custom_) && !top) return {};
  if (document) {
    if (version)
      return fail(Code::kInvalid, "builtin version and custom schema provided, cannot use both");
    custom_ = std::move(document);
    version_ = "custom";
    loaded_ = false;
    return {};
  }
  version_ = version.value_or("");
  if (version_.empty()) return {};
  if (version_ != kBuiltinVersion)
    return fail(Code::kInvalid, "the specified OpenAPI version is not built in");
  custom_.reset();
  loaded_ = false;
  return {};
}

void BuildSchemas::load_builtin() {
  // The table is ours, and sound.
  static_cast<void>(index_.add(builtin_schema().root()));
  builtin_ = Builtin::kLoaded;
}

void BuildSchemas::load() {
  if (loaded_) return;
  loaded_ = true;
  if (custom_) {
    auto document = read_schema_file(*custom_);
    Result<> added;
    if (!document) {
      added = std::unexpected(std::move(document).error());
    } else {
      documents_.push_back(std::make_unique<value::Document>(*std::move(document)));
      added = index_.add(documents_.back()->root());
    }
    if (!added && !broken_) broken_ = std::move(added).error().prefixed("invalid schema file");
  } else {
    load_builtin();
  }
  if (builtin_ == Builtin::kPutOff) load_builtin();
}

const Value* BuildSchemas::for_kind(std::string_view api_version, std::string_view kind) {
  load();
  return index_.kind(api_version, kind);
}

const Value* BuildSchemas::field(const Value* schema, std::string_view name) {
  if (schema == nullptr) return nullptr;
  load();
  const Value* properties = schema->find("properties");
  const Value* found = properties == nullptr ? nullptr : properties->find(name);
  if (found == nullptr) {
    found = schema->find("additionalProperties");
    if (found != nullptr && !found->is_object()) found = nullptr;
  }
  return index_.resolve(found);
}

const Value* BuildSchemas::items(const Value* schema) {
  if (schema == nullptr) return nullptr;
  load();
  const Value* type = schema->find("type");
  if (type != nullptr && type->is_array() && type->size() == 1) type = &type->items()[0];
  if (type == nullptr || !type->is_string() || type->as_string() != "array") return nullptr;
  const Value* items = schema->find("items");
  return items != nullptr && items->is_object() ? index_.resolve(items) : nullptr;
}

MergeRule BuildSchemas::rule(const Value* schema) const {
  MergeRule out;
  if (schema == nullptr) return out;
  std::string_view strategy = text_of(*schema, "x-kubernetes-patch-strategy");
  while (!strategy.empty() && !out.merges) {
    const std::size_t comma = std::min(strategy.find(','), strategy.size());
    out.merges = strategy.substr(0, comma) == "merge";
    strategy.remove_prefix(std::min(comma + 1, strategy.size()));
  }
  if (!out.merges) return out;
  if (const Value* keys = schema->find("x-kubernetes-list-map-keys");
      keys != nullptr && keys->is_array()) {
    for (const Value& key : keys->items()) {
      if (key.is_string()) out.keys.push_back(key.as_string());
    }
  } else if (const Value* key = schema->find("x-kubernetes-patch-merge-key");
             key != nullptr && key->is_string()) {
    out.keys.push_back(key->as_string());
  }
  return out;
}

const Value* BuildSchemas::from_comment(std::string_view json) {
  if (const auto known = comments_.find(json); known != comments_.end()) return known->second;
  const Value* schema = nullptr;
  if (auto document = value::read_json(json); document && document->root().is_object()) {
    documents_.push_back(std::make_unique<value::Document>(*std::move(document)));
    load();
    const Value* found = &documents_.back()->root();
    if (found->size() > 0) schema = found->find("$ref") == nullptr ? found : index_.resolve(found);
  }
  comments_.emplace(std::string(json), schema);
  return schema;
}

bool BuildSchemas::is_cluster_scoped(std::string_view api_version, std::string_view kind) {
  if (const auto scope = builtin_scope(api_version, kind)) return *scope == Scope::kCluster;
  if (!loaded_) {
    if (custom_) {
      load();
    } else if (builtin_ == Builtin::kNotLoaded) {
      builtin_ = Builtin::kPutOff;
    }
  }
  const auto namespaced = index_.namespaced(api_version, kind);
  return namespaced.has_value() && !*namespaced;
}

Result<> BuildSchemas::check() const {
  if (broken_) return std::unexpected(*broken_);
  return {};
}

}  // namespace strake::kustomize
