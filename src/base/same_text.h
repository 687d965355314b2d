#pragma once
// Whether two texts are the same. Names of fields are short, and a call of memcmp takes longer than
// comparing them.
#include <cstdint>
#include <cstring>
#include <string_view>

namespace strake {

inline bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  // Up to 16 bytes are two words that may overlap.
  const auto agree = [&a, &b]<typename Word>(Word) {
    Word ends[4];
    const std::size_t last = a.size() - sizeof(Word);
    std::memcpy(&ends[0], a.data(), sizeof(Word));
    std::memcpy(&ends[1], b.data(), sizeof(Word));
    std::memcpy(&ends[2], a.data() + last, sizeof(Word));
    std::memcpy(&ends[3], b.data() + last, sizeof(Word));
    return ((ends[0] ^ ends[1]) | (ends[2] ^ ends[3])) == 0;
  };
  if (a.size() > 16) return std::memcmp(a.data(), b.data(), a.size()) == 0;
  if (a.size() >= 8) return agree(std::uint64_t());
  if (a.size() >= 4) return agree(std::uint32_t());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace strake
