#pragma once
// Shuffle sharding: a hash decides which few of many queues a flow can use. Two flows share all of
// them only by a rare chance, so one that fills its queues leaves most others a free one.
#include <array>
#include <cstdint>
#include <span>

namespace strake::api {

class Dealer {
 public:
  // More would take more bits than a hash has (kinds::entropy_bits).
  static constexpr int kLargestHand = 15;

  Dealer() = default;
  // 1 <= hand <= deck, hand <= kLargestHand
  Dealer(int deck, int hand) : deck_(deck), hand_(hand) {}
  int deck() const { return deck_; }
  int hand() const { return hand_; }

  using Hand = std::array<int, kLargestHand>;
  // Different cards of 0 to deck - 1, the same for the same hash. Each set of cards is as likely as
  // any other when the hash is random. Valid as long as `into`.
  std::span<const int> deal(std::uint64_t hash, Hand& into) const;
  // One of them alone: deal(hash, ...)[at], for less.
  int card(std::uint64_t hash, std::size_t at) const;

 private:
  int deck_ = 1;
  int hand_ = 1;
};

}  // namespace strake::api
