#include "publish/openapi_discovery.h"

#include <fmt/format.h>

#include "base/assert.h"
#include "publish/openapi_operations.h"
#include "value/document.h"
#include "value/json_reader.h"

namespace strake::publish {
namespace {

using value::Document;
using value::Value;

// clang-format off
constexpr std::string_view kDiscoverySchemas = R"json({
"io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup": {"description":
"APIGroup tells the versions of one group.", "properties": {"apiVersion": {"description":
"The group and version of the schema that this object is written in.", "type": "string"}, "kind":
{"description": "The kind of resource that this object is.", "type": "string"}, "name":
{"default": "", "description": "The name of the group.", "type": "string"}, "preferredVersion":
{"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery"}], "default":
{}, "description": "The version to use when there is no reason for another."},
"serverAddressByClientCIDRs": {"description": "Where clients reach this group.", "items":
{"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ServerAddressByClientCIDR"}],
"default": {}}, "type": "array", "x-kubernetes-list-type": "atomic"}, "versions": {"description":
"All versions that are served.", "items": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery"}], "default":
{}}, "type": "array", "x-kubernetes-list-type": "atomic"}}, "required": ["name", "versions"],
"type": "object", "x-kubernetes-group-version-kind": [{"group": "", "kind": "APIGroup", "version":
"v1"}]},
"io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList": {"description":
"APIGroupList tells all groups but the core group.", "properties": {"apiVersion": {"description":
"The group and version of the schema that this object is written in.", "type": "string"},
"groups": {"description": "The groups.", "items": {"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup"}], "default": {}}, "type":
"array", "x-kubernetes-list-type": "atomic"}, "kind": {"description":
"The kind of resource that this object is.", "type": "string"}}, "required": ["groups"], "type":
"object", "x-kubernetes-group-version-kind": [{"group": "", "kind": "APIGroupList", "version":
"v1"}]},
"io.k8s.apimachinery.pkg.apis.meta.v1.APIResource": {"description":
"APIResource tells the names of a resource and what can be done with it.", "properties":
{"categories": {"description": "Names under which it is listed with others.", "items": {"default":
"", "type": "string"}, "type": "array", "x-kubernetes-list-type": "atomic"}, "group":
{"description": "The group of its kind, when it is not that of the list.", "type": "string"},
"kind": {"default": "", "description": "What its objects are.", "type": "string"}, "name":
{"default": "", "description": "Its name in paths, in plural.", "type": "string"}, "namespaced":
{"default": false, "description": "Whether its objects live in namespaces.", "type": "boolean"},
"shortNames": {"description": "Short names for people to type.", "items": {"default": "", "type":
"string"}, "type": "array", "x-kubernetes-list-type": "atomic"}, "singularName": {"default": "",
"description": "Its name in singular.", "type": "string"}, "storageVersionHash": {"description":
"Changes with the version in which objects are stored. To be compared only.", "type": "string"},
"verbs": {"description": "What can be done with it.", "items": {"default": "", "type": "string"},
"type": "array"}, "version": {"description":
"The version of its kind, when it is not that of the list.", "type": "string"}}, "required":
["name", "singularName", "namespaced", "kind", "verbs"], "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList": {"description":
"APIResourceList tells the resources of one group and version.", "properties": {"apiVersion":
{"description": "The group and version of the schema that this object is written in.", "type":
"string"}, "groupVersion": {"default": "", "description": "The group and version.", "type":
"string"}, "kind": {"description": "The kind of resource that this object is.", "type": "string"},
"resources": {"description": "The resources, and their subresources.", "items": {"allOf":
[{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.APIResource"}], "default":
{}}, "type": "array", "x-kubernetes-list-type": "atomic"}}, "required": ["groupVersion",
"resources"], "type": "object", "x-kubernetes-group-version-kind": [{"group": "", "kind":
"APIResourceList", "version": "v1"}]},
"io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions": {"description":
"APIVersions tells the versions of the core group.", "properties": {"apiVersion": {"description":
"The group and version of the schema that this object is written in.", "type": "string"}, "kind":
{"description": "The kind of resource that this object is.", "type": "string"},
"serverAddressByClientCIDRs": {"description": "Where clients reach the server.", "items":
{"allOf": [{"$ref":
"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ServerAddressByClientCIDR"}],
"default": {}}, "type": "array", "x-kubernetes-list-type": "atomic"}, "versions": {"description":
"All versions that are served.", "items": {"default": "", "type": "string"}, "type": "array",
"x-kubernetes-list-type": "atomic"}}, "required": ["versions", "serverAddressByClientCIDRs"],
"type": "object", "x-kubernetes-group-version-kind": [{"group": "", "kind": "APIVersions",
"version": "v1"}]},
"io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery": {"description":
"GroupVersionForDiscovery names a version, with and without its group.", "properties":
{"groupVersion": {"default": "", "description": "The group and version: apps/v1.", "type":
"string"}, "version": {"default": "", "description": "The version alone: v1.", "type": "string"}},
"required": ["groupVersion", "version"], "type": "object"},
"io.k8s.apimachinery.pkg.apis.meta.v1.ServerAddressByClientCIDR": {"description":
"ServerAddressByClientCIDR tells which address clients of a network are to use.", "properties":
{"clientCIDR": {"default": "", "description": "The network of the clients.", "type": "string"},
"serverAddress": {"default": "", "description": "The host name or address, with or without port.",
"type": "string"}}, "required": ["clientCIDR", "serverAddress"], "type": "object"},
"io.k8s.apimachinery.pkg.version.Info": {"description":
"Info tells which version of the API the server speaks, and how it was built.", "properties":
{"buildDate": {"default": "", "type": "string"}, "compiler": {"default": "", "type": "string"},
"emulationMajor": {"description": "The major version whose behaviour is shown.", "type":
"string"}, "emulationMinor": {"description": "The minor version whose behaviour is shown.",
"type": "string"}, "gitCommit": {"default": "", "type": "string"}, "gitTreeState": {"default": "",
"type": "string"}, "gitVersion": {"default": "", "type": "string"}, "goVersion": {"default": "",
"type": "string"}, "major": {"default": "", "description": "The major version of the API.",
"type": "string"}, "minCompatibilityMajor": {"description":
"The oldest major version that may run beside this one.", "type": "string"},
"minCompatibilityMinor": {"description": "The oldest minor version that may run beside this one.",
"type": "string"}, "minor": {"default": "", "description": "The minor version of the API.",
"type": "string"}, "platform": {"default": "", "type": "string"}}, "required": ["major", "minor",
"gitVersion", "gitCommit", "gitTreeState", "buildDate", "goVersion", "compiler", "platform"],
"type": "object"}})json";
// clang-format on

}  // namespace

DiscoveryPath api_versions_path() {
  return {.path = "/api/",
          .id = "getCoreAPIVersions",
          .tag = "core",
          .description = "Tell the versions of the core group.",
          .schema = "io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions"};
}

DiscoveryPath group_list_path() {
  return {.path = "/apis/",
          .id = "getAPIVersions",
          .tag = "apis",
          .description = "Tell all groups.",
          .schema = "io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList"};
}

DiscoveryPath group_path(std::string_view group) {
  const OperationNames names = operation_names(group, "");
  return {.path = fmt::format("/apis/{}/", group),
          .id = fmt::format("get{}APIGroup", names.prefix),
          .tag = names.tag,
          .description = "Tell the versions of the group.",
          .schema = "io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup"};
}

DiscoveryPath resource_list_path(std::string_view group, std::string_view version) {
  const OperationNames names = operation_names(group, version);
  return {.path = fmt::format("{}/", version_root(group, version)),
          .id = fmt::format("get{}APIResources", names.prefix),
          .tag = names.tag,
          .description = "Tell the resources of the group and version.",
          .schema = "io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList"};
}

DiscoveryPath version_path() {
  return {.path = "/version/",
          .id = "getCodeVersion",
          .tag = "version",
          .description = "Tell the version of the server.",
          .schema = "io.k8s.apimachinery.pkg.version.Info",
          .json_only = true};
}

const Value& discovery_schemas() {
  static const Document* const document = [] {
    auto read = value::read_json(kDiscoverySchemas);
    STRAKE_ASSERT(read);
    return new Document(*std::move(read));
  }();
  return document->root();
}

}  // namespace strake::publish
