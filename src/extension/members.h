#pragma once
// The file of `strake serve --aggregate`: the servers that stand behind this one. Pure.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::extension {

// One server. Its definitions are followed with the kubeconfig, or it is said here what it serves.
struct Member {
  std::string name;                 // a DNS label
  std::string kubeconfig;           // a path; relative ones are below the folder of the file
  std::vector<std::string> groups;  // with a kubeconfig: these alone; empty for all
  // Without a kubeconfig:
  std::string server;   // https://HOST:PORT
  std::string ca_file;  // authorities of its serving certificate; a path as above
  std::map<std::string, std::vector<std::string>> versions;  // by group
  friend bool operator==(const Member&, const Member&) = default;
};

// YAML or JSON. `folder` makes relative paths whole. Fails with kParse, kInvalid or kLimit, naming
// the member and the field: a file is used whole or not at all.
Result<std::vector<Member>> read_members(std::string_view text, std::string_view folder);

}  // namespace strake::extension
