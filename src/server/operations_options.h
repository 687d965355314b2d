#pragma once
// What can be asked of Operations.
#include <map>
#include <optional>
#include <string>

#include "backup/backups.h"

namespace strake::server {

struct OperationsOptions {
  std::optional<backup::Options> backups;
  // For /flagz: the flags that were set, without what is secret.
  std::map<std::string, std::string> flags;
  bool profiling = false;
};

}  // namespace strake::server
