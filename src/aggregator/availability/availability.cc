#include "aggregator/availability/availability.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <set>

#include "api/controllers/conditions.h"
#include "api/controllers/controller.h"
#include "api/verbs/write.h"
#include "base/log.h"
#include "value/fields.h"

namespace strake::aggregator {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using value::Document;

constexpr seconds kPeriod{30};
constexpr milliseconds kFirstRetry{100};
// However many requests do not get through.
constexpr seconds kRest{1};
// Looks under way; each is six seconds at most.
constexpr std::size_t kMostAtOnce = 32;
constexpr seconds kToldWithin{2};

milliseconds retry_after(std::size_t failures) {
  const milliseconds wait = kFirstRetry * (1U << std::min<std::size_t>(failures - 1, 10));
  return std::min<milliseconds>(wait, kPeriod);
}

// What the last look was about.
bool is_same(const ApiService& a, const ApiService& b) {
  return a.uid == b.uid && a.service == b.service && a.ca_bundle == b.ca_bundle &&
         a.skips_tls_verify == b.skips_tls_verify;
}

std::string service_name(const ServiceReference& service) {
  return fmt::format("{}/{}", service.namespace_name, service.name);
}

// As Prometheus writes the value of a label.
std::string label(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

AvailabilityKeeper::AvailabilityKeeper(ApiServices& services, ServiceAddresses& addresses,
                                       Backends& backends)
    : services_(services), addresses_(addresses), backends_(backends) {}

async::Task<> AvailabilityKeeper::start(api::Core& core) {
  executor_ = co_await boost::asio::this_coro::executor;
  signal_ = std::make_shared<async::Signal>(executor_);
  core_ = &core;
  // Whoever has another map has other servers.
  addresses_.tell_of_map([this] {
    post([this] {
      for (auto& [name, one] : kept_) one.due = {};
    });
  });
  boost::asio::co_spawn(executor_, run(), boost::asio::detached);
  co_return Result<>();
}

async::Task<> AvailabilityKeeper::stop() {
  addresses_.tell_of_map({});
  stopping_.cancel();
  post([] {});
  co_return co_await running_.close();
}

// On the executor, before the loop looks again.
void AvailabilityKeeper::post(std::function<void()> work) {
  if (core_ == nullptr) return;
  boost::asio::post(executor_, [pass = running_.enter(), work = std::move(work), signal = signal_] {
    if (pass) work();
    signal->notify();
  });
}

void AvailabilityKeeper::suspect(const std::string& name) {
  post([this, name] {
    const auto found = kept_.find(name);
    if (found == kept_.end()) return;
    found->second.due = std::min(found->second.due, found->second.last + kRest);
  });
}

void AvailabilityKeeper::look() {
  post([] {});
}

boost::asio::awaitable<void> AvailabilityKeeper::run() {
  const async::Gate::Pass pass = running_.enter();
  if (!pass) co_return;
  api::Core& core = *core_;
  api::InformerBase::Follower services(services_.changes(), executor_, signal_);
  api::InformerBase::Follower objects(addresses_.changes(), executor_, signal_);
  while (!stopping_.cancelled()) {
    const api::Revision told =
        std::max(services_.changes().changed(), addresses_.changes().changed());
    take_changes(services, objects);
    // Whoever knows endpoints has been told as well.
    static_cast<void>(
        co_await core.hub.wait_for(told, Deadline::after(kToldWithin), stopping_.token()));
    if (std::exchange(services_changed_, false)) take_services();
    const SteadyTime next = start_due();
    const Deadline until = next == SteadyTime::max()
                               ? Deadline::never()
                               : Deadline::after(next - core.clock.steady_now());
    if (!co_await signal_->wait(until)) break;
  }
}

void AvailabilityKeeper::take_changes(api::InformerBase::Follower& services,
                                      api::InformerBase::Follower& objects) {
  if (!services.take().notes.empty()) services_changed_ = true;
  std::set<std::string> touched;
  for (const api::InformerBase::Note& note : objects.take().notes) {
    for (std::string& one : addresses_.services_of(note)) touched.insert(std::move(one));
  }
  if (touched.empty()) return;
  for (auto& [name, one] : kept_) {
    if (one.service && one.service->service &&
        touched.contains(service_name(*one.service->service)))
      one.due = {};
  }
}

// Those that are new or have changed are due; those that are gone are forgotten.
void AvailabilityKeeper::take_services() {
  const ApiServices::SnapshotPtr snapshot = services_.snapshot();
  std::map<std::string, Kept> next;
  for (const ApiServices::Snapshot::Group& group : snapshot->groups) {
    for (const ApiServicePtr& one : group.versions) {
      const auto before = kept_.find(one->name);
      Kept kept = before != kept_.end() ? std::move(before->second) : Kept{};
      if (!kept.service || !is_same(*kept.service, *one)) {
        kept.failures = 0;
        kept.due = {};
      } else if (one->available != kept.written) {
        kept.due = {};
      }
      kept.service = one;
      next.emplace(one->name, std::move(kept));
    }
  }
  kept_ = std::move(next);
}

// When the next one is due; the end of time while those under way have to make room first.
SteadyTime AvailabilityKeeper::start_due() {
  const SteadyTime now = core_.load()->clock.steady_now();
  SteadyTime next = SteadyTime::max();
  for (auto& [name, one] : kept_) {
    if (one.running) continue;
    if (one.due > now) {
      next = std::min(next, one.due);
    } else if (looking_ < kMostAtOnce) {
      one.running = true;
      one.due = SteadyTime::max();  // a change meanwhile makes it due again
      ++looking_;
      boost::asio::co_spawn(executor_, look_at(name, one.service), boost::asio::detached);
    }
  }
  return next;
}

boost::asio::awaitable<void> AvailabilityKeeper::look_at(std::string name, ApiServicePtr service) {
  const async::Gate::Pass pass = running_.enter();
  Checked checked;
  bool done = false;
  if (pass) {
    checked = co_await check_availability(service, addresses_, backends_, stopping_.token());
    // Known before it is written, so that being told of that is no news.
    if (const auto found = kept_.find(name); found != kept_.end())
      found->second.written = checked.condition;
    if (!stopping_.cancelled()) done = co_await write(service, checked.condition);
  }
  --looking_;
  if (done || stopping_.cancelled()) {
    settle(name, service, checked);
  } else if (const auto found = kept_.find(name); found != kept_.end()) {
    found->second.running = false;
    found->second.last = core_.load()->clock.steady_now();
    found->second.due = found->second.last + kRest;
  }
  signal_->notify();
}

void AvailabilityKeeper::settle(const std::string& name, const ApiServicePtr& service,
                                const Checked& checked) {
  const auto found = kept_.find(name);
  if (found == kept_.end()) return;
  Kept& one = found->second;
  const SteadyTime now = core_.load()->clock.steady_now();
  one.running = false;
  one.last = now;
  one.written = checked.condition;
  one.failures = checked.unanswered ? one.failures + 1 : 0;
  if (!is_same(*one.service, *service)) return;  // due already
  // Nobody but this server changes what it says of its own.
  const SteadyTime next = service->is_local()  ? SteadyTime::max()
                          : checked.unanswered ? now + retry_after(one.failures)
                                               : now + kPeriod;
  one.due = std::min(one.due, next);
}

// False when it has to be tried again.
boost::asio::awaitable<bool> AvailabilityKeeper::write(ApiServicePtr service,
                                                       Availability condition) {
  if (service->available == condition) co_return true;
  api::Core& core = *core_;
  const api::EndpointPtr endpoint = core.registry.find("apiregistration.k8s.io", "apiservices");
  if (!endpoint) co_return false;
  api::Call call = api::internal_call(core, endpoint, "", service->name);
  const std::string now = call.now_text();
  std::string before;
  bool changed = false;
  const auto apply = [&](Document& document) {
    changed = false;
    // Another one of that name is looked at by itself.
    if (value::text_of(document.root().get("metadata"), "uid") != service->uid) return;
    before = api::condition_status(document.root(), "Available");
    changed = api::set_condition(document,
                                 {.type = "Available",
                                  .status = condition.status,
                                  .reason = condition.reason,
                                  .message = condition.message},
                                 now);
  };
  const auto written = co_await api::edit_object(
      core, call, {.subresource = "status", .manager = "kube-apiserver", .apply = apply});
  if (!written) co_return written.error().reason == "NotFound";
  if (!changed) co_return true;
  const log::Logger log = log::get("aggregator");
  if (condition.status == "True" || before != "True") {
    log.info("the availability of an APIService has changed",
             {{"name", service->name},
              {"from", before.empty() ? "Unknown" : before},
              {"to", condition.status},
              {"reason", condition.reason},
              {"message", condition.message}});
  } else {
    log.warn(
        "an APIService is no longer available",
        {{"name", service->name}, {"reason", condition.reason}, {"message", condition.message}});
    const std::lock_guard lock(mu_);
    ++fallen_[{service->name, condition.reason}];
  }
  co_return true;
}

void AvailabilityKeeper::write_metrics(std::string& out) const {
  out +=
      "# HELP aggregator_unavailable_apiservice [ALPHA] Gauge of APIServices which are marked as "
      "unavailable broken down by APIService name.\n"
      "# TYPE aggregator_unavailable_apiservice gauge\n";
  std::map<std::string, bool> shown;
  const ApiServices::SnapshotPtr snapshot = services_.snapshot();
  for (const ApiServices::Snapshot::Group& group : snapshot->groups) {
    for (const ApiServicePtr& one : group.versions) shown[one->name] = one->is_available();
  }
  for (const auto& [name, available] : shown) {
    out += fmt::format("aggregator_unavailable_apiservice{{name=\"{}\"}} {}\n", label(name),
                       available ? 0 : 1);
  }
  const std::lock_guard lock(mu_);
  out +=
      "# HELP aggregator_unavailable_apiservice_total [ALPHA] Counter of APIServices which are "
      "marked as unavailable broken down by APIService name and reason.\n"
      "# TYPE aggregator_unavailable_apiservice_total counter\n";
  for (const auto& [what, count] : fallen_) {
    out += fmt::format("aggregator_unavailable_apiservice_total{{name=\"{}\",reason=\"{}\"}} {}\n",
                       label(what.first), label(what.second), count);
  }
}

}  // namespace strake::aggregator
