#pragma once
// An http or https URL, as requests need it.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/secret.h"

namespace strake::http {

struct Url {
  bool tls = false;
  std::string host;  // lower case; an IPv6 address without its brackets
  std::uint16_t port = 0;
  std::string target = "/";  // path and query
  std::string user_name;     // decoded
  Secret password;

  // Fails with kInvalid; no message holds the text, which may hold a password.
  static Result<Url> parse(std::string_view text);
  // Where a Location header of this URL's answer leads.
  Result<Url> resolve(std::string_view location) const;

  std::string text() const;   // without the user
  std::string shown() const;  // without the query too, which may hold secrets
  bool has_same_origin(const Url& other) const {
    return tls == other.tls && host == other.host && port == other.port;
  }
};

}  // namespace strake::http
