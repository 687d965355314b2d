#pragma once
// What makes a server an extension of a main server: it believes whom that one believes, asks it
// whose tokens are and who may do what, has its namespaces, shows its clients the groups of its
// definitions alone, and makes itself known to it.
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "api/request/core.h"
#include "api/request/exposure.h"
#include "async/loops.h"
#include "async/workers.h"
#include "auth/authorization/configuration.h"
#include "auth/delegated/cluster_trust.h"
#include "auth/delegated/cluster_trust_watch.h"
#include "auth/webhook/token_webhook.h"
#include "extension/namespace_mirror.h"
#include "kube/cluster_client.h"
#include "server/delegation_options.h"

namespace strake::server {

class Delegation final {
 public:
  struct Means {
    const async::Loops& loops;
    async::Workers& workers;
    const Clock& clock;
  };
  // Reads the kubeconfigs; blocks. The means must outlive it.
  static Result<std::unique_ptr<Delegation>> make(DelegationOptions options, Means means);
  ~Delegation();

  const DelegationOptions& options() const { return options_; }
  const auth::TokenWebhook& tokens() const { return *tokens_; }
  Result<auth::AuthorizationConfiguration> authorization() const;
  const api::Exposure& exposure() const;
  // Whose certificates are those of administrators, by the SHA-256 sums of their authorities.
  void set_own_authorities(std::set<std::string> sums);
  // What the main server says at this moment; nothing before begin(). From any thread.
  auth::ClusterTrust trust() const;
  std::shared_ptr<const kube::ClusterClient> cluster() const { return cluster_; }
  bool shows(std::string_view group) const;

  // Asks the main server whom to believe, and copies its namespaces. The core must outlive it.
  async::Task<> begin(api::Core& core);
  // From now on it follows; `changed` is called on a worker when trust() has changed.
  boost::asio::awaitable<void> follow(std::function<void()> changed);
  async::Task<> stop();

 private:
  class Groups;
  Delegation(DelegationOptions options, Means means);

  const DelegationOptions options_;
  const Means means_;
  std::shared_ptr<const kube::ClusterClient> cluster_;
  kube::Access authorization_access_;
  std::unique_ptr<auth::TokenWebhook> tokens_;
  std::unique_ptr<Groups> exposure_;
  std::unique_ptr<auth::ClusterTrustWatch> watch_;  // null when nothing is looked up
  std::unique_ptr<extension::NamespaceMirror> namespaces_;
  std::function<void()> changed_;
  mutable std::mutex mu_;
  auth::ClusterTrust trust_;  // guarded by mu_
};

}  // namespace strake::server
