// Requests to a server in this process, marked for callgrind: tools/request_costs counts the
// instructions of each. Without callgrind it only runs them.
#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "api/test_server.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

namespace {

using strake::api::testing::TestServer;
using strake::api::testing::things;
using Request = std::function<void(int)>;

constexpr int kTimes = 50;
constexpr int kWatchers = 1000;
constexpr std::string_view kThings = "/apis/a.example/v1/namespaces/default/things";

void measure(std::string_view name, int times, const Request& request) {
  for (int i = 0; i < 5; ++i) request(i);  // what is made on first use
  // Read back by tools/request_costs. Client requests keep no copy of the text.
  const std::string label = fmt::format("{}\t{}", times, name);
  CALLGRIND_ZERO_STATS;
  for (int i = 5; i < 5 + times; ++i) request(i);
  CALLGRIND_DUMP_STATS_AT(label.c_str());
}

void expect(int wanted, const strake::api::testing::Answered& got) {
  if (got.code == wanted) return;
  std::fprintf(stderr, "answered %d: %s\n", got.code, got.body.c_str());
  std::exit(1);
}

std::string thing(std::string_view name) {
  std::string parts;
  for (int i = 0; i < 12; ++i)
    parts += fmt::format(R"({}"part-{}":{{"image":"registry.example/app:{}","ports":[80,443]}})",
                         i == 0 ? "" : ",", i, i);
  return fmt::format(
      R"({{"apiVersion":"a.example/v1","kind":"Thing","metadata":{{"name":"{}","labels":{{"app":"web"}}}},)"
      R"("spec":{{"size":1,"parts":{{{}}}}}}})",
      name, parts);
}

std::string config_map(std::string_view name) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}},"data":{{"a":"1","b":"two"}}}})",
      name);
}

void measure_all() {
  TestServer server;
  const std::string properties =
      R"("size":{"type":"integer","default":1},"parts":{"type":"object","additionalProperties":{"type":"object",)"
      R"("properties":{"image":{"type":"string"},"ports":{"type":"array","items":{"type":"integer"}}}}})";
  expect(201, server.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                          things({{"v1", properties}})));
  const std::string at(kThings);
  expect(200, server.wait_for(200, at));  // callgrind is slow
  measure("create a custom resource", kTimes,
          [&](int i) { expect(201, server.post(at, thing(fmt::format("t{}", i)))); });
  measure("create a config map", kTimes, [&](int i) {
    expect(201,
           server.post("/api/v1/namespaces/default/configmaps", config_map(fmt::format("c{}", i))));
  });
  measure("get a custom resource", kTimes, [&](int) { expect(200, server.get(at + "/t1")); });
  measure("replace a custom resource", kTimes, [&](int i) {
    std::string body = thing("t2");
    const std::string version = server.get(at + "/t2").at("metadata.resourceVersion");
    body.replace(body.find(R"("name")"), 0, fmt::format(R"("resourceVersion":{},)", version));
    body.replace(body.find(R"("size":1)"), 8, fmt::format(R"("size":{})", i + 2));
    expect(200, server.ask("PUT", at + "/t2", body));
  });
  measure("merge patch", kTimes, [&](int i) {
    expect(200, server.ask("PATCH", at + "/t3", fmt::format(R"({{"spec":{{"size":{}}}}})", i + 2)));
  });
  measure("JSON patch", kTimes, [&](int i) {
    expect(200, server.ask(
                    "PATCH", at + "/t4",
                    fmt::format(R"([{{"op":"replace","path":"/spec/size","value":{}}}])", i + 2)));
  });
  measure("merge patch of a config map", kTimes, [&](int i) {
    expect(200, server.ask("PATCH", "/api/v1/namespaces/default/configmaps/c1",
                           fmt::format(R"({{"data":{{"a":"{}"}}}})", i)));
  });
  std::vector<std::unique_ptr<strake::http::BodyStream>> streams;
  // From now on: what happened before is not told.
  std::string now = server.get(at).at("metadata.resourceVersion");
  std::erase(now, '"');
  for (int i = 0; i < kWatchers; ++i)
    streams.push_back(server.call("GET", at + "?watch=true&resourceVersion=" + now).stream);
  const auto drain = [&] {
    for (const auto& stream : streams) static_cast<void>(server.next(*stream));
  };
  measure("an event to 1,000 watchers", 4, [&](int i) {
    expect(200,
           server.ask("PATCH", at + "/t3", fmt::format(R"({{"spec":{{"size":{}}}}})", i + 900)));
    drain();
  });
  measure("a deletion to 1,000 watchers", 4, [&](int i) {
    expect(200, server.ask("DELETE", fmt::format("{}/t{}", at, i + 20)));
    drain();
  });
  for (auto& stream : streams) server.end(std::move(stream));
  measure("delete a custom resource", 20,
          [&](int i) { expect(200, server.ask("DELETE", fmt::format("{}/t{}", at, i + 30))); });
}

}  // namespace

int main() {
  measure_all();
  return 0;
}
