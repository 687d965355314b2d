#pragma once
// Durations counted in buckets that are at most 1.6 % wide, so that a long run takes no more memory
// than a short one, and threads can add theirs together.
#include <array>
#include <bit>
#include <cstdint>

namespace strake::load {

class Histogram {
 public:
  void add(std::uint64_t nanoseconds) {
    ++counts_[index(nanoseconds)];
    ++total_;
    if (nanoseconds > max_) max_ = nanoseconds;
  }
  void add(const Histogram& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
    if (other.max_ > max_) max_ = other.max_;
  }
  std::uint64_t count() const { return total_; }
  std::uint64_t max() const { return max_; }
  // The upper edge of the bucket in which this share of all lies; 0 when there is none.
  std::uint64_t quantile(double share) const {
    if (total_ == 0) return 0;
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(total_ - 1)) + 1;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen >= wanted) return upper_edge(i) < max_ ? upper_edge(i) : max_;
    }
    return max_;
  }

 private:
  static constexpr unsigned kBits = 6;  // buckets to a power of two

  static std::size_t index(std::uint64_t v) {
    if (v < (1u << kBits)) return static_cast<std::size_t>(v);
    const auto shift = static_cast<unsigned>(std::bit_width(v)) - kBits - 1;
    return (static_cast<std::size_t>(shift + 1) << kBits) +
           static_cast<std::size_t>((v >> shift) - (1u << kBits));
  }
  static std::uint64_t upper_edge(std::size_t i) {
    if (i < (1u << kBits)) return i;
    const auto shift = static_cast<unsigned>(i >> kBits) - 1;
    const std::uint64_t low = (i & ((1u << kBits) - 1)) + (1u << kBits);
    return ((low + 1) << shift) - 1;
  }

  std::array<std::uint64_t, (64 - kBits + 1) << kBits> counts_{};
  std::uint64_t total_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace strake::load
