#pragma once
// The single file of old (kompoxops.yml): one workspace, provider, cluster and app, without IDs,
// protection, network policies and boxes. Its parts are judged by the same schemas as documents.
#include <functional>
#include <string>
#include <string_view>

#include "provider/failure.h"
#include "provider/model/app.h"
#include "provider/model/cluster.h"

namespace strake::ops {

struct LegacyFile {
  std::string path;
  std::string version;
  provider::Workspace workspace;
  provider::ProviderEntity provider;
  provider::Cluster cluster;
  provider::App app;
};

// Makes an ID: 16 random hexadecimal digits.
std::string random_id();

// `path` is absolute: files beside it may be referred to. Errors name the part:
// "app: volumes[1].name: duplicate volume name "data"". Fails with kValidation.
provider::Outcome<LegacyFile> read_legacy_text(const std::string& path, std::string_view text,
                                               const std::function<std::string()>& new_id);

}  // namespace strake::ops
