#pragma once
// Whom a server believes: whose certificates are those of clients, who may vouch for users in
// headers, and what it tells extension servers of that.
#include <map>
#include <optional>
#include <set>
#include <string>

#include "auth/delegated/cluster_trust.h"
#include "auth/front_proxy.h"
#include "base/result.h"

namespace strake::server {

struct Identity;
struct Options;

struct Trust {
  std::string client_ca_pem;
  std::string proxy_ca_pem;  // empty without a proxy
  std::optional<auth::FrontProxyOptions> proxy;
  std::set<std::string> client_sums;
  std::set<std::string> proxy_sums;

  std::map<std::string, std::string> to_config_map() const;
};

// `client_ca_pem` has the authorities for clients that this server knows by itself. Both read the
// files of the options.
Result<Trust> trust_of(const Options& options, const Identity& identity, std::string client_ca_pem);
// Of an extension server: what the flags do not say, the main server does, key by key.
Result<Trust> delegated_trust(const Options& options, const auth::ClusterTrust& main,
                              std::string client_ca_pem);

// What works but not as people expect, in the log.
void warn_of(const Trust& trust);

}  // namespace strake::server
