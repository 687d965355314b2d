// Any bytes at all: a response must be read alike whether it comes at once or bit by bit, and its
// parts must be what the rules say. What follows is taken for chunks, trailers included.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "http/h1_response_parser.h"

using namespace strake;
using namespace strake::http;

namespace {

constexpr std::size_t kMaxHead = 512;
constexpr std::size_t kMaxHeaders = 16;
constexpr std::size_t kMaxBody = 256;

struct Head {
  Progress progress = Progress::kMore;
  std::size_t size = 0;
  ResponseHead head;
};

Head read_head(std::string_view text, std::size_t step) {
  Head result;
  ResponseHeadParser parser(kMaxHead, kMaxHeaders);
  for (std::size_t size = std::min(step, text.size());; size = std::min(size + step, text.size())) {
    result.progress = parser.parse(text.substr(0, size), result.head);
    if (result.progress != Progress::kMore || size == text.size()) break;
  }
  result.size = result.progress == Progress::kDone ? parser.size() : 0;
  return result;
}

void check_headers(const Headers& headers) {
  for (const Header& header : headers.all()) {
    STRAKE_ASSERT(header.value.find_first_of("\r\n") == std::string::npos);
    STRAKE_ASSERT(!header.name.empty());
    STRAKE_ASSERT(header.name.find_first_of(": \r\n") == std::string::npos);
  }
}

void check_head(const Head& whole, const Head& parts) {
  STRAKE_ASSERT(whole.progress == parts.progress);
  if (whole.progress != Progress::kDone) return;
  const ResponseHead& head = whole.head;
  STRAKE_ASSERT(whole.size == parts.size && whole.size <= kMaxHead);
  STRAKE_ASSERT(head.status == parts.head.status && head.status >= 100 && head.status <= 999);
  STRAKE_ASSERT(head.framing == parts.head.framing && head.length == parts.head.length);
  STRAKE_ASSERT(head.keep_alive == parts.head.keep_alive);
  STRAKE_ASSERT(head.headers.all().size() <= kMaxHeaders);
  STRAKE_ASSERT(head.framing_for("HEAD") == Framing::kNone);
  check_headers(head.headers);
}

struct Body {
  Progress progress = Progress::kMore;
  std::string text;
  std::size_t taken = 0;
  Headers trailers;
};

Body read_body(std::string_view text, std::size_t step) {
  Body body;
  ChunkDecoder decoder;
  while (body.progress == Progress::kMore && body.taken < text.size()) {
    std::string_view part = text.substr(body.taken, step);
    const std::size_t before = part.size();
    body.progress = decoder.decode(part, body.text, kMaxBody);
    body.taken += before - part.size();
    if (body.progress == Progress::kMore && !part.empty()) break;  // at the limit
  }
  body.trailers = decoder.trailers();
  return body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = 1 + data[0] % 16;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Head whole = read_head(text, text.size() + 1);
  check_head(whole, read_head(text, step));
  const std::string_view rest = text.substr(whole.size);
  const Body at_once = read_body(rest, rest.size() + 1);
  const Body in_steps = read_body(rest, step);
  STRAKE_ASSERT(at_once.progress == in_steps.progress);
  check_headers(at_once.trailers);
  if (at_once.progress == Progress::kDone) {
    STRAKE_ASSERT(at_once.text == in_steps.text && at_once.taken == in_steps.taken);
    STRAKE_ASSERT(at_once.trailers.all().size() == in_steps.trailers.all().size());
  }
  return 0;
}
