#include "connection.h"

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace strake::load {
namespace {

constexpr std::size_t kMaxHead = 64 * 1024;
constexpr std::size_t kMaxKept = 64 * 1024 * 1024;
constexpr std::size_t kRecord = 16 * 1024;

// The value of a header in a head whose names may be in any case; empty without.
std::string_view header(std::string_view head, std::string_view lower_name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;) {
    at += 2;
    const std::size_t end = head.find("\r\n", at);
    const std::string_view line = head.substr(at, end - at);
    if (line.size() > lower_name.size() && line[lower_name.size()] == ':' &&
        ::strncasecmp(line.data(), lower_name.data(), lower_name.size()) == 0) {
      std::string_view value = line.substr(lower_name.size() + 1);
      while (value.starts_with(' ')) value.remove_prefix(1);
      return value;
    }
    at = end;
  }
  return {};
}

}  // namespace

Connection::~Connection() {
  if (ssl_ != nullptr) SSL_free(ssl_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<> Connection::open() {
  descriptor_ =
      ::socket(endpoint_.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) return fail(Code::kIo, "cannot open a socket: {}", std::strerror(errno));
  const int on = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const auto* address = reinterpret_cast<const sockaddr*>(&endpoint_.address);
  if (::connect(descriptor_, address, endpoint_.address_size) != 0 && errno != EINPROGRESS)
    return fail(Code::kIo, "cannot connect: {}", std::strerror(errno));
  ssl_ = SSL_new(endpoint_.tls.get());
  if (ssl_ == nullptr || SSL_set_fd(ssl_, descriptor_) != 1)
    return fail(Code::kInternal, "cannot set up TLS");
  SSL_set_connect_state(ssl_);
  if (!endpoint_.server_is_address) SSL_set_tlsext_host_name(ssl_, endpoint_.server_name.c_str());
  if (!endpoint_.insecure) {
    X509_VERIFY_PARAM* rules = SSL_get0_param(ssl_);
    const int set = endpoint_.server_is_address
                        ? X509_VERIFY_PARAM_set1_ip_asc(rules, endpoint_.server_name.c_str())
                        : SSL_set1_host(ssl_, endpoint_.server_name.c_str());
    if (set != 1)
      return fail(Code::kInvalid, "cannot check for the name {}", endpoint_.server_name);
  }
  return {};
}

void Connection::send(std::string_view request, bool keep_body) {
  out_.assign(request);
  out_at_ = 0;
  keep_body_ = keep_body;
  head_.clear();
  answer_ = Answer();
  if (state_ != State::kConnecting && state_ != State::kHandshake) state_ = State::kHead;
}

Connection::Step Connection::fail_with(std::string problem) {
  problem_ = std::move(problem);
  return Step::kEnd;
}

Connection::Step Connection::wait_for_tls(int outcome) {
  switch (SSL_get_error(ssl_, outcome)) {
    case SSL_ERROR_WANT_READ: wants_write_ = false; return Step::kWait;
    case SSL_ERROR_WANT_WRITE: wants_write_ = true; return Step::kWait;
    case SSL_ERROR_ZERO_RETURN: return fail_with("closed by the server");
    default: break;
  }
  const unsigned long error = ERR_get_error();
  ERR_clear_error();
  const char* reason = error != 0 ? ERR_reason_error_string(error) : nullptr;
  return fail_with(reason != nullptr
                       ? fmt::format("TLS: {}", reason)
                       : fmt::format("the connection broke: {}", std::strerror(errno)));
}

bool Connection::write_out(Step& step) {
  while (out_at_ < out_.size()) {
    ERR_clear_error();
    const int done =
        SSL_write(ssl_, out_.data() + out_at_, static_cast<int>(out_.size() - out_at_));
    if (done <= 0) {
      step = wait_for_tls(done);
      return false;
    }
    out_at_ += static_cast<std::size_t>(done);
  }
  wants_write_ = false;
  return true;
}

Connection::Step Connection::advance() {
  if (state_ == State::kConnecting) {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return fail_with(fmt::format("cannot connect: {}", std::strerror(error)));
    state_ = State::kHandshake;
  }
  if (state_ == State::kHandshake) {
    ERR_clear_error();
    const int done = SSL_do_handshake(ssl_);
    if (done != 1) return wait_for_tls(done);
    state_ = out_.empty() ? State::kIdle : State::kHead;
  }
  Step step = Step::kWait;
  const bool sends = out_at_ < out_.size();
  if (!write_out(step)) return step;
  // The answer to what has left just now is not here yet: whoever polls will say when it is.
  if (sends && state_ == State::kHead) return Step::kWait;
  std::array<char, kRecord> buffer;
  while (true) {
    ERR_clear_error();
    const int size = SSL_read(ssl_, buffer.data(), static_cast<int>(buffer.size()));
    if (size <= 0) {
      const Step waiting = wait_for_tls(size);
      if (waiting == Step::kEnd && state_ == State::kBody && length_ == Length::kUntilClose) {
        state_ = State::kIdle;
        return Step::kAnswer;
      }
      return waiting;
    }
    if (state_ != State::kHead && state_ != State::kBody)
      return fail_with("the server sent something unasked");
    if (take_input({buffer.data(), static_cast<std::size_t>(size)})) {
      if (!problem_.empty()) return Step::kEnd;
      state_ = State::kIdle;
      return Step::kAnswer;
    }
  }
}

bool Connection::take_input(std::string_view input) {
  if (state_ == State::kBody) return take_body(input);
  const std::size_t before = head_.size();
  head_.append(input);
  const std::size_t end = head_.find("\r\n\r\n", before > 3 ? before - 3 : 0);
  if (end == std::string::npos) {
    if (head_.size() > kMaxHead) problem_ = "the head of the response is too long";
    return !problem_.empty();
  }
  const std::size_t body_at = end + 4 - before;
  head_.resize(end + 4);
  if (!read_head()) return true;
  state_ = State::kBody;
  return take_body(input.substr(body_at));
}

bool Connection::read_head() {
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  if (!head_.starts_with(kVersion) || head_.size() < kVersion.size() + 3) {
    problem_ = "not a response of HTTP/1.1";
    return false;
  }
  const char* digits = head_.data() + kVersion.size();
  std::from_chars(digits, digits + 3, answer_.status);
  left_ = 0;
  if (const std::string_view size = header(head_, "content-length"); !size.empty()) {
    length_ = Length::kKnown;
    if (std::from_chars(size.data(), size.data() + size.size(), left_).ec != std::errc()) {
      problem_ = "the Content-Length is not a number";
      return false;
    }
  } else if (header(head_, "transfer-encoding") == "chunked") {
    length_ = Length::kChunked;
    chunk_ = Chunk::kSize;
    line_.clear();
  } else {
    length_ = answer_.status == 204 || answer_.status == 304 ? Length::kKnown : Length::kUntilClose;
  }
  return true;
}

void Connection::keep(std::string_view part) {
  answer_.body_size += part.size();
  if (!keep_body_) return;
  if (answer_.body.size() + part.size() > kMaxKept) {
    problem_ = "the body is too large";
    return;
  }
  answer_.body.append(part);
}

bool Connection::take_body(std::string_view input) {
  if (length_ == Length::kChunked) return take_chunks(input) || !problem_.empty();
  if (length_ == Length::kUntilClose) {
    keep(input);
    return !problem_.empty();
  }
  if (input.size() > left_) problem_ = "the server sent more than it said";
  const std::string_view part = input.substr(0, left_);
  left_ -= part.size();
  keep(part);
  return left_ == 0 || !problem_.empty();
}

bool Connection::take_chunks(std::string_view input) {
  while (!input.empty()) {
    if (chunk_ == Chunk::kData) {
      const std::string_view part = input.substr(0, left_);
      keep(part);
      left_ -= part.size();
      input.remove_prefix(part.size());
      if (left_ == 0) chunk_ = Chunk::kDataEnd;
      continue;
    }
    const std::size_t end = input.find('\n');
    line_.append(input.substr(0, end));
    if (line_.size() > kMaxHead) problem_ = "a chunk's head is too long";
    if (end == std::string_view::npos || !problem_.empty()) return !problem_.empty();
    input.remove_prefix(end + 1);
    if (line_.ends_with('\r')) line_.pop_back();
    if (chunk_ == Chunk::kSize) {
      const auto [stop, error] =
          std::from_chars(line_.data(), line_.data() + line_.size(), left_, 16);
      if (error != std::errc() || stop == line_.data()) problem_ = "a chunk has no size";
      chunk_ = left_ == 0 ? Chunk::kTrailer : Chunk::kData;
    } else if (chunk_ == Chunk::kDataEnd) {
      chunk_ = Chunk::kSize;
    } else if (line_.empty()) {
      return true;
    }
    line_.clear();
    if (!problem_.empty()) return true;
  }
  return false;
}

std::string Connection::take_stream() { return std::exchange(answer_.body, {}); }

}  // namespace strake::load
