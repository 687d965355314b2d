#pragma once
// The documents in which a cluster describes what it serves: OpenAPI v2 as one, OpenAPI v3 as one
// for each group and version.
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "kube/client.h"
#include "value/document.h"

namespace strake::kube {

Result<std::string> fetch_openapi_v2(const Client& client);

struct OpenApiPart {
  std::string name;  // "api/v1", "apis/apps/v1"; also "version" and others that are no group
  std::string path;  // where to ask for it
};
// Sorted by name. Fails with kNotFound when the cluster is older than OpenAPI v3.
Result<std::vector<OpenApiPart>> list_openapi_v3(const Client& client);

// One document with everything that is in the parts: paths, and components by their names. A
// component that stands in several parts says there of which kinds it is, and each part knows those
// of its own group only; here it is all of them. Fails with kInvalid when one is no document of
// OpenAPI v3.
Result<value::Document> merge_openapi_v3(std::span<const value::Document> parts);

}  // namespace strake::kube
