// Watching: each watcher reads the shared record of changes at its own pace. One that falls behind
// what is remembered is told so and dropped; nothing is queued for it.
#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <random>

#include "api/history.h"
#include "api/request_metrics.h"
#include "api/respond.h"
#include "api/verbs.h"
#include "async/signal.h"

namespace strake::api {
namespace {

using http::Piece;
using meta::Status;

constexpr std::size_t kBatch = 256;
constexpr std::size_t kParsedBatch = 32;  // of objects that must be parsed to be told
constexpr std::chrono::seconds kBookmarkEvery{60};
constexpr std::chrono::seconds kBookmarkBeforeEnd{2};

std::chrono::seconds random_timeout() {
  // Spread out, so that clients that came together do not come back together.
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::chrono::seconds(1800 + random() % 1800);
}

Status too_old(Revision wanted, Revision oldest) {
  return Status::expired(fmt::format("too old resource version: {} ({})", wanted, oldest));
}

class WatchStream final : public http::BodyStream {
 public:
  WatchStream(Core& core, std::shared_ptr<Call> call, ListOptions options, Selection selection,
              const async::Executor& executor)
      : core_(core),
        call_(std::move(call)),
        options_(std::move(options)),
        selection_(std::move(selection)),
        signal_(executor),
        loop_(core.hub.loops().current()),
        writer_(*call_),
        prefix_(call_->endpoint->key_prefix(call_->info.namespace_name)),
        ends_(Deadline::after(options_.timeout.value_or(random_timeout()))) {
    call_->endpoint->cache().add_waiter(loop_, signal_);
    next_bookmark_ = Deadline::after(kBookmarkEvery);
  }
  ~WatchStream() override {
    call_->endpoint->cache().remove_waiter(loop_, signal_);
    if (series_ == nullptr) return;
    series_->running.fetch_sub(1, std::memory_order_relaxed);
    series_->count(200, std::chrono::steady_clock::now() - opened_);
  }
  WatchStream(const WatchStream&) = delete;
  WatchStream& operator=(const WatchStream&) = delete;

  // Everything that is there, as if it were new: held as it is, and told in portions.
  Answer<> begin_with_all() {
    const Revision now = core_.hub.revision();
    ResourceCache::Taken taken = call_->endpoint->cache().take(prefix_, {});
    at_ = std::max(now, taken.changed);
    initial_.emplace(std::move(taken.objects));
    return tell_initial();
  }
  void begin_after(Revision revision) { at_ = revision; }
  void begin_with(std::vector<Change> history) { history_ = std::move(history); }
  void fail_with(Status status) {
    writer_.error(ready_, status);
    done_ = true;
  }

  // The client is answered: from here on the watch counts as running, and as a request at its end.
  void open() {
    series_ = series_of(*call_);
    opened_ = std::chrono::steady_clock::now();
    if (series_ != nullptr) series_->running.fetch_add(1, std::memory_order_relaxed);
  }

  async::Task<std::vector<Piece>> next() override {
    while (true) {
      if (!ready_.empty()) co_return std::exchange(ready_, {});
      if (done_ || ends_.expired()) co_return std::vector<Piece>();
      if (endpoint_replaced()) co_return std::vector<Piece>();
      const Answer<bool> progressed = initial_ ? tell_more() : collect();
      if (!progressed) {
        fail_with(progressed.error());
        continue;
      }
      if (*progressed) {
        // Nothing to send yet: others get their turn before the next portion is looked at.
        if (ready_.empty() && initial_) {
          co_await boost::asio::post(co_await boost::asio::this_coro::executor,
                                     boost::asio::use_awaitable);
        }
        continue;
      }
      if (options_.bookmarks && next_bookmark_.expired()) {
        writer_.bookmark(ready_, std::max(at_, core_.hub.revision()), false);
        next_bookmark_ = Deadline::after(kBookmarkEvery);
        continue;
      }
      Deadline until = ends_;
      if (options_.bookmarks) until = until.or_earlier(bookmark_due());
      const Result<bool> woken = co_await signal_.wait(until);
      if (!woken) co_return std::unexpected(woken.error());
    }
  }

 private:
  // The next portion of what was there at the beginning.
  Answer<> tell_initial() {
    const std::size_t portion = selection_.needs_content() ? kParsedBatch : kBatch;
    const std::vector<ObjectPtr> objects = initial_->slice(told_, portion);
    for (const ObjectPtr& object : objects) {
      STRAKE_TRY(const bool wanted, selection_.matches(*object, *call_->endpoint, *call_->version));
      if (!wanted) continue;
      STRAKE_TRY(Bytes bytes, call_->endpoint->render(*object, *call_->version));
      STRAKE_CHECK(writer_.write(ready_, "ADDED", std::move(bytes)));
    }
    told_ += objects.size();
    if (told_ < initial_->size()) return {};
    initial_.reset();
    if (options_.send_initial_events.value_or(false) && options_.bookmarks)
      writer_.bookmark(ready_, at_, true);
    return {};
  }
  Answer<bool> tell_more() {
    STRAKE_CHECK(tell_initial());
    return true;
  }

  // A bookmark comes once a minute, and once shortly before the end.
  Deadline bookmark_due() {
    if (!last_bookmark_planned_ && !ends_.is_never()) {
      const Deadline last = Deadline::at(ends_.time() - kBookmarkBeforeEnd);
      if (next_bookmark_ > last && !last.expired()) {
        next_bookmark_ = last;
        last_bookmark_planned_ = true;
      }
    }
    return next_bookmark_;
  }

  // A CRD whose spec changed ends the watches that were begun under the old one.
  bool endpoint_replaced() {
    const std::uint64_t generation = core_.registry.snapshot()->generation;
    if (generation == seen_generation_) return false;
    seen_generation_ = generation;
    const EndpointPtr present =
        core_.registry.find(call_->resource().group, call_->resource().plural);
    return present == nullptr || present->epoch() != call_->endpoint->epoch();
  }

  // Takes over what has changed. True when there was anything, wanted or not.
  Answer<bool> collect() {
    std::vector<Change> changes;
    if (!history_.empty()) {
      changes = std::exchange(history_, {});
    } else if (!call_->endpoint->cache().changes_after(at_, kBatch, changes)) {
      return refuse(too_old(at_, call_->endpoint->cache().remembers_from()));
    }
    for (const Change& change : changes) {
      at_ = change.revision;
      STRAKE_CHECK(send(change));
    }
    return !changes.empty();
  }

  Answer<> send(const Change& change) {
    if (!std::string_view(change.object->key()).starts_with(prefix_)) return {};
    const Endpoint& endpoint = *call_->endpoint;
    bool before = false;
    bool after = false;
    if (change.previous) {
      STRAKE_TRY(before, selection_.matches(*change.previous, endpoint, *call_->version));
    }
    if (!change.deleted) {
      STRAKE_TRY(after, selection_.matches(*change.object, endpoint, *call_->version));
    }
    if (after) {
      STRAKE_TRY(Bytes bytes, endpoint.render(*change.object, *call_->version));
      return writer_.write(ready_, before ? "MODIFIED" : "ADDED", std::move(bytes));
    }
    if (!before) return {};
    // What leaves the selection is shown as it was, at the revision at which it left.
    STRAKE_TRY(Bytes bytes,
               endpoint.render_deleted(*change.previous, *call_->version, change.revision));
    return writer_.write(ready_, "DELETED", std::move(bytes));
  }

  Core& core_;
  std::shared_ptr<Call> call_;
  ListOptions options_;
  Selection selection_;
  async::Signal signal_;
  std::size_t loop_;
  EventWriter writer_;
  std::string prefix_;
  Deadline ends_;
  Deadline next_bookmark_;
  bool last_bookmark_planned_ = false;
  Revision at_ = 0;
  std::uint64_t seen_generation_ = 0;
  std::optional<OrderedObjects::Taken> initial_;  // until it is told
  std::size_t told_ = 0;                          // how many of them
  std::vector<Change> history_;
  std::vector<Piece> ready_;
  bool done_ = false;
  RequestSeries* series_ = nullptr;  // kept for the life of the process
  std::chrono::steady_clock::time_point opened_;
};

}  // namespace

AnswerTask<http::Response> watch(Core& core, std::shared_ptr<Call> call) {
  STRAKE_CO_TRY(ListOptions options, read_list_options(call->query, true));
  STRAKE_CO_TRY(Selection selection, Selection::of(*call, options));
  Revision wanted = 0;
  if (!options.resource_version.empty()) {
    auto parsed = parse_resource_version(options.resource_version);
    // The reference passes this one on as it is.
    if (!parsed) co_return refuse(Status::raw_error(parsed.error().message));
    wanted = *parsed;
  }
  const bool initial = options.send_initial_events.value_or(wanted == 0);
  if (wanted > core.hub.revision()) STRAKE_CO_CHECK(co_await wait_for_revision(core, wanted));

  auto stream = std::make_unique<WatchStream>(core, call, options, std::move(selection),
                                              co_await boost::asio::this_coro::executor);
  if (initial) {
    STRAKE_CO_CHECK(stream->begin_with_all());
  } else if (wanted == 0) {
    stream->begin_after(core.hub.revision());
  } else {
    stream->begin_after(wanted);
    if (wanted < call->endpoint->born()) {
      stream->fail_with(too_old(wanted, call->endpoint->born()));
    } else if (wanted < call->endpoint->cache().remembers_from()) {
      auto history = co_await read_history(core.hub, call->endpoint->cache(), wanted);
      if (history) {
        stream->begin_with(*std::move(history));
      } else {
        stream->fail_with(too_old(wanted, std::max(core.hub.store().compacted_revision(),
                                                   call->endpoint->cache().remembers_from())));
      }
    }
  }
  http::Response response;
  response.headers.add("Content-Type", "application/json");
  stream->open();
  response.stream = std::move(stream);
  co_return response;
}

}  // namespace strake::api
