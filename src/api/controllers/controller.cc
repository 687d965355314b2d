#include "api/controllers/controller.h"

#include <boost/asio/post.hpp>

#include "api/controllers/record_event.h"
#include "api/request/call.h"
#include "base/log.h"

namespace strake::api {
namespace {

constexpr std::size_t kBatch = 256;
constexpr std::chrono::milliseconds kRest{500};
constexpr std::chrono::milliseconds kFirstPause{500};
constexpr std::chrono::milliseconds kLongestPause{300'000};

// Twice as long after each failure.
std::chrono::milliseconds back_off(std::size_t failures) {
  return std::min(kLongestPause, kFirstPause * (1U << std::min<std::size_t>(failures - 1, 10)));
}

// Whoever waits for changes leaves the list however its coroutine ends.
class WaiterEntry {
 public:
  WaiterEntry(ResourceCache& cache, std::size_t loop, async::Signal& signal)
      : cache_(cache), loop_(loop), signal_(signal) {
    cache_.add_waiter(loop_, signal_);
  }
  ~WaiterEntry() { cache_.remove_waiter(loop_, signal_); }
  WaiterEntry(const WaiterEntry&) = delete;
  WaiterEntry& operator=(const WaiterEntry&) = delete;

 private:
  ResourceCache& cache_;
  std::size_t loop_;
  async::Signal& signal_;
};

}  // namespace

Controller::Controller(Core& core, std::string_view prefix, const async::Executor& executor)
    : core_(core),
      cache_(core.hub.cache(prefix)),
      executor_(executor),
      signal_(std::make_shared<async::Signal>(executor)) {}

boost::asio::awaitable<void> Controller::run() {
  for (std::size_t failures = 0; !stopped_;) {
    std::string why;
    const Revision before = handled_.load(std::memory_order_relaxed);
    try {
      co_await follow();
    } catch (const std::exception& error) {
      why = error.what();
    }
    if (stopped_) co_return;
    if (handled_.load(std::memory_order_relaxed) != before) failures = 0;
    log::get("api").error("a controller failed and is started again",
                          {{"prefix", cache_.prefix()}, {"error", why}});
    down_ = true;
    co_await pause_after_failure(++failures);
  }
}

Result<> Controller::health() const {
  if (down_)
    return fail(Code::kServiceUnavailable, "the controller of {} is down", cache_.prefix());
  return {};
}

boost::asio::awaitable<void> Controller::pause_after_failure(std::size_t failures) {
  const Deadline until = Deadline::after(back_off(failures));
  while (!stopped_ && !until.expired()) {
    if (!co_await signal_->wait(until)) co_return;
  }
}

boost::asio::awaitable<void> Controller::report_failure(std::string key, std::string why) {
  // "/registry/namespaces/a" is the object "a".
  const std::string name = key.substr(key.rfind('/') + 1);
  co_await record_event(core_, {.name = name,
                                .kind = {},
                                .api_version = {},
                                .reason = "SyncFailed",
                                .message = std::move(why)});
}

// One life of the loop.
boost::asio::awaitable<void> Controller::follow() {
  const WaiterEntry waiting(cache_, core_.hub.loops().current(), *signal_);
  ResourceCache::Listed listed = cache_.list(cache_.prefix());
  Revision at = std::max(listed.changed, core_.hub.revision());
  for (const ObjectPtr& object : listed.objects) {
    if (stopped_) break;
    co_await handle(object->key());
  }
  set_handled(at);
  down_ = false;
  bool busy = true;
  while (!stopped_) {
    std::vector<Change> changes;
    const Revision newest = core_.hub.revision();
    if (!cache_.changes_after(at, kBatch, changes)) {
      // Too far behind to follow: look at everything again.
      listed = cache_.list(cache_.prefix());
      for (const ObjectPtr& object : listed.objects) co_await handle(object->key());
      at = std::max(listed.changed, newest);
      set_handled(at);
      continue;
    }
    for (const Change& change : changes) {
      if (stopped_) break;
      co_await handle(change.object->key());
      at = change.revision;
      set_handled(at);
    }
    if (!changes.empty()) {
      busy = true;
      continue;
    }
    for (auto it = retries_.begin(); it != retries_.end();) {
      if (!it->second.expired()) {
        ++it;
        continue;
      }
      const std::string key = it->first;
      retries_.erase(it);
      co_await handle(key);
      it = retries_.upper_bound(key);
    }
    Deadline until = next_retry();
    if (busy) until = until.or_earlier(Deadline::after(kRest));
    const Result<bool> woken = co_await signal_->wait(until);
    if (!woken) break;
    if (busy && !*woken) {
      busy = false;
      at_rest();
    }
  }
}

void Controller::stop() {
  stopped_ = true;
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
  const std::lock_guard lock(waiters_mu_);
  for (const Waiter& one : waiters_)
    boost::asio::post(one.executor, [signal = one.signal] { signal->notify(); });
  waiters_.clear();
}

bool Controller::is_caught_up() const {
  return has_begun() && handled_.load(std::memory_order_acquire) >= cache_.changed();
}

void Controller::set_handled(Revision revision) {
  handled_.store(revision, std::memory_order_release);
  const std::lock_guard lock(waiters_mu_);
  std::erase_if(waiters_, [revision](const Waiter& one) {
    if (one.target > revision) return false;
    boost::asio::post(one.executor, [signal = one.signal] { signal->notify(); });
    return true;
  });
}

boost::asio::awaitable<void> Controller::wait_until_caught_up(Deadline deadline) {
  // Before the first pass nothing has been handled, even when there is nothing to handle.
  const Revision target = std::max<Revision>(1, cache_.changed());
  if (handled_.load(std::memory_order_acquire) >= target || stopped_) co_return;
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  const auto signal = std::make_shared<async::Signal>(executor);
  {
    const std::lock_guard lock(waiters_mu_);
    if (handled_.load(std::memory_order_acquire) >= target || stopped_) co_return;
    waiters_.push_back({target, executor, signal});
  }
  static_cast<void>(co_await signal->wait(deadline));
  const std::lock_guard lock(waiters_mu_);
  std::erase_if(waiters_, [&](const Waiter& one) { return one.signal == signal; });
}

boost::asio::awaitable<void> Controller::handle(std::string key) {
  retries_.erase(key);
  std::chrono::milliseconds again{0};
  std::string why;
  try {
    again = co_await sync(key, cache_.get(key));
  } catch (const std::exception& error) {
    why = error.what();
  }
  if (why.empty()) {
    failures_.erase(key);
  } else {
    again = back_off(++failures_[key]);
    log::get("api").error("an object could not be handled and is set aside",
                          {{"key", key}, {"error", why}, {"again", again}});
    try {
      co_await report_failure(key, why);
    } catch (const std::exception& error) {
      log::get("api").error("and could not be marked", {{"key", key}, {"error", error.what()}});
    }
  }
  if (again.count() > 0) retries_[key] = Deadline::after(again);
}

Deadline Controller::next_retry() const {
  Deadline out = Deadline::never();
  for (const auto& [key, deadline] : retries_) out = out.or_earlier(deadline);
  return out;
}

Call internal_call(Core& core, const EndpointPtr& endpoint, std::string_view namespace_name,
                   std::string_view name) {
  static const UserPtr kServer =
      std::make_shared<const User>(User{.name = "system:apiserver",
                                        .uid = {},
                                        .groups = {"system:authenticated", "system:masters"},
                                        .extra = {}});
  Call call;
  call.endpoint = endpoint;
  call.version = &endpoint->resource().storage_version();
  call.user = kServer;
  call.now = core.clock.now();
  call.info.is_resource = true;
  call.info.namespace_name = namespace_name;
  call.info.name = name;
  call.info.resource = endpoint->resource().plural;
  call.info.group = endpoint->resource().group;
  call.info.version = call.version->name;
  call.request.headers.add("User-Agent", "kube-apiserver/v1.36.4");
  return call;
}

Call internal_call(Core& core, const EndpointPtr& endpoint, const Object& object) {
  const std::string_view in = endpoint->resource().namespaced ? object.namespace_name() : "";
  Call call = internal_call(core, endpoint, in, object.name());
  call.version = &endpoint->stored_version(object, *call.version);
  call.info.version = call.version->name;
  return call;
}

}  // namespace strake::api
