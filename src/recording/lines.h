#pragma once
// A recording of what clients said to a server, and what it answered: JSON lines. The first says
// what it is; each of the others has something that happened, in the order in which it did.
// docs/testserver.md has an example. Reading takes any text, under limits.
//
//   {"recording":"strake/v1","started":"2026-01-01T00:00:00Z"}
//   {"request":1,"at":0.002,"connection":1,"agent":"kubectl","method":"GET","path":"/api/v1/pods"}
//   {"answer":1,"at":0.003,"user":"admin","status":200,"body":{...}}
//   {"event":2,"at":0.5,"body":{"type":"ADDED",...}}     of a watch
//   {"end":2,"at":0.7,"by":"client"}                     of an answer that went on
//   {"full":true}                                        nothing more was kept
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "http/message.h"

namespace strake::recording {

// What is kept of a body.
struct Body {
  enum class Form : std::uint8_t {
    kNone,
    kJson,    // of JSON, YAML and protobuf alike, on one line; secrets are masked
    kText,    // none of them
    kBytes,   // not even text
    kDigest,  // too large to be kept: SHA-256 of the normal form, in hexadecimal; or empty
  };
  Form form = Form::kNone;
  std::string text;
  std::uint64_t bytes = 0;  // with kDigest: how many there were
  std::string version;      // with kDigest: metadata.resourceVersion, if any

  friend bool operator==(const Body&, const Body&) = default;
};

// Counted from 1 in the order in which requests arrived.
using RequestId = std::uint64_t;

struct HeadLine {
  std::string started;  // RFC 3339
  friend bool operator==(const HeadLine&, const HeadLine&) = default;
};
struct RequestLine {
  RequestId id = 0;
  double at = 0;                 // seconds since the recording began
  std::uint64_t connection = 0;  // counted from 1
  std::string agent;
  std::string method;
  std::string path;  // both as sent
  std::string query;
  std::string accept;
  std::string content_type;
  std::string if_none_match;  // what the client has already: it may be answered with a 304
  bool streamed = false;      // the body was passed on while it came, and not kept
  Body body;
  friend bool operator==(const RequestLine&, const RequestLine&) = default;
};
struct AnswerLine {
  RequestId id = 0;
  double at = 0;
  std::string user;  // whom the request acted as; empty for nobody
  std::vector<std::string> groups;
  int status = 0;
  bool goes_on = false;  // events follow
  Body body;
  friend bool operator==(const AnswerLine&, const AnswerLine&) = default;
};
struct EventLine {
  RequestId id = 0;
  double at = 0;
  Body body;
  friend bool operator==(const EventLine&, const EventLine&) = default;
};
struct EndLine {
  RequestId id = 0;
  double at = 0;
  bool by_client = false;  // who broke it off or went away
  friend bool operator==(const EndLine&, const EndLine&) = default;
};
struct FullLine {
  friend bool operator==(const FullLine&, const FullLine&) = default;
};
using Line = std::variant<HeadLine, RequestLine, AnswerLine, EventLine, EndLine, FullLine>;

// With its line feed.
std::string write_line(const Line& line);
// Without. Fails with kParse for what is no line of a recording.
Result<Line> read_line(std::string_view text);

}  // namespace strake::recording
