#include "api/metrics/metrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "api/routes/metrics_page.h"
#include "api/test_server.h"

namespace strake::api::testing {
namespace {

using namespace std::chrono_literals;
using Verb = RequestLabels::Verb;
using Scope = RequestLabels::Scope;
using DryRun = RequestLabels::DryRun;

// The text of a page, checked line by line: every sample belongs to the family above it.
struct Parsed {
  std::map<std::string, double> samples;  // by name and labels, as written
  std::set<std::string> families;
  std::set<std::string> faults;

  explicit Parsed(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    std::string family;
    bool has_type = false;
    if (!text.ends_with('\n')) faults.insert("no newline at the end");
    while (std::getline(lines, line)) {
      if (line.starts_with("# HELP ")) {
        family = line.substr(7, line.find(' ', 7) - 7);
        has_type = false;
        if (!families.insert(family).second) faults.insert("twice: " + family);
        continue;
      }
      if (line.starts_with("# TYPE ")) {
        has_type = line.starts_with("# TYPE " + family + " ");
        continue;
      }
      const std::size_t space = line.rfind(' ');
      const std::string name = line.substr(0, space);
      std::string base = name.substr(0, name.find('{'));
      for (const std::string_view end : {"_bucket", "_sum", "_count"}) {
        if (base != family && base.ends_with(end)) base.resize(base.size() - end.size());
      }
      if (base != family || !has_type) faults.insert(line);
      if (!samples.emplace(name, std::stod(line.substr(space + 1))).second)
        faults.insert("twice: " + name);
    }
  }
  double at(const std::string& name) const {
    const auto found = samples.find(name);
    return found != samples.end() ? found->second : -1;
  }
};

TEST(Metrics, CarryTheLabelsOfKubernetes) {
  MetricsRegistry registry;
  const auto widgets = registry.of("example.com", "widgets", "Widget");
  widgets->of("v1", "").series({.verb = Verb::kList, .scope = Scope::kNamespace}).count(200, 10ms);
  widgets->of("v1", "").series({.verb = Verb::kList, .scope = Scope::kNamespace}).count(200, 3s);
  widgets->of("v1", "").series({.verb = Verb::kList, .scope = Scope::kNamespace}).count(410, 70s);
  widgets->of("v1", "")
      .series({.verb = Verb::kList, .scope = Scope::kNamespace})
      .count_bytes(1'000'000);
  widgets->of("v1", "status")
      .series({.verb = Verb::kApply, .dry_run = DryRun::kAll})
      .count(200, 0s);
  widgets->of("v1", "").series({.verb = Verb::kWatch, .scope = Scope::kCluster}).running = 2;
  widgets->of("v1", "").count_event(2000);
  const std::string text = registry.requests_text();
  const Parsed page(text);
  EXPECT_TRUE(page.faults.empty()) << *page.faults.begin();

  const std::string list =
      R"(group="example.com",resource="widgets",scope="namespace",subresource="",verb="LIST",version="v1")";
  EXPECT_EQ(page.at(R"(apiserver_request_total{code="200",component="apiserver",dry_run="",)" +
                    list + "}"),
            2);
  EXPECT_EQ(page.at(R"(apiserver_request_total{code="410",component="apiserver",dry_run="",)" +
                    list + "}"),
            1);
  EXPECT_EQ(
      page.at(
          R"(apiserver_request_total{code="200",component="apiserver",dry_run="All",group="example.com",resource="widgets",scope="resource",subresource="status",verb="APPLY",version="v1"})"),
      1);
  const auto bucket = [&](std::string_view le) {
    return page.at(fmt::format(
        R"(apiserver_request_duration_seconds_bucket{{component="apiserver",dry_run="",{},le="{}"}})",
        list, le));
  };
  EXPECT_EQ(bucket("0.005"), 0);
  EXPECT_EQ(bucket("0.025"), 1);
  EXPECT_EQ(bucket("3"), 2);  // a bound belongs to its bucket
  EXPECT_EQ(bucket("60"), 2);
  EXPECT_EQ(bucket("+Inf"), 3);
  EXPECT_EQ(
      page.at("apiserver_request_duration_seconds_count{component=\"apiserver\",dry_run=\"\"," +
              list + "}"),
      3);
  const auto sli = [&](std::string_view le) {
    return page.at(fmt::format(
        R"(apiserver_request_sli_duration_seconds_bucket{{component="apiserver",{},le="{}"}})",
        list, le));
  };
  EXPECT_EQ(sli("0.025"), -1);  // it has no such bucket
  EXPECT_EQ(sli("0.05"), 1);
  EXPECT_EQ(page.at(R"(apiserver_response_sizes_bucket{component="apiserver",)" + list +
                    R"(,le="100000"})"),
            0);
  EXPECT_EQ(page.at(R"(apiserver_response_sizes_bucket{component="apiserver",)" + list +
                    R"(,le="1e+06"})"),
            1);
  EXPECT_EQ(
      page.at(
          R"(apiserver_longrunning_requests{component="apiserver",group="example.com",resource="widgets",scope="cluster",subresource="",verb="WATCH",version="v1"})"),
      2);
  EXPECT_EQ(
      page.at(R"(apiserver_watch_events_total{group="example.com",kind="Widget",version="v1"})"),
      1);
  EXPECT_EQ(
      page.at(
          R"(apiserver_watch_events_sizes_bucket{group="example.com",kind="Widget",version="v1",le="2048"})"),
      1);
}

TEST(Metrics, CountWhatManyThreadsDoAtOnce) {
  MetricsRegistry registry;
  const auto widgets = registry.of("example.com", "widgets", "Widget");
  constexpr int kEach = 1000;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) {
        widgets->of(i % 2 == 0 ? "v1" : "v2", "")
            .series({.verb = Verb::kGet})
            .count(i % 4 < 2 ? 200 : 404, 1ms);
      }
    });
  }
  threads.clear();
  const Parsed page(registry.requests_text());
  for (const std::string_view version : {"v1", "v2"}) {
    for (const int code : {200, 404}) {
      EXPECT_EQ(
          page.at(fmt::format(
              R"(apiserver_request_total{{code="{}",component="apiserver",dry_run="",group="example.com",resource="widgets",scope="resource",subresource="",verb="GET",version="{}"}})",
              code, version)),
          kEach);
    }
  }
}

std::set<std::string> series_of_requests(const Parsed& page) {
  std::set<std::string> out;
  for (const auto& [name, value] : page.samples) {
    if (name.starts_with("apiserver_request_total{")) out.insert(name);
  }
  return out;
}

TEST(Metrics, OfAServerTellRequestsApart) {
  TestServer server;
  constexpr std::string_view kLeases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const std::string lease =
      R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a"}})";
  const auto total = [](std::string_view code, std::string_view dry_run, std::string_view scope,
                        std::string_view verb) {
    return fmt::format(
        R"(apiserver_request_total{{code="{}",component="apiserver",dry_run="{}",group="coordination.k8s.io",resource="leases",scope="{}",subresource="",verb="{}",version="v1"}})",
        code, dry_run, scope, verb);
  };
  const Parsed before(server.call("GET", "/metrics").body);
  server.call("POST", std::string(kLeases) + "?dryRun=All", lease);
  server.call("POST", kLeases, lease);
  server.call("POST", std::string(kLeases) + "?dryRun=Some", lease);
  server.call("GET", kLeases);
  server.call("GET", "/apis/coordination.k8s.io/v1/leases");
  const std::string one = std::string(kLeases) + "/a";
  server.call("GET", one);
  server.call("PUT", one, lease);
  server.call("PATCH", one, "{}", {{"Content-Type", "application/merge-patch+json"}});
  server.call("PATCH", one + "?fieldManager=m", lease,
              {{"Content-Type", "application/apply-patch+yaml"}});
  server.call("DELETE", one);
  server.call("GET", one);
  server.call("DELETE", kLeases);
  auto watching = server.call("GET", std::string(kLeases) + "?watch=1");
  ASSERT_NE(watching.stream, nullptr);
  const std::string open =
      R"(apiserver_longrunning_requests{component="apiserver",group="coordination.k8s.io",resource="leases",scope="namespace",subresource="",verb="WATCH",version="v1"})";
  EXPECT_EQ(Parsed(server.call("GET", "/metrics").body).at(open), 1);
  server.end(std::move(watching.stream));

  const Parsed page(server.call("GET", "/metrics").body);
  EXPECT_TRUE(page.faults.empty()) << *page.faults.begin();
  EXPECT_EQ(page.at(open), 0);
  for (const std::string& name :
       {total("201", "All", "resource", "POST"), total("201", "", "resource", "POST"),
        total("422", "invalid", "resource", "POST"), total("200", "", "namespace", "LIST"),
        total("200", "", "cluster", "LIST"), total("200", "", "resource", "GET"),
        total("404", "", "resource", "GET"), total("200", "", "resource", "PATCH"),
        total("200", "", "resource", "APPLY"), total("200", "", "resource", "DELETE"),
        total("200", "", "namespace", "DELETE"), total("200", "", "namespace", "WATCH")}) {
    EXPECT_EQ(page.at(name) - std::max(0.0, before.at(name)), 1) << name;
  }
  EXPECT_EQ(page.at(R"(apiserver_storage_objects{resource="leases.coordination.k8s.io"})"), 0);
  EXPECT_EQ(page.at(R"(apiserver_resource_objects{group="",resource="namespaces"})"), 3);
  EXPECT_EQ(page.at(R"(apiserver_current_inflight_requests{request_kind="readOnly"})"), 1);
  EXPECT_EQ(page.at(R"(apiserver_current_inflight_requests{request_kind="mutating"})"), 0);
  for (const std::string_view name :
       {"process_cpu_seconds_total", "process_max_fds", "process_open_fds",
        "process_resident_memory_bytes", "process_start_time_seconds",
        "process_virtual_memory_bytes"}) {
    EXPECT_TRUE(page.families.contains(std::string(name))) << name;
    EXPECT_GE(page.at(std::string(name)), 0) << name;
  }
}

TEST(Metrics, CountRequestsThatAreDroppedWithWhatTheyAskedFor) {
  TestServer server({.groups = {"crowd"}, .max_reads_in_flight = 0});
  const auto dropped = server.call("GET", "/api/v1/namespaces/default/secrets");
  EXPECT_EQ(dropped.code, 429);
  EXPECT_EQ(dropped.body, "Too many requests, please try again later.\n");
  EXPECT_EQ(server.call("GET", "/api/v1/namespaces/default/nonsense").code, 429);
  const Parsed page(metrics().requests_text());
  EXPECT_EQ(
      page.at(
          R"(apiserver_request_total{code="429",component="apiserver",dry_run="",group="",resource="secrets",scope="namespace",subresource="",verb="LIST",version="v1"})"),
      1);
}

TEST(Metrics, HaveNoLabelThatAClientMakesUp) {
  TestServer server;
  server.call("GET", "/readyz");
  const auto before = series_of_requests(Parsed(server.call("GET", "/metrics").body));
  for (int i = 0; i < 3; ++i) {
    const std::string made_up = fmt::format("up{}", i);
    server.call("GET", "/" + made_up);
    server.call("GET", "/readyz/" + made_up);
    server.call("GET", "/api/v1/" + made_up);
    server.call("GET", "/api/" + made_up + "/configmaps");
    server.call("GET", "/apis/" + made_up + "/v1/things");
    server.call("GET", "/api/v1/namespaces/default/configmaps/a/" + made_up);
    server.call(made_up, "/" + made_up);
    server.call(made_up, "/api/v1/namespaces/default/configmaps/a");
  }
  EXPECT_EQ(series_of_requests(Parsed(server.call("GET", "/metrics").body)), before);
  // Methods of HTTP that no resource serves are one label together.
  server.call("OPTIONS", "/api/v1/namespaces/default/configmaps/a");
  server.call("TRACE", "/api/v1/namespaces/default/configmaps/a");
  const auto after = series_of_requests(Parsed(server.call("GET", "/metrics").body));
  EXPECT_EQ(after.size(), before.size() + 1);
  EXPECT_TRUE(after.contains(
      R"(apiserver_request_total{code="405",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="other",version="v1"})"));
  EXPECT_TRUE(after.contains(
      R"(apiserver_request_total{code="200",component="",dry_run="",group="",resource="",scope="",subresource="/readyz",verb="GET",version=""})"));
}

}  // namespace
}  // namespace strake::api::testing
