// What one object and one CRD cost. The peers' figures are those of kube-apiserver 1.36 in
// docs/benchmarks.md.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "resource/settle.h"
#include "resource/validate.h"
#include "schema/compile.h"
#include "support/files.h"
#include "support/recordings.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::resource {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kCrd =
    R"({"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Web"},"versions":[{
  "name":"v1","schema":{"openAPIV3Schema":{"type":"object","properties":{
    "spec":{"type":"object","required":["image"],"properties":{
      "image":{"type":"string","minLength":1},
      "replicas":{"type":"integer","minimum":0,"maximum":100,"default":1},
      "minReplicas":{"type":"integer"},"maxReplicas":{"type":"integer"},
      "strategy":{"type":"string","enum":["Recreate","RollingUpdate"],"default":"RollingUpdate"},
      "env":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{
        "type":"object","required":["name"],"properties":{"name":{"type":"string"},"value":{"type":"string"}}}},
      "ports":{"type":"array","items":{"type":"object","properties":{
        "port":{"type":"integer","minimum":1,"maximum":65535},"name":{"type":"string","pattern":"^[a-z]+$"}}}},
      "resources":{"type":"object","additionalProperties":{"x-kubernetes-int-or-string":true}}}},
    "status":{"type":"object","properties":{"ready":{"type":"integer"}}}}}}}]}})";

constexpr std::string_view kObject =
    R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"shop","namespace":"default","labels":{"app":"shop","tier":"front"},"annotations":{"owner":"team-a@example.com"}},"spec":{"image":"registry.example.com/shop:1.2.3","minReplicas":1,"maxReplicas":5,"env":[{"name":"MODE","value":"fast"},{"name":"REGION","value":"eu-west-1"},{"name":"LOG","value":"info"}],"ports":[{"port":80,"name":"http"},{"port":443,"name":"https"}],"resources":{"cpu":"500m","memory":"128Mi","pods":3}}})";

void OneObject(benchmark::State& state) {
  const Document crd = value::read_json(kCrd).value();
  const Kind kind = testing::kind_of(crd.root());
  const value::ReadOptions options = value::ReadOptions::as_api_server();
  for (auto _ : state) {
    Document object = value::read_json_borrowed(kObject, options).value();
    std::vector<std::string> unknown;
    if (!settle(object.root(), kind, object.arena(), &unknown)) state.SkipWithError("refused");
    if (!validate_create(object.root(), kind, nullptr).errors.empty())
      state.SkipWithError("invalid");
    benchmark::DoNotOptimize(value::to_json(object.root()));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kObject.size()));
}
BENCHMARK(OneObject)->Unit(benchmark::kMicrosecond);

std::vector<Document> load_crds() {
  std::vector<Document> crds;
  const auto folder = testing::vectors("crds");
  if (!folder) return crds;
  for (const auto& path : testing::files_in(*folder, ".yaml")) {
    crds.push_back(value::read_yaml(testing::read_file(path)).value());
  }
  return crds;
}

void CompileRealCrds(benchmark::State& state) {
  const std::vector<Document> crds = load_crds();
  if (crds.empty()) state.SkipWithError("no recordings of CRDs");
  std::size_t versions = 0;
  std::size_t crd_count = crds.size();
  schema::InternStats stats;
  std::size_t requested = 0;
  for (auto _ : state) {
    std::vector<schema::NodePtr> nodes;
    const std::size_t before = schema::intern_stats().requested;
    for (const Document& crd : crds) {
      for (const Value& version : crd.root().find("spec")->find("versions")->items()) {
        nodes.push_back(schema::compile(*version.find("schema")->find("openAPIV3Schema")).value());
      }
    }
    versions = nodes.size();
    stats = schema::intern_stats();
    requested = stats.requested - before;
    state.PauseTiming();
    nodes.clear();
    state.ResumeTiming();
  }
  state.counters["versions"] = static_cast<double>(versions);
  state.counters["nodes_written"] = static_cast<double>(requested);
  state.counters["nodes_kept"] = static_cast<double>(stats.nodes);
  state.counters["sharing"] =
      static_cast<double>(requested) / static_cast<double>(std::max<std::size_t>(stats.nodes, 1));
  state.counters["KiB_per_crd"] = static_cast<double>(stats.bytes) / 1024.0 /
                                  static_cast<double>(std::max<std::size_t>(crd_count, 1));
}
BENCHMARK(CompileRealCrds)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strake::resource
