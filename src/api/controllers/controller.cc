#include "api/controllers/controller.h"

#include <boost/asio/post.hpp>

#include "api/controllers/record_event.h"
#include "api/metrics/queue_metrics.h"
#include "api/request/call.h"
#include "base/log.h"

namespace strake::api {
namespace {

constexpr std::chrono::milliseconds kRest{500};
constexpr std::chrono::milliseconds kFirstPause{500};
constexpr std::chrono::milliseconds kLongestPause{300'000};

// As kube-controller-manager and kube-apiserver 1.36 call the queues of the same controllers.
QueueMetrics queue_of(const InformerBase& informer) {
  const std::string& prefix = informer.prefixes().front();
  if (prefix == "/registry/namespaces/") return QueueMetrics("namespace");
  if (prefix == "/registry/apiextensions.k8s.io/customresourcedefinitions/")
    return QueueMetrics("crd_naming_condition_controller");
  return QueueMetrics("other");
}

// Twice as long after each failure.
std::chrono::milliseconds back_off(std::size_t failures) {
  return std::min(kLongestPause, kFirstPause * (1U << std::min<std::size_t>(failures - 1, 10)));
}

}  // namespace

Controller::Controller(Core& core, InformerBase& informer, const async::Executor& executor)
    : core_(core),
      informer_(informer),
      executor_(executor),
      signal_(std::make_shared<async::Signal>(executor)) {}

boost::asio::awaitable<void> Controller::run() {
  for (std::size_t failures = 0; !stopped_;) {
    std::string why;
    const Revision before = handled_.reached();
    try {
      co_await follow();
    } catch (const std::exception& error) {
      why = error.what();
    }
    if (stopped_) co_return;
    if (handled_.reached() != before) failures = 0;
    log::get("api").error("a controller failed and is started again",
                          {{"prefix", informer_.prefixes().front()}, {"error", why}});
    down_ = true;
    co_await pause_after_failure(++failures);
  }
}

Result<> Controller::health() const {
  if (down_)
    return fail(Code::kServiceUnavailable, "the controller of {} is down",
                informer_.prefixes().front());
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
  co_await record_event(core_, {.name = name, .reason = "SyncFailed", .message = std::move(why)});
}

// One life of the loop.
boost::asio::awaitable<void> Controller::follow() {
  InformerBase::Follower follower(informer_, executor_, signal_);
  const QueueMetrics queue = queue_of(informer_);
  bool busy = true;
  while (!stopped_) {
    const InformerBase::Follower::Taken taken = follower.take();
    std::size_t left = taken.notes.size();
    queue.added(left);
    queue.set_depth(left);
    for (const InformerBase::Note& note : taken.notes) {
      if (stopped_) co_return;
      queue.set_depth(--left);
      // Whatever changed before this one did has been handled.
      handled_.reach(note.since - 1);
      co_await handle(note.key);
    }
    handled_.reach(taken.revision);
    down_ = false;
    if (!taken.notes.empty()) {
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
  handled_.end();
}

async::Task<bool> Controller::wait_until_caught_up(Deadline deadline, CancelToken cancel) {
  // Before the first pass nothing has been handled, even when there is nothing to handle.
  return handled_.wait_for(std::max<Revision>(1, informer_.changed()), deadline, std::move(cancel));
}

boost::asio::awaitable<void> Controller::handle(std::string key) {
  retries_.erase(key);
  std::chrono::milliseconds again{0};
  std::string why;
  const SteadyTime begun = system_clock().steady_now();
  try {
    again = co_await sync(key, core_.hub.cache(storage_prefix_of(key)).get(key));
  } catch (const std::exception& error) {
    why = error.what();
  }
  const QueueMetrics queue = queue_of(informer_);
  queue.worked(system_clock().steady_now() - begun);
  if (why.empty()) {
    failures_.erase(key);
  } else {
    again = back_off(++failures_[key]);
    queue.retried();
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

boost::asio::awaitable<bool> old_writers_are_done(Core& core, const Endpoint& endpoint,
                                                  std::string version) {
  const kinds::Resource& resource = endpoint.resource();
  if (core.registry.may_be_stored_elsewhere(resource.group, resource.plural, version))
    co_return false;
  // A call may be gone while the store still has its write before it. Writes keep their order, so
  // this one, which is never applied, returns behind it.
  const auto behind = co_await core.hub.store().write(
      {.key = resource.storage_prefix, .value = nullptr, .expected = 0});
  co_return behind.has_value();
}

Call internal_call(Core& core, const EndpointPtr& endpoint, std::string_view namespace_name,
                   std::string_view name) {
  static const UserPtr kServer =
      std::make_shared<const User>(User{.name = "system:apiserver",
                                        .uid = {},
                                        .groups = {"system:authenticated", "system:masters"},
                                        .extra = {}});
  Call call;
  call.use = EndpointUse(endpoint);
  call.endpoint = endpoint;
  call.version = &call.resource().storage_version();
  call.user = kServer;
  call.now = core.clock.now();
  call.info.is_resource = true;
  call.info.namespace_name = namespace_name;
  call.info.name = name;
  call.info.resource = call.resource().plural;
  call.info.group = call.resource().group;
  call.info.version = call.version->name;
  call.request.headers.add("User-Agent", "kube-apiserver/v1.36.4");
  return call;
}

Call internal_call(Core& core, const EndpointPtr& endpoint, const Object& object) {
  const std::string_view in = endpoint->resource().namespaced ? object.namespace_name() : "";
  const EndpointUse use = core.registry.use(endpoint);
  Call call = internal_call(core, use.endpoint(), in, object.name());
  call.version = &call.endpoint->stored_version(object, *call.version);
  call.info.version = call.version->name;
  return call;
}

}  // namespace strake::api
