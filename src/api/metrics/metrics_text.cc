// What was counted, in the text format of Prometheus: families with HELP and TYPE, labels in the
// order of their names.
#include <fmt/format.h>

#include <span>
#include <vector>

#include "api/metrics/metrics.h"

namespace strake::api {
namespace {

constexpr std::array<std::string_view, 9> kVerbNames = {"GET",   "LIST",  "WATCH",  "POST", "PUT",
                                                        "PATCH", "APPLY", "DELETE", "other"};
constexpr std::array<std::string_view, 3> kScopeNames = {"resource", "namespace", "cluster"};
constexpr std::array<std::string_view, 3> kDryRunNames = {"", "All", "invalid"};
constexpr std::array<std::string_view, 3> kHealthPaths = {"/healthz", "/livez", "/readyz"};
constexpr std::size_t kSliSkips = 2;  // buckets that the SLI's histogram does not have

template <std::size_t kCount>
void write_histogram(std::string& out, std::string_view name, std::string_view labels,
                     std::span<const Bound> bounds,
                     const std::array<std::uint64_t, kCount>& buckets, double sum,
                     std::size_t skip = 0) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    total += buckets[i];
    if (i < skip) continue;
    fmt::format_to(std::back_inserter(out), "{}_bucket{{{},le=\"{}\"}} {}\n", name, labels,
                   bounds[i].text, total);
  }
  total += buckets.back();
  fmt::format_to(std::back_inserter(out),
                 "{0}_bucket{{{1},le=\"+Inf\"}} {2}\n{0}_sum{{{1}}} {3}\n{0}_count{{{1}}} {2}\n",
                 name, labels, total, sum);
}

}  // namespace

class MetricsText {
 public:
  std::string write(const MetricsRegistry& registry) {
    collect(registry);
    write_totals();
    write_running();
    write_durations();
    write_sli();
    write_sizes();
    write_events(registry);
    return std::move(out_);
  }

 private:
  // One series with the values of its labels.
  struct Row {
    const RequestSeries* series;
    std::string_view component, group, version, resource, subresource, verb, scope, dry_run;
    bool has_sizes;

    std::string labels(bool with_dry_run) const {
      std::string out = fmt::format("component=\"{}\",", component);
      if (with_dry_run) out += fmt::format("dry_run=\"{}\",", dry_run);
      return out +
             fmt::format(
                 R"(group="{}",resource="{}",scope="{}",subresource="{}",verb="{}",version="{}")",
                 group, resource, scope, subresource, verb, version);
    }
    bool same_but_for_dry_run(const Row& other) const {
      return group == other.group && version == other.version && resource == other.resource &&
             subresource == other.subresource && verb == other.verb && scope == other.scope &&
             component == other.component;
    }
  };

  void collect(const MetricsRegistry& registry) {
    for (std::size_t i = 0; i < kHealthPaths.size(); ++i) {
      rows_.push_back({.series = &registry.health_[i],
                       .subresource = kHealthPaths[i],
                       .verb = "GET",
                       .has_sizes = true});
    }
    const std::lock_guard lock(registry.mu_);
    for (const auto& [name, resource] : registry.all_) {
      for (const VersionMetrics* one = resource->first_.load(std::memory_order_acquire);
           one != nullptr; one = one->next_) {
        collect(*resource, *one);
      }
    }
  }
  void collect(const ResourceMetrics& resource, const VersionMetrics& version) {
    // The dry runs of one kind of request come one after the other.
    std::size_t at = 0;
    for (const std::string_view verb : kVerbNames) {
      for (const std::string_view scope : kScopeNames) {
        for (const std::string_view dry_run : kDryRunNames) {
          const RequestSeries* one = version.series_[at++].load(std::memory_order_acquire);
          if (one == nullptr) continue;
          rows_.push_back({.series = one,
                           .component = "apiserver",
                           .group = resource.group_,
                           .version = version.version_,
                           .resource = resource.resource_,
                           .subresource = version.subresource_,
                           .verb = verb,
                           .scope = scope,
                           .dry_run = dry_run,
                           .has_sizes = verb == "GET" || verb == "LIST"});
        }
      }
    }
  }

  void family(std::string_view name, std::string_view type, std::string_view help) {
    fmt::format_to(std::back_inserter(out_), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
  }

  void write_totals() {
    constexpr std::string_view kName = "apiserver_request_total";
    family(kName, "counter",
           "[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, "
           "version, resource, scope, component, and HTTP response code.");
    for (const Row& row : rows_) {
      for (const RequestSeries::CodeCount& one : row.series->codes_) {
        const int code = one.code.load(std::memory_order_acquire);
        if (code == 0) break;
        fmt::format_to(std::back_inserter(out_), "{}{{code=\"{}\",{}}} {}\n", kName, code,
                       row.labels(true), one.count.load(std::memory_order_relaxed));
      }
    }
  }

  void write_running() {
    constexpr std::string_view kName = "apiserver_longrunning_requests";
    family(kName, "gauge",
           "[STABLE] Gauge of all active long-running apiserver requests broken out by verb, "
           "group, version, resource, scope and component. Not all requests are tracked this way.");
    for (const Row& row : rows_) {
      if (row.verb != "WATCH") continue;
      fmt::format_to(std::back_inserter(out_), "{}{{{}}} {}\n", kName, row.labels(false),
                     row.series->running.load(std::memory_order_relaxed));
    }
  }

  void write_durations() {
    constexpr std::string_view kName = "apiserver_request_duration_seconds";
    family(kName, "histogram",
           "[STABLE] Response latency distribution in seconds for each verb, dry run value, group, "
           "version, resource, subresource, scope and component.");
    for (const Row& row : rows_) {
      const auto reading = row.series->durations_.read();
      if (is_empty(reading.buckets)) continue;
      write_histogram(out_, kName, row.labels(true), kDurationBounds, reading.buckets, reading.sum);
    }
  }

  // The same times, since nothing of ours calls webhooks or waits in queues; dry runs are not told
  // apart.
  void write_sli() {
    constexpr std::string_view kName = "apiserver_request_sli_duration_seconds";
    family(kName, "histogram",
           "[ALPHA] Response latency distribution (not counting webhook duration and priority & "
           "fairness queue wait times) in seconds for each verb, group, version, resource, "
           "subresource, scope and component.");
    for (std::size_t i = 0; i < rows_.size();) {
      const Row& first = rows_[i];
      auto reading = first.series->durations_.read();
      for (++i; i < rows_.size() && rows_[i].same_but_for_dry_run(first); ++i)
        reading += rows_[i].series->durations_.read();
      if (is_empty(reading.buckets)) continue;
      write_histogram(out_, kName, first.labels(false), kDurationBounds, reading.buckets,
                      reading.sum, kSliSkips);
    }
  }

  void write_sizes() {
    constexpr std::string_view kName = "apiserver_response_sizes";
    family(kName, "histogram",
           "[STABLE] Response size distribution in bytes for each group, version, verb, resource, "
           "subresource, scope and component.");
    for (std::size_t i = 0; i < rows_.size();) {
      const Row& first = rows_[i];
      auto reading = first.series->sizes_.read();
      for (++i; i < rows_.size() && rows_[i].same_but_for_dry_run(first); ++i)
        reading += rows_[i].series->sizes_.read();
      if (!first.has_sizes || is_empty(reading.buckets)) continue;
      write_histogram(out_, kName, first.labels(false), kResponseBounds, reading.buckets,
                      reading.sum);
    }
  }

  void write_events(const MetricsRegistry& registry) {
    constexpr std::string_view kTotal = "apiserver_watch_events_total";
    constexpr std::string_view kSizes = "apiserver_watch_events_sizes";
    std::string sizes;
    family(kTotal, "counter", "[ALPHA] Number of events sent in watch clients");
    const std::lock_guard lock(registry.mu_);
    for (const auto& [name, resource] : registry.all_) {
      for (const VersionMetrics* one = resource->first_.load(std::memory_order_acquire);
           one != nullptr; one = one->next_) {
        const auto reading = one->events_.read();
        if (is_empty(reading.buckets)) continue;
        const std::string labels = fmt::format(R"(group="{}",kind="{}",version="{}")",
                                               resource->group_, resource->kind_, one->version_);
        std::uint64_t total = 0;
        for (const std::uint64_t bucket : reading.buckets) total += bucket;
        fmt::format_to(std::back_inserter(out_), "{}{{{}}} {}\n", kTotal, labels, total);
        write_histogram(sizes, kSizes, labels, kEventBounds, reading.buckets, reading.sum);
      }
    }
    family(kSizes, "histogram", "[ALPHA] Watch event size distribution in bytes");
    out_ += sizes;
  }

  template <std::size_t kCount>
  static bool is_empty(const std::array<std::uint64_t, kCount>& buckets) {
    for (const std::uint64_t bucket : buckets) {
      if (bucket != 0) return false;
    }
    return true;
  }

  std::vector<Row> rows_;
  std::string out_;
};

std::string MetricsRegistry::requests_text() const { return MetricsText().write(*this); }

}  // namespace strake::api
