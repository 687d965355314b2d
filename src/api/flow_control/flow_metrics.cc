// Fair use in /metrics, with the names, labels and help texts of kube-apiserver 1.36.
#include <fmt/format.h>

#include "api/flow_control/flow_ticket.h"

namespace strake::api {
namespace {

// What one flow schema counted in one level, at one time.
struct Line {
  std::string labels;  // flow_schema="..",priority_level=".."
  std::uint64_t dispatched;
  std::array<std::uint64_t, kFlowRefusals.size()> refused;
  std::size_t waiting;
  int seats_waiting;
  std::size_t executing;
  int seats_executing;
  Histogram<kFlowBounds>::Reading waited;
  Histogram<kFlowBounds>::Reading waited_in_vain;
  Histogram<kFlowBounds>::Reading lasted;
  Histogram<kFlowBounds>::Reading watch_lasted;
};

class FlowPage {
 public:
  explicit FlowPage(std::string& out) : out_(out) {}
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = fmt::format("apiserver_flowcontrol_{}", name);
    fmt::format_to(std::back_inserter(out_), "# HELP {0} {2}\n# TYPE {0} {1}\n", name_, type, help);
  }
  template <typename Number>
  void sample(std::string_view labels, Number value) {
    fmt::format_to(std::back_inserter(out_), "{}{{{}}} {}\n", name_, labels, value);
  }
  void single(double value) { fmt::format_to(std::back_inserter(out_), "{} {}\n", name_, value); }
  // Nothing for what was never observed.
  void histogram(std::string_view labels, const Histogram<kFlowBounds>::Reading& reading) {
    std::uint64_t below = 0;
    for (const std::uint64_t count : reading.buckets) below += count;
    if (below == 0) return;
    below = 0;
    for (std::size_t i = 0; i < reading.buckets.size(); ++i) {
      below += reading.buckets[i];
      fmt::format_to(std::back_inserter(out_), "{}_bucket{{{},le=\"{}\"}} {}\n", name_, labels,
                     i < kFlowBounds.size() ? kFlowBounds[i].text : "+Inf", below);
    }
    fmt::format_to(std::back_inserter(out_), "{0}_sum{{{1}}} {2}\n{0}_count{{{1}}} {3}\n", name_,
                   labels, reading.sum, below);
  }

 private:
  std::string& out_;
  std::string name_;
};

void write_requests(FlowPage& page, const std::vector<Line>& lines) {
  page.family("rejected_requests_total", "counter",
              "[BETA] Number of requests rejected by API Priority and Fairness subsystem");
  for (const Line& one : lines) {
    for (std::size_t i = 0; i < one.refused.size(); ++i) {
      if (one.refused[i] > 0)
        page.sample(fmt::format("{},reason=\"{}\"", one.labels, kFlowRefusals[i]), one.refused[i]);
    }
  }
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help,
                        auto member) {
    page.family(name, type, help);
    for (const Line& one : lines) page.sample(one.labels, one.*member);
  };
  each("dispatched_requests_total", "counter",
       "[BETA] Number of requests executed by API Priority and Fairness subsystem",
       &Line::dispatched);
  each("current_inqueue_requests", "gauge",
       "[BETA] Number of requests currently pending in queues of the API Priority and Fairness "
       "subsystem",
       &Line::waiting);
  each("current_inqueue_seats", "gauge",
       "[ALPHA] Number of seats currently pending in queues of the API Priority and Fairness "
       "subsystem",
       &Line::seats_waiting);
  each("current_executing_requests", "gauge",
       "[BETA] Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution "
       "stage in the API Priority and Fairness subsystem",
       &Line::executing);
  each("current_executing_seats", "gauge",
       "[BETA] Concurrency (number of seats) occupied by the currently executing (initial stage "
       "for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem",
       &Line::seats_executing);
  page.family("request_wait_duration_seconds", "histogram",
              "[BETA] Length of time a request spent waiting in its queue");
  for (const Line& one : lines) {
    page.histogram("execute=\"true\"," + one.labels, one.waited);
    page.histogram("execute=\"false\"," + one.labels, one.waited_in_vain);
  }
  page.family("request_execution_seconds", "histogram",
              "[ALPHA] Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of "
              "request execution in the API Priority and Fairness subsystem");
  for (const Line& one : lines) {
    page.histogram(one.labels + ",type=\"regular\"", one.lasted);
    page.histogram(one.labels + ",type=\"watch\"", one.watch_lasted);
  }
}

}  // namespace

void FlowControl::write_metrics(std::string& out) const {
  struct OfLevel {
    std::string labels;
    SeatRange range;
    int seats;
    double target;
    SmoothedDemand demand;
  };
  std::vector<Line> lines;
  std::vector<OfLevel> levels;
  double fraction = 0;
  {
    const std::lock_guard lock(mu_);
    fraction = fair_fraction_;
    for (const auto& [name, level] : levels_) {
      levels.push_back({fmt::format("priority_level=\"{}\"", name), level->range, level->seats,
                        level->target, level->demand});
      const std::lock_guard of_level(level->mu);
      for (const auto& [schema, counts] : level->counts) {
        lines.push_back(
            {.labels = fmt::format("flow_schema=\"{}\",priority_level=\"{}\"", schema, name),
             .dispatched = counts->dispatched,
             .refused = counts->refused,
             .waiting = counts->waiting,
             .seats_waiting = counts->seats_waiting,
             .executing = counts->executing,
             .seats_executing = counts->seats_executing,
             .waited = counts->waited.read(),
             .waited_in_vain = counts->waited_in_vain.read(),
             .lasted = counts->lasted.read(),
             .watch_lasted = counts->watch_lasted.read()});
      }
    }
  }
  FlowPage page(out);
  write_requests(page, lines);
  const auto each = [&](std::string_view name, std::string_view help, auto number) {
    page.family(name, "gauge", help);
    for (const OfLevel& one : levels) page.sample(one.labels, number(one));
  };
  each("nominal_limit_seats",
       "[BETA] Nominal number of execution seats configured for each priority level",
       [](const OfLevel& one) { return one.range.nominal; });
  each("lower_limit_seats",
       "[ALPHA] Configured lower bound on number of execution seats available to each priority "
       "level",
       [](const OfLevel& one) { return one.range.lowest; });
  each("upper_limit_seats",
       "[ALPHA] Configured upper bound on number of execution seats available to each priority "
       "level",
       [](const OfLevel& one) { return one.range.highest; });
  each("current_limit_seats",
       "[ALPHA] current derived number of execution seats available to each priority level",
       [](const OfLevel& one) { return one.seats; });
  each("demand_seats_high_watermark",
       "[ALPHA] High watermark, over last adjustment period, of demand_seats",
       [](const OfLevel& one) { return one.demand.latest().highest; });
  each("demand_seats_average",
       "[ALPHA] Time-weighted average, over last adjustment period, of demand_seats",
       [](const OfLevel& one) { return one.demand.latest().average; });
  each("demand_seats_stdev",
       "[ALPHA] Time-weighted standard deviation, over last adjustment period, of demand_seats",
       [](const OfLevel& one) { return one.demand.latest().deviation; });
  each("demand_seats_smoothed", "[ALPHA] Smoothed seat demands",
       [](const OfLevel& one) { return one.demand.smoothed(); });
  each("target_seats", "[ALPHA] Seat allocation targets",
       [](const OfLevel& one) { return one.target; });
  page.family("seat_fair_frac", "gauge",
              "[ALPHA] Fair fraction of server's concurrency to allocate to each priority level "
              "that can use it");
  page.single(fraction);
}

}  // namespace strake::api
