#pragma once
// URLs as Go's net/url (of Go 1.26) reads them, with its messages.
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strake::cel {

struct Url {
  std::string scheme;
  std::string opaque;  // what follows the scheme when that is no path
  std::string user;    // as it is written again, without the '@'
  bool has_user = false;
  std::string host;  // with its port
  std::string path;  // decoded
  std::string raw_path;
  std::string raw_query;
  bool force_query = false;  // a '?' with nothing behind it
  std::string fragment;      // as it was written

  std::string hostname() const;
  std::string port() const;
  std::string escaped_path() const;
  // Keys and values decoded, in the order written; parts that cannot be decoded are left out.
  std::vector<std::pair<std::string, std::string>> query() const;
  std::string to_string() const;
};

// url.ParseRequestURI: absolute, and what looks like a fragment belongs to the path or query.
std::expected<Url, std::string> parse_request_uri(std::string_view text);
// url.Parse.
std::expected<Url, std::string> parse_url(std::string_view text);

}  // namespace strake::cel
