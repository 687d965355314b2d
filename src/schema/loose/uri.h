#pragma once
// URI references: split, resolved against a base, percent-decoded (RFC 3986).
#include <string>
#include <string_view>

namespace strake::schema::loose {

struct UriParts {
  std::string_view scheme;     // without the colon
  std::string_view authority;  // without the slashes
  std::string_view path;
  std::string_view query;
  std::string_view fragment;
  bool has_authority = false;
  bool has_query = false;
  bool has_fragment = false;
};

// Never fails: whatever is not recognised is path.
UriParts split_uri(std::string_view uri);
// An empty base leaves the reference as it is.
std::string resolve_uri(std::string_view base, std::string_view reference);
std::string_view without_fragment(std::string_view uri);
// False when a % is not followed by two hexadecimal digits.
bool percent_decode(std::string_view text, std::string& out);

}  // namespace strake::schema::loose
