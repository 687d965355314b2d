#pragma once
// Fingerprints of values: equal values have equal ones, and others differ but for chance. Members
// count in any order, so a fingerprint can be made while a value streams by.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/loose/options.h"
#include "value/value.h"

namespace strake::schema::loose {

struct Digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const Digest&, const Digest&) = default;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

Digest digest_scalar(const value::Value& scalar, EqualMode mode);
Digest digest_of(const value::Value& v, EqualMode mode);  // uses no native stack for nesting
Digest digest_rounded(
    const value::Value& v);  // the structural one of a value whose numbers are float64

// Of an array or object as its parts arrive.
class DigestBuilder {
 public:
  void start(bool object) { *this = DigestBuilder(), object_ = object; }
  void add_item(const Digest& item);
  void add_member(std::string_view key, const Digest& value);
  Digest finish() const;

 private:
  bool object_ = false;
  std::uint64_t count_ = 0;
  Digest sum_;
};

// Remembers fingerprints with the index they came at: 16 bytes each, in a table at most three
// quarters full.
class DigestTable {
 public:
  void clear();
  // The index at which the same was added before, or `index` itself, now remembered.
  std::size_t add(const Digest& digest, std::size_t index);
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t high = 0;
    std::uint32_t low = 0;
    std::uint32_t index = kFree;
  };
  static constexpr std::uint32_t kFree = UINT32_MAX;
  Slot& find(const Digest& digest);
  void grow();
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace strake::schema::loose
