#pragma once
// TLS as a machine between two buffers, knowing no socket: cipher text in, plain text out, and the
// other way round. Internal to http; OpenSSL is seen by tls.cc only.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/failure.h"
#include "http/message.h"
#include "http/tls_options.h"

struct ssl_st;
struct ssl_ctx_st;

namespace strake::http {

// The most plain text that a record of TLS holds.
inline constexpr std::size_t kTlsRecord = 16 * 1024;

// Which end of a connection this is.
enum class Side : std::uint8_t { kServer, kClient };

// Certificates and rules that connections share. Immutable, and of one side.
class TlsContext {
 public:
  // Both fail with kInvalid, naming what is wrong.
  static Result<std::shared_ptr<const TlsContext>> make(const TlsOptions& options);
  static Result<std::shared_ptr<const TlsContext>> make(const ClientTlsOptions& options);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  ssl_ctx_st* get() const { return context_; }

 private:
  explicit TlsContext(ssl_ctx_st* context) : context_(context) {}
  ssl_ctx_st* context_;
};

enum class TlsStep : std::uint8_t {
  kDone,    // the handshake is over, or plain text was read
  kMore,    // needs more cipher text
  kClosed,  // the other side said good-bye
  kFailed,
};

// What a client says first.
struct TlsGreeting {
  std::string server_name;  // whom the certificate must name: a host or an address
  bool offers_h2 = true;
};

// One side of one connection.
class TlsEngine {
 public:
  // The side is that of the context; a server has no use for the greeting.
  TlsEngine(Side side, std::shared_ptr<const TlsContext> context, const TlsGreeting& greeting);
  ~TlsEngine();
  TlsEngine(const TlsEngine&) = delete;
  TlsEngine& operator=(const TlsEngine&) = delete;

  // Each call takes in all of `cipher`, and appends to `out` what is to be sent, errors included.
  TlsStep handshake(std::string_view cipher, std::string& out);
  // Appends to `plain`.
  TlsStep read(std::string_view cipher, std::string& plain, std::string& out);
  bool write(std::string_view plain, std::string& out);
  void shutdown(std::string& out);
  // Gives back the 32 KiB that reading and writing took; they take them again when they need to.
  void release_buffers();

  // After the handshake.
  bool speaks_h2() const;
  // The other side's certificate, when there is one and it passed.
  std::shared_ptr<const PeerCertificate> peer() const;
  // Of a server: why it did not pass; null when there is none, or it did.
  std::shared_ptr<const std::string> peer_refusal() const;
  // Why it failed, for people; empty when it did not.
  const std::string& failure() const { return failure_; }
  // And the certificate of the other side, when that was why.
  std::shared_ptr<const CertificateFault> certificate_fault() const {
    return buffers_.certificate_fault;
  }

  // For the callbacks of OpenSSL.
  struct Buffers {
    std::string_view in;
    std::string* out = nullptr;
    int peer_verdict = 0;  // OpenSSL's, of a certificate that did not pass
    std::shared_ptr<const CertificateFault> certificate_fault;
  };

 private:
  void greet(const TlsGreeting& greeting);
  TlsStep note_failure();

  std::shared_ptr<const TlsContext> context_;
  Buffers buffers_;
  ssl_st* ssl_;
  std::string failure_;
};

}  // namespace strake::http
