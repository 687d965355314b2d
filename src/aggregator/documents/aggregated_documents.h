#pragma once
// Keeps the documents of the servers behind APIServices: asks each server every minute, and at once
// when something about it is new, all in the background. What a server answers changes its own
// documents alone; while it does not answer, its last ones stay. Nothing here is waited for, but
// for a v3 document that nobody has asked for yet.
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "aggregator/documents/fetcher.h"
#include "aggregator/documents/known_documents.h"
#include "aggregator/documents/slots.h"
#include "api/request/remote_documents.h"
#include "async/gate.h"
#include "async/signal.h"
#include "async/workers.h"
#include "base/time.h"
#include "publish/remote_discovery.h"
#include "publish/remote_openapi.h"

namespace strake::aggregator {

class AggregatedDocuments final : public api::RemoteDocuments {
 public:
  struct Options {
    std::chrono::milliseconds period{60'000};
    std::chrono::milliseconds discovery_timeout{5'000};
    std::chrono::milliseconds openapi_timeout{60'000};
    // For a client that waits for a v3 document.
    std::chrono::milliseconds document_timeout{10'000};
    // A server that did not give its OpenAPI in time is not asked for it for a period, and twice as
    // long each time that this happens again, but not longer than this.
    std::chrono::milliseconds longest_pause{600'000};
    // A server is asked again because of a document that it did not give, but not more often.
    std::chrono::milliseconds least_interval{10'000};
    const Clock* clock = &system_clock();  // of both
    std::size_t servers_at_a_time = 32;
    std::size_t openapi_at_a_time = 8;
    publish::RemoteDiscoveryLimits discovery = {};
    publish::RemoteOpenApiLimits openapi = {};
    std::size_t kept_v3_bytes = std::size_t{32} << 20;
    std::size_t kept_v2_bytes = std::size_t{32} << 20;
  };

  // The fetcher and the workers must outlive it. The executor is a loop.
  AggregatedDocuments(DocumentFetcher& fetcher, async::Workers& workers, async::Executor executor,
                      Options options);
  ~AggregatedDocuments() override;

  // All the services there are. Shown at once; asked afterwards. From any thread.
  void set_services(std::vector<RemoteService> services);

  void start();
  // Breaks off what is under way. Nothing is asked any more.
  async::Task<> stop();

  api::RemoteSnapshotPtr snapshot() const override { return known_.snapshot(); }
  async::Task<api::RemoteDocument> openapi_v3(std::string path, CancelToken cancel) override;

  // Asks every server, as when the minute is over. From any thread.
  void refresh();
  // Waits until nobody is being asked any more.
  async::Task<> settled();

 private:
  struct Waiting;

  boost::asio::awaitable<void> run();
  void ask_those_due();
  boost::asio::awaitable<void> ask(std::string server);
  // Each takes a slot for every document. They end at the first that does not come in time.
  enum class Outcome : std::uint8_t { kDone, kTimedOut };
  boost::asio::awaitable<Outcome> ask_openapi(std::vector<RemoteService> services);
  boost::asio::awaitable<Outcome> ask_discovery(std::vector<RemoteService> services);
  boost::asio::awaitable<Outcome> ask_list(RemoteService service);
  boost::asio::awaitable<Outcome> ask_openapi_v2(std::vector<RemoteService> services);
  boost::asio::awaitable<Outcome> ask_openapi_v3(std::vector<RemoteService> services);
  static Outcome not_had(const Error& error);
  bool is_paused(const std::string& server, const std::vector<RemoteService>& services);
  void remember(const std::string& server, std::vector<RemoteService> services, Outcome outcome);
  void ask_again(const std::string& server);
  boost::asio::awaitable<void> get_v3(std::string path);
  async::Task<api::RemoteDocument> fetch_v3(RemoteService service, std::string path,
                                            std::string hash);
  // For a server that has v2 alone.
  async::Task<api::RemoteDocument> made_of_v2(Text part);
  DocumentRequest request(const RemoteService& service, std::string target) const;
  void report(const std::vector<RemoteService>& services, std::string_view what,
              const Error& error);
  void end_if_settled();
  // Runs on a worker; what takes too much memory is an error as any other.
  template <typename Function>
  auto on_worker(Function function) -> boost::asio::awaitable<std::invoke_result_t<Function&>>;

  void keep_v3(const std::string& path, const api::RemoteDocument& document);  // under v3_mu_

  DocumentFetcher& fetcher_;
  async::Workers& workers_;
  async::Executor executor_;
  const Options options_;
  KnownDocuments known_;
  async::Gate gate_;
  CancelSource stopping_;
  std::shared_ptr<async::Signal> signal_;

  // What one server did not give.
  struct Conduct {
    std::chrono::nanoseconds pause{0};  // zero for none
    SteadyTime paused_until{};
    std::vector<RemoteService> late{};        // for whom it was asked; another pause for others
    std::optional<SteadyTime> asked_again{};  // because of a document
  };

  std::mutex due_mu_;
  std::map<std::string, Conduct> conduct_;  // guarded by due_mu_
  std::set<std::string> due_;               // guarded by due_mu_: servers to be asked
  std::set<std::string> under_way_;         // guarded by due_mu_
  std::vector<async::OneShot<>> settling_;  // guarded by due_mu_

  Slots servers_;  // the executor's
  Slots openapi_;  // the executor's

  std::mutex v3_mu_;
  std::map<std::string, api::RemoteDocument, std::less<>> v3_;  // guarded by v3_mu_; by path
  std::size_t v3_bytes_ = 0;                                    // guarded by v3_mu_
  // Who waits for a document, by path; there while it is being asked for. Guarded by v3_mu_.
  std::map<std::string, std::vector<async::OneShot<api::RemoteDocument>>, std::less<>> v3_waiting_;
};

}  // namespace strake::aggregator
