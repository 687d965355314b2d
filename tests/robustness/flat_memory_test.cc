// A gibibyte of JSON flows through the chunked reader while the process stays small.
#include "robustness/flat_memory.h"

#include <cstdio>

#include "value/duplicate_filter.h"
#include "value/json_reader.h"

namespace {

using namespace strake;
using namespace strake::value;

constexpr std::uint64_t kInput = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostMemory = std::uint64_t{32} << 20;

struct Counter final : EventSink {
  std::uint64_t events = 0;
  bool begin_object(const Position&) override { return ++events; }
  bool key(std::string_view, const Position&) override { return ++events; }
  bool end_object(const Position&) override { return ++events; }
  bool begin_array(const Position&) override { return ++events; }
  bool end_array(const Position&) override { return ++events; }
  bool scalar(const Value&, const Position&) override { return ++events; }
  bool end_document(const Position&) override { return ++events; }
};

}  // namespace

int main() {
  Counter counter;
  DuplicateKeyFilter filter(counter, DuplicatePolicy::kError);
  ReadOptions options;
  options.limits.bytes = 2 * kInput;
  JsonPushParser parser(filter, options);
  Result<> state;
  testing::feed_large_array(kInput, [&](std::string_view chunk) {
    state = parser.feed(chunk);
    return state.has_value();
  });
  if (state) state = parser.finish();
  if (!state) {
    std::fprintf(stderr, "refused: %s\n", state.error().to_string().c_str());
    return 1;
  }
  const std::uint64_t peak = testing::peak_resident_bytes();
  std::printf("1 GiB of JSON, %llu events, peak memory %.1f MiB\n",
              static_cast<unsigned long long>(counter.events),
              static_cast<double>(peak) / (1 << 20));
  if (counter.events < 10'000'000) return 1;
  return peak <= kMostMemory ? 0 : 1;
}
