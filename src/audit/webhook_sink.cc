#include "audit/webhook_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "audit/metrics.h"
#include "base/log.h"

namespace strake::audit {
namespace {

// Batches that are being sent. kube-apiserver has no such limit, and runs out of memory instead.
constexpr std::size_t kMostUnderWay = 16;
constexpr std::chrono::seconds kRequestTimeout{30};
constexpr std::chrono::minutes kBetweenWarnings{1};
constexpr std::string_view kLineHead = R"({"kind":"Event","apiVersion":"audit.k8s.io/v1",)";
constexpr std::string_view kListHead =
    R"({"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[)";

SteadyTime steady_now() { return std::chrono::steady_clock::now(); }

// The event as an item of a list, which has no kind of its own.
void add_item(std::string& list, std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.starts_with(kLineHead)) {
    list += '{';
    line.remove_prefix(kLineHead.size());
  }
  list += line;
}

}  // namespace

WebhookSink::WebhookSink(Options options, async::Loops& loops)
    : options_(std::move(options)),
      loop_(loops.at(0)),
      client_(std::make_shared<http::Client>(loops, http::ClientOptions())),
      service_(options_.service),
      signal_(std::make_shared<async::Signal>(loop_)),
      turns_(static_cast<double>(options_.burst)),
      turns_counted_(steady_now()) {}

void WebhookSink::start() { boost::asio::co_spawn(loop_, run(), boost::asio::detached); }

WebhookSink::~WebhookSink() = default;

void WebhookSink::set_service(std::shared_ptr<const kube::WebhookConnection> service) {
  service_.store(std::move(service));
}

void WebhookSink::wake() {
  if (woken_.exchange(true)) return;
  boost::asio::post(loop_, [signal = signal_] { signal->notify(); });
}

void WebhookSink::write(std::string line, Done done) {
  bool taken = false;
  bool wakes = false;
  {
    const std::lock_guard lock(mu_);
    if (!stopping_ && waiting_.size() < options_.buffer &&
        waiting_bytes_ + line.size() <= options_.buffer_bytes) {
      taken = true;
      if (waiting_.empty()) first_waits_since_ = steady_now();
      waiting_bytes_ += line.size();
      waiting_.push_back({.line = std::move(line), .done = std::move(done)});
      // The loop wakes for the first event, and when a batch is full.
      wakes = waiting_.size() == 1 || waiting_.size() >= options_.most_events;
    }
  }
  if (!taken) {
    lose(1, "audit buffer queue blocked");
    if (done) done(false);
  } else if (wakes) {
    wake();
  }
}

void WebhookSink::lose(std::uint64_t events, std::string_view why) {
  lost_ += events;
  count_lost("webhook", events);
  std::uint64_t untold = 0;
  {
    const std::lock_guard lock(mu_);
    untold_ += events;
    const SteadyTime now = steady_now();
    if (told_ != SteadyTime() && now - told_ < kBetweenWarnings && !stopping_) return;
    told_ = now;
    untold = std::exchange(untold_, 0);
  }
  log::get("audit").error("audit events are lost: the webhook does not take them",
                          {{"events", untold}, {"total", lost_.load()}, {"error", why}});
}

WebhookSink::Batch WebhookSink::take_batch() {
  Batch out;
  const std::lock_guard lock(mu_);
  while (!waiting_.empty() && out.size() < options_.most_events) {
    waiting_bytes_ -= waiting_.front().line.size();
    out.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  first_waits_since_ = steady_now();
  return out;
}

// Whether a batch is due: it is full, its time has come, or this is the end.
bool WebhookSink::is_full() const {
  const std::lock_guard lock(mu_);
  if (waiting_.empty()) return false;
  return stopping_ || waiting_.size() >= options_.most_events ||
         steady_now() - first_waits_since_ >= options_.longest_wait;
}

boost::asio::awaitable<void> WebhookSink::wait_for_turn() {
  if (options_.per_second <= 0) co_return;
  for (;;) {
    {
      // At the end there is no time to lose.
      const std::lock_guard lock(mu_);
      if (stopping_) co_return;
    }
    const SteadyTime now = steady_now();
    const double passed = std::chrono::duration<double>(now - turns_counted_).count();
    turns_counted_ = now;
    turns_ = std::min(turns_ + passed * options_.per_second,
                      static_cast<double>(std::max<std::size_t>(options_.burst, 1)));
    if (turns_ >= 1) {
      turns_ -= 1;
      co_return;
    }
    const std::chrono::duration<double> missing((1 - turns_) / options_.per_second);
    const auto pause = std::chrono::duration_cast<std::chrono::nanoseconds>(missing);
    static_cast<void>(co_await signal_->wait(Deadline::after(pause)));
  }
}

boost::asio::awaitable<void> WebhookSink::run() {
  const async::Gate::Pass pass = running_.enter();
  if (!pass) co_return;
  for (;;) {
    if (is_full() && under_way_ < kMostUnderWay) {
      co_await wait_for_turn();
      ++under_way_;
      boost::asio::co_spawn(loop_, send(take_batch()), boost::asio::detached);
      continue;
    }
    Deadline until = Deadline::never();
    {
      const std::lock_guard lock(mu_);
      if (stopping_ && waiting_.empty() && under_way_ == 0) co_return;
      if (!waiting_.empty() && under_way_ < kMostUnderWay) {
        const auto waited = steady_now() - first_waits_since_;
        until = Deadline::after(std::max<std::chrono::nanoseconds>(options_.longest_wait - waited,
                                                                   std::chrono::milliseconds(1)));
      }
    }
    woken_.store(false);
    // What came between the look and this is seen at once.
    if (is_full() && under_way_ < kMostUnderWay) continue;
    const Result<bool> woken = co_await signal_->wait(until);
    if (!woken) co_return;
  }
}

boost::asio::awaitable<void> WebhookSink::send_list(std::string list, std::vector<Done> done) {
  list += "]}\n";
  const std::size_t events = done.size();
  const auto service = service_.load();
  const auto reply = co_await service->post(client_, std::move(list),
                                            {.timeout = kRequestTimeout,
                                             .backoff = {.first = options_.first_backoff},
                                             .retry_always = true,
                                             .cancel = giving_up_.token()});
  if (!reply) lose(events, reply.error().message);
  finish(done, reply.has_value());
}

void WebhookSink::finish(std::vector<Done>& done, bool stored) {
  for (Done& one : done) {
    if (one) one(stored);
  }
}

boost::asio::awaitable<void> WebhookSink::send(Batch batch) {
  const TruncateOptions& limits = options_.truncate;
  std::string list(kListHead);
  std::vector<Done> done;       // of the events in the list
  std::vector<Done> too_large;  // of those that nobody gets
  for (Event& one : batch) {
    if (limits.enabled) one.line = truncated(std::move(one.line), limits.most_event_bytes);
    if (one.line.empty()) {
      too_large.push_back(std::move(one.done));
      continue;
    }
    if (limits.enabled && !done.empty() &&
        list.size() + one.line.size() > limits.most_batch_bytes) {
      co_await send_list(std::exchange(list, std::string(kListHead)), std::exchange(done, {}));
    }
    if (!done.empty()) list += ',';
    add_item(list, one.line);
    done.push_back(std::move(one.done));
  }
  if (!done.empty()) co_await send_list(std::move(list), std::move(done));
  if (!too_large.empty()) lose(too_large.size(), kTooLarge);
  finish(too_large, true);
  --under_way_;
  wake();
}

boost::asio::awaitable<void> WebhookSink::stop(Deadline deadline) {
  {
    const std::lock_guard lock(mu_);
    stopping_ = true;
  }
  woken_.store(false);
  wake();
  // Whoever is still busy at the deadline is given up.
  async::Signal done(loop_);
  bool ended = false;
  boost::asio::co_spawn(
      loop_,
      [](WebhookSink& self, async::Signal& told, bool& is_over) -> boost::asio::awaitable<void> {
        static_cast<void>(co_await self.running_.close());
        is_over = true;
        told.notify();
      }(*this, done, ended),
      boost::asio::detached);
  static_cast<void>(co_await done.wait(deadline));
  if (!ended) {
    giving_up_.cancel();
    std::deque<Event> left;
    {
      const std::lock_guard lock(mu_);
      left = std::exchange(waiting_, {});
      waiting_bytes_ = 0;
    }
    if (!left.empty()) lose(left.size(), "the server stops");
    for (Event& one : left) {
      if (one.done) one.done(false);
    }
    wake();
    while (!ended) static_cast<void>(co_await done.wait(Deadline::never()));
  }
  client_.reset();
  std::uint64_t untold = 0;
  {
    const std::lock_guard lock(mu_);
    untold = std::exchange(untold_, 0);
  }
  if (untold > 0)
    log::get("audit").error("audit events are lost: the webhook does not take them",
                            {{"events", untold}, {"total", lost_.load()}});
}

}  // namespace strake::audit
