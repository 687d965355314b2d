#pragma once
// The ConfigMap kube-system/extension-apiserver-authentication: tells extension servers which
// authorities and headers this server believes. It is put right whenever someone changes or deletes
// it, and when the server's own settings change.
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "api/controllers/controller.h"
#include "async/gate.h"
#include "auth/front_proxy.h"

namespace strake::auth {

// What it says, by key. Without a front proxy only the client authorities.
std::map<std::string, std::string> authentication_data(const std::string& client_ca_pem,
                                                       const std::string& proxy_ca_pem,
                                                       const FrontProxyOptions* proxy);

class AuthenticationConfigMap {
 public:
  // The hub must outlive it.
  explicit AuthenticationConfigMap(api::Hub& hub);

  // The core must outlive it.
  async::Task<> start(api::Core& core, std::map<std::string, std::string> data);
  async::Task<> stop();
  // From any thread.
  void set(std::map<std::string, std::string> data);

 private:
  class Keeper;
  struct Nothing {};
  boost::asio::awaitable<void> keep();
  boost::asio::awaitable<void> change();

  api::Informer<Nothing> informer_;
  std::optional<async::Executor> executor_;
  std::shared_ptr<Keeper> keeper_;
  async::Gate running_;
};

}  // namespace strake::auth
