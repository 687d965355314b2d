#include "http/loop_context.h"

#include <fmt/chrono.h>

#include <algorithm>

#include "http/transport.h"

// One timer per loop drives the deadlines of all its connections, at a resolution of a quarter of
// the shortest timeout. A timer of its own for each connection would be set and cancelled several
// times per request.

namespace strake::http {
namespace {

using std::chrono::milliseconds;

}  // namespace

LoopContext::LoopContext(LoopExecutor executor, milliseconds shortest_timeout,
                         std::shared_ptr<InputBudget> input)
    : executor_(executor),
      input_(std::move(input)),
      timer_(executor),
      tick_length_(std::clamp(shortest_timeout / 4, milliseconds(5), milliseconds(250))) {
  read_buffer_.resize(kReadSize);
  plain_.reserve(kReadSize);
}

std::uint64_t LoopContext::ticks(milliseconds time) const {
  // One more, since this tick may be nearly over.
  return static_cast<std::uint64_t>((time + tick_length_ - milliseconds(1)) / tick_length_) + 1;
}

void LoopContext::add(Transport& transport) {
  transport.index_ = transports_.size();
  transports_.push_back(&transport);
  if (!ticking_) {
    set_date();
    schedule();
  }
}

void LoopContext::remove(Transport& transport) {
  transports_[transport.index_] = transports_.back();
  transports_[transport.index_]->index_ = transport.index_;
  transports_.pop_back();
  // A timer that runs for nobody would keep the loop from ending.
  if (transports_.empty() && ticking_) timer_.cancel();
}

std::vector<std::shared_ptr<Transport>> LoopContext::all() const {
  std::vector<std::shared_ptr<Transport>> all;
  all.reserve(transports_.size());
  for (Transport* transport : transports_) all.push_back(transport->shared_from_this());
  return all;
}

std::size_t LoopContext::close_idlest(std::size_t count) {
  std::vector<std::shared_ptr<Transport>> candidates;
  for (Transport* transport : transports_) {
    if (!transport->is_authenticated()) candidates.push_back(transport->shared_from_this());
  }
  count = std::min(count, candidates.size());
  // Selection in linear time; their order among each other does not matter.
  std::ranges::nth_element(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(count), {},
                           [](const auto& transport) { return transport->last_use(); });
  for (std::size_t i = 0; i < count; ++i) candidates[i]->kill();
  return count;
}

void LoopContext::schedule() {
  ticking_ = true;
  timer_.expires_after(tick_length_);
  timer_.async_wait([self = shared_from_this()](boost::system::error_code) {
    self->ticking_ = false;
    if (!self->transports_.empty()) self->on_tick();
  });
}

void LoopContext::on_tick() {
  ++tick_;
  set_date();
  // What is told may end connections, and so change the list.
  std::vector<std::shared_ptr<Transport>> due;
  for (Transport* transport : transports_) {
    transport->rest();
    if (transport->is_due()) due.push_back(transport->shared_from_this());
  }
  for (const std::shared_ptr<Transport>& transport : due) transport->on_tick();
  if (!transports_.empty() && !ticking_) schedule();
}

void LoopContext::set_date() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  if (now == second_) return;
  second_ = now;
  // The names of days and months are those of the C locale, which nobody changes.
  date_ = fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(now));
}

}  // namespace strake::http
