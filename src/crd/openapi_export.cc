#include "crd/openapi_export.h"

#include <fmt/format.h>

#include <algorithm>

#include "crd/openapi_builtin.h"
#include "crd/schema_view.h"

// What /openapi/v2 and /openapi/v3 show of a CRD. v3 is nearly the schema itself. v2 has no
// composition, no null and no defaults, and old clients refuse what a schema does not allow; so
// wherever v2 cannot say it, the schema is made weaker (any value), never stronger.

namespace strake::crd {
namespace {

using value::Document;
using value::Member;
using value::Value;

constexpr std::string_view kConventions =
    "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

class Exporter {
 public:
  Exporter(const Crd& crd, const Version& version, OpenApi form)
      : crd_(crd), version_(version), v2_(form == OpenApi::kV2), arena_(out_.arena()) {
    out_.root() = Value::object({});
  }

  Document run() {
    const Names& names = crd_.names();
    const std::string name = openapi_name(crd_.group(), version_.name(), names.kind);
    const std::string list = openapi_name(crd_.group(), version_.name(), names.list_kind);
    set(out_.root(), name, kind_schema());
    set(out_.root(), list, list_schema(name));
    if (!v2_) {
      add_all(builtin_schemas());
      if (version_.has_scale()) add_all(scale_schemas());
    }
    return std::move(out_);
  }

 private:
  Value text(std::string_view s) { return Value::string(arena_.copy(s)); }
  void set(Value& object, std::string_view key, Value v) {
    object.set(arena_.copy(key), v, arena_);
  }
  void add_all(const Value& schemas) {
    for (const Member& one : schemas.members())
      set(out_.root(), one.key, value::deep_copy(one.value, arena_));
  }

  // The reference itself; in v3 one with a description is wrapped, as it may have no siblings.
  Value reference(std::string_view name) {
    Value out = Value::object({});
    set(out, "$ref",
        text(fmt::format("#/{}/{}", v2_ ? "definitions" : "components/schemas", name)));
    return out;
  }
  Value described_reference(std::string_view name, std::string_view description) {
    Value out = reference(name);
    if (!v2_) {
      Value all = Value::array({});
      all.append(out, arena_);
      out = Value::object({});
      set(out, "allOf", all);
    }
    set(out, "description", Value::string(description));
    return out;
  }

  Value described_text(std::string_view description) {
    Value out = Value::object({});
    set(out, "type", Value::string("string"));
    set(out, "description", Value::string(description));
    return out;
  }

  // apiVersion, kind and metadata, whatever the schema says about them.
  void set_meta(Value& schema, std::string_view metadata_type, std::string_view metadata_text) {
    Value* properties = schema.find("properties");
    if (properties == nullptr) {
      set(schema, "properties", Value::object({}));
      properties = schema.find("properties");
    }
    set(*properties, "apiVersion",
        described_text("The group and version of the schema that this object is written in."));
    set(*properties, "kind", described_text("The kind of resource that this object is."));
    set(*properties, "metadata",
        described_reference(fmt::format("{}{}", kMetaPrefix, metadata_type), metadata_text));
  }

  void set_kind(Value& schema, std::string_view kind) {
    Value one = Value::object({});
    set(one, "group", text(crd_.group()));
    set(one, "kind", text(kind));
    set(one, "version", text(version_.name()));
    Value all = Value::array({});
    all.append(one, arena_);
    set(schema, "x-kubernetes-group-version-kind", all);
    if (const Value* fields = version_.selectable_fields()) {
      Value selectable = Value::array({});
      for (const Value& field : fields->items()) {
        std::string_view path = SchemaView(field).text("jsonPath");
        if (path.starts_with('.')) path.remove_prefix(1);
        Value entry = Value::object({});
        set(entry, "fieldPath", text(path));
        selectable.append(entry, arena_);
      }
      if (selectable.size() > 0) set(schema, "x-kubernetes-selectable-fields", selectable);
    }
  }

  Value kind_schema() {
    Value out = Value::object({});
    const Value* schema = version_.schema();
    const bool opaque =
        schema == nullptr ||
        (v2_ && (SchemaView(*schema).preserves_unknown() || crd_.preserve_unknown_fields()));
    if (opaque) {
      // Properties would make old clients refuse everything else.
      set(out, "type", Value::string("object"));
    } else {
      out = value::deep_copy(*schema, arena_);
      settle(out);
      set_meta(out, "ObjectMeta", "Metadata of the object.");
    }
    set_kind(out, crd_.names().kind);
    return out;
  }

  Value list_schema(std::string_view item) {
    const Names& names = crd_.names();
    Value items = Value::object({});
    set(items, "description",
        text(fmt::format("List of {}. More info: {}", names.plural, kConventions)));
    set(items, "items", reference(item));
    set(items, "type", Value::string("array"));
    Value out = Value::object({});
    set(out, "description", text(fmt::format("{} is a list of {}", names.list_kind, names.kind)));
    set(out, "type", Value::string("object"));
    set_meta(out, "ListMeta", "Metadata of the list.");
    set(out.object_at("properties", arena_), "items", items);
    Value required = Value::array({});
    required.append(Value::string("items"), arena_);
    set(out, "required", required);
    set_kind(out, names.list_kind);
    return out;
  }

  // --- one schema of the CRD, edited into what is published

  void settle(Value& schema) {
    for (const std::string_view key : {"example", "externalDocs", "id", "$schema"})
      schema.remove(key);
    if (v2_) simplify(schema);
    const SchemaView view(schema);
    if (!v2_ && view.flag("x-kubernetes-int-or-string") && !view.has("anyOf") &&
        !has_alternatives(view)) {
      Value all = Value::array({});
      for (const std::string_view type : {"integer", "string"}) {
        Value one = Value::object({});
        set(one, "type", Value::string(type));
        all.append(one, arena_);
      }
      set(schema, "anyOf", all);
    }
    if (Value* properties = schema.find("properties"); properties != nullptr) {
      for (Member& property : properties->mutable_members()) settle(property.value);
    }
    for (const std::string_view key : {"items", "additionalProperties"}) {
      Value* below = schema.find(key);
      if (below != nullptr && below->is_object()) settle(*below);
    }
    if (view.flag("x-kubernetes-embedded-resource") && !(v2_ && view.preserves_unknown()))
      embed(schema);
  }

  // The anyOf of an int-or-string may stand first in allOf instead.
  static bool has_alternatives(const SchemaView& schema) {
    return std::ranges::any_of(schema.list("allOf"),
                               [](const Value& one) { return SchemaView(one).has("anyOf"); });
  }

  // v2 has no composition and no null, and clients of it refuse what they cannot place: such parts
  // are left open.
  void simplify(Value& schema) {
    for (const std::string_view key : {"allOf", "anyOf", "oneOf", "not", "default"})
      schema.remove(key);
    const SchemaView view(schema);
    if (view.flag("nullable")) {
      for (const std::string_view key : {"nullable", "type", "items", "properties"})
        schema.remove(key);
    }
    if (SchemaView(schema).preserves_unknown()) {
      for (const std::string_view key : {"type", "items", "properties"}) schema.remove(key);
    }
    drop_nullable_required(schema);
  }

  void drop_nullable_required(Value& schema) {
    const SchemaView view(schema);
    Value kept = Value::array({});
    for (const Value& name : view.list("required")) {
      const auto property = name.is_string() ? view.property(name.as_string()) : std::nullopt;
      if (property && property->flag("nullable")) continue;
      kept.append(name, arena_);
    }
    if (kept.size() == view.list("required").size()) return;
    if (kept.size() == 0) {
      schema.remove("required");
    } else {
      set(schema, "required", kept);
    }
  }

  void embed(Value& schema) {
    set_meta(schema, "ObjectMeta", "Metadata of the object.");
    Value required = Value::array({});
    for (const Value& name : SchemaView(schema).list("required")) required.append(name, arena_);
    for (const std::string_view key : {"kind", "apiVersion"}) {
      const bool has = std::ranges::any_of(required.items(), [&](const Value& name) {
        return name.is_string() && name.as_string() == key;
      });
      if (!has) required.append(Value::string(key), arena_);
    }
    set(schema, "required", required);
  }

  const Crd& crd_;
  const Version& version_;
  bool v2_;
  Document out_;
  Arena& arena_;
};

}  // namespace

std::string openapi_name(std::string_view group, std::string_view version, std::string_view kind) {
  std::string out;
  while (!group.empty()) {
    const std::size_t dot = group.rfind('.');
    const std::size_t start = dot == std::string_view::npos ? 0 : dot + 1;
    out += group.substr(start);
    out += '.';
    group = group.substr(0, start == 0 ? 0 : dot);
  }
  return fmt::format("{}{}.{}", out, version, kind);
}

Document export_openapi(const Crd& crd, const Version& version, OpenApi form) {
  return Exporter(crd, version, form).run();
}

}  // namespace strake::crd
