#include "api/cache/object_scan.h"

#include <bit>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Finds a few places in an object's JSON without parsing it. The text is what the store holds, so
// it is valid and its members are sorted: the scan stops as soon as it has apiVersion and metadata,
// which come before spec and status. Nothing is allocated or decoded; what is skipped costs a look
// at each byte. Text that is not as expected gives no answer, and the caller parses instead.

namespace strake::api {
namespace {

// The bytes that decide where an object or an array ends: brackets, quotes, and what hides a quote.
// '[' and '{' differ in one bit only, and so do their counterparts.
bool is_structural(char c) {
  const char folded = static_cast<char>(c | 0x20);
  return folded == '{' || folded == '}' || c == '"' || c == '\\';
}

// A bit for each of the sixteen bytes at `at`, or of those that are left, that is structural.
unsigned structural_bits(std::string_view text, std::size_t at) {
  unsigned bits = 0;
#if defined(__SSE2__)
  if (text.size() - at >= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    const __m128i brackets = _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')),
                                          _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    const __m128i quotes = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                        _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(brackets, quotes)));
  }
#endif
  for (std::size_t i = 0; i < 16 && at + i < text.size(); ++i)
    bits |= is_structural(text[at + i]) ? 1u << i : 0;
  return bits;
}

// The place behind the object or array that begins at `at`; npos when it has no end.
std::size_t end_of_container(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  bool in_string = false;
  std::size_t escaped = std::string_view::npos;
  for (; at < text.size(); at += 16) {
    for (unsigned bits = structural_bits(text, at); bits != 0; bits &= bits - 1) {
      const std::size_t place = at + static_cast<std::size_t>(std::countr_zero(bits));
      if (place == escaped) continue;
      const char c = text[place];
      if (c == '"') {
        in_string = !in_string;
      } else if (in_string) {
        if (c == '\\') escaped = place + 1;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c != '\\' && --depth == 0) {
        return place + 1;
      }
    }
  }
  return std::string_view::npos;
}

// Walks valid JSON text as the server writes it; bytes outside of strings are never white space
// there, but what other servers wrote may have some.
class Scan {
 public:
  explicit Scan(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  // A string without its quotes, escapes kept.
  std::optional<std::string_view> string() {
    if (!take('"')) return std::nullopt;
    const std::size_t begin = at_;
    // A quote without a backslash before it is the end. Few have one, and only those are read byte
    // by byte.
    at_ = text_.find('"', begin);
    if (at_ == std::string_view::npos) return std::nullopt;
    if (at_ > begin && text_[at_ - 1] == '\\') {
      at_ = begin;
      while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
      if (at_ >= text_.size()) return std::nullopt;
    }
    return text_.substr(begin, at_++ - begin);
  }
  // Passes over any value.
  bool skip() {
    switch (peek()) {
      case '\0':
      case '}':
      case ']':
      case ',':
      case ':': return false;
      case '"': return string().has_value();
      case '{':
      case '[': at_ = end_of_container(text_, at_); return at_ != std::string_view::npos;
      default:
        while (at_ < text_.size() && !std::string_view(",:]} \t\r\n").contains(text_[at_])) ++at_;
        return true;
    }
  }

 private:
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  std::string_view text_;
  std::size_t at_;
};

bool scan_metadata(std::string_view text, Scan& scan, ObjectPlaces& places) {
  if (!scan.take('{')) return false;
  places.metadata_begin = scan.at();
  places.metadata_empty = scan.peek() == '}';
  places.version_last = true;
  places.version_place = scan.at();
  if (places.metadata_empty) return scan.take('}');
  do {
    scan.peek();
    const std::size_t member = scan.at();
    const auto key = scan.string();
    if (!key || !scan.take(':')) return false;
    if (*key == "resourceVersion") places.has_version = true;
    if (*key == "ownerReferences") places.owned = true;
    if (*key == "deletionTimestamp") places.being_deleted = true;
    if (places.version_last && *key > "resourceVersion") {
      places.version_last = false;
      places.version_place = member;
    }
    scan.peek();
    const std::size_t begin = scan.at();
    if (!scan.skip()) return false;
    if (*key == "labels") places.labels = text.substr(begin, scan.at() - begin);
    if (places.version_last) places.version_place = scan.at();
  } while (scan.take(','));
  return scan.take('}');
}

}  // namespace

std::optional<ObjectPlaces> find_places(std::string_view text) {
  Scan scan(text);
  ObjectPlaces places;
  bool found = false;
  if (!scan.take('{')) return std::nullopt;
  do {
    const auto key = scan.string();
    if (!key || !scan.take(':')) return std::nullopt;
    if (*key == "metadata") {
      if (!scan_metadata(text, scan, places)) return std::nullopt;
      found = true;
    } else if (*key == "apiVersion" && scan.peek() == '"') {
      places.api_version = *scan.string();
    } else if (!scan.skip()) {
      return std::nullopt;
    }
    if (found && !places.api_version.empty()) return places;
  } while (scan.take(','));
  if (!found) return std::nullopt;
  return places;
}

std::string_view member_text(std::string_view text, std::string_view key) {
  Scan scan(text);
  if (!scan.take('{')) return {};
  do {
    const auto found = scan.string();
    if (!found || !scan.take(':')) return {};
    scan.peek();
    const std::size_t begin = scan.at();
    if (!scan.skip()) return {};
    if (*found == key) return text.substr(begin, scan.at() - begin);
  } while (scan.take(','));
  return {};
}

std::optional<std::array<std::string_view, 3>> parts_without_type(std::string_view text) {
  Scan scan(text);
  std::array<std::string_view, 3> parts;
  std::size_t found = 0;
  std::size_t kept_from = 0;
  if (!scan.take('{')) return std::nullopt;
  do {
    scan.peek();
    const std::size_t begin = scan.at();
    const auto key = scan.string();
    if (!key || !scan.take(':') || !scan.skip()) return std::nullopt;
    if (!scan.take(',')) return std::nullopt;
    if (*key != "apiVersion" && *key != "kind") continue;
    parts[found++] = text.substr(kept_from, begin - kept_from);
    kept_from = scan.at();
  } while (found < 2);
  parts[2] = text.substr(kept_from);
  return parts;
}

}  // namespace strake::api
