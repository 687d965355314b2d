#include "api/controller.h"

#include <boost/asio/post.hpp>

#include "api/call.h"

namespace strake::api {
namespace {

constexpr std::size_t kBatch = 256;
constexpr std::chrono::seconds kPatience{2};
constexpr std::chrono::milliseconds kRest{500};

}  // namespace

Controller::Controller(Core& core, std::string_view prefix, const async::Executor& executor)
    : core_(core),
      cache_(core.hub.cache(prefix)),
      executor_(executor),
      signal_(std::make_shared<async::Signal>(executor)) {}

async::Task<> Controller::run() {
  const std::size_t loop = core_.hub.loops().current();
  cache_.add_waiter(loop, *signal_);
  ResourceCache::Listed listed = cache_.list(cache_.prefix());
  Revision at = std::max(listed.changed, core_.hub.revision());
  for (const ObjectPtr& object : listed.objects) {
    if (stopped_) break;
    co_await handle(object->key());
  }
  handled_.store(at, std::memory_order_release);
  bool busy = true;
  while (!stopped_) {
    std::vector<Change> changes;
    const Revision newest = core_.hub.revision();
    if (!cache_.changes_after(at, kBatch, changes)) {
      // Too far behind to follow: look at everything again.
      listed = cache_.list(cache_.prefix());
      for (const ObjectPtr& object : listed.objects) co_await handle(object->key());
      at = std::max(listed.changed, newest);
      handled_.store(at, std::memory_order_release);
      continue;
    }
    for (const Change& change : changes) {
      if (stopped_) break;
      co_await handle(change.object->key());
      at = change.revision;
      handled_.store(at, std::memory_order_release);
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
  cache_.remove_waiter(loop, *signal_);
  co_return Result<>();
}

void Controller::stop() {
  stopped_ = true;
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
}

bool Controller::is_caught_up() const {
  return has_begun() && handled_.load(std::memory_order_acquire) >= cache_.changed();
}

boost::asio::awaitable<void> Controller::wait_until_caught_up() {
  const Revision target = cache_.changed();
  const Deadline deadline = Deadline::after(kPatience);
  std::chrono::microseconds nap{50};
  while (handled_.load(std::memory_order_acquire) < target && !deadline.expired() && !stopped_) {
    if (!co_await async::sleep_for(nap)) co_return;
    nap = std::min(nap * 2, std::chrono::microseconds(5000));
  }
}

boost::asio::awaitable<void> Controller::handle(std::string key) {
  retries_.erase(key);
  const std::chrono::milliseconds again = co_await sync(key, cache_.get(key));
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
