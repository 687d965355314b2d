#pragma once
// Asks a webhook whose a bearer token is (TokenReview), as kube-apiserver 1.36 does: answers are
// kept for a while, failures are not; requests with the same token share one question; faults that
// may pass are tried again. Tokens are kept nowhere, only keyed digests of them. May be used from
// any thread.
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/request/roles.h"
#include "async/gate.h"
#include "async/loops.h"
#include "async/one_shot.h"
#include "async/workers.h"
#include "auth/tokens/digest_cache.h"
#include "auth/tokens/keyed_digest.h"
#include "base/cancel.h"
#include "base/secret.h"
#include "base/time.h"
#include "http/client.h"
#include "kube/access.h"

namespace strake::auth {

// What the webhook says of a token: a user, or none and maybe why.
struct WebhookVerdict {
  api::UserPtr user = {};
  std::vector<std::string> audiences = {};
  std::string error = {};
  bool is_answer = false;  // it was asked, and said so
};

class TokenWebhook {
 public:
  struct Options {
    kube::Access access;              // where it is, and as whom it is asked
    std::string path;                 // below the URL of that
    std::string version = "v1beta1";  // of the TokenReview: or v1
    std::chrono::nanoseconds kept = std::chrono::minutes(2);
    // Of refusals that say why, which may be a matter of a moment. Failures to ask never are kept.
    std::chrono::nanoseconds errors_kept{0};
    std::vector<std::string> api_audiences;  // of tokens about which it says nothing
    std::chrono::milliseconds timeout = std::chrono::seconds(30);  // with all tries
    std::chrono::milliseconds first_pause{500};                    // between tries; grows by half
  };
  struct Means {
    const async::Loops& loops;
    async::Workers& workers;
    const Clock& clock;
  };
  // The means must outlive it. Fails with kInvalid or kUnsupported, saying what is wrong.
  static Result<std::unique_ptr<TokenWebhook>> make(Options options, Means means);

  // What it said lately; nothing when it must be asked.
  std::optional<WebhookVerdict> recall(std::string_view token,
                                       const std::vector<std::string>& audiences) const;
  // On a loop. Nobody waits any longer once `cancel` is cancelled.
  boost::asio::awaitable<WebhookVerdict> ask(Secret token, std::vector<std::string> audiences,
                                             CancelToken cancel) const;
  // Asks nobody any more. Before the loops end.
  async::Task<> stop();

 private:
  struct Known {
    WebhookVerdict verdict;
    SteadyTime until;
  };
  struct Hash {
    std::size_t operator()(const Sha256::Digest& digest) const;
  };
  struct Reply;
  using Waiting = std::vector<async::OneShot<WebhookVerdict>>;

  TokenWebhook(Options options, Means means, http::Upstream upstream, std::string target);
  boost::asio::awaitable<void> look_up(Secret token, std::vector<std::string> audiences,
                                       Sha256::Digest digest, async::Gate::Pass pass) const;
  boost::asio::awaitable<WebhookVerdict> question(Secret token,
                                                  std::vector<std::string> audiences) const;
  std::chrono::nanoseconds kept_for(const WebhookVerdict& verdict) const;
  boost::asio::awaitable<Reply> send(Secret body, Deadline deadline) const;
  async::Task<http::Headers> headers() const;
  void complain(const std::string& why) const;

  const Options options_;
  const Means means_;
  const http::Upstream upstream_;
  const std::string target_;
  const KeyedDigest digests_;
  mutable DigestCache<Known> known_;
  CancelSource ending_;
  mutable async::Gate running_;
  mutable std::mutex mu_;
  mutable std::shared_ptr<http::Client> client_;                      // guarded by mu_
  mutable std::unordered_map<Sha256::Digest, Waiting, Hash> asking_;  // guarded by mu_
  mutable SteadyTime next_complaint_{};                               // guarded by mu_
};

}  // namespace strake::auth
