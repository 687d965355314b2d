#pragma once
// SHA-256 (FIPS 180-4), for names and fingerprints that are stored or shown.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strake {

class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  void update(std::string_view bytes);
  // The digest of all bytes so far. More may follow: the state is not changed.
  Digest digest() const;

 private:
  void absorb(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_ = 0;  // bytes
};

Sha256::Digest sha256(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);

// Lower-case hexadecimal.
std::string to_hex(std::string_view bytes);
std::string to_hex(const Sha256::Digest& digest);

}  // namespace strake
