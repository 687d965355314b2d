#pragma once
// The API over HTTP: every request passes the same filters, finds its endpoint and is answered by a
// verb, by a document about the API, or by what operators ask (health, metrics, version).
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/call.h"
#include "api/core.h"
#include "api/crd_controller.h"
#include "api/documents.h"
#include "api/garbage_collector.h"
#include "api/health.h"
#include "api/namespace_controller.h"
#include "api/request_log.h"
#include "async/gate.h"
#include "http/server.h"

namespace strake::api {

struct ApiOptions {
  std::size_t max_reads_in_flight = 400;
  std::size_t max_writes_in_flight = 200;
  std::chrono::seconds request_timeout{60};
  std::string root_ca_pem;  // for clients inside namespaces
  std::string version = "v0.1.0";
  bool anonymous = true;      // requests without credentials are those of system:anonymous
  bool log_requests = false;  // every request at info; refusals are logged always
};

class ApiServer final : public http::Handler {
 public:
  // Everything given must outlive it.
  ApiServer(Core core, ApiOptions options);
  ~ApiServer() override;

  // Fills the registry, starts the controllers, and makes the namespaces that are always there.
  async::Task<> start();
  // Ends the controllers. Requests have been drained before.
  async::Task<> stop();

  boost::asio::awaitable<http::Response> handle(http::Request request) override;
  bool is_authenticated(const http::Request& head) const override;

  Core& core() { return core_; }

 private:
  boost::asio::awaitable<Answer<http::Response>> answer_call(std::shared_ptr<Call> call);
  AnswerTask<http::Response> answer_resource(std::shared_ptr<Call> call);
  AnswerTask<http::Response> run_verb(std::shared_ptr<Call> call);
  Answer<UserPtr> identify(const http::Request& request) const;
  Answer<> permit(const Call& call) const;
  boost::asio::awaitable<void> run_controller(Controller& controller);
  boost::asio::awaitable<void> collect_garbage();
  std::optional<http::Response> answer_operator(const Call& call);
  std::string metrics_text();

  Core core_;
  ApiOptions options_;
  Documents documents_;
  RequestLog request_log_;
  Health health_;
  std::unique_ptr<CrdController> crds_;
  std::unique_ptr<NamespaceController> namespaces_;
  std::unique_ptr<GarbageCollector> garbage_;
  async::Gate running_;
  std::atomic<std::size_t> reads_{0};
  std::atomic<std::size_t> writes_{0};
};

}  // namespace strake::api
