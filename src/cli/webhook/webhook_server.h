#pragma once
// A validating admission webhook over HTTPS: reviews at /validate, /healthz, /readyz and /metrics.
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "async/workers.h"
#include "cli/webhook/webhook_judge.h"
#include "http/server.h"

namespace strake::cli {

class WebhookHandler final : public http::Handler {
 public:
  explicit WebhookHandler(std::shared_ptr<const WebhookJudge> judge);

  // From any thread; requests under way end with the old one.
  void use(std::shared_ptr<const WebhookJudge> judge);
  // What the metrics tell.
  void note_reload(bool good);
  void note_certificate(WallTime good_until);

  boost::asio::awaitable<http::Response> handle(http::Request request) override;
  // API servers show no certificate unless they are told to: everyone is asked alike.
  bool is_authenticated(const http::Request&) const override { return true; }

 private:
  boost::asio::awaitable<http::Response> review(http::Request request);
  std::string metrics() const;

  std::atomic<std::shared_ptr<const WebhookJudge>> judge_;
  async::Workers workers_;
  std::atomic<std::uint64_t> allowed_{0};
  std::atomic<std::uint64_t> denied_{0};
  std::atomic<std::uint64_t> failed_{0};  // that were no review, or could not be judged
  std::atomic<std::uint64_t> nanoseconds_{0};
  std::atomic<std::uint64_t> reloads_{0};
  std::atomic<std::uint64_t> failed_reloads_{0};
  std::atomic<std::int64_t> certificate_until_{0};  // seconds since 1970
};

}  // namespace strake::cli
