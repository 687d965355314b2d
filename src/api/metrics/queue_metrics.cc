#include "api/metrics/queue_metrics.h"

#include "base/metrics.h"

namespace strake::api {
namespace {

CounterFamily queue_adds("workqueue_adds_total", "[BETA] Total number of adds handled by workqueue",
                         {"name"});
GaugeFamily queue_depths("workqueue_depth", "[BETA] Current depth of workqueue", {"name"});
CounterFamily queue_retries("workqueue_retries_total",
                            "[BETA] Total number of retries handled by workqueue", {"name"});
HistogramFamily queue_durations(
    "workqueue_work_duration_seconds",
    "[BETA] How long in seconds processing an item from workqueue takes.", {"name"},
    {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000});

}  // namespace

void QueueMetrics::added(std::size_t count) const {
  queue_adds.at({name_}).add(static_cast<double>(count));
}
void QueueMetrics::set_depth(std::size_t count) const {
  queue_depths.at({name_}).set(static_cast<double>(count));
}
void QueueMetrics::worked(std::chrono::nanoseconds time) const {
  queue_durations.observe({name_}, std::chrono::duration<double>(time).count());
}
void QueueMetrics::retried() const { queue_retries.at({name_}).add(); }

}  // namespace strake::api
