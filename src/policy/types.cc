#include "policy/types.h"

#include <fmt/format.h>

#include "policy/patch_values.h"

namespace strake::policy {

using cel::Type;
using cel::TypeKind;

constexpr Type kRequestType{TypeKind::kObject, false, "kubernetes.AdmissionRequest"};
constexpr Type kNamespaceType{TypeKind::kObject, false, "kubernetes.Namespace"};
constexpr Type kVariablesType{TypeKind::kObject, false, "kubernetes.variables"};
constexpr Type kObjectType{TypeKind::kObject, false, "Object"};
constexpr Type kJsonPatchType{TypeKind::kObject, false, "JSONPatch"};

namespace {

constexpr const Type* kPatchParams[] = {&kJsonPatchType};

constexpr Type kKindType{TypeKind::kObject, false, "kubernetes.GroupVersionKind"};
constexpr Type kResourceType{TypeKind::kObject, false, "kubernetes.GroupVersionResource"};
constexpr Type kUserType{TypeKind::kObject, false, "kubernetes.UserInfo"};
constexpr Type kNamespaceSpecType{TypeKind::kObject, false, "kubernetes.NamespaceSpec"};
constexpr Type kConditionType{TypeKind::kObject, false, "kubernetes.NamespaceCondition"};
constexpr Type kNamespaceStatusType{TypeKind::kObject, false, "kubernetes.NamespaceStatus"};
constexpr Type kNamespaceMetaType{TypeKind::kObject, false, "kubernetes.NamespaceMetadata"};

constexpr const Type* kText = &cel::types::string;
constexpr const Type* kTextParams[] = {kText};
constexpr Type kTexts{TypeKind::kList, false, "list", kTextParams};
constexpr const Type* kLabelParams[] = {kText, kText};
constexpr Type kLabels{TypeKind::kMap, false, "map", kLabelParams};
constexpr const Type* kExtraParams[] = {kText, &kTexts};
constexpr Type kExtra{TypeKind::kMap, false, "map", kExtraParams};
constexpr const Type* kConditionParams[] = {&kConditionType};
constexpr Type kConditions{TypeKind::kList, false, "list", kConditionParams};

struct Declared {
  const Type* type;
  std::string_view field;
  const Type* field_type;
};

// As kube-apiserver 1.36 declares them. That UID is spelled so, and that times are texts in the
// document, is its way.
constexpr Declared kDeclared[] = {
    {&kRequestType, "kind", &kKindType},
    {&kRequestType, "resource", &kResourceType},
    {&kRequestType, "subResource", kText},
    {&kRequestType, "requestKind", &kKindType},
    {&kRequestType, "requestResource", &kResourceType},
    {&kRequestType, "requestSubResource", kText},
    {&kRequestType, "name", kText},
    {&kRequestType, "namespace", kText},
    {&kRequestType, "operation", kText},
    {&kRequestType, "userInfo", &kUserType},
    {&kRequestType, "dryRun", &cel::types::boolean},
    {&kRequestType, "options", &cel::types::dyn},
    {&kKindType, "group", kText},
    {&kKindType, "version", kText},
    {&kKindType, "kind", kText},
    {&kResourceType, "group", kText},
    {&kResourceType, "version", kText},
    {&kResourceType, "resource", kText},
    {&kUserType, "username", kText},
    {&kUserType, "uid", kText},
    {&kUserType, "groups", &kTexts},
    {&kUserType, "extra", &kExtra},
    {&kNamespaceType, "metadata", &kNamespaceMetaType},
    {&kNamespaceType, "spec", &kNamespaceSpecType},
    {&kNamespaceType, "status", &kNamespaceStatusType},
    {&kNamespaceSpecType, "finalizers", &kTexts},
    {&kNamespaceStatusType, "conditions", &kConditions},
    {&kNamespaceStatusType, "phase", kText},
    {&kConditionType, "status", kText},
    {&kConditionType, "type", kText},
    {&kConditionType, "lastTransitionTime", &cel::types::timestamp},
    {&kConditionType, "message", kText},
    {&kConditionType, "reason", kText},
    {&kNamespaceMetaType, "name", kText},
    {&kNamespaceMetaType, "generateName", kText},
    {&kNamespaceMetaType, "namespace", kText},
    {&kNamespaceMetaType, "labels", &kLabels},
    {&kNamespaceMetaType, "annotations", &kLabels},
    {&kNamespaceMetaType, "UID", kText},
    {&kNamespaceMetaType, "creationTimestamp", &cel::types::timestamp},
    {&kNamespaceMetaType, "deletionGracePeriodSeconds", &cel::types::integer},
    {&kNamespaceMetaType, "deletionTimestamp", &cel::types::timestamp},
    {&kNamespaceMetaType, "generation", &cel::types::integer},
    {&kNamespaceMetaType, "resourceVersion", kText},
    {&kNamespaceMetaType, "finalizers", &kTexts},
};

// Object and Object.spec.ports: a type for every path.
bool is_object_name(std::string_view name) {
  return name == kObjectType.name || name.starts_with("Object.");
}

// The type of a variable as other expressions see it.
const Type* declared_as(const Type& type, cel::TypeFactory& make) {
  if (type.wrapper) return &cel::types::dyn;
  switch (type.kind) {
    case TypeKind::kAny: return &cel::types::any;
    case TypeKind::kBool: return &cel::types::boolean;
    case TypeKind::kBytes: return &cel::types::bytes;
    case TypeKind::kDouble: return &cel::types::number;
    case TypeKind::kDuration: return &cel::types::duration;
    case TypeKind::kInt: return &cel::types::integer;
    case TypeKind::kNull: return &cel::types::null;
    case TypeKind::kString: return &cel::types::string;
    case TypeKind::kTimestamp: return &cel::types::timestamp;
    case TypeKind::kUint: return &cel::types::uinteger;
    case TypeKind::kList: return make.list(declared_as(*type.params[0], make));
    case TypeKind::kMap:
      return make.map(declared_as(*type.params[0], make), declared_as(*type.params[1], make));
    default: return &cel::types::dyn;
  }
}

}  // namespace

constexpr Type kJsonPatchesType{TypeKind::kList, false, "list", kPatchParams};

void Types::add_variable(std::string_view name, const Type* type) {
  variables_[std::string(name)] = type != nullptr ? declared_as(*type, make_) : &cel::types::dyn;
}

const Type* Types::find_type(std::string_view name) const {
  if (!name.starts_with("kubernetes.")) return nullptr;
  if (name == kVariablesType.name) return &kVariablesType;
  for (const Declared& one : kDeclared) {
    if (one.type->name == name) return one.type;
  }
  return nullptr;
}

const Type* Types::find_field(std::string_view type, std::string_view field) const {
  if (type == kVariablesType.name) {
    const auto found = variables_.find(field);
    return found != variables_.end() ? found->second : nullptr;
  }
  for (const Declared& one : kDeclared) {
    if (one.field == field && one.type->name == type) return one.field_type;
  }
  return nullptr;
}

cel::Value Types::make(std::string_view type, std::span<const FieldValue>, Arena& arena) const {
  return cel::Value::error(fmt::format("unable to create value of type {}", type), arena);
}

const Type* PatchTypes::find_type(std::string_view name) const {
  if (name == kObjectType.name) return &kObjectType;
  if (is_object_name(name)) {
    const auto made = objects_.try_emplace(std::string(name)).first;
    made->second = Type{TypeKind::kObject, false, made->first};
    return &made->second;
  }
  if (name == kJsonPatchType.name) return &kJsonPatchType;
  return types_.find_type(name);
}

const Type* PatchTypes::find_field(std::string_view type, std::string_view field) const {
  if (is_object_name(type)) return &cel::types::dyn;
  if (type != kJsonPatchType.name) return types_.find_field(type, field);
  if (field == "op" || field == "path" || field == "from") return kText;
  return field == "value" ? &cel::types::dyn : nullptr;
}

cel::Value PatchTypes::make(std::string_view type, std::span<const FieldValue> fields,
                            Arena& arena) const {
  if (type == kJsonPatchType.name) return make_json_patch(fields, arena);
  if (type == kObjectType.name) return make_patch_object(kObjectType, fields, arena);
  if (const auto found = objects_.find(type); found != objects_.end())
    return make_patch_object(found->second, fields, arena);
  return types_.make(type, fields, arena);
}

}  // namespace strake::policy
