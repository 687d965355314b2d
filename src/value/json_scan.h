#pragma once
// Byte scanning for the JSON reader: the inner loops that decide its speed, apart from its grammar.
#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace strake::value::internal {

// The first byte in [p, end) that ends a run of plain string text: a quote, a backslash or a
// control character. `non_ascii` is set when a byte above 0x7f was passed.
inline const char* find_string_stop(const char* p, const char* end, bool& non_ascii) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i last_control = _mm_set1_epi8(0x1f);
  while (end - p >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    const __m128i stop = _mm_or_si128(
        control, _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
    const auto stops = static_cast<unsigned>(_mm_movemask_epi8(stop));
    const auto high = static_cast<unsigned>(_mm_movemask_epi8(bytes));
    if (stops != 0) {
      const int at = std::countr_zero(stops);
      non_ascii |= (high & ((1u << at) - 1)) != 0;
      return p + at;
    }
    non_ascii |= high != 0;
    p += 16;
  }
#endif
  for (; p != end; ++p) {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '"' || c == '\\' || c < 0x20) return p;
    non_ascii |= c >= 0x80;
  }
  return p;
}

// Passes over spaces eight at a time: indentation is most of a pretty-printed document.
inline const char* skip_spaces(const char* p, const char* end) {
  constexpr std::uint64_t kSpaces = 0x2020202020202020ull;
  while (end - p >= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    word ^= kSpaces;
    if (word != 0) {
      if constexpr (std::endian::native == std::endian::little)
        return p + std::countr_zero(word) / 8;
      break;
    }
    p += 8;
  }
  while (p != end && *p == ' ') ++p;
  return p;
}

// Continuation bytes of UTF-8: what a column in code points leaves out.
inline std::uint64_t count_continuations(const char* p, const char* end) {
  std::uint64_t count = 0;
  for (; p != end; ++p) count += (static_cast<unsigned char>(*p) & 0xc0) == 0x80;
  return count;
}

}  // namespace strake::value::internal
