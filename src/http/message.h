#pragma once
// Requests and responses as handlers see them, whichever version of HTTP carries them.
#include <boost/asio/awaitable.hpp>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/cancel.h"
#include "http/byte_stream.h"

namespace strake::http {

struct Header {
  std::string name;
  std::string value;
};

// In the order of arrival. Names compare without regard to case.
class Headers {
 public:
  void add(std::string_view name, std::string_view value) {
    if (all_.empty()) all_.reserve(8);
    all_.push_back({std::string(name), std::string(value)});
  }
  template <std::same_as<std::string> Name, std::same_as<std::string> Text>
  void add(Name&& name, Text&& value) {
    all_.push_back({std::forward<Name>(name), std::forward<Text>(value)});
  }
  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);
  // The first of that name; empty when there is none.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  std::vector<std::string_view> get_all(std::string_view name) const;
  const std::vector<Header>& all() const { return all_; }
  void reserve(std::size_t count) { all_.reserve(count); }

 private:
  std::vector<Header> all_;
};

// Letters of ASCII alike, whatever their case.
bool equals_ignoring_case(std::string_view a, std::string_view b);

// Whether a header that is a list of words ("keep-alive, Upgrade") has this one.
bool has_token(std::string_view list, std::string_view token);

// The verified certificate of the other side.
struct PeerCertificate {
  std::string common_name;
  std::vector<std::string> organizations;
  std::string sha256;            // lower-case hex of the DER form
  std::string uid;               // subject attribute 1.3.6.1.4.1.57683.2, if any
  std::int64_t not_after = 0;    // seconds since 1970
  std::string authority_sha256;  // of the trusted certificate at the end of its chain
};

struct Request {
  std::string method;  // as sent: methods are told apart by case
  std::string path;    // as sent, still percent-encoded
  std::string query;   // without the question mark, as sent
  Headers headers;
  std::string body;
  // The body went past the limit and was thrown away; the handler words the answer.
  bool body_too_large = false;
  // Instead of `body`, for a handler that asked for it (Handler::wants_stream); null for others.
  std::shared_ptr<BodyReader> stream;
  // The protocol that the client wants to change to, on HTTP/1.1 (its Upgrade header); empty for
  // none. Response::upgrade agrees.
  std::string upgrade;
  std::string remote_address;  // "127.0.0.1:52344"
  std::string local_address;
  std::shared_ptr<const PeerCertificate> peer;  // null without a client certificate
  // Why the certificate that the client showed does not count; null when it showed none, or one
  // that does.
  std::shared_ptr<const std::string> peer_refusal;
  bool tls = false;
  int version = 11;  // 10, 11, 20
  // Cancelled when the client is gone: for work on other threads, and for long loops.
  CancelToken cancel;
};

// A part of a body: text of its own, or a part of bytes that others hold too. Sent as it is,
// without joining.
class Piece {
 public:
  Piece(std::string text) : own_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  Piece(std::shared_ptr<const std::string> bytes)     // NOLINT(google-explicit-constructor)
      : shared_(std::move(bytes)), view_(*shared_) {}
  // `view` lies in what `bytes` holds, or is static when `bytes` is null.
  Piece(std::shared_ptr<const std::string> bytes, std::string_view view)
      : shared_(std::move(bytes)), view_(view) {}
  static Piece literal(std::string_view text) { return {nullptr, text}; }

  std::string_view view() const { return own_.empty() ? view_ : std::string_view(own_); }
  // The memory that nobody else holds.
  std::size_t own_bytes() const { return sizeof(Piece) + own_.capacity(); }

 private:
  std::string own_;
  std::shared_ptr<const std::string> shared_;
  std::string_view view_;
};

// A body that is made while it is sent: of a response, such as a watch or a long list, or of a
// request. The connection asks for the next part when the last one is on its way: for a slow reader
// it asks for less. The coroutine is cancelled, and the stream destroyed, when the other side is
// gone; that of a watch also when the server drains.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  // The parts that are ready, at least one; none at the end. An error breaks the connection off, so
  // that the client does not take what it has for the whole.
  virtual async::Task<std::vector<Piece>> next() = 0;
  // Whether it comes to an end by itself, as a list does and a watch does not. A drain lets such a
  // body finish, and when it cannot be finished the connection is broken off.
  virtual bool is_finite() const { return false; }
  // Whether it goes compressed to clients that take gzip.
  virtual bool may_compress() const { return is_finite(); }
  // Asked now and then while the client takes nothing: true breaks it off, to free what it holds.
  virtual bool is_revoked() const { return false; }
  // What follows the last part. Asked once, at the end; sent where the protocol allows it.
  virtual Headers trailers() const { return {}; }
};

// What a handler does with a connection that is no longer HTTP. The connection ends with it.
using Upgrade = std::function<boost::asio::awaitable<void>(std::unique_ptr<RawStream>)>;

struct Response {
  int status = 200;
  // Content-Length, Transfer-Encoding, Connection and Date are the server's business, and left out
  // when given; so is what could break out of its line.
  Headers headers;
  std::vector<Piece> body;
  std::unique_ptr<BodyStream> stream;  // follows the body when given
  bool to_authenticated = false;       // the connection is kept when others must go
  // With status 101 and an Upgrade header: takes the connection over once the response is sent.
  // HTTP/1.1 only; a request over HTTP/2 has no Request::upgrade.
  Upgrade upgrade;
};

// Percent-decoding; fails with kBadRequest on a broken escape. `plus_is_space` for queries.
Result<std::string> percent_decode(std::string_view text, bool plus_is_space = false);
std::string percent_encode(std::string_view text);  // everything but letters, digits and -._~

// The parameters of a query, decoded, in order.
class Query {
 public:
  static Result<Query> parse(std::string_view text);
  std::optional<std::string_view> get(std::string_view name) const;  // the first
  std::vector<std::string_view> get_all(std::string_view name) const;
  const std::vector<Header>& all() const { return all_; }

 private:
  std::vector<Header> all_;
};

}  // namespace strake::http
