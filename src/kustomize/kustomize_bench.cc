// How fast kustomizations build: a small overlay with a strategic merge, and many resources with a
// patch, labels and a namespace, as in the figures that docs/benchmarks.md compares with.
#include <benchmark/benchmark.h>

#include "kustomize/build.h"
#include "kustomize/file/map_tree.h"

namespace strake::kustomize {
namespace {

std::string deployment(std::int64_t i) {
  return fmt::format(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-{0}\n  labels:\n    app: "
      "web-{0}\nspec:\n  replicas: 1\n  selector:\n    matchLabels:\n      app: web-{0}\n"
      "  template:\n    metadata:\n      labels:\n        app: web-{0}\n    spec:\n"
      "      containers:\n      - name: main\n        image: registry.example.com/web:{0}\n"
      "        env:\n        - name: A\n          value: \"1\"\n        - name: B\n"
      "          valueFrom:\n            configMapKeyRef:\n              name: conf-{0}\n"
      "              key: b\n        ports:\n        - containerPort: 8080\n"
      "          protocol: TCP\n---\n",
      i);
}

std::string config_map(std::int64_t i) {
  return fmt::format(
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf-{0}\ndata:\n  b: \"{0}\"\n---\n",
      i);
}

// Half of them deployments, half config maps that these refer to.
MapTree many(std::int64_t count) {
  std::string text;
  for (std::int64_t i = 0; i < count / 2; ++i) text += deployment(i) + config_map(i);
  return MapTree({{"/app/kustomization.yaml",
                   "resources: [all.yaml]\nnamespace: prod\nnamePrefix: p-\n"
                   "labels:\n- pairs: {team: tide}\n  includeSelectors: true\n"
                   "patches:\n- target: {kind: Deployment}\n  patch: |-\n    apiVersion: apps/v1\n"
                   "    kind: Deployment\n    metadata: {name: any}\n    spec:\n      template:\n"
                   "        spec:\n          containers:\n          - name: main\n"
                   "            resources: {limits: {cpu: 100m}}\n"},
                  {"/app/all.yaml", text}});
}

void run(benchmark::State& state, const MapTree& tree) {
  BuildOptions options;
  options.target = "/app";
  options.working_folder = "/";
  options.files = &tree;
  std::size_t bytes = 0;
  for (auto _ : state) {
    std::vector<std::string> warnings;
    const auto result = build(options, warnings);
    if (!result) {
      state.SkipWithError(result.error().message().c_str());
      return;
    }
    bytes = result->yaml().size();
    benchmark::DoNotOptimize(bytes);
  }
  state.counters["output_bytes"] = static_cast<double>(bytes);
}

void BM_SmallOverlay(benchmark::State& state) {
  const MapTree tree(
      {{"/app/kustomization.yaml",
        "resources: [base]\nnamePrefix: dev-\npatches: [{path: p.yaml}]\n"},
       {"/app/p.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web-1}\nspec: {replicas: 3}\n"},
       {"/app/base/kustomization.yaml", "resources: [d.yaml]\n"},
       {"/app/base/d.yaml", deployment(1) + config_map(1)}});
  run(state, tree);
}
BENCHMARK(BM_SmallOverlay);

void BM_ManyResources(benchmark::State& state) {
  run(state, many(state.range(0)));
  state.counters["per_second"] = benchmark::Counter(static_cast<double>(state.range(0)),
                                                    benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(BM_ManyResources)
    ->Arg(200)
    ->Arg(500)
    ->Arg(1000)
    ->Arg(2000)
    ->Arg(50'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strake::kustomize
