// How fast real manifests are checked: the 1,277 that kube-apiserver v1.36.4 took, with their CRDs
// read anew each time, and with the schemas at hand.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "crd/check.h"
#include "crd/crd.h"
#include "support/files.h"
#include "support/vectors.h"
#include "validate/checker.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::validate {
namespace {

namespace fs = std::filesystem;

struct Corpus {
  std::vector<std::pair<std::string, std::shared_ptr<const std::string>>> crds;
  std::vector<std::pair<std::string, std::string>> manifests;
  std::int64_t manifest_bytes = 0;
  std::int64_t crd_bytes = 0;
};

const Corpus* corpus() {
  static const std::unique_ptr<const Corpus> loaded = [] {
    const auto crds = testing::vectors("crds");
    const auto crs = testing::vectors("crs");
    if (!crds || !crs) return std::unique_ptr<Corpus>();
    auto out = std::make_unique<Corpus>();
    const std::vector<fs::path> files = testing::files_in(*crds, ".yaml");
    for (const fs::path& file : files) {
      auto text = std::make_shared<const std::string>(testing::read_file(file));
      out->crd_bytes += static_cast<std::int64_t>(text->size());
      out->crds.emplace_back(file.filename().string(), std::move(text));
    }
    const std::string lines = testing::read_file(*crs / "verdicts.jsonl");
    value::JsonReader reader(lines, {});
    while (auto next = reader.next()) {
      if (!*next) break;
      const value::Value& verdict = (*next)->root();
      if (verdict.find("code")->as_int() != 201) continue;
      const std::string file(verdict.find("file")->as_string());
      out->manifests.emplace_back(file, testing::read_file(*crs / file));
      out->manifest_bytes += static_cast<std::int64_t>(out->manifests.back().second.size());
    }
    return out;
  }();
  return loaded.get();
}

Catalog catalog_of(const Corpus& from, bool trusted = false) {
  Catalog catalog({.unknown = UnknownFields::kStrict, .trust_definitions = trusted});
  for (const auto& [name, text] : from.crds) static_cast<void>(catalog.add(name, text));
  return catalog;
}

// Each thread takes its own stretch of the files, as the program does.
std::size_t check_all(const Corpus& from, const Catalog& catalog, std::size_t threads) {
  const Checker checker(catalog, nullptr, {.duplicates = DuplicateKeys::kLastWins});
  std::atomic<std::size_t> errors = 0;
  const auto work = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      errors +=
          checker.check(from.manifests[i].first, from.manifests[i].second).count(Severity::kError);
    }
  };
  std::vector<std::thread> workers;
  const std::size_t count = from.manifests.size();
  for (std::size_t t = 1; t < threads; ++t)
    workers.emplace_back(work, count * t / threads, count * (t + 1) / threads);
  work(0, count / threads);
  for (std::thread& worker : workers) worker.join();
  return errors;
}

void with_counters(benchmark::State& state, const Corpus& from, std::int64_t bytes) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(from.manifests.size()));
  state.SetBytesProcessed(state.iterations() * bytes);
}

void BM_CheckManifestsWithCrdsReadAnew(benchmark::State& state) {
  const Corpus* from = corpus();
  if (from == nullptr) return state.SkipWithError("no recordings");
  for (auto _ : state) {
    const Catalog catalog = catalog_of(*from, state.range(1) != 0);
    benchmark::DoNotOptimize(check_all(*from, catalog, static_cast<std::size_t>(state.range(0))));
  }
  with_counters(state, *from, from->manifest_bytes + from->crd_bytes);
}
BENCHMARK(BM_CheckManifestsWithCrdsReadAnew)
    ->ArgNames({"threads", "trusted"})
    ->ArgsProduct({{1, 2}, {0, 1}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void BM_CheckManifestsWithSchemasAtHand(benchmark::State& state) {
  const Corpus* from = corpus();
  if (from == nullptr) return state.SkipWithError("no recordings");
  const Catalog catalog = catalog_of(*from);
  state.counters["errors"] = static_cast<double>(check_all(*from, catalog, 1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(check_all(*from, catalog, static_cast<std::size_t>(state.range(0))));
  }
  with_counters(state, *from, from->manifest_bytes);
}
BENCHMARK(BM_CheckManifestsWithSchemasAtHand)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// What a CRD costs before its first object: reading the text, putting it into its canonical form,
// checking it.
enum class Step : std::uint8_t { kText, kRead, kCheck };

template <Step kStep>
void BM_LoadCrds(benchmark::State& state) {
  const Corpus* from = corpus();
  if (from == nullptr) return state.SkipWithError("no recordings");
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  for (auto _ : state) {
    for (const auto& [name, text] : from->crds) {
      value::Document document = value::read_yaml(*text, options).value();
      if (kStep == Step::kText) continue;
      auto crd = crd::Crd::read(std::move(document));
      if (!crd) return state.SkipWithError("a CRD was refused");
      crd->prepare_for_create();
      if (kStep == Step::kCheck) benchmark::DoNotOptimize(crd::check_create(*crd).size());
    }
  }
  state.SetBytesProcessed(state.iterations() * from->crd_bytes);
}
BENCHMARK(BM_LoadCrds<Step::kText>)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LoadCrds<Step::kRead>)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LoadCrds<Step::kCheck>)->Unit(benchmark::kMillisecond);

void BM_ScanCrds(benchmark::State& state) {
  const Corpus* from = corpus();
  if (from == nullptr) return state.SkipWithError("no recordings");
  for (auto _ : state) {
    const Catalog catalog = catalog_of(*from);
    benchmark::DoNotOptimize(&catalog);
  }
  state.SetBytesProcessed(state.iterations() * from->crd_bytes);
}
BENCHMARK(BM_ScanCrds)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strake::validate
