// What the loose profile costs: streaming a long array, judging one small object, importing a large
// description.
#include <benchmark/benchmark.h>

#include <string>

#include "schema/loose/evaluate.h"
#include "schema/loose/import.h"
#include "schema/loose/stream.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::schema::loose {
namespace {

constexpr std::string_view kPlain =
    R"({"type":"array","items":{"type":"object","required":["name","replicas"],
  "properties":{"name":{"type":"string","minLength":1,"maxLength":63},"replicas":{"type":"integer","minimum":0},
  "labels":{"type":"object","additionalProperties":{"type":"string"}},"ports":{"type":"array","items":{"type":"integer"}},
  "on":{"type":"boolean"}},"additionalProperties":false}})";
constexpr std::string_view kUnions = R"({"type":"array","items":{"oneOf":[
  {"required":["image"],"properties":{"image":{"type":"string"}}},
  {"required":["name"],"properties":{"name":{"pattern":"^object-"},"ports":{"contains":{"const":443}}}}],
  "properties":{"replicas":true,"labels":true,"on":true,"ports":true},"unevaluatedProperties":false}})";

std::string long_array(std::size_t bytes) {
  std::string out = "[";
  for (int i = 0; out.size() < bytes; ++i) {
    if (i > 0) out += ',';
    out += R"({"name":"object-)" + std::to_string(i) + R"(","replicas":)" +
           std::to_string(i % 100) +
           R"(,"labels":{"app":"web","tier":"front"},"ports":[80,443],"on":true})";
  }
  return out + "]";
}

Imported imported_from(std::string_view schema) {
  return *import_schema(value::read_json(schema)->root());
}

void stream_array(benchmark::State& state, std::string_view text) {
  const Imported imported = imported_from(text);
  const std::string json = long_array(8 << 20);
  for (auto _ : state) {
    StreamEvaluator evaluator(*imported.schema, *imported.schema->root(), {});
    value::JsonPushParser parser(evaluator, {});
    static_cast<void>(parser.feed(json));
    static_cast<void>(parser.finish());
    if (evaluator.take().verdict != Verdict::kValid) state.SkipWithError("not valid");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(json.size()));
}
BENCHMARK_CAPTURE(stream_array, plain, kPlain)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stream_array, unions, kUnions)->Unit(benchmark::kMillisecond);

void judge_object(benchmark::State& state) {
  const Imported imported = imported_from(kPlain);
  const auto document = value::read_json(long_array(600));
  StreamEvaluator evaluator(*imported.schema, *imported.schema->root(), {});
  for (auto _ : state) {
    value::play(document->root(), evaluator);
    benchmark::DoNotOptimize(evaluator.take());
  }
}
BENCHMARK(judge_object)->Unit(benchmark::kMicrosecond);

void import_description(benchmark::State& state) {
  const auto folder = testing::vectors("openapi");
  if (!folder) {
    state.SkipWithError("no recordings");
    return;
  }
  // Each file holds the documents of the versions of one CRD.
  std::string largest;
  for (const auto& path : testing::files_in(*folder, ".json")) {
    const auto file = value::read_json(testing::read_file(path));
    const value::Value* versions = file ? file->root().find("v3") : nullptr;
    if (versions == nullptr || !versions->is_object()) continue;
    for (const value::Member& member : versions->members()) {
      std::string text = value::to_json(member.value);
      if (text.size() > largest.size()) largest = std::move(text);
    }
  }
  const auto document = value::read_json(std::string_view(largest));
  if (!document) {
    state.SkipWithError("no description");
    return;
  }
  std::size_t nodes = 0;
  for (auto _ : state) {
    auto imported = import_schema(document->root());
    if (!imported) {
      state.SkipWithError(imported.error().message().c_str());
      return;
    }
    nodes = imported->schema->node_count();
  }
  state.counters["schemas"] = static_cast<double>(nodes);
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(largest.size()));
}
BENCHMARK(import_description)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strake::schema::loose
