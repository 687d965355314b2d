#pragma once
// A client for tests that says exactly what it is told, over TCP or TLS, and waits for answers with
// a limit.
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/pki.h"
#include "http/server.h"

namespace strake::http::testing {

struct ClientTls {
  std::string ca_pem;
  std::optional<CertifiedKey> identity;
  std::string alpn = "http/1.1";  // empty for none
  int max_version = 0;            // of OpenSSL; 0 for any
};

class TestClient {
 public:
  // Ends the test program when it cannot connect.
  explicit TestClient(std::uint16_t port, std::optional<ClientTls> tls = std::nullopt);
  ~TestClient();
  TestClient(TestClient&&) noexcept;

  void send(std::string_view bytes);
  void finish_sending();  // closes this half
  void close();
  // Empty at the end, or when nothing comes for ten seconds.
  std::string read_some();
  std::string read_until(std::string_view mark);  // up to and with it, or all there is
  std::string read_all();
  // One response: head and a body by its Content-Length or chunks (which are taken off).
  struct Answer {
    int status = 0;
    std::string head;
    std::string body;
    std::string header(std::string_view name) const;
  };
  Answer read_answer(bool has_body = true);
  std::string alpn() const;
  void set_receive_buffer(int bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether anybody listens there.
bool can_connect(std::uint16_t port);

// An authority with a serving certificate for 127.0.0.1 and localhost, made once.
struct TestPki {
  CertifiedKey authority;
  CertifiedKey serving;
  TlsOptions server_tls() const;
  CertifiedKey client(std::string common_name, std::vector<std::string> organizations) const;
};
const TestPki& test_pki();
Validity around_now();

}  // namespace strake::http::testing
