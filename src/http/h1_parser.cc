#include "http/h1_parser.h"

#include <cstring>

#include "base/hex.h"
#include "http/h1_text.h"

// Two passes over a head. The first finds its end as bytes arrive (HeadEnd), looks at each byte
// once however small the pieces are, and enforces the limit; the second reads the complete head. So
// the reader needs no states, and half a head costs no more than a search for line feeds. Chunked
// bodies may be cut anywhere, so ChunkDecoder is a state machine over bytes, but copies data by
// runs.
//
// Strictness is the point (docs/adr/0006-own-http1-parser.md): bare line feeds, folded lines, two
// lengths, a length beside chunks and spaces before a colon are refused, because two servers in a
// row could disagree about where such a request ends.

namespace strake::http {
namespace {

constexpr std::size_t kMaxMethod = 32;
// Extensions and trailers: a body may not be mostly made of them.
constexpr std::size_t kMaxChunkOverhead = 16 * 1024;

// Reads a head whose lines all end in CR LF. A status of 0 says that it is fine.
class HeadReader {
 public:
  HeadReader(std::string_view text, RequestHead& head) : text_(text), head_(head) {}

  Refusal read() {
    if (!request_line(next_line())) return refusal_;
    head_.request.headers.reserve(16);
    for (std::string_view line = next_line(); !line.empty(); line = next_line()) {
      if (!header(line)) return refusal_;
    }
    if (!settle()) return refusal_;
    return {.status = 0};
  }

 private:
  bool refuse(int status, std::string_view reason) {
    refusal_ = {status, reason};
    return false;
  }

  std::string_view next_line() {
    const std::size_t end = text_.find('\n');
    const std::string_view line = text_.substr(0, end - 1);
    text_.remove_prefix(end + 1);
    return line;
  }

  bool request_line(std::string_view line) {
    const std::size_t first = line.find(' ');
    // From both ends: a target with a space in it then fails its own check and is not cut short.
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return malformed();
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    if (method.empty() || method.size() > kMaxMethod || !all_are(method, kToken)) {
      return refuse(400, "invalid method");
    }
    if (!version(line.substr(last + 1))) return false;
    head_.request.method = method;
    if (!all_are(target, kTarget)) return refuse(400, "invalid request target");
    return split_target(target);
  }

  bool malformed() { return refuse(400, "malformed request line"); }

  bool version(std::string_view text) {
    if (text == "HTTP/1.1") {
      head_.request.version = 11;
    } else if (text == "HTTP/1.0") {
      head_.request.version = 10;
      head_.keep_alive = false;
    } else if (text.size() == 8 && text.starts_with("HTTP/") && text[6] == '.' && text[5] >= '0' &&
               text[5] <= '9' && text[7] >= '0' && text[7] <= '9') {
      return refuse(505, "unsupported protocol version");
    } else {
      return malformed();
    }
    return true;
  }

  bool split_target(std::string_view target) {
    if (target.starts_with("http://") || target.starts_with("https://")) {
      const std::size_t slash = target.find_first_of("/?", target.find("://") + 3);
      target = slash == std::string_view::npos ? "/" : target.substr(slash);
      if (target.front() == '?') {
        head_.request.path = "/";
        head_.request.query = target.substr(1);
        return true;
      }
    } else if (target == "*") {
      if (head_.request.method != "OPTIONS") return refuse(400, "invalid request target");
    } else if (!target.starts_with('/')) {
      return refuse(400, "invalid request target");
    }
    const std::size_t question = target.find('?');
    head_.request.path = target.substr(0, question);
    if (question != std::string_view::npos) head_.request.query = target.substr(question + 1);
    return true;
  }

  bool header(std::string_view line) {
    const HeaderLine read = read_header_line(line);
    if (!read.fault.empty()) return refuse(400, read.fault);
    if (head_.request.headers.all().size() == kMaxHeaders) return refuse(431, "too many headers");
    head_.request.headers.add(read.name, read.value);
    return special(read.name, read.value);
  }

  // Headers that say where the request ends or what becomes of the connection.
  bool special(std::string_view name, std::string_view value) {
    switch (name.size()) {
      case 4:
        if (equals_ignoring_case(name, "host") && ++hosts_ > 1) {
          return refuse(400, "too many Host headers");
        }
        return true;
      case 6:
        if (equals_ignoring_case(name, "expect")) return expect(value);
        return true;
      case 10:
        if (equals_ignoring_case(name, "connection")) connection(value);
        return true;
      case 14:
        if (equals_ignoring_case(name, "content-length")) return content_length(value);
        return true;
      case 17:
        if (equals_ignoring_case(name, "transfer-encoding")) return transfer_encoding(value);
        return true;
      default: return true;
    }
  }

  bool expect(std::string_view value) {
    if (!equals_ignoring_case(value, "100-continue")) return refuse(417, "unknown expectation");
    // A client of HTTP/1.0 would take the interim answer for the last one.
    head_.expects_continue = head_.request.version == 11;
    return true;
  }

  void connection(std::string_view value) {
    if (has_token(value, "close")) closes_ = true;
    if (has_token(value, "keep-alive")) keeps_ = true;
    if (head_.request.version == 11 && has_token(value, "upgrade")) head_.asks_upgrade = true;
  }

  bool content_length(std::string_view value) {
    if (has_length_) return refuse(400, "more than one Content-Length");
    has_length_ = true;
    if (!read_content_length(value, head_.length)) {
      return refuse(400, "invalid Content-Length");
    }
    return true;
  }

  bool transfer_encoding(std::string_view value) {
    if (is_chunked_) return refuse(400, "more than one Transfer-Encoding");
    if (head_.request.version == 10) return refuse(400, "Transfer-Encoding needs HTTP/1.1");
    if (!equals_ignoring_case(value, "chunked")) {
      return refuse(501, "unsupported transfer encoding");
    }
    is_chunked_ = true;
    return true;
  }

  bool settle() {
    if (is_chunked_ && has_length_) {
      return refuse(400, "both Content-Length and Transfer-Encoding");
    }
    if (hosts_ == 0 && head_.request.version == 11) {
      return refuse(400, "missing required Host header");
    }
    head_.framing = is_chunked_
                        ? Framing::kChunked
                        : (has_length_ && head_.length > 0 ? Framing::kLength : Framing::kNone);
    if (head_.framing == Framing::kNone) head_.expects_continue = false;
    if (keeps_) head_.keep_alive = true;
    if (closes_) head_.keep_alive = false;
    return true;
  }

  std::string_view text_;
  RequestHead& head_;
  Refusal refusal_;
  unsigned hosts_ = 0;
  bool has_length_ = false;
  bool is_chunked_ = false;
  bool closes_ = false;
  bool keeps_ = false;
};

}  // namespace

HeadEnd::Found HeadEnd::find(std::string_view bytes, std::size_t start) {
  while (true) {
    const std::size_t from = line_ + scanned_;
    const void* found =
        from < bytes.size() ? std::memchr(bytes.data() + from, '\n', bytes.size() - from) : nullptr;
    if (found == nullptr) {
      scanned_ = bytes.size() - line_;
      return bytes.size() - start > max_bytes_ ? Found::kTooLarge : Found::kMore;
    }
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
    if (at == line_ || bytes[at - 1] != '\r') return Found::kBareLineFeed;
    const bool empty = at == line_ + 1;
    line_ = at + 1;
    scanned_ = 0;
    if (line_ - start > max_bytes_) return Found::kTooLarge;
    if (!empty) {
      begun_ = true;
    } else {
      return begun_ ? Found::kEnd : Found::kEmptyLine;
    }
  }
}

Progress HeadParser::refuse(int status, std::string_view reason) {
  refusal_ = {status, reason};
  return Progress::kRefused;
}

Progress HeadParser::find_end(std::string_view bytes) {
  // Garbage is told at its first byte, instead of being gathered up to the limit.
  const auto starts_wrong = [this](std::string_view line) {
    return (kClasses[static_cast<unsigned char>(line[0])] & kToken) == 0 &&
           (line[0] != '\r' || start_ > 0);
  };
  while (true) {
    if (!end_.is_begun() && bytes.size() > start_ && starts_wrong(bytes.substr(start_))) {
      return refuse(400, "invalid method");
    }
    switch (end_.find(bytes, start_)) {
      case HeadEnd::Found::kMore: return Progress::kMore;
      case HeadEnd::Found::kTooLarge: return refuse(431, "request headers are too large");
      case HeadEnd::Found::kBareLineFeed: return refuse(400, "line ends without a CR");
      case HeadEnd::Found::kEnd: return Progress::kDone;
      case HeadEnd::Found::kEmptyLine:
        // Some old clients end a body with an empty line too many; one is passed over.
        start_ = end_.size();
    }
  }
}

Progress HeadParser::parse(std::string_view bytes, RequestHead& head) {
  const Progress progress = find_end(bytes);
  if (progress != Progress::kDone) return progress;
  const Refusal refusal = HeadReader(bytes.substr(start_, end_.size() - start_), head).read();
  size_ = end_.size();
  end_.reset();
  start_ = 0;
  return refusal.status == 0 ? Progress::kDone : refuse(refusal.status, refusal.reason);
}

Progress ChunkDecoder::refuse(std::string_view reason) {
  refusal_ = {400, reason};
  return Progress::kRefused;
}

Progress ChunkDecoder::decode(std::string_view& bytes, std::string& out, std::size_t limit) {
  while (!bytes.empty() && state_ != State::kDone) {
    if (state_ != State::kData) {
      if (!step(bytes.front())) return Progress::kRefused;
      bytes.remove_prefix(1);
      continue;
    }
    if (out.size() >= limit) return Progress::kMore;
    const auto take = static_cast<std::size_t>(
        std::min<std::uint64_t>({left_, bytes.size(), limit - out.size()}));
    out.append(bytes.substr(0, take));
    bytes.remove_prefix(take);
    left_ -= take;
    if (left_ == 0) state_ = State::kDataCr;
  }
  return state_ == State::kDone ? Progress::kDone : Progress::kMore;
}

// What decides where a message ends or whom it is for has no meaning behind it (RFC 9110, 6.5.1).
void ChunkDecoder::add_trailer() {
  const HeaderLine read = read_header_line(line_);
  if (is_trailer_name(read.name)) trailers_.add(read.name, read.value);
  line_ = std::string();
}

// One byte of what is not data.
bool ChunkDecoder::step(char c) {
  const auto refused = [this](std::string_view reason) {
    refuse(reason);
    return false;
  };
  const std::uint8_t kind = kClasses[static_cast<unsigned char>(c)];
  switch (state_) {
    case State::kSize: {
      const int digit = hex_digit(c);
      if (digit >= 0) {
        // Fifteen digits cannot overflow 64 bits; leading zeros count too, or they would be free.
        if (++digits_ > 15) return refused("chunk size is too large");
        left_ = left_ * 16 + static_cast<unsigned>(digit);
      } else if (digits_ == 0) {
        return refused("invalid chunk size");
      } else if (c == '\r') {
        state_ = State::kSizeLf;
      } else if (c == ';') {
        state_ = State::kExtension;
      } else {
        return refused("invalid chunk size");
      }
      return true;
    }
    case State::kExtension:
      if (++overhead_ > kMaxChunkOverhead) return refused("chunk extensions are too large");
      if (c == '\r') {
        state_ = State::kSizeLf;
      } else if ((kind & kValue) == 0) {
        return refused("invalid chunk extension");
      }
      return true;
    case State::kSizeLf:
      if (c != '\n') return refused("chunk size ends without a line feed");
      digits_ = 0;
      state_ = left_ == 0 ? State::kTrailer : State::kData;
      return true;
    case State::kDataCr:
      if (c != '\r') return refused("chunk is longer than its size");
      state_ = State::kDataLf;
      return true;
    case State::kDataLf:
      if (c != '\n') return refused("chunk is longer than its size");
      state_ = State::kSize;
      return true;
    case State::kTrailer:
      named_ = false;
      if (c == '\r') {
        state_ = State::kEndLf;
        return true;
      }
      if ((kind & kToken) == 0) return refused("invalid trailer");
      line_.assign(1, c);
      state_ = State::kTrailerLine;
      return ++overhead_ <= kMaxChunkOverhead || refused("trailers are too large");
    case State::kTrailerLine:
      if (++overhead_ > kMaxChunkOverhead) return refused("trailers are too large");
      if (c == '\r' && named_) {
        add_trailer();
        state_ = State::kTrailerLf;
        return true;
      }
      if (c == ':') {
        named_ = true;
      } else if ((kind & (named_ ? kValue : kToken)) == 0) {
        return refused("invalid trailer");
      }
      line_ += c;
      return true;
    case State::kTrailerLf:
      if (c != '\n') return refused("invalid trailer");
      state_ = State::kTrailer;
      return true;
    case State::kEndLf:
      if (c != '\n') return refused("invalid trailer");
      state_ = State::kDone;
      return true;
    case State::kData:
    case State::kDone: break;
  }
  return true;
}

}  // namespace strake::http
