#include "base/metrics.h"

#include <algorithm>

#include "base/assert.h"

namespace strake {
namespace {

struct Families {
  std::mutex mu;
  std::map<std::string_view, const MetricFamily*> by_name;  // guarded by mu
};
Families& families() {
  static Families& kept = *new Families;  // outlives every family
  return kept;
}

template <typename Map>
auto& series_at(Map& series, std::string labels, std::string others) {
  const auto found = series.find(labels);
  if (found != series.end()) return found->second;
  return series[series.size() < kMostSeries ? std::move(labels) : std::move(others)];
}

}  // namespace

MetricFamily::MetricFamily(std::string_view name, std::string_view type, std::string_view help,
                           std::vector<std::string_view> labels)
    : name_(name), type_(type), help_(help), labels_(std::move(labels)) {
  const std::lock_guard lock(families().mu);
  families().by_name[name_] = this;
}

MetricFamily::~MetricFamily() {
  const std::lock_guard lock(families().mu);
  families().by_name.erase(name_);
}

std::string MetricFamily::labels_of(Values values) const {
  STRAKE_ASSERT(values.size() == labels_.size());
  std::string out;
  auto label = labels_.begin();
  for (const std::string_view value : values) {
    if (!out.empty()) out += ',';
    out += metric_labels({{*label++, value}});
  }
  return out;
}

std::string MetricFamily::labels_of_others() const {
  std::string out;
  for (const std::string_view label : labels_) {
    if (!out.empty()) out += ',';
    out += metric_labels({{label, "other"}});
  }
  return out;
}

Counter& CounterFamily::at(Values values) {
  std::string labels = labels_of(values);
  const std::lock_guard lock(mu_);
  return series_at(series_, std::move(labels), labels_of_others());
}

void CounterFamily::write(MetricsText& text) const {
  write_head(text);
  const std::lock_guard lock(mu_);
  for (const auto& [labels, counter] : series_) text.sample(labels, counter.value());
}

void HistogramFamily::observe(Values values, double value) {
  std::string labels = labels_of(values);
  const std::lock_guard lock(mu_);
  Series& series = series_at(series_, std::move(labels), labels_of_others());
  series.buckets.resize(bounds_.size() + 1);
  const auto at = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
  ++series.buckets[static_cast<std::size_t>(at)];
  series.sum += value;
}

void HistogramFamily::write(MetricsText& text) const {
  write_head(text);
  const std::lock_guard lock(mu_);
  for (const auto& [labels, series] : series_) {
    const std::string before = labels.empty() ? "" : labels + ",";
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < series.buckets.size(); ++i) {
      count += series.buckets[i];
      const std::string bound = i < bounds_.size() ? fmt::format("{}", bounds_[i]) : "+Inf";
      text.sample_of("_bucket", before + metric_labels({{"le", bound}}), count);
    }
    text.sample_of("_sum", labels, series.sum);
    text.sample_of("_count", labels, count);
  }
}

void write_metric_families(std::string& out) {
  MetricsText text(out);
  const std::lock_guard lock(families().mu);
  for (const auto& [name, family] : families().by_name) family->write(text);
}

}  // namespace strake
