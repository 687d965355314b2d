#include "base/hash.h"

#include <bit>
#include <cstring>

namespace strake {
namespace {

static_assert(std::endian::native == std::endian::little,
              "hash64 reads words in little-endian order");

// The binary digits of pi, e, the golden ratio and the square root of 2, made odd.
constexpr std::uint64_t kSalt[] = {0x243f6a8885a308d3, 0xb7e151628aed2a6b, 0x9e3779b97f4a7c15,
                                   0x6a09e667f3bcc909};

// The two halves of the full product, folded: every input bit reaches every output bit.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t read8(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint64_t read4(const char* at) {
  std::uint32_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint64_t read1(const char* at) { return static_cast<unsigned char>(*at); }

}  // namespace

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
  const char* at = bytes.data();
  const std::size_t size = bytes.size();
  seed ^= fold(seed ^ kSalt[0], kSalt[1]);
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  // Up to 16 bytes are read as two words that may overlap, so that short keys take no loop.
  if (size >= 8 && size <= 16) {
    a = read8(at);
    b = read8(at + size - 8);
  } else if (size >= 4 && size < 8) {
    a = read4(at);
    b = read4(at + size - 4);
  } else if (size > 0 && size < 4) {
    a = read1(at) << 16 | read1(at + size / 2) << 8 | read1(at + size - 1);
  } else if (size > 16) {
    std::size_t left = size;
    if (left > 48) {
      // Three products run side by side, since one depends on the one before.
      std::uint64_t second = seed;
      std::uint64_t third = seed;
      do {
        seed = fold(read8(at) ^ kSalt[1], read8(at + 8) ^ seed);
        second = fold(read8(at + 16) ^ kSalt[2], read8(at + 24) ^ second);
        third = fold(read8(at + 32) ^ kSalt[3], read8(at + 40) ^ third);
        at += 48;
        left -= 48;
      } while (left > 48);
      seed ^= second ^ std::rotl(third, 32);
    }
    while (left > 16) {
      seed = fold(read8(at) ^ kSalt[2], read8(at + 8) ^ seed);
      at += 16;
      left -= 16;
    }
    a = read8(at + left - 16);
    b = read8(at + left - 8);
  }
  return fold(kSalt[0] ^ size, fold(a ^ kSalt[1], b ^ seed) ^ kSalt[3]);
}

std::uint64_t hash_mix(std::uint64_t number) {
  return fold(number ^ kSalt[2], fold(number ^ kSalt[0], kSalt[1]) ^ kSalt[3]);
}

std::uint64_t hash_combine(std::uint64_t before, std::uint64_t next) {
  return fold(before ^ kSalt[1], std::rotl(next, 29) ^ kSalt[3]) ^ hash_mix(next + kSalt[2]);
}

}  // namespace strake
