#pragma once
// Chance for the fuzzer of API requests: the same for the same seed, on every machine.
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace strake::robustness {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }
  bool percent(std::size_t chance) { return below(100) < chance; }
  template <typename Range>
  const auto& pick(const Range& from) {
    return from[below(std::size(from))];
  }
  template <typename T, std::size_t N>
  const T& pick(const T (&from)[N]) {
    return from[below(N)];
  }
  // Any JSON, small, with what is often forgotten: null, empty, deep, far too large, not ASCII.
  std::string json(std::size_t depth = 3);
  // The text with something in it changed: bytes, or a part of the JSON that it is.
  std::string broken(std::string_view text);

 private:
  std::mt19937_64 engine_;
};

}  // namespace strake::robustness
