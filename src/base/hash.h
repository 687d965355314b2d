#pragma once
// Hashes for tables and fingerprints inside one process. They withstand chance, not an attacker who
// knows the seed, and hash64 may change between releases: store sha256 (sha256.h) or FNV instead.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strake {

// A fast 64-bit hash of bytes. Its quality does not depend on the seed.
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

// A well-mixed hash of one number.
std::uint64_t hash_mix(std::uint64_t number);

// Adds a hash to those before it. The order matters.
std::uint64_t hash_combine(std::uint64_t before, std::uint64_t next);

constexpr std::uint32_t fnv1a32(std::string_view bytes) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
  return hash;
}

constexpr std::uint64_t fnv1a64(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// For unordered containers that are asked with string views.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return hash64(text); }
};

}  // namespace strake
