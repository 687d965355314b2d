#pragma once
// Users that a front proxy vouches for: a proxy that has authenticated a client passes the request
// on with the user in headers. It is believed only with a certificate of the request-header
// authority and an allowed name; from anyone else these headers do nothing.
#include <set>
#include <string>
#include <vector>

#include "api/request/roles.h"
#include "http/message.h"

namespace strake::auth {

// Named and defaulted as kube-apiserver's extension servers have them.
struct FrontProxyOptions {
  std::vector<std::string> allowed_names;  // common names; empty for any
  std::vector<std::string> username_headers = {"X-Remote-User"};
  std::vector<std::string> group_headers = {"X-Remote-Group"};
  std::vector<std::string> uid_headers = {"X-Remote-Uid"};
  std::vector<std::string> extra_prefixes = {"X-Remote-Extra-"};
};

// What stands in the lists but does not work as people expect, a sentence each.
std::vector<std::string> warnings_about(const FrontProxyOptions& options);

class FrontProxy {
 public:
  // `authorities` are the SHA-256 sums of the certificates that sign those of proxies.
  FrontProxy(FrontProxyOptions options, std::set<std::string> authorities)
      : options_(std::move(options)), authorities_(std::move(authorities)) {}

  // The user that the headers name, without system:authenticated; null unless a proxy says so.
  // `refusal` says why a certificate of the authority is not believed.
  std::shared_ptr<api::User> user_of(const http::Request& request, std::string& refusal) const;
  const FrontProxyOptions& options() const { return options_; }

 private:
  FrontProxyOptions options_;
  std::set<std::string> authorities_;
};

}  // namespace strake::auth
