#pragma once
// The string formats of JSON Schema 2020-12, judged by the RFCs it names, beside those of the API
// server.
#include <cstdint>
#include <string_view>

namespace strake::schema::loose {

enum class StringFormat : std::uint8_t {
  kNone,
  kDateTime,
  kDate,
  kTime,
  kDuration,
  kEmail,
  kIdnEmail,
  kHostname,
  kIdnHostname,
  kIpv4,
  kIpv6,
  kUri,
  kUriReference,
  kIri,
  kIriReference,
  kUuid,
  kUriTemplate,
  kJsonPointer,
  kRelativeJsonPointer,
  kRegex,
  // Those that only the API server knows.
  kServer,
};

// kNone for a name that neither JSON Schema nor the API server knows.
StringFormat find_string_format(std::string_view name);

// `name` is needed for kServer alone.
bool matches_string_format(StringFormat format, std::string_view name, std::string_view text);

// An A-label or plain ASCII host name; with `international` also U-labels, by the rules of IDNA
// 2008.
bool is_host_name(std::string_view text, bool international);
// RFC 3986 and 3987.
bool is_uri_text(std::string_view text, bool reference, bool international);

}  // namespace strake::schema::loose
