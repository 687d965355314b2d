#include "api/fairness/dealer.h"

namespace strake::api {
namespace {

// A digit becomes a card by stepping over those that are taken, latest first: each of them was
// itself counted among the cards that were left then.
int card_at(const Dealer::Hand& digits, std::size_t at) {
  int card = digits[at];
  for (std::size_t taken = at; taken > 0; --taken) {
    if (card >= digits[taken - 1]) ++card;
  }
  return card;
}

// The hash is a number in a mixed radix whose digits choose among the cards that are left: the
// first among all of the deck, the second among one less. A digit counts the cards that are left in
// rising order.
void read_digits(std::uint64_t hash, int deck, std::size_t count, Dealer::Hand& digits) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t left = static_cast<std::uint64_t>(deck) - i;
    digits[i] = static_cast<int>(hash % left);
    hash /= left;
  }
}

}  // namespace

std::span<const int> Dealer::deal(std::uint64_t hash, Hand& into) const {
  const auto count = static_cast<std::size_t>(hand_);
  Hand digits;
  read_digits(hash, deck_, count, digits);
  for (std::size_t i = 0; i < count; ++i) into[i] = card_at(digits, i);
  return {into.data(), count};
}

int Dealer::card(std::uint64_t hash, std::size_t at) const {
  Hand digits;
  read_digits(hash, deck_, at + 1, digits);
  return card_at(digits, at);
}

}  // namespace strake::api
