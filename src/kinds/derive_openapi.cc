#include <fmt/format.h>

#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "base/assert.h"
#include "crd/openapi_builtin.h"
#include "kinds/derive.h"
#include "value/document.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kApiVersionDoc =
    "The group and version of the schema that this object is written in.";
constexpr std::string_view kKindDoc = "The kind of resource that this object is.";

// Makes the schemas of one kind. Field order and defaults follow what kube-apiserver 1.36
// publishes: a struct that is no pointer has the default {}, and so has a scalar that JSON never
// leaves out, of its own zero.
class SchemaMaker {
 public:
  SchemaMaker() { out_.root() = Value::object({}); }

  Document make(const Type& kind) {
    add(kind);
    if (kind.form == Type::Form::kKind) add_list(kind);
    return std::move(out_);
  }

 private:
  Arena& arena() { return out_.arena(); }
  Value text(std::string_view s) { return Value::string(arena().copy(s)); }
  Value object() { return Value::object({}); }
  void put(Value& to, std::string_view key, Value v) { to.set(key, v, arena()); }

  void add(const Type& type) {
    if (!seen_.insert(type.full_name).second) return;
    if (crd::builtin_schemas().find(type.full_name) != nullptr) return;
    Value schema = object();
    if (!type.doc.empty()) put(schema, "description", text(type.doc));
    if (type.is_struct()) fill_struct(schema, type);
    put(out_.root(), type.full_name, schema);
  }

  void fill_struct(Value& schema, const Type& type) {
    put(schema, "type", text("object"));
    if (type.atomic) put(schema, "x-kubernetes-map-type", text("atomic"));
    Value properties = object();
    Value required = Value::array({});
    if (type.is_object()) {
      fill_type_meta(properties, "ObjectMeta");
      put(schema, "x-kubernetes-group-version-kind", group_version_kind(type, type.name));
      if (type.metadata_required) required.append(text("metadata"), arena());
    }
    for (const Field& field : type.fields) {
      put(properties, field.name, field_schema(field));
      if (field.required) required.append(text(field.name), arena());
    }
    if (properties.size() > 0) put(schema, "properties", properties);
    if (required.size() > 0) put(schema, "required", required);
  }

  void add_list(const Type& kind) {
    Value schema = object();
    const std::string name = fmt::format("{}List", kind.name);
    put(schema, "description", text(fmt::format("{} is a list of {} objects.", name, kind.name)));
    put(schema, "type", text("object"));
    put(schema, "x-kubernetes-group-version-kind", group_version_kind(kind, name));
    Value properties = object();
    fill_type_meta(properties, "ListMeta");
    Value items = object();
    put(items, "description", text("The objects."));
    put(items, "items", reference(kind.full_name, true));
    put(items, "type", text("array"));
    put(properties, "items", items);
    put(schema, "properties", properties);
    Value required = Value::array({});
    required.append(text("items"), arena());
    put(schema, "required", required);
    put(out_.root(), arena().copy(fmt::format("{}List", kind.full_name)), schema);
  }

  void fill_type_meta(Value& properties, std::string_view metadata_type) {
    Value api_version = object();
    put(api_version, "description", text(kApiVersionDoc));
    put(api_version, "type", text("string"));
    put(properties, "apiVersion", api_version);
    Value kind = object();
    put(kind, "description", text(kKindDoc));
    put(kind, "type", text("string"));
    put(properties, "kind", kind);
    Value metadata = reference(fmt::format("{}{}", crd::kMetaPrefix, metadata_type), true);
    put(metadata, "description",
        text(metadata_type == "ListMeta" ? "Metadata of the list." : "Metadata of the object."));
    put(properties, "metadata", metadata);
  }

  Value group_version_kind(const Type& type, std::string_view kind) {
    Value one = object();
    put(one, "group", text(type.group));
    put(one, "kind", text(kind));
    put(one, "version", text(type.version));
    Value list = Value::array({});
    list.append(one, arena());
    return list;
  }

  // References stand in allOf, because nothing may stand beside a bare one.
  Value reference(std::string_view full_name, bool with_default) {
    Value ref = object();
    put(ref, "$ref", text(fmt::format("#/components/schemas/{}", full_name)));
    Value all_of = Value::array({});
    all_of.append(ref, arena());
    Value schema = object();
    put(schema, "allOf", all_of);
    if (with_default) put(schema, "default", object());
    return schema;
  }

  Value bare_reference(std::string_view full_name) {
    Value ref = object();
    put(ref, "$ref", text(fmt::format("#/components/schemas/{}", full_name)));
    return ref;
  }

  Value field_schema(const Field& field) {
    const bool with_default = !field.pointer && (!field.omit_empty || is_struct(*field.use)) &&
                              field.default_json.empty();
    // Beside a bare reference nothing may stand.
    const bool bare = field.doc.empty() && field.pointer && is_reference(*field.use);
    Value schema = used(*field.use, with_default, bare);
    if (bare) return schema;
    if (!field.default_json.empty()) put(schema, "default", json(field.default_json));
    if (!field.doc.empty()) put(schema, "description", text(field.doc));
    switch (field.list_type) {
      case Field::ListType::kUnset: break;
      case Field::ListType::kAtomic: put(schema, "x-kubernetes-list-type", text("atomic")); break;
      case Field::ListType::kSet: put(schema, "x-kubernetes-list-type", text("set")); break;
      case Field::ListType::kMap: {
        put(schema, "x-kubernetes-list-type", text("map"));
        Value keys = Value::array({});
        for (std::string_view rest = field.map_key; !rest.empty();)
          keys.append(text(next_key(rest)), arena());
        put(schema, "x-kubernetes-list-map-keys", keys);
        break;
      }
    }
    if (const std::string_view strategy = patch_strategy(field); !strategy.empty())
      put(schema, "x-kubernetes-patch-strategy", text(strategy));
    if (!field.merge_key.empty())
      put(schema, "x-kubernetes-patch-merge-key", text(field.merge_key));
    return schema;
  }

  static std::string_view patch_strategy(const Field& field) {
    if (field.replace) return "replace";
    if (field.retain_keys) return field.merge ? "merge,retainKeys" : "retainKeys";
    return field.merge ? "merge" : "";
  }

  static bool is_reference(const TypeUse& use) {
    return use.form == TypeUse::Form::kNamed &&
           (use.type->is_struct() || use.type->form == Type::Form::kAny);
  }

  static bool is_struct(const TypeUse& use) {
    return use.form == TypeUse::Form::kNamed && use.type->is_struct();
  }

  Value json(std::string_view source) {
    auto read = value::read_json(source);
    STRAKE_ASSERT(read);
    return value::deep_copy(read->root(), arena());
  }

  Value scalar(std::string_view type, std::string_view format, bool with_default, Value zero) {
    Value schema = object();
    put(schema, "type", text(type));
    if (!format.empty()) put(schema, "format", text(format));
    if (with_default) put(schema, "default", zero);
    return schema;
  }

  // `bare`: where neither a description nor a default can follow.
  Value used(const TypeUse& use, bool with_default, bool bare) {
    switch (use.form) {
      case TypeUse::Form::kString: return scalar("string", "", with_default, text(""));
      case TypeUse::Form::kBool: return scalar("boolean", "", with_default, Value::boolean(false));
      case TypeUse::Form::kInt32:
        return scalar("integer", "int32", with_default, Value::integer(0));
      case TypeUse::Form::kInt64:
        return scalar("integer", "int64", with_default, Value::integer(0));
      case TypeUse::Form::kFloat:
        return scalar("number", "double", with_default, Value::integer(0));
      case TypeUse::Form::kBytes: return scalar("string", "byte", false, {});
      case TypeUse::Form::kTime: return reference(fmt::format("{}Time", crd::kMetaPrefix), false);
      case TypeUse::Form::kMicroTime:
        add_micro_time();
        return reference(fmt::format("{}MicroTime", crd::kMetaPrefix), false);
      case TypeUse::Form::kQuantity: return scalar("string", "", false, {});
      case TypeUse::Form::kIntOrString: return scalar("string", "int-or-string", false, {});
      case TypeUse::Form::kObjectMeta:
        return reference(fmt::format("{}ObjectMeta", crd::kMetaPrefix), with_default);
      case TypeUse::Form::kNamed: return named(*use.type, with_default, bare);
      case TypeUse::Form::kList: return list(*use.element);
      case TypeUse::Form::kMap: return map(*use.element);
    }
    return object();
  }

  Value named(const Type& type, bool with_default, bool bare) {
    switch (type.form) {
      case Type::Form::kString: return scalar("string", "", with_default, text(""));
      case Type::Form::kList: return list(*type.element);
      case Type::Form::kMap: return map(*type.element);
      case Type::Form::kAny:
        add(type);
        return bare ? bare_reference(type.full_name) : reference(type.full_name, false);
      default:
        add(type);
        return bare && !with_default ? bare_reference(type.full_name)
                                     : reference(type.full_name, with_default);
    }
  }

  Value list(const TypeUse& element) {
    Value schema = object();
    put(schema, "items", used(element, true, true));
    put(schema, "type", text("array"));
    return schema;
  }

  Value map(const TypeUse& element) {
    Value schema = object();
    put(schema, "additionalProperties", used(element, true, true));
    put(schema, "type", text("object"));
    return schema;
  }

  void add_micro_time() {
    Value schema = scalar("string", "date-time", false, {});
    put(schema, "description", text("MicroTime is a moment in RFC 3339, to the microsecond."));
    put(out_.root(), arena().copy(fmt::format("{}MicroTime", crd::kMetaPrefix)), schema);
  }

  Document out_;
  std::set<std::string_view> seen_;
};

}  // namespace

const Value& openapi_schemas_of(const Type& kind) {
  struct Made {
    std::mutex mu;
    std::map<const Type*, Document> documents;  // guarded by mu; documents stay where they are
  };
  static Made& made = *new Made();
  const std::lock_guard lock(made.mu);
  auto at = made.documents.find(&kind);
  if (at == made.documents.end())
    at = made.documents.emplace(&kind, SchemaMaker().make(kind)).first;
  return at->second.root();
}

}  // namespace strake::kinds
