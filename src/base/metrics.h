#pragma once
// Counters, gauges and histograms of this process, by name and labels, for /metrics. A family is an
// object at namespace scope of the file that counts, and is known from the start:
//
//   CounterFamily attempts("authentication_attempts", "Counter of attempts.", {"result"});
//   static Counter& good = attempts.at({"success"});  // where it is counted often
//   good.add();
//
// Any thread. A family has at most kMostSeries; what comes after that is counted with "other" as
// the value of every label, so that nobody can fill the memory with names.
#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics_text.h"

namespace strake {

inline constexpr std::size_t kMostSeries = 1000;

class Counter {
 public:
  void add(double by = 1) { value_.fetch_add(by, std::memory_order_relaxed); }
  void set(double to) { value_.store(to, std::memory_order_relaxed); }  // of a gauge
  double value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> value_{0};
};

class MetricFamily {
 public:
  using Values = std::initializer_list<std::string_view>;  // of the labels, in their order
  MetricFamily(const MetricFamily&) = delete;
  MetricFamily& operator=(const MetricFamily&) = delete;
  virtual void write(MetricsText& text) const = 0;
  std::string_view name() const { return name_; }

 protected:
  MetricFamily(std::string_view name, std::string_view type, std::string_view help,
               std::vector<std::string_view> labels);
  virtual ~MetricFamily();  // no longer known
  void write_head(MetricsText& text) const { text.family(name_, type_, help_); }
  // How it is written, and by what it is found.
  std::string labels_of(Values values) const;
  std::string labels_of_others() const;

 private:
  const std::string_view name_;
  const std::string_view type_;
  const std::string_view help_;
  const std::vector<std::string_view> labels_;
};

class CounterFamily : public MetricFamily {
 public:
  CounterFamily(std::string_view name, std::string_view help,
                std::vector<std::string_view> labels = {})
      : CounterFamily("counter", name, help, std::move(labels)) {}
  // Stays where it is.
  Counter& at(Values values);
  void write(MetricsText& text) const override;

 protected:
  CounterFamily(std::string_view type, std::string_view name, std::string_view help,
                std::vector<std::string_view> labels)
      : MetricFamily(name, type, help, std::move(labels)) {}

 private:
  mutable std::mutex mu_;
  std::map<std::string, Counter, std::less<>> series_;  // guarded by mu_
};

class GaugeFamily final : public CounterFamily {
 public:
  GaugeFamily(std::string_view name, std::string_view help,
              std::vector<std::string_view> labels = {})
      : CounterFamily("gauge", name, help, std::move(labels)) {}
};

class HistogramFamily final : public MetricFamily {
 public:
  // The bounds grow.
  HistogramFamily(std::string_view name, std::string_view help,
                  std::vector<std::string_view> labels, std::vector<double> bounds)
      : MetricFamily(name, "histogram", help, std::move(labels)), bounds_(std::move(bounds)) {}
  void observe(Values values, double value);
  void write(MetricsText& text) const override;

 private:
  struct Series {
    std::vector<std::uint64_t> buckets;  // each its own, the last without a bound
    double sum = 0;
  };
  const std::vector<double> bounds_;
  mutable std::mutex mu_;
  std::map<std::string, Series, std::less<>> series_;  // guarded by mu_
};

// All families, by name.
void write_metric_families(std::string& out);

}  // namespace strake
