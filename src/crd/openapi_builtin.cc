#include "crd/openapi_builtin.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "value/document.h"
#include "value/json_reader.h"

// The schemas that those of custom resources refer to. Structure, names and defaults are those of
// kube-apiserver 1.36; descriptions are in words of their own.

namespace strake::crd {
namespace {

using value::Document;
using value::Value;

// clang-format off
constexpr std::string_view kBuiltinJson = R"json({
"io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions": {"description":
"DeleteOptions say how an object is to be deleted.", "properties": {"apiVersion": {"description":
"The group and version of the schema that this object is written in.", "type": "string"},
"dryRun": {"description": "All: go through every step but storing.", "items": {"default": "",
"type": "string"}, "type": "array", "x-kubernetes-list-type": "atomic"}, "gracePeriodSeconds":
{"description": "How long the object may take to end; 0 is at once.", "format": "int64", "type":
"integer"}, "ignoreStoreReadErrorWithClusterBreakingPotential": {"description":
"Delete the object even if it cannot be read from the store. Unsafe.", "type": "boolean"},
"kind": {"description": "The kind of resource that this object is.", "type": "string"},
"orphanDependents": {"description": "Not to be used: see propagationPolicy.", "type": "boolean"},
"preconditions": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Preconditions"}], "description":
"What must hold for the deletion."}, "propagationPolicy": {"description":
"What becomes of dependents: Orphan, Background or Foreground.", "type": "string"}}, "type":
"object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": {"description":
"FieldsV1 is a set of fields as a tree of keys.", "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta": {"description":
"ListMeta is what a list says about itself.", "properties": {"continue": {"description":
"Where to go on when the list was cut. Empty at the end.", "type": "string"},
"remainingItemCount": {"description":
"How many items follow those of this list, where that is known.", "format": "int64", "type":
"integer"}, "resourceVersion": {"description":
"The state of the collection that the list shows.", "type": "string"}, "selfLink":
{"description": "Not used any more.", "type": "string"}, "shardInfo": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ShardInfo"}], "description":
"Set when the list is one shard of the collection."}}, "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry": {"description":
"ManagedFieldsEntry lists the fields that one manager has set.", "properties": {"apiVersion":
{"description": "The version in which the fields are named.", "type": "string"}, "fieldsType":
{"description": "The form of fieldsV1. There is only FieldsV1.", "type": "string"}, "fieldsV1":
{"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1"}],
"description": "The fields, as a tree."}, "manager": {"description": "Who set them.", "type":
"string"}, "operation": {"description": "How they were set: Apply or Update.", "type": "string"},
"subresource": {"description": "The subresource through which they were set, if any.", "type":
"string"}, "time": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}], "description":
"When the entry changed last."}}, "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {"description":
"ObjectMeta is what every stored object says about itself.", "properties": {"annotations":
{"additionalProperties": {"default": "", "type": "string"}, "description":
"Notes of any form that tools keep with the object. They cannot be selected by.", "type":
"object"}, "creationTimestamp": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}], "description":
"When the server stored the object first. Set by the server."}, "deletionGracePeriodSeconds":
{"description":
"How long the object may take to end once its deletion has begun. Set by the server.", "format":
"int64", "type": "integer"}, "deletionTimestamp": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}], "description":
"When the object is to be gone. Set by the server once deletion is asked for."}, "finalizers":
{"description": "What must be done before the object goes: it stays as long as there are any.",
"items": {"default": "", "type": "string"}, "type": "array", "x-kubernetes-list-type": "set",
"x-kubernetes-patch-strategy": "merge"}, "generateName": {"description":
"A prefix from which the server makes a unique name when none is given.", "type": "string"},
"generation": {"description": "Counts the changes of what is wanted. Set by the server.",
"format": "int64", "type": "integer"}, "labels": {"additionalProperties": {"default": "", "type":
"string"}, "description": "Keys and values to organise and select objects by.", "type":
"object"}, "managedFields": {"description":
"Which fields each manager has set. Kept by the server.", "items": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry"}], "default": {}},
"type": "array", "x-kubernetes-list-type": "atomic"}, "name": {"description":
"The name of the object, unique in its namespace. It cannot be changed.", "type": "string"},
"namespace": {"description":
"The space in which the name is unique. Cluster-wide objects have none.", "type": "string"},
"ownerReferences": {"description":
"The objects that this one depends on. When all of them are gone, it is collected.", "items":
{"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference"}],
"default": {}}, "type": "array", "x-kubernetes-list-map-keys": ["uid"], "x-kubernetes-list-type":
"map", "x-kubernetes-patch-merge-key": "uid", "x-kubernetes-patch-strategy": "merge"},
"resourceVersion": {"description":
"Tells one state of the object from another. Set by the server, and to be handed back unchanged.",
"type": "string"}, "selfLink": {"description": "Not used any more.", "type": "string"}, "uid":
{"description": "Tells this object from all others of any time. Set by the server.", "type":
"string"}}, "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference": {"description":
"OwnerReference points to an object in the same namespace, or to a cluster-wide one.",
"properties": {"apiVersion": {"default": "", "description":
"The group and version of the owner.", "type": "string"}, "blockOwnerDeletion": {"description":
"Whether the owner stays until this object is gone, when it is deleted in the foreground.",
"type": "boolean"}, "controller": {"description":
"Whether the owner is the one that manages this object.", "type": "boolean"}, "kind": {"default":
"", "description": "The kind of the owner.", "type": "string"}, "name": {"default": "",
"description": "The name of the owner.", "type": "string"}, "uid": {"default": "", "description":
"The uid of the owner.", "type": "string"}}, "required": ["apiVersion", "kind", "name", "uid"],
"type": "object", "x-kubernetes-map-type": "atomic"},
"io.k8s.apimachinery.pkg.apis.meta.v1.Patch": {"description":
"Patch is the body of a PATCH request.", "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.Preconditions": {"description":
"Preconditions must hold for an object to be deleted.", "properties": {"resourceVersion":
{"description": "The resource version it must have.", "type": "string"}, "uid": {"description":
"The uid it must have.", "type": "string"}}, "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.ShardInfo": {"description":
"ShardInfo says which shard of a collection a list holds.", "properties": {"selector":
{"default": "", "description": "The selector of the shard.", "type": "string"}}, "required":
["selector"], "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.Status": {"description":
"Status is the answer to a call that returns no object.", "properties": {"apiVersion":
{"description": "The group and version of the schema that this object is written in.", "type":
"string"}, "code": {"description": "The HTTP code.", "format": "int32", "type": "integer"},
"details": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.StatusDetails"}], "description":
"More about the reason."}, "kind": {"description": "The kind of resource that this object is.",
"type": "string"}, "message": {"description": "What happened, for people.", "type": "string"},
"metadata": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"}], "default": {},
"description": "Metadata of a list."}, "reason": {"description":
"Why, in one word for machines.", "type": "string"}, "status": {"description":
"Success or Failure.", "type": "string"}}, "type": "object", "x-kubernetes-group-version-kind":
[{"group": "", "kind": "Status", "version": "v1"}]},
"io.k8s.apimachinery.pkg.apis.meta.v1.StatusCause": {"description": "StatusCause is one fault.",
"properties": {"field": {"description": "The field that is wrong.", "type": "string"}, "message":
{"description": "What is wrong with it, for people.", "type": "string"}, "reason":
{"description": "What is wrong with it, for machines.", "type": "string"}}, "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.StatusDetails": {"description":
"StatusDetails say more about the reason of a status.", "properties": {"causes": {"description":
"Each fault that was found.", "items": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.StatusCause"}], "default": {}},
"type": "array", "x-kubernetes-list-type": "atomic"}, "group": {"description":
"The group of the resource.", "type": "string"}, "kind": {"description":
"The kind of the resource.", "type": "string"}, "name": {"description":
"The name of the resource.", "type": "string"}, "retryAfterSeconds": {"description":
"How long to wait before trying again.", "format": "int32", "type": "integer"}, "uid":
{"description": "The uid of the resource.", "type": "string"}}, "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.Time": {"description":
"Time is a moment in RFC 3339, to the second.", "format": "date-time", "type": "string"}
})json";

constexpr std::string_view kScaleJson = R"json({
"io.k8s.api.autoscaling.v1.Scale": {"description":
"Scale shows how many replicas a resource has and should have.", "properties": {"apiVersion":
{"description": "The group and version of the schema that this object is written in.", "type":
"string"}, "kind": {"description": "The kind of resource that this object is.", "type":
"string"}, "metadata": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}], "default": {},
"description": "Metadata of the resource."}, "spec": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.api.autoscaling.v1.ScaleSpec"}], "default": {}, "description":
"What is wanted."}, "status": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.api.autoscaling.v1.ScaleStatus"}], "default": {}, "description":
"What there is. Read only."}}, "type": "object", "x-kubernetes-group-version-kind": [{"group":
"autoscaling", "kind": "Scale", "version": "v1"}]},
"io.k8s.api.autoscaling.v1.ScaleSpec": {"description":
"ScaleSpec is how many replicas are wanted.", "properties": {"replicas": {"default": 0,
"description": "The number of replicas wanted.", "format": "int32", "type": "integer"}}, "type":
"object"},
"io.k8s.api.autoscaling.v1.ScaleStatus": {"description":
"ScaleStatus is how many replicas there are.", "properties": {"replicas": {"default": 0,
"description": "The number of replicas seen.", "format": "int32", "type": "integer"}, "selector":
{"description": "Selects the replicas, in the form of a query.", "type": "string"}}, "required":
["replicas"], "type": "object"}
})json";
// clang-format on

// DeleteOptions are registered in every built-in group and version.
constexpr std::string_view kDeleteOptionsVersions[] = {
    "/v1",
    "admissionregistration.k8s.io/v1",
    "admissionregistration.k8s.io/v1alpha1",
    "admissionregistration.k8s.io/v1beta1",
    "apps/v1",
    "apps/v1beta1",
    "apps/v1beta2",
    "authentication.k8s.io/v1",
    "authentication.k8s.io/v1alpha1",
    "authentication.k8s.io/v1beta1",
    "authorization.k8s.io/v1",
    "authorization.k8s.io/v1beta1",
    "autoscaling/v1",
    "autoscaling/v2",
    "batch/v1",
    "batch/v1beta1",
    "certificates.k8s.io/v1",
    "certificates.k8s.io/v1alpha1",
    "certificates.k8s.io/v1beta1",
    "coordination.k8s.io/v1",
    "coordination.k8s.io/v1alpha2",
    "coordination.k8s.io/v1beta1",
    "discovery.k8s.io/v1",
    "discovery.k8s.io/v1beta1",
    "events.k8s.io/v1",
    "events.k8s.io/v1beta1",
    "extensions/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1",
    "flowcontrol.apiserver.k8s.io/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "flowcontrol.apiserver.k8s.io/v1beta3",
    "internal.apiserver.k8s.io/v1alpha1",
    "networking.k8s.io/v1",
    "networking.k8s.io/v1beta1",
    "node.k8s.io/v1",
    "node.k8s.io/v1alpha1",
    "node.k8s.io/v1beta1",
    "policy/v1",
    "policy/v1beta1",
    "rbac.authorization.k8s.io/v1",
    "rbac.authorization.k8s.io/v1alpha1",
    "rbac.authorization.k8s.io/v1beta1",
    "resource.k8s.io/v1",
    "resource.k8s.io/v1alpha3",
    "resource.k8s.io/v1beta1",
    "resource.k8s.io/v1beta2",
    "scheduling.k8s.io/v1",
    "scheduling.k8s.io/v1alpha2",
    "scheduling.k8s.io/v1beta1",
    "storage.k8s.io/v1",
    "storage.k8s.io/v1alpha1",
    "storage.k8s.io/v1beta1",
    "storagemigration.k8s.io/v1beta1",
};

Document read_constant(std::string_view json) {
  auto document = value::read_json(json);
  STRAKE_ASSERT(document.has_value());
  return *std::move(document);
}

Document make_builtin_schemas() {
  Document out = read_constant(kBuiltinJson);
  Arena& arena = out.arena();
  Value kinds = Value::array({});
  for (const std::string_view one : kDeleteOptionsVersions) {
    const std::size_t slash = one.find('/');
    Value kind = Value::object({});
    kind.set("group", Value::string(one.substr(0, slash)), arena);
    kind.set("kind", Value::string("DeleteOptions"), arena);
    kind.set("version", Value::string(one.substr(slash + 1)), arena);
    kinds.append(kind, arena);
  }
  Value* options = out.root().find(fmt::format("{}DeleteOptions", kMetaPrefix));
  STRAKE_ASSERT(options != nullptr);
  options->set("x-kubernetes-group-version-kind", kinds, arena);
  return out;
}

}  // namespace

const Value& builtin_schemas() {
  static const Document kSchemas = make_builtin_schemas();
  return kSchemas.root();
}

const Value& scale_schemas() {
  static const Document kSchemas = read_constant(kScaleJson);
  return kSchemas.root();
}

}  // namespace strake::crd
