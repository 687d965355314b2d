#include "store/sqlite/checksum.h"

#include <bit>
#include <cstring>
#include <initializer_list>

// XXH64 and what it is taken over. Two kinds of sum, by how a table is used: the log only grows, so
// its rows form a chain, in which order counts and nothing can be left out unseen; the other tables
// change anywhere, so each has the sum of its rows modulo 2^64, which a write updates by
// subtracting the row that goes and adding the one that comes, without reading the table. The first
// number of every sum says which table it is of, so that a row of one cannot pass for a row of
// another.

namespace strake::store::sqlite {
namespace {

// The constants of XXH64.
constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87;
constexpr std::uint64_t kPrime2 = 0xc2b2ae3d27d4eb4f;
constexpr std::uint64_t kPrime3 = 0x165667b19e3779f9;
constexpr std::uint64_t kPrime4 = 0x85ebca77c2b2ae63;
constexpr std::uint64_t kPrime5 = 0x27d4eb2f165667c5;

static_assert(std::endian::native == std::endian::little, "XXH64 reads little-endian words");

std::uint64_t word64(const char* at) {
  std::uint64_t out = 0;
  std::memcpy(&out, at, sizeof out);
  return out;
}

std::uint32_t word32(const char* at) {
  std::uint32_t out = 0;
  std::memcpy(&out, at, sizeof out);
  return out;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

std::uint64_t merge(std::uint64_t hash, std::uint64_t lane) {
  return (hash ^ round(0, lane)) * kPrime1 + kPrime4;
}

// Numbers first, then texts: each seeds the next, so nothing is copied, and the lengths are among
// the numbers, so nothing can move from one text to the next.
Checksum sum_of(std::initializer_list<std::int64_t> numbers, std::string_view key,
                std::string_view value = {}) {
  std::uint64_t packed[8] = {};
  std::size_t count = 0;
  for (const std::int64_t number : numbers) packed[count++] = static_cast<std::uint64_t>(number);
  packed[count++] = key.size();
  packed[count++] = value.size();
  std::uint64_t hash = xxh64({reinterpret_cast<const char*>(packed), count * sizeof packed[0]});
  hash = xxh64(key, hash);
  if (!value.empty()) hash = xxh64(value, hash);
  return static_cast<Checksum>(hash);
}

}  // namespace

std::uint64_t xxh64(std::string_view bytes, std::uint64_t seed) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  std::uint64_t hash = seed + kPrime5;
  if (bytes.size() >= 32) {
    std::uint64_t lanes[4] = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
    for (; end - at >= 32; at += 32) {
      for (int i = 0; i < 4; ++i) lanes[i] = round(lanes[i], word64(at + 8 * i));
    }
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
           std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) hash = merge(hash, lane);
  }
  hash += bytes.size();
  for (; end - at >= 8; at += 8)
    hash = std::rotl(hash ^ round(0, word64(at)), 27) * kPrime1 + kPrime4;
  if (end - at >= 4) {
    hash = std::rotl(hash ^ (word32(at) * kPrime1), 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at != end; ++at)
    hash = std::rotl(hash ^ (static_cast<unsigned char>(*at) * kPrime5), 11) * kPrime1;
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

Checksum row_sum(const LogRow& row) {
  return sum_of({1, row.revision, row.create_revision, row.previous, row.deleted ? 1 : 0}, row.key,
                row.value);
}

Checksum chain_sum(Checksum before, Checksum row) { return sum_of({2, before, row}, {}); }

Checksum live_term(std::string_view key, Revision revision, Revision create_revision) {
  return sum_of({3, revision, create_revision}, key);
}

Checksum past_term(std::string_view key, Revision revision, Revision previous) {
  return sum_of({4, revision, previous}, key);
}

Checksum lease_term(std::string_view key, Revision revision, std::int64_t expires) {
  return sum_of({5, revision, expires}, key);
}

Checksum plus(Checksum sum, Checksum term) {
  return static_cast<Checksum>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(term));
}

Checksum minus(Checksum sum, Checksum term) {
  return static_cast<Checksum>(static_cast<std::uint64_t>(sum) - static_cast<std::uint64_t>(term));
}

}  // namespace strake::store::sqlite
