#pragma once
// A range of costs or sizes. Arithmetic stops at the largest number instead of wrapping around.
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace strake::cel {

inline constexpr std::uint64_t kUnbounded = UINT64_MAX;
// What walking over one character of text costs, and one character of a pattern.
inline constexpr double kTraversalFactor = 0.1;
inline constexpr double kPatternFactor = 0.25;

inline std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > kUnbounded - b ? kUnbounded : a + b;
}

inline std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kUnbounded / b ? kUnbounded : a * b;
}

// Rounded up.
inline std::uint64_t scaled(std::uint64_t n, double factor) {
  const double out = std::ceil(static_cast<double>(n) * factor);
  return out >= 18446744073709551616.0 ? kUnbounded : static_cast<std::uint64_t>(out);
}

struct CostRange {
  std::uint64_t min = 0;
  std::uint64_t max = 0;

  static constexpr CostRange exactly(std::uint64_t n) { return {n, n}; }
  static constexpr CostRange unknown() { return {0, kUnbounded}; }

  friend CostRange operator+(CostRange a, CostRange b) {
    return {saturating_add(a.min, b.min), saturating_add(a.max, b.max)};
  }
  friend CostRange operator*(CostRange a, CostRange b) {
    return {saturating_multiply(a.min, b.min), saturating_multiply(a.max, b.max)};
  }
  CostRange by(double factor) const { return {scaled(min, factor), scaled(max, factor)}; }
  CostRange joined(CostRange other) const {
    return {std::min(min, other.min), std::max(max, other.max)};
  }
  friend bool operator==(CostRange, CostRange) = default;
};

using SizeRange = CostRange;

}  // namespace strake::cel
