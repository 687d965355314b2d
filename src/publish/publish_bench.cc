#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>
#include <vector>

#include "kinds/custom_resource_strategy.h"
#include "publish/discovery.h"
#include "publish/json_path.h"
#include "publish/openapi.h"
#include "publish/table.h"
#include "publish/test_resources.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::publish {
namespace {

using kinds::ResourcePtr;

constexpr std::string_view kObject =
    R"({"apiVersion":"a.io/v1","kind":"Widget","metadata":{"creationTimestamp":"2024-01-01T00:00:00Z","generation":1,"labels":{"app":"web"},"name":"w","namespace":"default","resourceVersion":"12345","uid":"4f4c7a8e-0c1b-4a57-9a36-6f5b2f4f8a11"},"spec":{"image":"registry.example.com/web:1","replicas":3},"status":{"conditions":[{"status":"False","type":"Stalled"},{"status":"True","type":"Ready"}]}})";

void bm_json_path_field(benchmark::State& state) {
  const auto path = JsonPath::compile(".spec.replicas");
  const auto object = value::read_json(kObject);
  for (auto _ : state) benchmark::DoNotOptimize(path->first(object->root()));
}
BENCHMARK(bm_json_path_field);

void bm_json_path_filter(benchmark::State& state) {
  const auto path = JsonPath::compile(R"(.status.conditions[?(@.type=="Ready")].status)");
  const auto object = value::read_json(kObject);
  for (auto _ : state) benchmark::DoNotOptimize(path->first(object->root()));
}
BENCHMARK(bm_json_path_filter);

void bm_table_row(benchmark::State& state) {
  const ResourcePtr resource = testing::installed(testing::widgets_crd("a.io", R"json([
    {"name":"Image","type":"string","jsonPath":".spec.image"},
    {"name":"Replicas","type":"integer","jsonPath":".spec.replicas"},
    {"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\"Ready\")].status"},
    {"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}])json"));
  const kinds::CustomResourceStrategy strategy(nullptr);
  const TablePrinter table(resource, resource->versions[0], strategy);
  const auto object = value::read_json(kObject);
  const WallTime now = WallTime() + std::chrono::days(20'000);
  std::string out;
  for (auto _ : state) {
    out.clear();
    table.row(out, object->root(), kObject, IncludeObject::kMetadata, now);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(bm_table_row);

// The recorded CRDs, or a small one where there are no recordings.
const std::vector<ResourcePtr>& resources() {
  static const std::vector<ResourcePtr> all = [] {
    std::vector<ResourcePtr> out = {testing::installed(testing::widgets_crd("a.io"))};
    if (const auto folder = strake::testing::vectors("openapi")) {
      for (const auto& path : strake::testing::files_in(*folder, ".json")) {
        const auto recording = value::read_json(strake::testing::read_file(path));
        out.push_back(testing::installed(*recording->root().find("crd")));
      }
    }
    return out;
  }();
  return all;
}

template <typename Make>
void documents(benchmark::State& state, Make&& make) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string text = make();
    bytes += text.size();
    benchmark::DoNotOptimize(text.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void bm_openapi_v3(benchmark::State& state) {
  documents(state, [] {
    std::string all;
    for (const std::string& path : openapi_v3_paths(resources()))
      all += openapi_v3(resources(), path);
    return all;
  });
}
BENCHMARK(bm_openapi_v3)->Unit(benchmark::kMillisecond);

void bm_openapi_v2(benchmark::State& state) {
  documents(state, [] { return openapi_v2(resources()); });
}
BENCHMARK(bm_openapi_v2)->Unit(benchmark::kMillisecond);

void bm_openapi_v2_protobuf(benchmark::State& state) {
  const std::string json = openapi_v2(resources());
  documents(state, [&] { return openapi_v2_protobuf(json).value_or(""); });
}
BENCHMARK(bm_openapi_v2_protobuf)->Unit(benchmark::kMillisecond);

void bm_document_hash(benchmark::State& state) {
  const std::string json = openapi_v2(resources());
  for (auto _ : state) benchmark::DoNotOptimize(document_hash(json));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(json.size()));
}
BENCHMARK(bm_document_hash)->Unit(benchmark::kMillisecond);

void bm_aggregated_discovery(benchmark::State& state) {
  std::vector<ResourcePtr> all;
  for (int i = 0; i < 1000; ++i) {
    auto one = std::make_shared<kinds::Resource>(*resources().front());
    one->group = "g" + std::to_string(i) + ".example.com";
    all.push_back(one);
  }
  documents(state, [&] { return aggregated_discovery(all, false); });
}
BENCHMARK(bm_aggregated_discovery)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strake::publish
