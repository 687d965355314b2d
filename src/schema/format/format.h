#pragma once
// The string formats that the API server enforces, and those of JSON Schema that the loose profile
// knows.
#include <cstdint>
#include <string_view>

namespace strake::schema {

enum class Format : std::uint8_t {
  kNone,
  // Enforced by the API server (names compared with '-' removed).
  kBsonObjectId,
  kUri,
  kEmail,
  kHostname,
  kIpv4,
  kIpv6,
  kCidr,
  kMac,
  kUuid,
  kUuid3,
  kUuid4,
  kUuid5,
  kIsbn,
  kIsbn10,
  kIsbn13,
  kCreditCard,
  kSsn,
  kHexColor,
  kRgbColor,
  kByte,
  kPassword,
  kDate,
  kDuration,
  kDateTime,
  kShortName,
  kLongName,
  // Numbers.
  kInt32,
  kInt64,
  kFloat,
  kDouble,
};

// The format the API server would enforce under that name on strings or untyped values; kNone for
// any other.
Format string_format(std::string_view name);
// The same for integers (int32, int64) and numbers (float, double).
Format integer_format(std::string_view name);
Format number_format(std::string_view name);
// Whether the API server recognises the name at all, for any type; it warns when it does not.
bool is_recognized_format(std::string_view name);

// Whether the format is one of strings.
constexpr bool is_text_format(Format format) {
  return format > Format::kNone && format < Format::kInt32;
}

// Whether a string satisfies a string format, exactly as kube-apiserver v1.36 judges.
bool matches_format(Format format, std::string_view text);

}  // namespace strake::schema
