#pragma once
// The OpenAPI documents of the server, as kube-apiserver v1.36 publishes them. Pure functions of
// the resources. Only what is served and established is published.
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kinds/resource.h"

namespace strake::publish {

// The v3 document of one group and version, JSON text: "apis/example.com/v1", "api/v1", and those
// of discovery itself ("api", "apis", "apis/<group>" of built-in groups, "version"). Empty for an
// unknown path.
std::string openapi_v3(std::span<const kinds::ResourcePtr> resources, std::string_view path);
// Every path that openapi_v3 knows, sorted.
std::vector<std::string> openapi_v3_paths(std::span<const kinds::ResourcePtr> resources);
// The index at /openapi/v3 from paths to the hash of each document.
std::string openapi_v3_index(const std::map<std::string, std::string, std::less<>>& hashes);
// The one v2 document of everything.
std::string openapi_v2(std::span<const kinds::ResourcePtr> resources);
// Upper-case hex SHA-512 of the text: ETags and hashes.
std::string document_hash(std::string_view text);

// The same documents in protobuf (application/com.github.proto-openapi.spec.v2.v1.0+protobuf and
// .v3.): kubectl asks for these first. Fails when the text is no JSON.
Result<std::string> openapi_v2_protobuf(std::string_view json);
Result<std::string> openapi_v3_protobuf(std::string_view json);

}  // namespace strake::publish
