#pragma once
// The paths by which clients discover the server, and the schemas of what they answer.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace strake::publish {

struct DiscoveryPath {
  std::string path;         // "/apis/apps/v1/"
  std::string id;           // "getAppsV1APIResources"
  std::string tag;          // "apps_v1"
  std::string description;  // of the operation
  std::string_view schema;  // full name of what it answers
  bool json_only = false;   // not in YAML
};

DiscoveryPath api_versions_path();                 // /api/
DiscoveryPath group_list_path();                   // /apis/
DiscoveryPath group_path(std::string_view group);  // /apis/<group>/
DiscoveryPath resource_list_path(std::string_view group, std::string_view version);
DiscoveryPath version_path();  // /version/

// An object from full names to schemas, in v3 form, of all that the above answer.
const value::Value& discovery_schemas();

}  // namespace strake::publish
