#include <benchmark/benchmark.h>

#include "base/number_format.h"
#include "base/quantity.h"
#include "base/rfc3339.h"

namespace strake {
namespace {

void bm_parse_quantity(benchmark::State& state, std::string_view text) {
  for (auto _ : state) benchmark::DoNotOptimize(Quantity::parse(text));
}
BENCHMARK_CAPTURE(bm_parse_quantity, small, "500m");
BENCHMARK_CAPTURE(bm_parse_quantity, binary, "128Mi");
BENCHMARK_CAPTURE(bm_parse_quantity, big, "12345678901234567890.5");

void bm_write_quantity(benchmark::State& state) {
  const Quantity quantity = *Quantity::parse("1024Mi");
  for (auto _ : state) benchmark::DoNotOptimize(quantity.to_string());
}
BENCHMARK(bm_write_quantity);

void bm_parse_rfc3339(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_rfc3339("2024-01-01T00:00:00Z"));
}
BENCHMARK(bm_parse_rfc3339);

void bm_format_rfc3339(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(format_rfc3339({1704067200, 0}));
}
BENCHMARK(bm_format_rfc3339);

void bm_json_number(benchmark::State& state, double number) {
  std::string out;
  for (auto _ : state) {
    out.clear();
    append_json_number(out, number);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK_CAPTURE(bm_json_number, whole, 1234567.0);
BENCHMARK_CAPTURE(bm_json_number, fraction, 0.1234567);

}  // namespace
}  // namespace strake
