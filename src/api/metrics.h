#pragma once
// Counts and durations of requests, in the text format of Prometheus. Counting takes no lock.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace strake::api {

class Histogram {
 public:
  static constexpr std::array<double, 14> kBounds = {
      0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5};
  void observe(std::chrono::nanoseconds time);
  // "<name>_bucket{<labels>,le="0.1"} 3" and so on.
  void write(std::string& out, std::string_view name, std::string_view labels) const;
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> buckets_{};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<std::uint64_t> nanoseconds_{0};
};

// Of one resource.
class VerbMetrics {
 public:
  static constexpr std::array<std::string_view, 9> kVerbs = {
      "get", "list", "watch", "create", "update", "patch", "apply", "delete", "deletecollection"};
  VerbMetrics(std::string group, std::string resource);
  void count(std::string_view verb, int code, std::chrono::nanoseconds time);
  void write_requests(std::string& out) const;
  void write_durations(std::string& out) const;

 private:
  struct Verb {
    std::array<std::atomic<std::uint64_t>, 6> codes{};  // by hundreds: 1xx to 5xx
    Histogram durations;
  };
  std::string labels(std::string_view verb) const;
  std::string group_;
  std::string resource_;
  std::array<Verb, kVerbs.size()> verbs_;
};

// Kept for the life of the process, so that a resource that is replaced goes on counting.
class MetricsRegistry {
 public:
  std::shared_ptr<VerbMetrics> of(std::string_view group, std::string_view resource);
  std::string requests_text() const;

  std::atomic<std::int64_t> watches{0};
  std::atomic<std::uint64_t> other_requests{0};

 private:
  mutable std::mutex mu_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<VerbMetrics>>
      all_;  // guarded by mu_
};
MetricsRegistry& metrics();

}  // namespace strake::api
