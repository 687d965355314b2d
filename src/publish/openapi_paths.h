#pragma once
// The members of `paths`, written as each version of OpenAPI wants them.
#include "publish/json_text.h"
#include "publish/openapi_discovery.h"
#include "publish/openapi_operations.h"

namespace strake::publish {

void write_path_v3(JsonText& json, const ResourcePaths& resource, const PathItem& item);
void write_path_v3(JsonText& json, const DiscoveryPath& path);
void write_path_v2(JsonText& json, const ResourcePaths& resource, const PathItem& item);
void write_path_v2(JsonText& json, const DiscoveryPath& path);

// Parts that both have.
inline constexpr std::string_view kStatusSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
inline constexpr std::string_view kPatchSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
inline constexpr std::string_view kDeleteOptionsSchema =
    "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
std::span<const std::string_view> patch_types(bool builtin);
std::span<const std::string_view> answer_types(bool streams);
std::string_view code_text(std::string_view code);  // "OK"
void write_unauthorized(JsonText& json);            // "401":{"description":"Unauthorized"}
// "tags":[...],"x-kubernetes-action":...,"x-kubernetes-group-version-kind":{...}
void write_labels(JsonText& json, const ResourcePaths& resource, const PathItem& item,
                  const Operation& operation);

}  // namespace strake::publish
