#pragma once
// Secrets of the type kubernetes.io/service-account-token, as kube-controller-manager and
// kube-apiserver 1.36 keep them: they are filled with a token for the account that they name,
// deleted with it, and say on which day the token was last used.
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "api/cache/informer.h"
#include "api/controllers/controller.h"
#include "async/gate.h"
#include "async/signal.h"
#include "auth/tokens/service_account_tokens.h"

namespace strake::auth {

inline constexpr std::string_view kTokenSecretType = "kubernetes.io/service-account-token";
inline constexpr std::string_view kLastUsedLabel = "kubernetes.io/legacy-token-last-used";
inline constexpr std::string_view kInvalidLabel = "kubernetes.io/legacy-token-invalid-since";

class SecretTokens {
 public:
  // Hears of the tokens that are used. Both must outlive it.
  SecretTokens(api::Hub& hub, ServiceAccountTokens& tokens);
  ~SecretTokens();
  // Once the registry is filled. The core must outlive it. Without `fills`, only use is noted.
  async::Task<> start(api::Core& core, bool fills, std::string root_ca_pem);
  async::Task<> stop();

 private:
  // Of a Secret: its account, as NAMESPACE/NAME. Empty for an account.
  struct Facts {
    std::string account;
  };
  class Filler;
  void note(const std::string& key);
  boost::asio::awaitable<void> fill();
  boost::asio::awaitable<void> label();
  boost::asio::awaitable<void> label_one(std::string key);

  api::Informer<Facts> objects_;
  ServiceAccountTokens& tokens_;
  api::Core* core_ = nullptr;
  std::unique_ptr<Filler> filler_;  // null without
  async::Executor executor_;
  std::shared_ptr<async::Signal> signal_;  // null until it is started; of the executor
  bool stopping_ = false;                  // of the executor
  std::mutex mu_;
  std::set<std::string> used_;  // not labelled yet; guarded by mu_
  async::Gate running_;
};

}  // namespace strake::auth
