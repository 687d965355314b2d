// How fast JSON becomes a document, events and text again.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "value/builder.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::value {
namespace {

// Pods as the API server sends them in a list: nested objects, short strings, few numbers.
std::string pod_list(std::size_t pods, bool sorted) {
  std::string out = R"({"apiVersion":"v1","items":[)";
  for (std::size_t i = 0; i < pods; ++i) {
    if (i != 0) out += ',';
    const std::string meta = fmt::format(
        R"("metadata":{{"annotations":{{"checksum/config":"{0:016x}"}},"creationTimestamp":"2026-01-01T00:00:00Z","labels":{{"app":"web","tier":"front-{0}"}},"name":"web-{0}","namespace":"default","resourceVersion":"{0}","uid":"0b1f3c1e-7b5e-4c55-8a14-{0:012x}"}})",
        i);
    const std::string spec = fmt::format(
        R"("spec":{{"containers":[{{"env":[{{"name":"A","value":"one"}},{{"name":"B","value":"two \"quoted\""}}],"image":"registry.example.com/web:{0}","name":"web","ports":[{{"containerPort":8080,"protocol":"TCP"}}],"resources":{{"limits":{{"cpu":"500m","memory":"128Mi"}},"requests":{{"cpu":0.25,"memory":"64Mi"}}}}}}],"nodeName":"node-{0}","priority":{0},"restartPolicy":"Always","terminationGracePeriodSeconds":30}})",
        i);
    out += sorted ? fmt::format(R"({{"kind":"Pod",{},{}}})", meta, spec)
                  : fmt::format(R"({{"kind":"Pod",{},{}}})", spec, meta);
  }
  out += R"(],"kind":"PodList"})";
  return out;
}

void ReadWhole(benchmark::State& state) {
  const std::string text = pod_list(2000, state.range(0) != 0);
  for (auto _ : state) {
    auto document = read_json_borrowed(text);
    benchmark::DoNotOptimize(document);
    if (!document) state.SkipWithError(document.error().to_string().c_str());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(ReadWhole)->ArgName("sorted")->Arg(1)->Arg(0);

void ReadPretty(benchmark::State& state) {
  const std::string text = to_json(read_json(pod_list(2000, true))->root(), {.indent = 4});
  for (auto _ : state) {
    auto document = read_json_borrowed(text);
    benchmark::DoNotOptimize(document);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(ReadPretty);

void ReadWithPositions(benchmark::State& state) {
  const std::string text = pod_list(2000, true);
  ReadOptions options;
  options.positions = true;
  for (auto _ : state) benchmark::DoNotOptimize(read_json_borrowed(text, options));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(ReadWithPositions);

void ReadOneSmallObject(benchmark::State& state) {
  const std::string list = pod_list(1, true);
  const std::string text = to_json(read_json(list)->root().find("items")->items()[0]);
  for (auto _ : state) benchmark::DoNotOptimize(read_json_borrowed(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(ReadOneSmallObject);

struct CountingSink final : EventSink {
  std::size_t events = 0;
  bool begin_object(const Position&) override { return ++events; }
  bool key(std::string_view, const Position&) override { return ++events; }
  bool end_object(const Position&) override { return ++events; }
  bool begin_array(const Position&) override { return ++events; }
  bool end_array(const Position&) override { return ++events; }
  bool scalar(const Value&, const Position&) override { return ++events; }
  bool end_document(const Position&) override { return ++events; }
};

void ReadChunked(benchmark::State& state) {
  const std::string text = pod_list(2000, true);
  const auto chunk = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    CountingSink sink;
    JsonPushParser parser(sink, {});
    for (std::size_t at = 0; at < text.size(); at += chunk) {
      if (!parser.feed(std::string_view(text).substr(at, chunk))) state.SkipWithError("refused");
    }
    benchmark::DoNotOptimize(parser.finish());
    benchmark::DoNotOptimize(sink.events);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(ReadChunked)->ArgName("chunk")->Arg(65536)->Arg(4096)->Arg(100);

void Write(benchmark::State& state) {
  const Document document = read_json(pod_list(2000, true)).value();
  std::string out;
  for (auto _ : state) {
    out.clear();
    write_json(document.root(), out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * out.size()));
}
BENCHMARK(Write);

}  // namespace
}  // namespace strake::value
