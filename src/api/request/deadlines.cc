#include "api/request/deadlines.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <vector>

#include "base/go_duration.h"

namespace strake::api {
namespace {

// What kube-apiserver 1.36 gives to handlers that write one object.
constexpr std::chrono::seconds kMostForWrites{34};

}  // namespace

// Touched on its executor alone.
struct Deadlines::Timer {
  explicit Timer(const async::Executor& executor) : timer(executor) {}
  boost::asio::steady_timer timer;
  bool stopped = false;
};

Deadlines::Deadlines(const Clock& clock) : clock_(clock) {}

Deadlines::~Deadlines() { stop(); }

Deadlines::Entry::Entry(Deadlines& deadlines, Deadline until, CancelSource& cancel)
    : deadlines_(deadlines), cancel_(cancel) {
  const std::lock_guard lock(deadlines_.mu_);
  place_ = deadlines_.entries_.emplace(until.time(), this);
  // Most end long before: the timer is set anew only for one that is earlier.
  if (until.time() < deadlines_.armed_) deadlines_.arm(until.time());
}

Deadlines::Entry::~Entry() {
  const std::lock_guard lock(deadlines_.mu_);
  if (place_ != deadlines_.entries_.end()) deadlines_.entries_.erase(place_);
}

bool Deadlines::Entry::has_expired() const {
  const std::lock_guard lock(deadlines_.mu_);
  return expired_;
}

void Deadlines::start(const async::Executor& executor) {
  const std::lock_guard lock(mu_);
  timer_ = std::make_shared<Timer>(executor);
  if (!entries_.empty()) arm(entries_.begin()->first);
}

void Deadlines::stop() {
  const std::lock_guard lock(mu_);
  if (!timer_) return;
  boost::asio::post(timer_->timer.get_executor(), [timer = timer_] {
    timer->stopped = true;
    timer->timer.cancel();
  });
  timer_.reset();
}

void Deadlines::arm(SteadyTime at) {
  if (!timer_ || at == SteadyTime::max()) return;
  armed_ = at;
  const auto wait = std::max(at - clock_.steady_now(), SteadyTime::duration::zero());
  boost::asio::post(timer_->timer.get_executor(), [this, timer = timer_, wait] {
    if (timer->stopped) return;
    timer->timer.expires_after(wait);
    timer->timer.async_wait([this, timer](boost::system::error_code error) {
      if (!error && !timer->stopped) expire();
    });
  });
}

void Deadlines::expire() {
  const SteadyTime now = clock_.steady_now();
  const std::lock_guard lock(mu_);
  while (!entries_.empty() && entries_.begin()->first <= now) {
    Entry& late = *entries_.begin()->second;
    entries_.erase(entries_.begin());
    late.place_ = entries_.end();
    late.expired_ = true;
    // Callbacks only hand over to the loops of those who wait.
    late.cancel_.cancel();
  }
  armed_ = SteadyTime::max();
  if (!entries_.empty()) arm(entries_.begin()->first);
}

meta::Status TimeLimit::exceeded() const {
  return meta::Status::timeout(
      of_write ? "request did not complete within requested timeout - context deadline exceeded"
               : "request did not complete within the allotted timeout",
      0);
}

Answer<TimeLimit> time_limit(const http::Query& query, std::chrono::nanoseconds most,
                             bool single_write) {
  TimeLimit out{.time = most};
  if (const auto text = query.get("timeout"); text && !text->empty()) {
    const Result<std::chrono::nanoseconds> asked = parse_go_duration(*text);
    if (!asked) {
      return refuse(meta::Status::bad_request(fmt::format(
          "invalid timeout specified in the request URL - {}", asked.error().message())));
    }
    // Zero stands for no limit of the client's own.
    if (*asked > std::chrono::nanoseconds::zero() && *asked < most) out.time = *asked;
  }
  if (single_write && kMostForWrites < out.time) return TimeLimit{kMostForWrites, true};
  return out;
}

}  // namespace strake::api
