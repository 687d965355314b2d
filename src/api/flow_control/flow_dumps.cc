// The state of fair use for people who look into it, as the debug pages of kube-apiserver 1.36
// print it: words and commas in columns.
#include <fmt/format.h>

#include <algorithm>

#include "api/flow_control/flow_ticket.h"
#include "base/rfc3339.h"
#include "meta/gvk.h"

namespace strake::api {
namespace {

// Levels of more queues show those alone that have requests.
constexpr int kMostIdleQueues = 1024;
constexpr std::size_t kLeastWidth = 8;

class Columns {
 public:
  using Row = std::vector<std::string>;
  explicit Columns(Row heads) { rows_.push_back(std::move(heads)); }
  void add(Row row) { rows_.push_back(std::move(row)); }
  // Each cell but the last has a comma behind it, and a blank at least.
  std::string text() const {
    std::vector<std::size_t> widths(rows_.front().size(), kLeastWidth);
    for (const Row& row : rows_) {
      for (std::size_t i = 0; i + 1 < row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size() + 2);
    }
    std::string out;
    for (const Row& row : rows_) {
      for (std::size_t i = 0; i + 1 < row.size(); ++i)
        out += fmt::format("{:<{}}", row[i] + ",", widths[i]);
      out += row.back() + "\n";
    }
    return out;
  }

 private:
  std::vector<Row> rows_;
};

std::string seconds_of_seats(SeatTime time) { return fmt::format("{:.8f}ss", seat_seconds(time)); }

std::string yes_or_no(bool is) { return is ? "true" : "false"; }

}  // namespace

std::string FlowControl::dump_levels() const {
  Columns out({"PriorityLevelName", "ActiveQueues", "IsIdle", "IsQuiescing", "WaitingRequests",
               "ExecutingRequests", "DispatchedRequests", "RejectedRequests", "TimedoutRequests",
               "CancelledRequests"});
  const std::lock_guard lock(mu_);
  for (const auto& [name, level] : levels_) {
    const std::lock_guard of_level(level->mu);
    const auto queues = level->queues.queues();
    const auto active = std::ranges::count_if(
        queues, [](const FairQueues::QueueView& one) { return one.waiting > 0; });
    std::uint64_t dispatched = 0;
    std::array<std::uint64_t, kFlowRefusals.size()> refused{};
    for (const auto& [schema, counts] : level->counts) {
      dispatched += counts->dispatched;
      for (std::size_t i = 0; i < refused.size(); ++i) refused[i] += counts->refused[i];
    }
    // Whoever is turned away counts as rejected, whatever the reason.
    std::uint64_t all = 0;
    for (const std::uint64_t one : refused) all += one;
    const auto because = [&](FlowRefusal why) {
      return fmt::format("{}", refused[static_cast<std::size_t>(why)]);
    };
    out.add({name, fmt::format("{}", active), yes_or_no(level->queues.idle()),
             yes_or_no(level->quiescing), fmt::format("{}", level->queues.waiting()),
             fmt::format("{}", level->queues.executing()), fmt::format("{}", dispatched),
             fmt::format("{}", all), because(FlowRefusal::kTimeOut),
             because(FlowRefusal::kCancelled)});
  }
  return out.text();
}

std::string FlowControl::dump_queues() const {
  Columns out({"PriorityLevelName", "Index", "PendingRequests", "ExecutingRequests", "SeatsInUse",
               "NextDispatchR", "InitialSeatsSum", "MaxSeatsSum", "TotalWorkSum"});
  const std::lock_guard lock(mu_);
  for (const auto& [name, level] : levels_) {
    const std::lock_guard of_level(level->mu);
    std::vector<FairQueues::QueueView> queues = level->queues.queues();
    const int all = level->settings.dealer.deck();
    if (level->settings.mode == FairQueues::Mode::kQueue && all <= kMostIdleQueues) {
      std::vector<FairQueues::QueueView> whole(static_cast<std::size_t>(all));
      for (std::size_t i = 0; i < whole.size(); ++i) whole[i].index = static_cast<int>(i);
      for (FairQueues::QueueView& one : queues) {
        const auto at = static_cast<std::size_t>(one.index);
        if (at < whole.size()) whole[at] = std::move(one);
      }
      queues = std::move(whole);
    }
    for (const FairQueues::QueueView& one : queues) {
      const std::string seats = fmt::format("{}", one.seats_waited_for);
      out.add({name, fmt::format("{}", one.index), fmt::format("{}", one.waiting),
               fmt::format("{}", one.executing), fmt::format("{}", one.seats_in_use),
               seconds_of_seats(one.next_r), seats, seats, seconds_of_seats(one.work)});
    }
  }
  return out.text();
}

std::string FlowControl::dump_requests(bool with_details) const {
  Columns::Row heads = {
      "PriorityLevelName", "FlowSchemaName", "QueueIndex", "RequestIndexInQueue", "FlowDistingsher",
      "ArriveTime",        "InitialSeats",   "FinalSeats", "AdditionalLatency",   "StartTime"};
  if (with_details) {
    heads.insert(heads.end(), {"UserName", "Verb", "APIPath", "Namespace", "Name", "APIVersion",
                               "Resource", "SubResource"});
  }
  Columns out(std::move(heads));
  const WallTime wall = clock_.now();
  const SteadyTime steady = clock_.steady_now();
  const auto time = [&](SteadyTime at) {
    return format_rfc3339_nano(
        Instant::from(wall + std::chrono::duration_cast<WallTime::duration>(at - steady)));
  };
  const auto add = [&](const FlowLevel& level, const FairQueues::Request& request, int place) {
    const Ticket& ticket = Ticket::of(request);
    const Call& call = ticket.call();
    const FlowSchemaFacts& schema = *ticket.entry().schema;
    const bool waits = request.state() == FairQueues::Request::State::kWaits;
    Columns::Row row = {level.name,
                        schema.name,
                        fmt::format("{}", request.queue()),
                        fmt::format("{}", place),
                        std::string(schema.flow_of(*call.user, call.info)),
                        time(request.arrived()),
                        fmt::format("{}", request.seats()),
                        "0",
                        "0s",
                        waits ? "0001-01-01T00:00:00Z" : time(request.started())};
    if (with_details) {
      const RequestInfo& info = call.info;
      row.insert(row.end(), {call.user->name, info.verb, info.path, info.namespace_name, info.name,
                             meta::GroupVersion{info.group, info.version}.to_string(),
                             info.resource, info.subresource});
    }
    out.add(std::move(row));
  };
  const std::lock_guard lock(mu_);
  for (const auto& [name, level] : levels_) {
    const std::lock_guard of_level(level->mu);
    for (const FairQueues::Request* one : level->queues.executing_requests()) add(*level, *one, -1);
    for (const FairQueues::QueueView& queue : level->queues.queues()) {
      int place = 0;
      for (const FairQueues::Request* one : queue.requests) add(*level, *one, place++);
    }
  }
  return out.text();
}

}  // namespace strake::api
