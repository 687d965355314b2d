#pragma once
// What sending a request on to another server has in common, whoever the other is: headers that end
// here, bodies that pass as they come, and connections that are joined.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"
#include "meta/status.h"

namespace strake::api {

// The headers of one message that end at this connection: those of HTTP, and those that its
// Connection headers name.
class HopHeaders {
 public:
  explicit HopHeaders(const http::Headers& headers);
  bool has(std::string_view lower) const;

 private:
  std::vector<std::string> named_;  // in lower case
};

// Whether an answer of the other server may not carry it: what only this server may allow to pages.
bool is_cors_header(std::string_view lower);

// Whether everybody finds the same segments in a path, in whatever order they are decoded and
// resolved: none of them is "." or ".." or holds a slash, once decoded. False for what cannot be
// decoded.
bool has_plain_segments(std::string_view path);
// What is answered when not.
meta::Status ambiguous_path();

// The X-Forwarded-For of a request that is sent on: who sent it here, behind those before. Empty
// when nobody is known.
std::string forwarded_for(const http::Request& request);

// Content-Length; nothing when there is none that can be read.
std::optional<std::uint64_t> length_of(const http::Headers& headers);
// Whether the client sends a body. In HTTP/2 only the end tells, so there those that read have
// none.
bool has_body(const http::Request& request);

// What one side sends, as the other takes it; with its trailers. `is_finite` says whether it comes
// to an end by itself, as that of a watch does not.
std::unique_ptr<http::BodyStream> pass_on(std::shared_ptr<http::BodyReader> body, bool is_finite);
// The client's connection and the other server's become one, until either ends.
http::Upgrade join_with(std::shared_ptr<http::RawStream> other);

}  // namespace strake::api
