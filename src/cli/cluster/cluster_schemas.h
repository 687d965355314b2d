#pragma once
// The schemas of a cluster, for checks: its CRDs as they were written, with their rules, and
// OpenAPI documents for the rest.
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/io.h"
#include "kube/client.h"

namespace strake::cli {

// Adds what the text may have for apiVersions: whatever stands behind that word. Some may be none.
void add_api_versions(std::string_view text, std::set<std::string>& to);

struct ClusterSchema {
  std::string name;  // for messages: "dev:/apis/..."
  std::shared_ptr<const std::string> text;
};

struct ClusterSchemas {
  std::vector<ClusterSchema> all;
  std::string warning;  // when the CRDs could not be had; empty else
};

// All CRDs, and the OpenAPI v3 documents of the versions that are wanted (null for every one).
// Who may not read CRDs gets OpenAPI for those, too, which has no rules. Clusters without OpenAPI
// v3 are asked for v2.
Result<ClusterSchemas> fetch_cluster_schemas(const kube::Client& cluster,
                                             const std::set<std::string>* api_versions, Io& io);

}  // namespace strake::cli
