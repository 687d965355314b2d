#pragma once
// TLS as a machine between two buffers, knowing no socket: cipher text in, plain text out, and the
// other way round. Internal to http; OpenSSL is seen by tls.cc only.
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/message.h"
#include "http/server.h"

struct ssl_st;
struct ssl_ctx_st;

namespace strake::http {

// Certificates and rules that connections share. Immutable.
class TlsContext {
 public:
  // Fails with kInvalid, naming what is wrong.
  static Result<std::shared_ptr<const TlsContext>> make(const TlsOptions& options);
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

// The server's side of one connection.
class TlsEngine {
 public:
  explicit TlsEngine(std::shared_ptr<const TlsContext> context);
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
  // The client's certificate, when there is one and it passed.
  std::shared_ptr<const PeerCertificate> peer() const;

  // For the callbacks of OpenSSL.
  struct Buffers {
    std::string_view in;
    std::string* out = nullptr;
    bool peer_refused = false;
  };

 private:
  std::shared_ptr<const TlsContext> context_;
  Buffers buffers_;
  ssl_st* ssl_;
};

}  // namespace strake::http
