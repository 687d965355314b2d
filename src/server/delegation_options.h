#pragma once
// How a server is told to be an extension of a main server (delegation.h), and to make itself known
// there.
#include <chrono>
#include <string>
#include <vector>

#include "auth/delegated/cluster_trust.h"
#include "auth/delegated/delegated_authorization.h"
#include "extension/service_name.h"

namespace strake::server {

struct DelegationOptions {
  // Kubeconfigs of the main server; the others where it is asked as somebody else.
  std::string main_kubeconfig;
  std::string authentication_kubeconfig = {};
  std::string authorization_kubeconfig = {};
  bool skips_lookup = false;       // believes nobody but whom the flags name
  bool tolerates_failure = false;  // starts when the main server cannot be asked whom to believe
  auth::ClusterTrust own = {};     // the lists of flags
  std::vector<std::string> groups = {};  // to show; empty for those of all definitions
  std::chrono::nanoseconds tokens_kept = auth::kDelegatedKept;
  std::chrono::nanoseconds allowed_kept = auth::kDelegatedKept;
  std::chrono::nanoseconds refused_kept = auth::kDelegatedKept;
  std::vector<std::string> open_paths = {"/healthz", "/readyz", "/livez"};
  bool mirrors_namespaces = true;
};

struct RegisterOptions {
  extension::ServiceName service{.namespace_name = "default", .name = "strake-extension"};
  std::string ca_file;        // of the serving certificate, when that is the user's own
  std::string resolver_file;  // of the main server, to be written
  bool removes_at_end = false;
};

}  // namespace strake::server
