#include "api/metrics/metrics.h"

namespace strake::api {

void RequestSeries::count(int code, std::chrono::nanoseconds time) {
  for (CodeCount& one : codes_) {
    int taken = one.code.load(std::memory_order_acquire);
    // Whoever comes first gives the free place its code.
    if (taken == 0 && one.code.compare_exchange_strong(taken, code)) taken = code;
    if (taken != code) continue;
    one.count.fetch_add(1, std::memory_order_relaxed);
    break;
  }
  durations_.observe(std::chrono::duration<double>(time).count());
}

VersionMetrics::~VersionMetrics() {
  for (auto& one : series_) delete one.load();
}

RequestSeries& VersionMetrics::series(const RequestLabels& labels) {
  const std::size_t at =
      (static_cast<std::size_t>(labels.verb) * kScopes + static_cast<std::size_t>(labels.scope)) *
          kDryRuns +
      static_cast<std::size_t>(labels.dry_run);
  RequestSeries* found = series_[at].load(std::memory_order_acquire);
  if (found != nullptr) return *found;
  auto made = std::make_unique<RequestSeries>();
  if (series_[at].compare_exchange_strong(found, made.get(), std::memory_order_acq_rel))
    return *made.release();
  return *found;
}

ResourceMetrics::~ResourceMetrics() {
  for (VersionMetrics* one = first_.load(); one != nullptr;) delete std::exchange(one, one->next_);
}

VersionMetrics& ResourceMetrics::of(std::string_view version, std::string_view subresource) {
  const auto find = [&]() -> VersionMetrics* {
    VersionMetrics* one = first_.load(std::memory_order_acquire);
    while (one != nullptr && (one->version_ != version || one->subresource_ != subresource))
      one = one->next_;
    return one;
  };
  if (VersionMetrics* found = find()) return *found;
  const std::lock_guard lock(growing_);
  if (VersionMetrics* found = find()) return *found;
  auto* made = new VersionMetrics(std::string(version), std::string(subresource), first_.load());
  first_.store(made, std::memory_order_release);
  return *made;
}

std::shared_ptr<ResourceMetrics> MetricsRegistry::of(std::string_view group,
                                                     std::string_view resource,
                                                     std::string_view kind) {
  const std::lock_guard lock(mu_);
  auto& slot = all_[{std::string(group), std::string(resource)}];
  if (!slot) {
    slot = std::make_shared<ResourceMetrics>(std::string(group), std::string(resource),
                                             std::string(kind));
  }
  return slot;
}

RequestSeries& MetricsRegistry::health(std::string_view path) {
  return health_[path == "/livez" ? 1 : path == "/readyz" ? 2 : 0];
}

MetricsRegistry& metrics() {
  static MetricsRegistry registry;
  return registry;
}

}  // namespace strake::api
