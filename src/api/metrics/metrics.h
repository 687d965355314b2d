#pragma once
// Counts and durations of requests, with the names, labels and buckets of kube-apiserver 1.36, in
// the text format of Prometheus. Counting takes no lock and allocates only for the first request of
// its kind; what is counted is kept for the life of the process, so that a resource that is
// replaced goes on counting.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace strake::api {

// Upper bounds of buckets, as numbers and as Prometheus writes them.
struct Bound {
  double value;
  std::string_view text;
};
// The first two are left out of apiserver_request_sli_duration_seconds.
inline constexpr std::array<Bound, 23> kDurationBounds = {
    {{0.005, "0.005"}, {0.025, "0.025"}, {0.05, "0.05"}, {0.1, "0.1"},   {0.2, "0.2"}, {0.4, "0.4"},
     {0.6, "0.6"},     {0.8, "0.8"},     {1, "1"},       {1.25, "1.25"}, {1.5, "1.5"}, {2, "2"},
     {3, "3"},         {4, "4"},         {5, "5"},       {6, "6"},       {8, "8"},     {10, "10"},
     {15, "15"},       {20, "20"},       {30, "30"},     {45, "45"},     {60, "60"}}};
inline constexpr std::array<Bound, 7> kResponseBounds = {{{1e3, "1000"},
                                                          {1e4, "10000"},
                                                          {1e5, "100000"},
                                                          {1e6, "1e+06"},
                                                          {1e7, "1e+07"},
                                                          {1e8, "1e+08"},
                                                          {1e9, "1e+09"}}};
inline constexpr std::array<Bound, 8> kEventBounds = {{{1024, "1024"},
                                                       {2048, "2048"},
                                                       {4096, "4096"},
                                                       {8192, "8192"},
                                                       {16384, "16384"},
                                                       {32768, "32768"},
                                                       {65536, "65536"},
                                                       {131072, "131072"}}};

template <const auto& kBounds>
class Histogram {
 public:
  static constexpr std::size_t kBuckets = kBounds.size() + 1;
  // A reading at one time; buckets hold their own counts, not those below.
  struct Reading {
    std::array<std::uint64_t, kBuckets> buckets{};
    double sum = 0;
    Reading& operator+=(const Reading& other) {
      for (std::size_t i = 0; i < kBuckets; ++i) buckets[i] += other.buckets[i];
      sum += other.sum;
      return *this;
    }
  };

  void observe(double v) {
    std::size_t at = 0;
    while (at < kBounds.size() && v > kBounds[at].value) ++at;
    buckets_[at].fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add(v, std::memory_order_relaxed);
  }
  Reading read() const {
    Reading out;
    for (std::size_t i = 0; i < kBuckets; ++i)
      out.buckets[i] = buckets_[i].load(std::memory_order_relaxed);
    out.sum = sum_.load(std::memory_order_relaxed);
    return out;
  }

 private:
  std::array<std::atomic<std::uint64_t>, kBuckets> buckets_{};
  std::atomic<double> sum_{0};
};

// What a request is counted under, beside what it asks of: the values of labels.
struct RequestLabels {
  enum class Verb : std::uint8_t {
    kGet,
    kList,
    kWatch,
    kPost,
    kPut,
    kPatch,
    kApply,
    kDelete,
    kOther
  } verb = Verb::kOther;
  enum class Scope : std::uint8_t { kResource, kNamespace, kCluster } scope = Scope::kResource;
  enum class DryRun : std::uint8_t { kNo, kAll, kInvalid } dry_run = DryRun::kNo;
};

// Requests that have all labels but the code in common.
class RequestSeries {
 public:
  void count(int code, std::chrono::nanoseconds time);
  // Of reads only.
  void count_bytes(std::size_t bytes) { sizes_.observe(static_cast<double>(bytes)); }

  std::atomic<std::int64_t> running{0};  // watches that are open

 private:
  friend class MetricsText;
  struct CodeCount {
    std::atomic<int> code{0};  // 0 while the place is free
    std::atomic<std::uint64_t> count{0};
  };
  std::array<CodeCount, 24> codes_;  // more than a server of ours answers with
  Histogram<kDurationBounds> durations_;
  Histogram<kResponseBounds> sizes_;
};

// One version of a resource, or a subresource of one.
class VersionMetrics {
 public:
  VersionMetrics(std::string version, std::string subresource, VersionMetrics* next)
      : version_(std::move(version)), subresource_(std::move(subresource)), next_(next) {}
  ~VersionMetrics();
  VersionMetrics(const VersionMetrics&) = delete;
  VersionMetrics& operator=(const VersionMetrics&) = delete;

  RequestSeries& series(const RequestLabels& labels);
  void count_event(std::size_t bytes) { events_.observe(static_cast<double>(bytes)); }

 private:
  friend class ResourceMetrics;
  friend class MetricsText;
  static constexpr std::size_t kVerbs = 9;
  static constexpr std::size_t kScopes = 3;
  static constexpr std::size_t kDryRuns = 3;
  const std::string version_;
  const std::string subresource_;
  VersionMetrics* const next_;
  std::array<std::atomic<RequestSeries*>, kVerbs * kScopes * kDryRuns> series_{};
  Histogram<kEventBounds> events_;
};

// All of one resource. The caller vouches that versions and subresources are those of the resource:
// what clients make up must not become a label.
class ResourceMetrics {
 public:
  ResourceMetrics(std::string group, std::string resource, std::string kind)
      : group_(std::move(group)), resource_(std::move(resource)), kind_(std::move(kind)) {}
  ~ResourceMetrics();
  ResourceMetrics(const ResourceMetrics&) = delete;
  ResourceMetrics& operator=(const ResourceMetrics&) = delete;

  VersionMetrics& of(std::string_view version, std::string_view subresource);

 private:
  friend class MetricsText;
  const std::string group_;
  const std::string resource_;
  const std::string kind_;
  std::atomic<VersionMetrics*> first_{nullptr};  // a list that only grows, at its head
  std::mutex growing_;
};

class MetricsRegistry {
 public:
  std::shared_ptr<ResourceMetrics> of(std::string_view group, std::string_view resource,
                                      std::string_view kind);
  // The families of requests and watches, with HELP and TYPE.
  std::string requests_text() const;

  // The three paths that say how the server is: kube-apiserver counts them without a component,
  // their path in place of a subresource.
  RequestSeries& health(std::string_view path);  // "/livez"; anything unknown counts as "/healthz"
  std::atomic<std::uint64_t> other_requests{0};  // documents, refusals, paths that lead nowhere

 private:
  friend class MetricsText;
  mutable std::mutex mu_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<ResourceMetrics>>
      all_;  // guarded by mu_
  std::array<RequestSeries, 3> health_;
};
MetricsRegistry& metrics();

}  // namespace strake::api
