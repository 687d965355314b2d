#pragma once
// Which resource of a cluster somebody means: "pods", "deploy", "widgets.example.com", "pods/log".
#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/client.h"

namespace strake::cli {

struct FoundResource {
  std::string group;
  std::string resource;
  std::string subresource;
  bool namespaced = true;
};

// By plural, singular, kind or short name, with or without the group. kNotFound when the cluster
// serves none of that name.
Result<FoundResource> find_resource(const kube::Client& cluster, std::string_view name);

// The same in the answers of /api and /apis, as aggregated discovery gives them.
Result<FoundResource> find_resource(std::string_view core_json, std::string_view groups_json,
                                    std::string_view name);

}  // namespace strake::cli
