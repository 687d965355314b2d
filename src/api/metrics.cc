#include "api/metrics.h"

#include <fmt/format.h>

namespace strake::api {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

std::size_t verb_index(std::string_view verb) {
  for (std::size_t i = 0; i < VerbMetrics::kVerbs.size(); ++i) {
    if (VerbMetrics::kVerbs[i] == verb) return i;
  }
  return VerbMetrics::kVerbs.size();
}

}  // namespace

void Histogram::observe(std::chrono::nanoseconds time) {
  const double seconds = std::chrono::duration<double>(time).count();
  std::size_t at = 0;
  while (at < kBounds.size() && seconds > kBounds[at]) ++at;
  buckets_[at].fetch_add(1, kRelaxed);
  count_.fetch_add(1, kRelaxed);
  nanoseconds_.fetch_add(static_cast<std::uint64_t>(time.count()), kRelaxed);
}

void Histogram::write(std::string& out, std::string_view name, std::string_view labels) const {
  std::uint64_t sum = 0;
  const std::string_view comma = labels.empty() ? "" : ",";
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    sum += buckets_[i].load(kRelaxed);
    out += fmt::format("{}_bucket{{{}{}le=\"{}\"}} {}\n", name, labels, comma, kBounds[i], sum);
  }
  sum += buckets_.back().load(kRelaxed);
  out += fmt::format("{}_bucket{{{}{}le=\"+Inf\"}} {}\n", name, labels, comma, sum);
  out += fmt::format("{}_sum{{{}}} {}\n", name, labels,
                     static_cast<double>(nanoseconds_.load(kRelaxed)) / 1e9);
  out += fmt::format("{}_count{{{}}} {}\n", name, labels, sum);
}

VerbMetrics::VerbMetrics(std::string group, std::string resource)
    : group_(std::move(group)), resource_(std::move(resource)) {}

void VerbMetrics::count(std::string_view verb, int code, std::chrono::nanoseconds time) {
  const std::size_t at = verb_index(verb);
  if (at == kVerbs.size()) return;
  verbs_[at].codes[static_cast<std::size_t>(code / 100) % 6].fetch_add(1, kRelaxed);
  verbs_[at].durations.observe(time);
}

std::string VerbMetrics::labels(std::string_view verb) const {
  return fmt::format("group=\"{}\",resource=\"{}\",verb=\"{}\"", group_, resource_, verb);
}

void VerbMetrics::write_requests(std::string& out) const {
  for (std::size_t i = 0; i < kVerbs.size(); ++i) {
    for (std::size_t hundreds = 1; hundreds < 6; ++hundreds) {
      const std::uint64_t count = verbs_[i].codes[hundreds].load(kRelaxed);
      if (count == 0) continue;
      out += fmt::format("apiserver_request_total{{{},code=\"{}xx\"}} {}\n", labels(kVerbs[i]),
                         hundreds, count);
    }
  }
}

void VerbMetrics::write_durations(std::string& out) const {
  for (std::size_t i = 0; i < kVerbs.size(); ++i) {
    if (verbs_[i].durations.count() == 0) continue;
    verbs_[i].durations.write(out, "apiserver_request_duration_seconds", labels(kVerbs[i]));
  }
}

std::shared_ptr<VerbMetrics> MetricsRegistry::of(std::string_view group,
                                                 std::string_view resource) {
  const std::lock_guard lock(mu_);
  auto& slot = all_[{std::string(group), std::string(resource)}];
  if (!slot) slot = std::make_shared<VerbMetrics>(std::string(group), std::string(resource));
  return slot;
}

std::string MetricsRegistry::requests_text() const {
  std::string out =
      "# HELP apiserver_request_total Requests by resource, verb and class of answer.\n";
  out += "# TYPE apiserver_request_total counter\n";
  const std::lock_guard lock(mu_);
  for (const auto& [name, one] : all_) one->write_requests(out);
  out += "# HELP apiserver_request_duration_seconds Time to answer, by resource and verb.\n";
  out += "# TYPE apiserver_request_duration_seconds histogram\n";
  for (const auto& [name, one] : all_) one->write_durations(out);
  return out;
}

MetricsRegistry& metrics() {
  static MetricsRegistry registry;
  return registry;
}

}  // namespace strake::api
