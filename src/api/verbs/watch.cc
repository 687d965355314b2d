// Watching: each watcher reads the shared record of changes at its own pace. One that falls behind
// what is remembered is told so and dropped; nothing is queued for it.
#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <random>

#include "api/cache/history.h"
#include "api/request/request_metrics.h"
#include "api/verbs/ready.h"
#include "api/verbs/respond.h"
#include "api/verbs/verbs.h"
#include "async/signal.h"

namespace strake::api {
namespace {

using http::Piece;
using meta::Status;
using Match = Selection::Match;

constexpr std::size_t kBatch = 256;
constexpr std::size_t kParsedBatch = 32;  // of objects that must be parsed to be told
// A part ends after the event with which it has so many bytes: what a client that does not read
// makes us hold is this, or one event.
constexpr std::size_t kWatchPartBytes = 64 * 1024;
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
        claim_(core.streams, call_->asking->name, call_->request.remote_address,
               StreamBudget::Claim::Kind::kWatch, executor, signal_),
        prefix_(call_->endpoint->key_prefix(call_->info.namespace_name)),
        ends_(Deadline::after(options_.timeout.value_or(random_timeout()))),
        ending_(std::make_shared<CancelSource>(call_->request.cancel)) {
    call_->request.cancel = ending_->token();
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

  // Everything that is there, as if it were new: held as it is, and told in portions. The first
  // one is told at once, so that what goes wrong with it is an answer.
  AnswerTask<> begin_with_all() {
    const Revision now = core_.hub.revision();
    ResourceCache::Taken taken = call_->endpoint->cache().take(prefix_, {});
    at_ = std::max(now, taken.changed);
    initial_.emplace(std::move(taken.objects));
    if (!claim_.has_room()) co_return Answer<>();
    STRAKE_CO_CHECK(tell_initial());
    if (!must_wait_) co_return Answer<>();
    STRAKE_CO_CHECK(co_await make_next_ready());
    co_return tell_initial();
  }
  void begin_after(Revision revision) { at_ = revision; }
  void begin_with(History history) { take_over(std::move(history)); }
  void fail_with(Status status) {
    initial_.reset();
    history_.clear();
    must_wait_ = false;
    writer_.error(ready_, status);
    done_ = true;
  }

  std::string_view media_type() const { return writer_.media_type(); }

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
        const Result<bool> woken = co_await signal_.wait(ends_);
        if (!woken) co_return std::unexpected(woken.error());
        continue;
      }
      if (must_wait_) {
        const Answer<> ready = co_await make_next_ready();
        if (!ready && !ends_.expired()) fail_with(ready.error());
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

  // What comes next is made ready to be told: an object that had to be waited for, and those
  // behind it, since they are likely to need the same. Other watchers go on meanwhile.
  AnswerTask<> make_next_ready() {
    must_wait_ = false;
    std::vector<ObjectPtr> next = next_objects();
    std::vector<ObjectPtr> ready = next;
    // The watch may have to end before they are.
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, ends_.time());
    timer.async_wait([ending = ending_](const boost::system::error_code& error) {
      if (!error) ending->cancel();
    });
    STRAKE_CO_CHECK(co_await make_ready(core_, *call_, *call_->version, ready));
    ready_ones_.clear();
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (ready[i] != next[i]) ready_ones_.emplace_back(std::move(next[i]), std::move(ready[i]));
    }
    co_return Answer<>();
  }
  // The objects that the next events are about, as far as they may be wanted.
  std::vector<ObjectPtr> next_objects() const {
    std::vector<ObjectPtr> out;
    const auto add = [&](const ObjectPtr& object) {
      if (object && selection_.may_match(*object)) out.push_back(object);
    };
    if (initial_) {
      for (const ObjectPtr& object : initial_->slice(told_, kParsedBatch)) add(object);
      return out;
    }
    std::vector<Change> changes(
        history_.begin(),
        history_.begin() + static_cast<std::ptrdiff_t>(std::min(history_.size(), kParsedBatch)));
    // What is forgotten meanwhile is found out by who tells it.
    if (changes.empty()) {
      static_cast<void>(call_->endpoint->cache().changes_after(at_, skip_ + kParsedBatch, changes));
      changes.erase(changes.begin(),
                    changes.begin() + static_cast<std::ptrdiff_t>(std::min(skip_, changes.size())));
    }
    for (const Change& change : changes) {
      if (!is_here(change)) continue;
      if (!change.deleted) add(change.object);
      add(change.previous);
    }
    return out;
  }
  // The object as it was made ready, where it was.
  const Object& ready_one(const ObjectPtr& object) const {
    for (const auto& [found, ready] : ready_ones_) {
      if (found == object) return *ready;
    }
    return *object;
  }
  // From here on what was made ready is not needed any more, or something else has to be waited
  // for.
  void end_part(bool must_wait) {
    must_wait_ = must_wait;
    if (!must_wait) ready_ones_.clear();
    part_bytes_ = 0;
  }

  // The next portion of what was there at the beginning.
  Answer<> tell_initial() {
    const std::size_t portion = selection_.needs_content() ? kParsedBatch : kBatch;
    const std::vector<ObjectPtr> objects = initial_->slice(told_, portion);
    bool told = true;
    for (const ObjectPtr& object : objects) {
      if (part_bytes_ >= kWatchPartBytes) break;
      STRAKE_TRY(told, tell(ready_one(object)));
      if (!told) break;
      ++told_;
    }
    end_part(!told);
    if (told_ < initial_->size()) return {};
    initial_.reset();
    if (options_.send_initial_events.value_or(false) && options_.bookmarks)
      writer_.bookmark(ready_, at_, true);
    return {};
  }
  // One of them. False when it has to be waited for.
  Answer<bool> tell(const Object& object) {
    STRAKE_TRY(const Match match, selection_.matches(object, *call_->endpoint, *call_->version));
    if (match != Match::kYes) return match == Match::kNo;
    STRAKE_TRY(Bytes bytes, call_->endpoint->render(object, *call_->version));
    if (!bytes) return false;
    STRAKE_CHECK(write(EventType::kAdded, std::move(bytes)));
    return true;
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
    bool sent = true;
    if (!history_.empty()) {
      while (!history_.empty() && part_bytes_ < kWatchPartBytes) {
        STRAKE_TRY(sent, send(history_.front()));
        if (!sent) break;
        history_.pop_front();
        if (history_.empty()) at_ = history_read_;
      }
      end_part(!sent);
      return true;
    }
    std::vector<Change> changes;
    if (!call_->endpoint->cache().changes_after(at_, kBatch + skip_, changes))
      return refuse(too_old(at_, call_->endpoint->cache().remembers_from()));
    // What one commit changed stays together: the place is told by its revision, and by how many of
    // that commit have been told when the next one has to be waited for.
    Revision behind = at_;
    std::size_t of_commit = std::exchange(skip_, 0);
    for (std::size_t i = of_commit; i < changes.size(); ++i) {
      const bool is_new = i > 0 && changes[i].revision != changes[i - 1].revision;
      if (is_new) {
        if (part_bytes_ >= kWatchPartBytes) break;
        behind = at_;
        of_commit = 0;
      }
      STRAKE_TRY(sent, send(changes[i]));
      if (!sent) {
        at_ = behind;
        skip_ = of_commit;
        break;
      }
      at_ = changes[i].revision;
      ++of_commit;
    }
    end_part(!sent);
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

  bool is_here(const Change& change) const {
    return std::string_view(change.object->key()).starts_with(prefix_);
  }
  // False when an object has to be waited for: then nothing has been sent.
  Answer<bool> send(const Change& change) {
    if (!is_here(change)) return true;
    const Endpoint& endpoint = *call_->endpoint;
    Match before = Match::kNo;
    Match after = Match::kNo;
    if (change.previous) {
      STRAKE_TRY(before, selection_.matches(ready_one(change.previous), endpoint, *call_->version));
    }
    if (!change.deleted) {
      STRAKE_TRY(after, selection_.matches(ready_one(change.object), endpoint, *call_->version));
    }
    if (before == Match::kMustWait || after == Match::kMustWait) return false;
    if (before == Match::kNo && after == Match::kNo) return true;
    Bytes bytes;
    EventType type = before == Match::kYes ? EventType::kModified : EventType::kAdded;
    if (after == Match::kYes) {
      STRAKE_TRY(bytes, endpoint.render(ready_one(change.object), *call_->version));
    } else {
      // What leaves the selection is shown as it was, at the revision at which it left.
      type = EventType::kDeleted;
      STRAKE_TRY(bytes, endpoint.render_deleted(ready_one(change.previous), *call_->version,
                                                change.revision));
    }
    if (!bytes) return false;
    STRAKE_CHECK(write(type, std::move(bytes)));
    return true;
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
  std::shared_ptr<CancelSource> ending_;  // of what it waits for
  Deadline next_bookmark_;
  bool last_bookmark_planned_ = false;
  Revision at_ = 0;
  std::size_t skip_ = 0;    // changes behind that, which have been told
  bool must_wait_ = false;  // what comes next has to be made ready
  std::vector<std::pair<ObjectPtr, ObjectPtr>> ready_ones_;  // found in the cache, and made ready
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
  // From here on the watch is ended with the rights of its user. If they ended before, nobody found
  // it: the answer is that of a request that comes now.
  if (!core.authenticator.still_accepts(*call->asking, call->request))
    co_return refuse(Status::unauthorized());
  if (initial) {
    STRAKE_CO_CHECK(co_await stream->begin_with_all());
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
  response.headers.add("Content-Type", stream->media_type());
  stream->open();
  response.stream = std::move(stream);
  co_return response;
}

}  // namespace strake::api
