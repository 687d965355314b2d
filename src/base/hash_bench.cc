#include <benchmark/benchmark.h>

#include <string>

#include "base/hash.h"
#include "base/sha256.h"

namespace strake {
namespace {

void bm_hash64(benchmark::State& state) {
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(hash64(text));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(bm_hash64)->Arg(8)->Arg(24)->Arg(1024)->Arg(1 << 20);

void bm_fnv1a64(benchmark::State& state) {
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(fnv1a64(text));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(bm_fnv1a64)->Arg(24)->Arg(1024);

void bm_sha256(benchmark::State& state) {
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(sha256(text));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(bm_sha256)->Arg(64)->Arg(1 << 16);

}  // namespace
}  // namespace strake
