#include "http/h1_response_parser.h"

#include "http/body.h"
#include "http/h1_text.h"

namespace strake::http {
namespace {

constexpr std::string_view kStart = "HTTP/1.";

// Reads a head whose lines all end in CR LF. A status of 0 says that it is fine.
class ResponseReader {
 public:
  ResponseReader(std::string_view text, ResponseHead& head, std::size_t max_headers)
      : text_(text), head_(head), max_headers_(max_headers) {}

  Refusal read() {
    if (!status_line(next_line())) return refusal_;
    for (std::string_view line = next_line(); !line.empty(); line = next_line()) {
      if (!header(line)) return refusal_;
    }
    if (!settle()) return refusal_;
    return {.status = 0};
  }

 private:
  bool refuse(std::string_view reason, int status = 400) {
    refusal_ = {status, reason};
    return false;
  }

  std::string_view next_line() {
    const std::size_t end = text_.find('\n');
    const std::string_view line = text_.substr(0, end - 1);
    text_.remove_prefix(end + 1);
    return line;
  }

  // "HTTP/1.1 200 OK"; the words may be missing, and the space before them too, as servers do.
  bool status_line(std::string_view line) {
    if (line.size() < 12 || !line.starts_with(kStart) || line[8] != ' ' ||
        (line.size() > 12 && line[12] != ' ')) {
      return refuse("malformed status line");
    }
    if (line[7] != '1' && line[7] != '0') return refuse("unsupported protocol version");
    head_.version = line[7] == '1' ? 11 : 10;
    head_.keep_alive = head_.version == 11;
    for (const char c : line.substr(9, 3)) {
      if (c < '0' || c > '9') return refuse("invalid status");
      head_.status = head_.status * 10 + (c - '0');
    }
    if (head_.status < 100) return refuse("invalid status");
    return all_are(line.substr(12), kValue) || refuse("invalid status line");
  }

  bool header(std::string_view line) {
    const HeaderLine read = read_header_line(line);
    if (!read.fault.empty()) return refuse(read.fault);
    if (head_.headers.all().size() == max_headers_) return refuse("too many headers", 431);
    head_.headers.add(read.name, read.value);
    if (equals_ignoring_case(read.name, "connection")) {
      closes_ = closes_ || has_token(read.value, "close");
      keeps_ = keeps_ || has_token(read.value, "keep-alive");
    } else if (equals_ignoring_case(read.name, "content-length")) {
      if (has_length_) return refuse("more than one Content-Length");
      has_length_ = true;
      if (!read_content_length(read.value, head_.length)) return refuse("invalid Content-Length");
    } else if (equals_ignoring_case(read.name, "transfer-encoding")) {
      if (is_chunked_) return refuse("more than one Transfer-Encoding");
      if (head_.version == 10) return refuse("Transfer-Encoding needs HTTP/1.1");
      if (!equals_ignoring_case(read.value, "chunked")) {
        return refuse("unsupported transfer encoding");
      }
      is_chunked_ = true;
    }
    return true;
  }

  // RFC 9112, 6.3. Two lengths that could be read differently by someone between here and the
  // server are refused rather than reconciled: that is how responses are smuggled. Without any
  // length the body goes on until the connection closes.
  bool settle() {
    if (is_chunked_ && has_length_) return refuse("both Content-Length and Transfer-Encoding");
    if (is_chunked_) {
      head_.framing = Framing::kChunked;
    } else if (has_length_) {
      head_.framing = head_.length == 0 ? Framing::kNone : Framing::kLength;
    }
    if (keeps_) head_.keep_alive = true;
    if (closes_) head_.keep_alive = false;
    return true;
  }

  std::string_view text_;
  ResponseHead& head_;
  std::size_t max_headers_;
  Refusal refusal_;
  bool has_length_ = false;
  bool is_chunked_ = false;
  bool closes_ = false;
  bool keeps_ = false;
};

}  // namespace

Framing ResponseHead::framing_for(std::string_view method) const {
  return method == "HEAD" || !status_allows_body(status) ? Framing::kNone : framing;
}

Progress ResponseHeadParser::refuse(int status, std::string_view reason) {
  refusal_ = {status, reason};
  return Progress::kRefused;
}

Progress ResponseHeadParser::parse(std::string_view bytes, ResponseHead& head) {
  // What is no HTTP/1 is told at once, instead of being gathered up to the limit.
  const std::string_view start = bytes.substr(0, kStart.size());
  if (start != kStart.substr(0, start.size())) return refuse(400, "malformed status line");
  switch (end_.find(bytes, 0)) {
    case HeadEnd::Found::kMore: return Progress::kMore;
    case HeadEnd::Found::kTooLarge: return refuse(431, "response headers are too large");
    case HeadEnd::Found::kBareLineFeed: return refuse(400, "line ends without a CR");
    case HeadEnd::Found::kEmptyLine: return refuse(400, "malformed status line");
    case HeadEnd::Found::kEnd: break;
  }
  head = ResponseHead();
  const Refusal refusal = ResponseReader(bytes.substr(0, end_.size()), head, max_headers_).read();
  size_ = end_.size();
  end_.reset();
  return refusal.status == 0 ? Progress::kDone : refuse(refusal.status, refusal.reason);
}

}  // namespace strake::http
