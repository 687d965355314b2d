#include "http/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstring>

#include "base/assert.h"
#include "http/certificate_fields.h"
#include "http/openssl_owned.h"
#include "http/private_key.h"

// OpenSSL between two buffers instead of a socket, so that one transport serves plain and encrypted
// connections and decides itself when to read and write. One BIO reads from a view and appends to a
// string; both are set before each call and belong to the caller.

namespace strake::http {
namespace {

// ---- The place of a socket: OpenSSL reads and writes our buffers.

TlsEngine::Buffers& buffers_of(BIO* bio) {
  return *static_cast<TlsEngine::Buffers*>(BIO_get_data(bio));
}

int bio_read(BIO* bio, char* to, std::size_t size, std::size_t* done) {
  TlsEngine::Buffers& buffers = buffers_of(bio);
  BIO_clear_retry_flags(bio);
  if (buffers.in.empty()) {
    BIO_set_retry_read(bio);
    return 0;
  }
  *done = std::min(size, buffers.in.size());
  std::memcpy(to, buffers.in.data(), *done);
  buffers.in.remove_prefix(*done);
  return 1;
}

int bio_write(BIO* bio, const char* from, std::size_t size, std::size_t* done) {
  buffers_of(bio).out->append(from, size);
  *done = size;
  return 1;
}

long bio_control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

const BIO_METHOD* bio_method() {
  static const BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "buffers");
    BIO_meth_set_read_ex(made, bio_read);
    BIO_meth_set_write_ex(made, bio_write);
    BIO_meth_set_ctrl(made, bio_control);
    return made;
  }();
  return method;
}

// ---- Rules of a context

// HTTP/2 when the client knows it. A client that offers neither is told so.
int select_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* in, unsigned int in_size, void*) {
  static constexpr std::string_view kOffered("\x02h2\x08http/1.1\x08http/1.0");
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size,
                            reinterpret_cast<const unsigned char*>(kOffered.data()),
                            kOffered.size(), in, in_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

// A certificate that does not pass does not end the handshake: whoever knows who may ask what is
// told of it, as by kube-apiserver.
int note_verdict(int passed, X509_STORE_CTX* store) {
  if (passed == 0) {
    const SSL* ssl =
        static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
    static_cast<TlsEngine::Buffers*>(SSL_get_app_data(ssl))->peer_verdict =
        X509_STORE_CTX_get_error(store);
  }
  return 1;
}

CertificateFault::Kind kind_of(int verdict) {
  using Kind = CertificateFault::Kind;
  switch (verdict) {
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: return Kind::kUnknownAuthority;
    case X509_V_ERR_CERT_NOT_YET_VALID:
    case X509_V_ERR_CERT_HAS_EXPIRED: return Kind::kOutOfTime;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return Kind::kWrongName;
    default: return Kind::kOther;
  }
}

// What is wrong with the certificate of a server. The handshake ends with it.
int note_certificate(int passed, X509_STORE_CTX* store) {
  if (passed != 0) return passed;
  const SSL* ssl =
      static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  CertificateFault fault{.kind = kind_of(X509_STORE_CTX_get_error(store))};
  if (const X509* certificate = X509_STORE_CTX_get0_cert(store)) {
    fault.dns_names = dns_names(certificate);
    fault.ip_addresses = ip_addresses(certificate);
    fault.not_before = not_before(certificate);
    fault.not_after = not_after(certificate);
  }
  static_cast<TlsEngine::Buffers*>(SSL_get_app_data(ssl))->certificate_fault =
      std::make_shared<const CertificateFault>(std::move(fault));
  return passed;
}

Result<std::vector<Owned<X509>>> read_certificates(std::string_view pem, std::string_view what) {
  const Owned<BIO> bio = open_text(pem);
  std::vector<Owned<X509>> all;
  while (X509* one = PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr)) {
    all.emplace_back(one);
  }
  const unsigned long last = ERR_peek_last_error();
  const bool at_end =
      ERR_GET_LIB(last) == ERR_LIB_PEM && ERR_GET_REASON(last) == PEM_R_NO_START_LINE;
  const std::string why = openssl_error();
  if (!at_end) return fail(Code::kInvalid, "{}: {}", what, why);
  if (all.empty()) return fail(Code::kInvalid, "{}: no PEM certificate found", what);
  return all;
}

// `whose` is "serving" or "client", for messages.
Result<> use_certificate(SSL_CTX* context, const std::string& certificate_pem,
                         const std::string& key_pem, std::string_view whose) {
  const std::string what = fmt::format("{} certificate", whose);
  STRAKE_TRY(auto chain, read_certificates(certificate_pem, what));
  if (SSL_CTX_use_certificate(context, chain[0].get()) != 1) {
    return fail(Code::kInvalid, "{}: {}", what, openssl_error());
  }
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (SSL_CTX_add1_chain_cert(context, chain[i].get()) != 1) {
      return fail(Code::kInvalid, "{}: {}", what, openssl_error());
    }
  }
  const Owned<EVP_PKEY> key = read_private_key(key_pem);
  if (!key) return fail(Code::kInvalid, "{} key: {}", whose, openssl_error());
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1) {
    (void)openssl_error();
    return fail(Code::kInvalid, "the {0} key does not belong to the {0} certificate", whose);
  }
  return {};
}

// Whom a client believes.
Result<> trust(SSL_CTX* context, const ClientTlsOptions& options) {
  using Trust = ClientTlsOptions::Trust;
  if (options.trust == Trust::kNobody) {
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
    return {};
  }
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, note_certificate);
  if (options.trust == Trust::kSystem) {
    if (SSL_CTX_set_default_verify_paths(context) == 1) return {};
    return fail(Code::kInvalid, "the system's authorities cannot be read: {}", openssl_error());
  }
  STRAKE_TRY(auto authorities, read_certificates(options.ca_pem, "the authorities to trust"));
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  for (const Owned<X509>& authority : authorities) {
    if (X509_STORE_add_cert(store, authority.get()) != 1) {
      return fail(Code::kInvalid, "the authorities to trust: {}", openssl_error());
    }
  }
  // What is named as an authority is one, even when it was signed by another, as in Go.
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  return {};
}

// What both sides speak: TLS 1.2 and later, with keys that are forgotten.
Result<Owned<SSL_CTX>> make_context(const SSL_METHOD* method) {
  ERR_clear_error();
  Owned<SSL_CTX> context(SSL_CTX_new(method));
  if (!context) return fail(Code::kInternal, "OpenSSL: {}", openssl_error());
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  // Keys of 128 bits first, as servers in Go choose: less work for the same safety here.
  if (SSL_CTX_set_cipher_list(context.get(), "ECDHE+AESGCM+AES128:ECDHE+AESGCM:ECDHE+CHACHA20") !=
          1 ||
      SSL_CTX_set_ciphersuites(context.get(),
                               "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:"
                               "TLS_CHACHA20_POLY1305_SHA256") != 1 ||
      SSL_CTX_set1_groups_list(context.get(), "X25519:P-256:P-384") != 1) {
    return fail(Code::kInternal, "OpenSSL: {}", openssl_error());
  }
  // A resumed session would outlive a change of the authorities; a handshake is cheap.
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  return context;
}

Result<> ask_for_clients(SSL_CTX* context, const TlsOptions& options) {
  if (options.client_ca_pem.empty()) return {};
  STRAKE_TRY(auto authorities, read_certificates(options.client_ca_pem, "client CA"));
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  for (const Owned<X509>& authority : authorities) {
    if (X509_STORE_add_cert(store, authority.get()) != 1 ||
        SSL_CTX_add_client_CA(context, authority.get()) != 1) {
      return fail(Code::kInvalid, "client CA: {}", openssl_error());
    }
  }
  // What is named as an authority is one, even when it was signed by another, as in Go.
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, note_verdict);
  return {};
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const TlsOptions& options) {
  STRAKE_TRY(Owned<SSL_CTX> context, make_context(TLS_server_method()));
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET |
                                         SSL_OP_CIPHER_SERVER_PREFERENCE |
                                         SSL_OP_PRIORITIZE_CHACHA | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_num_tickets(context.get(), 0);
  SSL_CTX_set_alpn_select_cb(context.get(), select_protocol, nullptr);
  STRAKE_CHECK(use_certificate(context.get(), options.certificate_pem, options.key_pem, "serving"));
  STRAKE_CHECK(ask_for_clients(context.get(), options));
  return std::shared_ptr<const TlsContext>(new TlsContext(context.release()));
}

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const ClientTlsOptions& options) {
  STRAKE_TRY(Owned<SSL_CTX> context, make_context(TLS_client_method()));
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
  if (!options.certificate_pem.empty()) {
    STRAKE_CHECK(use_certificate(context.get(), options.certificate_pem, options.key_pem.reveal(),
                                 "client"));
  }
  STRAKE_CHECK(trust(context.get(), options));
  return std::shared_ptr<const TlsContext>(new TlsContext(context.release()));
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

TlsEngine::TlsEngine(Side side, std::shared_ptr<const TlsContext> context,
                     const TlsGreeting& greeting)
    : context_(std::move(context)), ssl_(SSL_new(context_->get())) {
  STRAKE_ASSERT(ssl_ != nullptr);
  BIO* bio = BIO_new(bio_method());
  STRAKE_ASSERT(bio != nullptr);
  BIO_set_data(bio, &buffers_);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_, bio, bio);
  SSL_set_app_data(ssl_, &buffers_);
  if (side == Side::kServer) {
    SSL_set_accept_state(ssl_);
  } else {
    greet(greeting);
    SSL_set_connect_state(ssl_);
  }
}

// The name is asked for (but for an address, RFC 6066, 3) and verified. Names are taken from the
// list of alternative names alone, and a star stands for a whole label, as in Go.
void TlsEngine::greet(const TlsGreeting& greeting) {
  X509_VERIFY_PARAM* rules = SSL_get0_param(ssl_);
  if (X509_VERIFY_PARAM_set1_ip_asc(rules, greeting.server_name.c_str()) != 1) {
    ERR_clear_error();
    SSL_set_hostflags(ssl_,
                      X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    // An empty name would verify nothing.
    const std::string name = greeting.server_name.empty() ? "invalid." : greeting.server_name;
    SSL_set1_host(ssl_, name.c_str());
    SSL_set_tlsext_host_name(ssl_, name.c_str());
  }
  static constexpr std::string_view kBoth("\x02h2\x08http/1.1");
  const std::string_view offered = greeting.offers_h2 ? kBoth : kBoth.substr(3);
  SSL_set_alpn_protos(ssl_, reinterpret_cast<const unsigned char*>(offered.data()),
                      static_cast<unsigned>(offered.size()));
}

TlsEngine::~TlsEngine() { SSL_free(ssl_); }

TlsStep TlsEngine::handshake(std::string_view cipher, std::string& out) {
  buffers_.in = cipher;
  buffers_.out = &out;
  ERR_clear_error();
  const int done = SSL_do_handshake(ssl_);
  if (done == 1) return TlsStep::kDone;
  return SSL_get_error(ssl_, done) == SSL_ERROR_WANT_READ ? TlsStep::kMore : note_failure();
}

TlsStep TlsEngine::note_failure() {
  const long verdict = SSL_get_verify_result(ssl_);
  const std::string reason = openssl_error();
  failure_ =
      verdict != X509_V_OK && SSL_is_init_finished(ssl_) == 0
          ? fmt::format("the certificate does not pass: {}", X509_verify_cert_error_string(verdict))
          : reason;
  return TlsStep::kFailed;
}

TlsStep TlsEngine::read(std::string_view cipher, std::string& plain, std::string& out) {
  // What came right behind the handshake is still there.
  if (!cipher.empty()) buffers_.in = cipher;
  buffers_.out = &out;
  const std::size_t before = plain.size();
  std::array<char, kTlsRecord> record;
  ERR_clear_error();
  while (true) {
    std::size_t size = 0;
    if (SSL_read_ex(ssl_, record.data(), record.size(), &size) == 1) {
      plain.append(record.data(), size);
      // To be told that there is no more costs as much as the record did.
      if (buffers_.in.empty() && SSL_has_pending(ssl_) == 0) return TlsStep::kDone;
      continue;
    }
    switch (SSL_get_error(ssl_, 0)) {
      case SSL_ERROR_WANT_READ: return plain.size() > before ? TlsStep::kDone : TlsStep::kMore;
      case SSL_ERROR_ZERO_RETURN: return TlsStep::kClosed;
      default: return note_failure();
    }
  }
}

bool TlsEngine::write(std::string_view plain, std::string& out) {
  if (plain.empty()) return true;
  buffers_.out = &out;
  std::size_t size = 0;
  ERR_clear_error();
  return SSL_write_ex(ssl_, plain.data(), plain.size(), &size) == 1 && size == plain.size();
}

void TlsEngine::shutdown(std::string& out) {
  buffers_.out = &out;
  buffers_.in = {};
  ERR_clear_error();
  if (SSL_is_init_finished(ssl_) == 1) SSL_shutdown(ssl_);
}

void TlsEngine::release_buffers() {
  if (SSL_is_init_finished(ssl_) == 1) SSL_free_buffers(ssl_);
}

bool TlsEngine::speaks_h2() const {
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(ssl_, &name, &size);
  return std::string_view(reinterpret_cast<const char*>(name), size) == "h2";
}

std::shared_ptr<const PeerCertificate> TlsEngine::peer() const {
  const X509* certificate = SSL_get0_peer_certificate(ssl_);
  if (certificate == nullptr || buffers_.peer_verdict != X509_V_OK ||
      SSL_get_verify_result(ssl_) != X509_V_OK) {
    return nullptr;
  }
  auto peer = std::make_shared<PeerCertificate>(peer_fields(certificate));
  // There always is one: sessions are not resumed.
  const STACK_OF(X509)* chain = SSL_get0_verified_chain(ssl_);
  if (chain != nullptr && sk_X509_num(chain) > 0)
    peer->authority_sha256 = sha256_of(sk_X509_value(chain, sk_X509_num(chain) - 1));
  return peer;
}

std::shared_ptr<const std::string> TlsEngine::peer_refusal() const {
  if (buffers_.peer_verdict == X509_V_OK) return nullptr;
  return std::make_shared<const std::string>(fmt::format(
      "the certificate does not pass: {}", X509_verify_cert_error_string(buffers_.peer_verdict)));
}

}  // namespace strake::http
