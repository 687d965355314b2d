#include "schema/loose/digest.h"

#include <string>

#include "base/hash.h"
#include "schema/loose/decimal.h"
#include "value/events.h"

// Two independent 64-bit hashes of a value's canonical form, built bottom-up so that a value that
// streams past need not be kept. Equality of digests stands for equality of values. Documents come
// from strangers, but a collision only hides a duplicate or admits an enum value; the hash is keyed
// by fixed seeds and is not meant to resist an attack.

namespace strake::schema::loose {
namespace {

constexpr std::uint64_t kSeedHigh = 0x5eed0001;
constexpr std::uint64_t kSeedLow = 0x5eed0002;

Digest digest_text(std::uint64_t kind, std::string_view text) {
  return {hash64(text, kSeedHigh + kind), hash64(text, kSeedLow + kind)};
}

Digest digest_word(std::uint64_t kind, std::uint64_t word) {
  return {hash_combine(kSeedHigh + kind, word), hash_combine(kSeedLow + kind, word)};
}

class DigestSink final : public value::EventSink {
 public:
  explicit DigestSink(EqualMode mode, bool rounds = false) : mode_(mode), rounds_(rounds) {}
  bool begin_object(const Position&) override { return begin(true); }
  bool begin_array(const Position&) override { return begin(false); }
  bool key(std::string_view name, const Position&) override {
    keys_.back() = name;
    return true;
  }
  bool scalar(const value::Value& v, const Position&) override {
    deliver(digest_scalar(rounds_ ? as_float64(v) : v, mode_));
    return true;
  }
  bool end_object(const Position&) override { return end(); }
  bool end_array(const Position&) override { return end(); }
  bool end_document(const Position&) override { return true; }
  Digest result() const { return result_; }

 private:
  bool begin(bool object) {
    open_.emplace_back().start(object);
    objects_.push_back(object);
    keys_.emplace_back();
    return true;
  }
  bool end() {
    const Digest done = open_.back().finish();
    open_.pop_back();
    objects_.pop_back();
    keys_.pop_back();
    deliver(done);
    return true;
  }
  void deliver(const Digest& digest) {
    if (open_.empty()) {
      result_ = digest;
    } else if (objects_.back()) {
      open_.back().add_member(keys_.back(), digest);
    } else {
      open_.back().add_item(digest);
    }
  }

  EqualMode mode_;
  bool rounds_;
  std::vector<DigestBuilder> open_;
  std::vector<bool> objects_;
  std::vector<std::string_view> keys_;
  Digest result_;
};

}  // namespace

Digest digest_scalar(const value::Value& scalar, EqualMode mode) {
  switch (scalar.type()) {
    case value::Type::kNull: return digest_word(1, 0);
    case value::Type::kBool: return digest_word(2, scalar.as_bool() ? 1 : 0);
    case value::Type::kString: return digest_text(3, scalar.as_string());
    default: break;
  }
  if (scalar.type() == value::Type::kInt)
    return digest_word(4, static_cast<std::uint64_t>(scalar.as_int()));
  Decimal exact = Decimal::of(scalar);
  // Canonical JSON writes such a literal as the nearest double.
  if (mode == EqualMode::kCanonicalJson && scalar.type() == value::Type::kLiteral &&
      scalar.as_string().find_first_of(".eE") != std::string_view::npos) {
    exact = Decimal::of(value::Value::number(scalar.as_double()));
  }
  // However it is written, 5.0 has to meet the integer 5.
  if (const auto integer = exact.to_int64())
    return digest_word(4, static_cast<std::uint64_t>(*integer));
  return digest_text(5, exact.key());
}

Digest digest_of(const value::Value& v, EqualMode mode) {
  if (!v.is_array() && !v.is_object()) return digest_scalar(v, mode);
  DigestSink sink(mode);
  value::play(v, sink);
  return sink.result();
}

Digest digest_rounded(const value::Value& v) {
  DigestSink sink(EqualMode::kStructural, true);
  value::play(v, sink);
  return sink.result();
}

void DigestBuilder::add_item(const Digest& item) {
  ++count_;
  sum_.high = hash_combine(sum_.high, item.high);
  sum_.low = hash_combine(sum_.low, item.low);
}

void DigestBuilder::add_member(std::string_view key, const Digest& value) {
  ++count_;
  // A sum, so that the order of members is of no account.
  sum_.high += hash_combine(hash64(key, kSeedHigh), value.high);
  sum_.low += hash_combine(hash64(key, kSeedLow), value.low);
}

Digest DigestBuilder::finish() const {
  const std::uint64_t kind = object_ ? 7 : 6;
  return {hash_combine(hash_combine(kSeedHigh + kind, count_), sum_.high),
          hash_combine(hash_combine(kSeedLow + kind, count_), sum_.low)};
}

void DigestTable::clear() {
  slots_.clear();
  used_ = 0;
}

DigestTable::Slot& DigestTable::find(const Digest& digest) {
  std::size_t at = digest.high & (slots_.size() - 1);
  // 96 of the 128 bits, so that a slot is 16 bytes.
  const auto low = static_cast<std::uint32_t>(digest.low);
  while (slots_[at].index != kFree && (slots_[at].high != digest.high || slots_[at].low != low)) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return slots_[at];
}

void DigestTable::grow() {
  std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.index != kFree) find({slot.high, slot.low}) = slot;
  }
}

std::size_t DigestTable::add(const Digest& digest, std::size_t index) {
  if (used_ * 4 >= slots_.size() * 3) grow();
  Slot& slot = find(digest);
  if (slot.index != kFree) return slot.index;
  ++used_;
  slot = {digest.high, static_cast<std::uint32_t>(digest.low), static_cast<std::uint32_t>(index)};
  return index;
}

}  // namespace strake::schema::loose
