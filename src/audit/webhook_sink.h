#pragma once
// Sends audit events to a service, in batches, as kube-apiserver 1.36 does in its mode `batch`. Who
// writes never waits, and can be told when the service has the event: what does not fit into the
// buffer is lost, counted, and told of once a minute.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/gate.h"
#include "async/loops.h"
#include "async/signal.h"
#include "audit/sink.h"
#include "audit/truncation.h"
#include "base/cancel.h"
#include "base/time.h"
#include "http/client.h"
#include "kube/webhook_connection.h"

namespace strake::audit {

class WebhookSink final : public Sink {
 public:
  struct Options {
    std::shared_ptr<const kube::WebhookConnection> service;
    std::size_t buffer = 10'000;                                       // events that wait
    std::size_t most_events = 400;                                     // of a batch
    std::chrono::nanoseconds longest_wait = std::chrono::seconds(30);  // for a batch to fill
    // Batches per second, and how many may follow each other at once; 0 for no limit.
    double per_second = 10;
    std::size_t burst = 15;
    std::chrono::nanoseconds first_backoff = std::chrono::seconds(10);
    TruncateOptions truncate = {};
    std::size_t buffer_bytes = 256U << 20;

    // For requests that wait: events are sent at once, those that come together in one batch.
    void send_at_once() {
      longest_wait = {};
      per_second = 0;
    }
  };
  // The loops must outlive it. It works on the first of them, once it is started.
  WebhookSink(Options options, async::Loops& loops);
  void start();
  ~WebhookSink() override;
  WebhookSink(const WebhookSink&) = delete;
  WebhookSink& operator=(const WebhookSink&) = delete;

  void write(std::string line, Done done) override;
  // Sends what is left until the deadline; what it cannot send is lost. Once, on the first loop.
  boost::asio::awaitable<void> stop(Deadline deadline);
  // Uses another service from the next batch on.
  void set_service(std::shared_ptr<const kube::WebhookConnection> service);

  std::uint64_t lost() const { return lost_.load(); }

 private:
  struct Event {
    std::string line;
    Done done;
  };
  using Batch = std::vector<Event>;
  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> send(Batch batch);
  boost::asio::awaitable<void> send_list(std::string list, std::vector<Done> done);
  static void finish(std::vector<Done>& done, bool stored);
  boost::asio::awaitable<void> wait_for_turn();
  Batch take_batch();
  bool is_full() const;
  void lose(std::uint64_t events, std::string_view why);
  void wake();

  const Options options_;
  const async::Executor loop_;
  std::shared_ptr<http::Client> client_;
  std::atomic<std::shared_ptr<const kube::WebhookConnection>> service_;
  CancelSource giving_up_;

  mutable std::mutex mu_;
  std::deque<Event> waiting_;       // guarded by mu_
  std::size_t waiting_bytes_ = 0;   // guarded by mu_
  SteadyTime first_waits_since_{};  // guarded by mu_
  bool stopping_ = false;           // guarded by mu_
  std::uint64_t untold_ = 0;        // losses that were not logged yet; guarded by mu_
  SteadyTime told_{};               // guarded by mu_
  std::atomic<std::uint64_t> lost_{0};

  // Of the loop.
  std::shared_ptr<async::Signal> signal_;
  std::atomic<bool> woken_{false};
  std::size_t under_way_ = 0;
  double turns_ = 0;
  SteadyTime turns_counted_{};
  async::Gate running_;
};

}  // namespace strake::audit
