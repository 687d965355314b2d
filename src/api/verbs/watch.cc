// Watching: each watcher reads the shared record of changes at its own pace. One that falls behind
// what is remembered is told so and dropped; nothing is queued for it.
#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <random>

#include "api/cache/history.h"
#include "api/request/request_metrics.h"
#include "api/verbs/respond.h"
#include "api/verbs/verbs.h"
#include "async/signal.h"

namespace strake::api {
namespace {

using http::Piece;
using meta::Status;

constexpr std::size_t kBatch = 256;
constexpr std::size_t kParsedBatch = 32;  // of objects that must be parsed to be told
// A part ends after the event with which it has so many bytes: what a client that does not read
// makes us hold is this, or one event.
constexpr std::size_t kPartBytes = 64 * 1024;
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
        claim_(core.streams, call_->user->name, call_->request.remote_address, executor, &signal_),
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

  // Asked while the client takes nothing.
  bool is_revoked() const override { return claim_.is_overdue() || has_lost_its_place(); }

  // Everything that is there, as if it were new: held as it is, and told in portions.
  Answer<> begin_with_all() {
    const Revision now = core_.hub.revision();
    ResourceCache::Taken taken = call_->endpoint->cache().take(prefix_, {});
    at_ = std::max(now, taken.changed);
    initial_.emplace(std::move(taken.objects));
    return claim_.has_room() ? tell_initial() : Answer<>();
  }
  void begin_after(Revision revision) { at_ = revision; }
  void begin_with(History history) { take_over(std::move(history)); }
  void fail_with(Status status) {
    initial_.reset();
    history_.clear();
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
    claim_.hold(history_bytes_);  // the last part is on its way
    while (true) {
      if (!ready_.empty()) {
        claim_.hold(history_bytes_ + own_bytes(ready_));
        co_return std::exchange(ready_, {});
      }
      if (done_ || ends_.expired()) co_return std::vector<Piece>();
      if (endpoint_replaced()) co_return std::vector<Piece>();
      if (claim_.is_asked_to_end() || has_lost_its_place()) {
        fail_with(too_old(at_, call_->endpoint->cache().remembers_from()));
        continue;
      }
      if (has_more() && !claim_.has_room()) {
        const Result<bool> woken =
            co_await signal_.wait(ends_.or_earlier(Deadline::after(StreamBudget::kPause)));
        if (!woken) co_return std::unexpected(woken.error());
        continue;
      }
      if (history_.empty() && history_until_ > at_) {
        STRAKE_CO_CHECK(co_await read_on());
        continue;
      }
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
  static std::size_t own_bytes(const std::vector<Piece>& pieces) {
    std::size_t bytes = 0;
    for (const Piece& piece : pieces) bytes += piece.own_bytes();
    return bytes;
  }

  // Whether there is anything to make a part from.
  bool has_more() const {
    return initial_ || !history_.empty() || history_until_ > at_ ||
           call_->endpoint->cache().changed() > at_;
  }

  // Changes that come after the initial state have been forgotten: what is held of it is held for
  // nothing, and is not what the cache remembers any more.
  bool has_lost_its_place() const {
    return initial_ && at_ < call_->endpoint->cache().remembers_from();
  }

  // The next portion of what was there at the beginning.
  Answer<> tell_initial() {
    const std::size_t portion = selection_.needs_content() ? kParsedBatch : kBatch;
    const std::vector<ObjectPtr> objects = initial_->slice(told_, portion);
    for (const ObjectPtr& object : objects) {
      if (part_bytes_ >= kPartBytes) break;
      ++told_;
      STRAKE_TRY(const bool wanted, selection_.matches(*object, *call_->endpoint, *call_->version));
      if (!wanted) continue;
      STRAKE_TRY(Bytes bytes, call_->endpoint->render(*object, *call_->version));
      STRAKE_CHECK(write(EventType::kAdded, std::move(bytes)));
    }
    part_bytes_ = 0;
    if (told_ < initial_->size()) return {};
    initial_.reset();
    if (options_.send_initial_events.value_or(false) && options_.bookmarks)
      writer_.bookmark(ready_, at_, true);
    return {};
  }
  Answer<> write(EventType type, Bytes bytes) {
    part_bytes_ += bytes->size();
    return writer_.write(ready_, type, std::move(bytes));
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
    part_bytes_ = 0;
    if (!history_.empty()) {
      while (!history_.empty() && part_bytes_ < kPartBytes) {
        const Change change = std::move(history_.front());
        history_.pop_front();
        STRAKE_CHECK(send(change));
        if (history_.empty()) at_ = history_read_;
      }
      return true;
    }
    std::vector<Change> changes;
    if (!call_->endpoint->cache().changes_after(at_, kBatch, changes))
      return refuse(too_old(at_, call_->endpoint->cache().remembers_from()));
    for (std::size_t i = 0; i < changes.size(); ++i) {
      // What one commit changed stays together: the place is told by its revision.
      const bool is_new = i > 0 && changes[i].revision != changes[i - 1].revision;
      if (is_new && part_bytes_ >= kPartBytes) break;
      at_ = changes[i].revision;
      STRAKE_CHECK(send(changes[i]));
    }
    return !changes.empty();
  }

  void take_over(History history) {
    history_read_ = history.read_to;
    history_until_ = history.until;
    history_bytes_ = history.bytes;
    history_ = {std::make_move_iterator(history.changes.begin()),
                std::make_move_iterator(history.changes.end())};
    if (history_.empty()) at_ = history_read_;
  }
  // The next changes from before this server began.
  async::Task<> read_on() {
    history_bytes_ = 0;
    claim_.hold(0);
    auto history = co_await read_history(core_.hub, call_->endpoint->cache(), at_);
    if (history) {
      take_over(*std::move(history));
      claim_.hold(history_bytes_);
    } else {
      history_until_ = 0;
      fail_with(too_old(at_, core_.hub.store().compacted_revision()));
    }
    co_return Result<>();
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
      return write(before ? EventType::kModified : EventType::kAdded, std::move(bytes));
    }
    if (!before) return {};
    // What leaves the selection is shown as it was, at the revision at which it left.
    STRAKE_TRY(Bytes bytes,
               endpoint.render_deleted(*change.previous, *call_->version, change.revision));
    return write(EventType::kDeleted, std::move(bytes));
  }

  Core& core_;
  std::shared_ptr<Call> call_;
  ListOptions options_;
  Selection selection_;
  async::Signal signal_;
  std::size_t loop_;
  EventWriter writer_;
  StreamBudget::Claim claim_;
  std::string prefix_;
  Deadline ends_;
  Deadline next_bookmark_;
  bool last_bookmark_planned_ = false;
  Revision at_ = 0;
  std::uint64_t seen_generation_ = 0;
  std::optional<OrderedObjects::Taken> initial_;  // until it is told
  std::size_t told_ = 0;                          // how many of them
  std::deque<Change> history_;                    // not in the cache: as much as was read at once
  Revision history_read_ = 0;                     // where that ends
  Revision history_until_ = 0;                    // from here on the cache remembers
  std::size_t history_bytes_ = 0;
  std::vector<Piece> ready_;
  std::size_t part_bytes_ = 0;  // of the part that is being made
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
    // kube-apiserver 1.36 passes this one on as it is.
    if (!parsed) co_return refuse(Status::raw_error(parsed.error().message));
    wanted = *parsed;
  }
  const bool initial = options.send_initial_events.value_or(wanted == 0);
  if (wanted > core.hub.revision())
    STRAKE_CO_CHECK(co_await wait_for_revision(core, *call, wanted));

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
