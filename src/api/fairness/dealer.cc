#include "api/fairness/dealer.h"

namespace strake::api {

// The hash is a number in a mixed radix whose digits choose among the cards that are left: the
// first among all of the deck, the second among one less. A digit counts the cards that are left in
// rising order, so it becomes a card by stepping over those that are taken, latest first: each of
// them was itself counted among the cards that were left then.
std::span<const int> Dealer::deal(std::uint64_t hash, Hand& into) const {
  Hand digits;
  for (int i = 0; i < hand_; ++i) {
    const auto left = static_cast<std::uint64_t>(deck_ - i);
    digits[static_cast<std::size_t>(i)] = static_cast<int>(hash % left);
    hash /= left;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(hand_); ++i) {
    int card = digits[i];
    for (std::size_t taken = i; taken > 0; --taken) {
      if (card >= digits[taken - 1]) ++card;
    }
    into[i] = card;
  }
  return {into.data(), static_cast<std::size_t>(hand_)};
}

}  // namespace strake::api
