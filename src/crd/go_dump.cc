#include "crd/go_dump.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "value/json_writer.h"

// kube-apiserver puts a whole internal struct into some messages, written by Go's encoding/json.
// The internal types have no JSON tags, so the Go names show, in the order of declaration, and
// nothing is left out when empty. The tables follow the structs of apiextensions in kube-apiserver
// 1.36; their order is part of the message.

namespace strake::crd {
namespace {

using value::Member;
using value::Value;

enum class As : std::uint8_t {
  kText,
  kFlag,
  kNumber,
  kValue,
  kSchema,
  kSchemas,
  kSchemaMap,
  kItems,
  kOrBool,
  kDependencies,
  kDocs,
  kRules,
  kColumns,
  kSelectable,
  kSubresources,
  kScale,
  kHolder,
  kEmpty
};

struct Field {
  std::string_view name;  // as kube-apiserver 1.36 calls it
  std::string_view key;   // as the document does
  As as;
};

constexpr Field kDumpSchemaFields[] = {
    {"ID", "id", As::kText},
    {"Schema", "$schema", As::kText},
    {"Ref", "$ref", As::kValue},
    {"Description", "description", As::kText},
    {"Type", "type", As::kText},
    {"Nullable", "nullable", As::kFlag},
    {"Format", "format", As::kText},
    {"Title", "title", As::kText},
    {"Default", "default", As::kValue},
    {"Maximum", "maximum", As::kValue},
    {"ExclusiveMaximum", "exclusiveMaximum", As::kFlag},
    {"Minimum", "minimum", As::kValue},
    {"ExclusiveMinimum", "exclusiveMinimum", As::kFlag},
    {"MaxLength", "maxLength", As::kValue},
    {"MinLength", "minLength", As::kValue},
    {"Pattern", "pattern", As::kText},
    {"MaxItems", "maxItems", As::kValue},
    {"MinItems", "minItems", As::kValue},
    {"UniqueItems", "uniqueItems", As::kFlag},
    {"MultipleOf", "multipleOf", As::kValue},
    {"Enum", "enum", As::kValue},
    {"MaxProperties", "maxProperties", As::kValue},
    {"MinProperties", "minProperties", As::kValue},
    {"Required", "required", As::kValue},
    {"Items", "items", As::kItems},
    {"AllOf", "allOf", As::kSchemas},
    {"OneOf", "oneOf", As::kSchemas},
    {"AnyOf", "anyOf", As::kSchemas},
    {"Not", "not", As::kSchema},
    {"Properties", "properties", As::kSchemaMap},
    {"AdditionalProperties", "additionalProperties", As::kOrBool},
    {"PatternProperties", "patternProperties", As::kSchemaMap},
    {"Dependencies", "dependencies", As::kDependencies},
    {"AdditionalItems", "additionalItems", As::kOrBool},
    {"Definitions", "definitions", As::kSchemaMap},
    {"ExternalDocs", "externalDocs", As::kDocs},
    {"Example", "example", As::kValue},
    {"XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", As::kValue},
    {"XEmbeddedResource", "x-kubernetes-embedded-resource", As::kFlag},
    {"XIntOrString", "x-kubernetes-int-or-string", As::kFlag},
    {"XListMapKeys", "x-kubernetes-list-map-keys", As::kValue},
    {"XListType", "x-kubernetes-list-type", As::kValue},
    {"XMapType", "x-kubernetes-map-type", As::kValue},
    {"XValidations", "x-kubernetes-validations", As::kRules},
};
constexpr Field kDumpDocsFields[] = {{"Description", "description", As::kText},
                                     {"URL", "url", As::kText}};
constexpr Field kDumpRuleFields[] = {
    {"Rule", "rule", As::kText},
    {"Message", "message", As::kText},
    {"MessageExpression", "messageExpression", As::kText},
    {"Reason", "reason", As::kValue},
    {"FieldPath", "fieldPath", As::kText},
    {"OptionalOldSelf", "optionalOldSelf", As::kValue},
};
constexpr Field kDumpColumnFields[] = {
    {"Name", "name", As::kText},           {"Type", "type", As::kText},
    {"Format", "format", As::kText},       {"Description", "description", As::kText},
    {"Priority", "priority", As::kNumber}, {"JSONPath", "jsonPath", As::kText},
};
constexpr Field kDumpSelectableFields[] = {{"JSONPath", "jsonPath", As::kText}};
constexpr Field kDumpSubresourcesFields[] = {{"Status", "status", As::kEmpty},
                                             {"Scale", "scale", As::kScale}};
constexpr Field kDumpScaleFields[] = {
    {"SpecReplicasPath", "specReplicasPath", As::kText},
    {"StatusReplicasPath", "statusReplicasPath", As::kText},
    {"LabelSelectorPath", "labelSelectorPath", As::kValue},
};
constexpr Field kDumpHolderFields[] = {{"OpenAPIV3Schema", "openAPIV3Schema", As::kSchema}};

void dump(const Value* v, As as, std::string& out);

void dump_struct(const Value& v, std::span<const Field> fields, std::string& out) {
  out += '{';
  for (const Field& field : fields) {
    if (out.back() != '{') out += ',';
    out += fmt::format("\"{}\":", field.name);
    dump(v.find(field.key), field.as, out);
  }
  out += '}';
}

template <typename One>
void dump_list(const Value& v, std::string& out, const One& one) {
  out += '[';
  for (const Value& item : v.items()) {
    if (out.back() != '[') out += ',';
    one(item);
  }
  out += ']';
}

template <typename One>
void dump_map(const Value& v, std::string& out, const One& one) {
  out += '{';
  bool first = true;
  for (const Member& member : v.members()) {
    if (!first) out += ',';
    first = false;
    value::write_json_string(member.key, out);
    out += ':';
    one(member.value);
  }
  out += '}';
}

void dump_structs(const Value& v, std::span<const Field> fields, std::string& out) {
  dump_list(v, out, [&](const Value& item) { dump_struct(item, fields, out); });
}

void dump(const Value* v, As as, std::string& out) {
  if (v == nullptr || v->is_null()) {
    switch (as) {
      case As::kText: out += "\"\""; return;
      case As::kFlag: out += "false"; return;
      case As::kNumber: out += '0'; return;
      // JSONSchemaPropsOrArray reads a null into an empty struct, not into a nil pointer.
      case As::kItems:
        if (v == nullptr) break;
        out += R"({"Schema":null,"JSONSchemas":null})";
        return;
      default: break;
    }
    out += "null";
    return;
  }
  switch (as) {
    case As::kText:
    case As::kFlag:
    case As::kNumber:
    case As::kValue: value::write_json(*v, out); return;
    case As::kSchema: dump_struct(*v, kDumpSchemaFields, out); return;
    case As::kSchemas: dump_structs(*v, kDumpSchemaFields, out); return;
    case As::kSchemaMap:
      dump_map(*v, out, [&](const Value& one) { dump_struct(one, kDumpSchemaFields, out); });
      return;
    case As::kItems:
      out += "{\"Schema\":";
      dump(v->is_object() ? v : nullptr, As::kSchema, out);
      out += ",\"JSONSchemas\":";
      dump(v->is_array() ? v : nullptr, As::kSchemas, out);
      out += '}';
      return;
    case As::kOrBool:
      out += fmt::format("{{\"Allows\":{},\"Schema\":",
                         v->is_object() || (v->is_bool() && v->as_bool()));
      dump(v->is_object() ? v : nullptr, As::kSchema, out);
      out += '}';
      return;
    case As::kDependencies:
      dump_map(*v, out, [&](const Value& one) {
        out += "{\"Schema\":";
        dump(one.is_object() ? &one : nullptr, As::kSchema, out);
        out += ",\"Property\":";
        dump(one.is_array() ? &one : nullptr, As::kValue, out);
        out += '}';
      });
      return;
    case As::kDocs: dump_struct(*v, kDumpDocsFields, out); return;
    case As::kRules: dump_structs(*v, kDumpRuleFields, out); return;
    case As::kColumns: dump_structs(*v, kDumpColumnFields, out); return;
    case As::kSelectable: dump_structs(*v, kDumpSelectableFields, out); return;
    case As::kSubresources: dump_struct(*v, kDumpSubresourcesFields, out); return;
    case As::kScale: dump_struct(*v, kDumpScaleFields, out); return;
    case As::kHolder: dump_struct(*v, kDumpHolderFields, out); return;
    case As::kEmpty: out += "{}"; return;
  }
}

}  // namespace

std::string dump_schema(const Value& schema) {
  std::string out;
  dump(&schema, As::kSchema, out);
  return out;
}

std::string dump_items(const Value& items) {
  std::string out;
  dump(&items, As::kItems, out);
  return out;
}

std::string dump_versions(const HoistedSpec& spec) {
  const Value* list = spec.crd->value().get("spec").find("versions");
  if (list == nullptr || !list->is_array()) return "null";
  std::string out = "[";
  for (const HoistedVersion& one : spec.versions) {
    if (out.size() > 1) out += ',';
    const Version& version = *one.version;
    out += "{\"Name\":";
    value::write_json_string(version.name(), out);
    out += fmt::format(",\"Served\":{},\"Storage\":{},\"Deprecated\":{},\"DeprecationWarning\":",
                       version.served(), version.storage(), version.deprecated());
    if (version.deprecation_warning()) {
      value::write_json_string(*version.deprecation_warning(), out);
    } else {
      out += "null";
    }
    out += ",\"Schema\":";
    dump(one.schema_holder, As::kHolder, out);
    out += ",\"Subresources\":";
    dump(one.subresources, As::kSubresources, out);
    out += ",\"AdditionalPrinterColumns\":";
    dump(one.printer_columns, As::kColumns, out);
    out += ",\"SelectableFields\":";
    dump(one.selectable_fields, As::kSelectable, out);
    out += '}';
  }
  out += ']';
  return out;
}

}  // namespace strake::crd
