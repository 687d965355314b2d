#include <benchmark/benchmark.h>

#include "base/base64.h"
#include "base/quote.h"
#include "base/utf8.h"

namespace strake {
namespace {

constexpr std::size_t kSize = 1 << 16;

std::string repeated(std::string_view piece) {
  std::string out;
  while (out.size() < kSize) out += piece;
  return out;
}

void bm_valid(benchmark::State& state, const std::string& text) {
  for (auto _ : state) benchmark::DoNotOptimize(utf8::is_valid(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK_CAPTURE(bm_valid, ascii, repeated("spec.containers "));
BENCHMARK_CAPTURE(bm_valid, mixed, repeated("caf\u00e9 au lait \u20ac3, "));
BENCHMARK_CAPTURE(bm_valid, cjk, repeated("\u65e5\u672c\u8a9e"));

void bm_quote(benchmark::State& state, const std::string& text) {
  for (auto _ : state) benchmark::DoNotOptimize(quote(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK_CAPTURE(bm_quote, ascii, repeated("spec.containers "));
BENCHMARK_CAPTURE(bm_quote, cjk, repeated("\u65e5\u672c\u8a9e"));

void bm_base64(benchmark::State& state) {
  const std::string bytes = repeated("spec.containers ");
  const std::string text = base64_encode(bytes);
  for (auto _ : state) {
    if (state.range(0) == 0) benchmark::DoNotOptimize(base64_encode(bytes));
    if (state.range(0) == 1) benchmark::DoNotOptimize(base64_decode(text));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}
BENCHMARK(bm_base64)->ArgName("decode")->Arg(0)->Arg(1);

}  // namespace
}  // namespace strake
