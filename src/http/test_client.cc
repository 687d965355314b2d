#include "http/test_client.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>

#include "base/assert.h"
#include "http/message.h"

namespace strake::http::testing {
namespace {

constexpr int kPatience = 10'000;  // milliseconds

template <typename T, auto Free>
struct Freer {
  void operator()(T* p) const { Free(p); }
};
using Bio = std::unique_ptr<BIO, Freer<BIO, BIO_free>>;
using Certificate = std::unique_ptr<X509, Freer<X509, X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY, EVP_PKEY_free>>;

Bio open_text(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

SSL_CTX* make_context(const ClientTls& tls) {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  const Certificate ca(PEM_read_bio_X509(open_text(tls.ca_pem).get(), nullptr, nullptr, nullptr));
  X509_STORE_add_cert(SSL_CTX_get_cert_store(context), ca.get());
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  if (tls.max_version != 0) SSL_CTX_set_max_proto_version(context, tls.max_version);
  if (tls.identity) {
    const Certificate own(PEM_read_bio_X509(open_text(tls.identity->certificate_pem).get(), nullptr,
                                            nullptr, nullptr));
    const Key key(PEM_read_bio_PrivateKey(open_text(tls.identity->key_pem.reveal()).get(), nullptr,
                                          nullptr, nullptr));
    SSL_CTX_use_certificate(context, own.get());
    SSL_CTX_use_PrivateKey(context, key.get());
  }
  return context;
}

int connect_to(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) return socket;
  ::close(socket);
  return -1;
}

}  // namespace

struct TestClient::Impl {
  int socket = -1;
  SSL_CTX* context = nullptr;
  SSL* ssl = nullptr;
  std::string unread;
};

TestClient::TestClient(std::uint16_t port, std::optional<ClientTls> tls)
    : impl_(std::make_unique<Impl>()) {
  std::signal(SIGPIPE, SIG_IGN);  // a server may close first
  impl_->socket = connect_to(port);
  STRAKE_ASSERT(impl_->socket >= 0);
  const int on = 1;
  ::setsockopt(impl_->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  const timeval patience{.tv_sec = kPatience / 1000, .tv_usec = 0};
  ::setsockopt(impl_->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  if (!tls) return;
  impl_->context = make_context(*tls);
  impl_->ssl = SSL_new(impl_->context);
  SSL_set_fd(impl_->ssl, impl_->socket);
  if (!tls->alpn.empty()) {
    const std::string wire = static_cast<char>(tls->alpn.size()) + tls->alpn;
    SSL_set_alpn_protos(impl_->ssl, reinterpret_cast<const unsigned char*>(wire.data()),
                        static_cast<unsigned>(wire.size()));
  }
  X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(impl_->ssl), "127.0.0.1");
  const int done = SSL_connect(impl_->ssl);
  if (done != 1) ERR_print_errors_fp(stderr);
  STRAKE_ASSERT(done == 1);
}

TestClient::TestClient(TestClient&&) noexcept = default;

TestClient::~TestClient() {
  if (impl_) close();
}

void TestClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = impl_->ssl != nullptr
                             ? SSL_write(impl_->ssl, bytes.data(), static_cast<int>(bytes.size()))
                             : ::send(impl_->socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (size <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
}

void TestClient::finish_sending() {
  if (impl_->ssl != nullptr) SSL_shutdown(impl_->ssl);
  ::shutdown(impl_->socket, SHUT_WR);
}

void TestClient::close() {
  if (impl_->ssl != nullptr) SSL_free(impl_->ssl);
  if (impl_->context != nullptr) SSL_CTX_free(impl_->context);
  if (impl_->socket >= 0) ::close(impl_->socket);
  *impl_ = Impl();
}

std::string TestClient::read_some() {
  if (!impl_->unread.empty()) return std::exchange(impl_->unread, {});
  std::array<char, 16 * 1024> buffer;
  const ssize_t size = impl_->ssl != nullptr
                           ? SSL_read(impl_->ssl, buffer.data(), static_cast<int>(buffer.size()))
                           : ::recv(impl_->socket, buffer.data(), buffer.size(), 0);
  return size <= 0 ? std::string() : std::string(buffer.data(), static_cast<std::size_t>(size));
}

std::string TestClient::read_until(std::string_view mark) {
  std::string all;
  while (true) {
    const std::string more = read_some();
    if (more.empty()) return all;
    const std::size_t from = all.size() < mark.size() ? 0 : all.size() - mark.size();
    all += more;
    const std::size_t found = all.find(mark, from);
    if (found == std::string::npos) continue;
    impl_->unread = all.substr(found + mark.size());
    all.resize(found + mark.size());
    return all;
  }
}

std::string TestClient::read_all() {
  std::string all;
  for (std::string more = read_some(); !more.empty(); more = read_some()) all += more;
  return all;
}

std::string TestClient::Answer::header(std::string_view name) const {
  std::string_view rest = head;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos && equals_ignoring_case(line.substr(0, colon), name)) {
      return std::string(line.substr(colon + 2));
    }
  }
  return {};
}

TestClient::Answer TestClient::read_answer(bool has_body) {
  Answer answer;
  answer.head = read_until("\r\n\r\n");
  if (answer.head.size() > 12) {
    std::from_chars(answer.head.data() + 9, answer.head.data() + 12, answer.status);
  }
  if (!has_body || answer.status == 204 || answer.status == 304 || answer.status < 200) {
    return answer;
  }
  const auto read_exactly = [this](std::size_t size) {
    std::string bytes;
    while (bytes.size() < size) {
      std::string more = read_some();
      if (more.empty()) return bytes;
      bytes += more;
    }
    impl_->unread = bytes.substr(size);
    bytes.resize(size);
    return bytes;
  };
  if (answer.header("Transfer-Encoding") == "chunked") {
    while (true) {
      const std::string line = read_until("\r\n");
      std::size_t size = 0;
      std::from_chars(line.data(), line.data() + line.size(), size, 16);
      const std::string chunk = read_exactly(size + 2);
      if (size == 0 || chunk.size() < size + 2) return answer;
      answer.body += chunk.substr(0, size);
    }
  }
  const std::string length = answer.header("Content-Length");
  if (length.empty()) {
    answer.body = read_all();
    return answer;
  }
  std::size_t size = 0;
  std::from_chars(length.data(), length.data() + length.size(), size);
  answer.body = read_exactly(size);
  return answer;
}

std::string TestClient::alpn() const {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(impl_->ssl, &name, &size);
  return {reinterpret_cast<const char*>(name), size};
}

void TestClient::set_receive_buffer(int bytes) {
  ::setsockopt(impl_->socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

bool can_connect(std::uint16_t port) {
  const int socket = connect_to(port);
  if (socket >= 0) ::close(socket);
  return socket >= 0;
}

TlsOptions TestPki::server_tls() const {
  return {.certificate_pem = serving.certificate_pem,
          .key_pem = serving.key_pem.reveal(),
          .client_ca_pem = authority.certificate_pem};
}

CertifiedKey TestPki::client(std::string common_name,
                             std::vector<std::string> organizations) const {
  return issue_certificate(authority, {.common_name = std::move(common_name),
                                       .organizations = std::move(organizations),
                                       .use = CertificateUse::kClient,
                                       .validity = around_now()})
      .value();
}

Validity around_now() {
  const WallTime now = system_clock().now();
  return {now - std::chrono::hours(1), now + std::chrono::hours(1)};
}

const TestPki& test_pki() {
  static const TestPki pki = [] {
    TestPki made;
    made.authority = make_ca("test authority", around_now()).value();
    made.serving = issue_certificate(made.authority, {.common_name = "strake",
                                                      .dns_names = {"localhost"},
                                                      .ip_addresses = {"127.0.0.1"},
                                                      .validity = around_now()})
                       .value();
    return made;
  }();
  return pki;
}

}  // namespace strake::http::testing
