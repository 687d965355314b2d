#pragma once
// Why an exchange with another machine did not work, by classes that a program can tell apart
// without reading the text. Used by http::Client and by the streams of both sides.
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace strake::http {

enum class Fault : std::uint8_t {
  kInvalid,    // what was asked cannot be sent; nothing was
  kResolve,    // the host's name is not known
  kConnect,    // nobody answers at its addresses
  kProxy,      // the proxy did not let us through
  kTls,        // no handshake, or a certificate that does not pass
  kTimeout,    // a deadline passed
  kCancelled,  // the caller gave up
  kProtocol,   // the other side does not keep to HTTP
  kClosed,     // the other side broke off
  kTooLarge,   // headers or body went past their limit
  kSource,     // the caller's own stream of the body failed
};

std::string_view to_string(Fault fault);  // "resolve", "too large", ...

// Why a certificate did not pass, for those who say it in words of their own.
struct CertificateFault {
  enum class Kind : std::uint8_t { kUnknownAuthority, kOutOfTime, kWrongName, kOther };
  Kind kind = Kind::kOther;
  std::vector<std::string> dns_names = {};  // that it is for
  std::vector<std::string> ip_addresses = {};
  WallTime not_before = {};
  WallTime not_after = {};
};

struct Failure {
  Fault fault = Fault::kProtocol;
  std::string message;  // what happened; no secrets
  // The request cannot have had an effect: it may be sent again, whatever its method.
  bool unprocessed = false;
  // Nothing at all came back for it.
  bool unanswered = false;
  // With kConnect: whom it tried last ("127.0.0.1:443"), and the system's error, 0 for none.
  std::string address = {};
  int system_error = 0;
  std::shared_ptr<const CertificateFault> certificate = nullptr;  // that did not pass, with kTls

  // For callers who do not tell the classes apart: kTimeout, kCancelled, kLimit for what was too
  // large, kInvalid; else kServiceUnavailable.
  Error to_error() const;
};

template <typename T = void>
using Outcome = std::expected<T, Failure>;

template <typename T = void>
using Exchange = boost::asio::awaitable<Outcome<T>>;

inline std::unexpected<Failure> failed(Fault fault, std::string message) {
  return std::unexpected(Failure{.fault = fault, .message = std::move(message)});
}

}  // namespace strake::http
