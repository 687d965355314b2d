// How fast YAML becomes a document or events, and a document YAML.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "support/files.h"
#include "support/vectors.h"
#include "value/yaml_reader.h"
#include "value/yaml_writer.h"

namespace strake::value {
namespace {

std::string deployment(std::size_t i) {
  return fmt::format(R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{0}
  namespace: team-{1}
  labels:
    app.kubernetes.io/name: web
    app.kubernetes.io/instance: web-{0}
  annotations:
    description: "serves the pages of tenant {0}; see the runbook before touching it"
spec:
  replicas: {2}
  selector:
    matchLabels:
      app.kubernetes.io/name: web
  template:
    spec:
      containers:
      - name: web
        image: registry.example.com/web:v1.{0}
        args: ["--port=8080", "--verbose"]
        ports:
        - containerPort: 8080
          name: http
        env:
        - name: LOG_LEVEL
          value: info
        - name: CONFIG
          value: |
            listen = 8080
            upstream = "http://api-{0}:9090"
        resources:
          limits: {{cpu: 500m, memory: 256Mi}}
          requests: {{cpu: 100m, memory: 128Mi}}
        livenessProbe:
          httpGet:
            path: /healthz
            port: http
          initialDelaySeconds: 10
          periodSeconds: 5
)",
                     i, i % 7, i % 5 + 1);
}

std::string manifests(std::size_t count, bool anchors) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    out += deployment(i);
    if (anchors) out += "  extra: &a {b: 1}\n  again: *a\n";
    out += "---\n";
  }
  return out;
}

std::string one_list(std::size_t count) {
  std::string out = "apiVersion: v1\nkind: List\nitems:\n";
  for (std::size_t i = 0; i < count; ++i) {
    std::string_view rest;
    const std::string one = deployment(i);
    rest = one;
    bool first = true;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n') + 1;
      out += first ? "- " : "  ";
      out += rest.substr(0, end);
      rest.remove_prefix(end);
      first = false;
    }
  }
  return out;
}

void read_all(benchmark::State& state, const std::string& text, bool positions) {
  ReadOptions options;
  options.positions = positions;
  for (auto _ : state) {
    YamlReader reader(text, options);
    for (;;) {
      const auto document = reader.next();
      if (!document) state.SkipWithError(document.error().to_string().c_str());
      if (!document || !*document) break;
      benchmark::DoNotOptimize((*document)->root());
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void YamlReadManifests(benchmark::State& state) {
  read_all(state, manifests(1000, false), state.range(0) != 0);
}
BENCHMARK(YamlReadManifests)->ArgName("positions")->Arg(0)->Arg(1);

void YamlReadManifestsWithAnchors(benchmark::State& state) {
  read_all(state, manifests(1000, true), false);
}
BENCHMARK(YamlReadManifestsWithAnchors);

void YamlReadOneManifest(benchmark::State& state) {
  const std::string text = deployment(1);
  for (auto _ : state) benchmark::DoNotOptimize(read_yaml(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(YamlReadOneManifest);

void YamlReadOneList(benchmark::State& state) {
  const std::string text = one_list(1000);
  for (auto _ : state) benchmark::DoNotOptimize(read_yaml(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(YamlReadOneList);

// Real definitions: block mappings, and much text in block scalars.
void YamlReadCrds(benchmark::State& state) {
  const auto folder = testing::vectors("crds");
  if (!folder) return state.SkipWithError("no recordings 'crds': set STRAKE_VECTORS");
  std::vector<std::string> texts;
  for (const auto& path : testing::files_in(*folder, ".yaml")) {
    texts.push_back(testing::read_file(path));
  }
  ReadOptions options;
  options.positions = state.range(0) != 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    for (const std::string& text : texts) {
      bytes += text.size();
      YamlReader reader(text, options);
      for (;;) {
        const auto document = reader.next();
        if (!document) state.SkipWithError(document.error().to_string().c_str());
        if (!document || !*document) break;
        benchmark::DoNotOptimize((*document)->root());
      }
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(YamlReadCrds)->ArgName("positions")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

struct YamlEventCounter final : EventSink {
  std::size_t events = 0;
  bool begin_object(const Position&) override { return ++events; }
  bool key(std::string_view, const Position&) override { return ++events; }
  bool end_object(const Position&) override { return ++events; }
  bool begin_array(const Position&) override { return ++events; }
  bool end_array(const Position&) override { return ++events; }
  bool scalar(const Value&, const Position&) override { return ++events; }
  bool end_document(const Position&) override { return ++events; }
};

void YamlReadEvents(benchmark::State& state) {
  const std::string text = one_list(1000);
  for (auto _ : state) {
    YamlEventCounter counter;
    benchmark::DoNotOptimize(read_yaml_events(text, counter));
    benchmark::DoNotOptimize(counter.events);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(YamlReadEvents);

void YamlWrite(benchmark::State& state) {
  const Document document = read_yaml(one_list(1000)).value();
  std::string out;
  for (auto _ : state) {
    out.clear();
    write_yaml(document.root(), out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * out.size()));
}
BENCHMARK(YamlWrite);

}  // namespace
}  // namespace strake::value
