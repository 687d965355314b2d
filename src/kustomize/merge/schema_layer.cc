#include "kustomize/merge/schema_layer.h"

#include "kustomize/merge/builtin_schema.h"
#include "value/fields.h"
#include "value/yaml_reader.h"

// What Strake adds to kustomize v5.5.0, which has one schema per build: schemas and merge keys that
// hold for a kustomization and those above it. They are asked before the schema of the build. All
// that match a kind are followed side by side down the object, and the first that has a rule for a
// list wins: keys given by hand, then the layer's own documents, then the layers of bases.

namespace strake::kustomize {
namespace {

using value::Value;

std::string api_version_of(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

// A schema that says of one path that the list there merges.
Value schema_along(std::string_view path, const std::vector<std::string>& keys, Arena& arena) {
  Value schema = Value::object({});
  if (path.empty()) {
    schema.set("type", Value::string("array"), arena);
    schema.set("x-kubernetes-patch-strategy", Value::string("merge"), arena);
    Value list = Value::array({});
    for (const std::string& key : keys) list.append(Value::string(arena.copy(key)), arena);
    if (!keys.empty()) schema.set("x-kubernetes-list-map-keys", list, arena);
    return schema;
  }
  const std::size_t slash = std::min(path.find('/'), path.size());
  Value properties = Value::object({});
  properties.set(arena.copy(path.substr(0, slash)),
                 schema_along(path.substr(std::min(slash + 1, path.size())), keys, arena), arena);
  schema.set("properties", properties, arena);
  return schema;
}

bool is_array(const Value& schema) {
  const Value* type = schema.find("type");
  return type != nullptr && type->is_string() && type->as_string() == "array";
}

}  // namespace

Result<> SchemaLayer::add_crd(const Value& crd) {
  const Value* spec = crd.find("spec");
  const std::string_view group = text_of(spec, "group");
  const Value* names = spec == nullptr ? nullptr : spec->find("names");
  const std::string_view kind = text_of(names, "kind");
  if (kind.empty()) return fail(Code::kInvalid, "CustomResourceDefinition without spec.names.kind");
  const bool cluster = text_of(spec, "scope") == "Cluster";
  const Value* versions = spec->find("versions");
  const auto add = [&](std::string_view version, const Value* holder) {
    const Value* schema = holder == nullptr ? nullptr : holder->find("openAPIV3Schema");
    const std::string api_version = api_version_of(group, version);
    if (schema != nullptr) index_.add_kind(api_version, kind, schema);
    index_.add_scope(api_version, kind, !cluster);
  };
  if (versions == nullptr || !versions->is_array()) {
    add(text_of(spec, "version"), spec->find("validation"));
    return {};
  }
  for (const Value& version : versions->items()) {
    const Value* own = version.find("schema");
    add(text_of(&version, "name"), own != nullptr ? own : spec->find("validation"));
  }
  return {};
}

Result<> SchemaLayer::add_document(std::string_view text) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.limits.depth = 1000;
  value::YamlReader reader(text, options);
  for (;;) {
    STRAKE_TRY(std::optional<value::Document> next, reader.next());
    if (!next) return {};
    documents_.push_back(std::make_unique<value::Document>(*std::move(next)));
    value::Document& document = *documents_.back();
    Value& root = document.root();
    if (text_of(&root, "kind") == "CustomResourceDefinition") {
      STRAKE_CHECK(add_crd(root));
      continue;
    }
    const Value* components = root.find("components");
    const Value* schemas = components == nullptr ? nullptr : components->find("schemas");
    if (schemas != nullptr) {
      // OpenAPI v3 differs from Swagger 2.0 for this purpose only in where the schemas stand.
      Value as_swagger = Value::object({});
      as_swagger.set("definitions", *schemas, document.arena());
      if (const Value* paths = root.find("paths"))
        as_swagger.set("paths", *paths, document.arena());
      root = as_swagger;
    }
    if (root.find("definitions") == nullptr) {
      return fail(Code::kInvalid,
                  "neither an OpenAPI document (definitions, or components.schemas) nor a "
                  "CustomResourceDefinition");
    }
    STRAKE_CHECK(index_.add(root));
  }
}

Result<> SchemaLayer::add_keys(const Keys& keys) {
  if (keys.path.empty()) return fail(Code::kInvalid, "merge keys need a path, like spec/items");
  if (std::ranges::count(keys.path, '/') > 100)
    return fail(Code::kLimit, "the path of merge keys has more than 100 steps");
  documents_.push_back(std::make_unique<value::Document>());
  value::Document& document = *documents_.back();
  document.root() = schema_along(keys.path, keys.keys, document.arena());
  hand_made_.push_back({keys, &document.root()});
  return {};
}

void SchemaLayer::find(std::string_view api_version, std::string_view kind,
                       std::vector<const Value*>& out) const {
  const std::size_t slash = api_version.find('/');
  const bool core = slash == std::string_view::npos;
  const std::string_view group = core ? std::string_view() : api_version.substr(0, slash);
  const std::string_view version = core ? api_version : api_version.substr(slash + 1);
  const auto fits = [](const std::string& wanted, std::string_view is) {
    return wanted.empty() || wanted == is;
  };
  for (const HandMade& one : hand_made_) {
    if (fits(one.keys.group, group) && fits(one.keys.version, version) && fits(one.keys.kind, kind))
      out.push_back(one.schema);
  }
  if (const Value* own = index_.kind(api_version, kind)) out.push_back(own);
  for (const auto& below : below_) below->find(api_version, kind, out);
}

const Value* SchemaLayer::resolve(const Value* schema) const {
  const std::string_view ref = text_of(schema, "$ref");
  if (ref.empty()) return schema;
  constexpr std::string_view kComponents = "#/components/schemas/";
  if (ref.starts_with(kComponents)) {
    Arena arena;
    Value pointer = Value::object({});
    const std::string here = "#/definitions/" + std::string(ref.substr(kComponents.size()));
    pointer.set("$ref", Value::string(here), arena);
    return resolve(&pointer);
  }
  if (const Value* own = index_.resolve(schema)) return own->find("$ref") ? resolve(own) : own;
  for (const auto& below : below_) {
    if (const Value* found = below->resolve(schema)) return found;
  }
  // A reference to a built-in definition.
  static const SchemaIndex kBuiltin = [] {
    SchemaIndex index;
    static_cast<void>(index.add(builtin_schema().root()));
    return index;
  }();
  return kBuiltin.resolve(schema);
}

std::optional<bool> SchemaLayer::namespaced(std::string_view api_version,
                                            std::string_view kind) const {
  if (const auto own = index_.namespaced(api_version, kind)) return own;
  for (const auto& below : below_) {
    if (const auto found = below->namespaced(api_version, kind)) return found;
  }
  return std::nullopt;
}

SchemaAt MergeSchemas::for_kind(std::string_view api_version, std::string_view kind) const {
  SchemaAt at{.build = build_->for_kind(api_version, kind), .extra = {}};
  if (layer_ != nullptr) layer_->find(api_version, kind, at.extra);
  return at;
}

SchemaAt MergeSchemas::field(const SchemaAt& at, std::string_view name) const {
  SchemaAt below{.build = build_->field(at.build, name), .extra = {}};
  for (const Value* schema : at.extra) {
    const Value* properties = schema->find("properties");
    const Value* found = properties == nullptr ? nullptr : properties->find(name);
    if (found == nullptr) found = schema->find("additionalProperties");
    if (found == nullptr || !found->is_object()) continue;
    if (const Value* resolved = layer_->resolve(found)) below.extra.push_back(resolved);
  }
  return below;
}

SchemaAt MergeSchemas::items(const SchemaAt& at) const {
  SchemaAt below{.build = build_->items(at.build), .extra = {}};
  for (const Value* schema : at.extra) {
    const Value* found = schema->find("items");
    // A path given by hand goes through lists without a word.
    if (found == nullptr && !is_array(*schema)) found = schema;
    if (found == nullptr || !found->is_object()) continue;
    if (const Value* resolved = layer_->resolve(found)) below.extra.push_back(resolved);
  }
  return below;
}

MergeRule MergeSchemas::rule(const SchemaAt& at) const {
  for (const Value* schema : at.extra) {
    MergeRule rule = build_->rule(schema);
    if (rule.merges) return rule;
    // What CRDs have instead of strategies.
    const std::string_view type = text_of(schema, "x-kubernetes-list-type");
    if (type == "set") return {.merges = true, .keys = {}};
    const Value* keys = schema->find("x-kubernetes-list-map-keys");
    if (type != "map" || keys == nullptr || !keys->is_array()) continue;
    rule.merges = true;
    for (const Value& key : keys->items()) {
      if (key.is_string()) rule.keys.push_back(key.as_string());
    }
    return rule;
  }
  return build_->rule(at.build);
}

}  // namespace strake::kustomize
