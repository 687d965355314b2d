// Who is on the other side, and over what.
#include "http/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/test_server.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace strake::http::testing;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr int kTls12 = 0x0303;

boost::asio::awaitable<Response> whoami(Request request) {
  if (!request.peer) co_return text_response("nobody", 401);
  co_return text_response(
      fmt::format("{} {}", request.peer->common_name, fmt::join(request.peer->organizations, "+")));
}

std::string asked_by(const TestServer& server, ClientTls tls) {
  TestClient client = server.connect(std::move(tls));
  client.send(kGet);
  return client.read_answer().body;
}

TEST(Tls, KnowsClientsByTheirCertificates) {
  TestServer server(whoami, {}, true);
  const CertifiedKey admin = test_pki().client("admin", {"system:masters", "ops"});
  EXPECT_EQ(asked_by(server, {.identity = admin}), "admin system:masters+ops");
  EXPECT_EQ(asked_by(server, {.identity = admin, .max_version = kTls12}),
            "admin system:masters+ops");
}

TEST(Tls, LetsClientsInWithoutACertificate) {
  TestServer server(whoami, {}, true);
  EXPECT_EQ(asked_by(server, {}), "nobody");
  EXPECT_EQ(asked_by(server, {.max_version = kTls12}), "nobody");
}

TEST(Tls, TakesACertificateThatDoesNotPassForNone) {
  TestServer server(whoami, {}, true);
  const WallTime now = system_clock().now();
  const auto hours = [](int count) { return std::chrono::hours(count); };
  const CertifiedKey stranger_ca = make_ca("test authority", around_now()).value();
  const CertificateSpec spec{.common_name = "admin",
                             .organizations = {"system:masters"},
                             .use = CertificateUse::kClient,
                             .validity = around_now()};
  CertificateSpec expired = spec;
  expired.validity = {now - hours(2), now - hours(1)};
  CertificateSpec early = spec;
  early.validity = {now + hours(1), now + hours(2)};
  CertificateSpec serving = spec;
  serving.use = CertificateUse::kServer;
  for (const CertifiedKey& identity : {
           issue_certificate(stranger_ca, spec).value(),
           issue_certificate(test_pki().authority, expired).value(),
           issue_certificate(test_pki().authority, early).value(),
           issue_certificate(test_pki().authority, serving).value(),
           make_ca("admin", around_now()).value(),
       }) {
    EXPECT_EQ(asked_by(server, {.identity = identity}), "nobody");
    EXPECT_EQ(asked_by(server, {.identity = identity, .max_version = kTls12}), "nobody");
  }
}

TEST(Tls, TellsWhyACertificateDoesNotPassAndKeepsNoConnectionWithIt) {
  const auto tell = [](Request request) -> boost::asio::awaitable<Response> {
    co_return text_response(request.peer_refusal ? *request.peer_refusal : "fine");
  };
  TestServer server(tell, {}, true);
  EXPECT_EQ(asked_by(server, {}), "fine");
  EXPECT_EQ(asked_by(server, {.identity = test_pki().client("a", {})}), "fine");
  const CertifiedKey stranger = make_ca("stranger", around_now()).value();
  TestClient client = server.connect(ClientTls{.identity = stranger});
  client.send(kGet);
  const TestClient::Answer answer = client.read_answer();
  EXPECT_THAT(answer.body, StartsWith("the certificate does not pass: self"));
  // The authorities may be others when it comes back.
  EXPECT_EQ(answer.header("Connection"), "close");
  EXPECT_EQ(client.read_all(), "");
}

TEST(Tls, CarriesUpgradesOfAClientWhoseCertificateDoesNotPass) {
  TestServer server(
      [](Request request) -> boost::asio::awaitable<Response> {
        Response out;
        out.status = 101;
        out.headers.add("Upgrade", request.upgrade);
        out.upgrade = [](std::unique_ptr<RawStream> stream) -> boost::asio::awaitable<void> {
          (void)co_await stream->write("hello");
        };
        co_return out;
      },
      {}, true);
  const CertifiedKey stranger = make_ca("stranger", around_now()).value();
  TestClient client = server.connect(ClientTls{.identity = stranger});
  client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
  EXPECT_EQ(client.read_answer(false).status, 101);
  EXPECT_EQ(client.read_all(), "hello");
}

TEST(Tls, ShowsFingerprintAndEnd) {
  const auto tell = [](Request request) -> boost::asio::awaitable<Response> {
    co_return text_response(fmt::format("{} {}", request.peer->sha256, request.peer->not_after));
  };
  TestServer server(tell, {}, true);
  const CertifiedKey admin = test_pki().client("admin", {});
  const CertificateInfo info = read_certificate(admin.certificate_pem).value();
  EXPECT_EQ(asked_by(server, {.identity = admin}),
            fmt::format("{} {}", info.sha256, Instant::from(info.validity.until).seconds));
}

TEST(Tls, AgreesOnAProtocol) {
  TestServer server(echo, {}, true);
  EXPECT_EQ(server.connect(ClientTls{.alpn = "h2"}).alpn(), "h2");
  EXPECT_EQ(server.connect(ClientTls{.alpn = "http/1.1"}).alpn(), "http/1.1");
  EXPECT_EQ(server.connect(ClientTls{.alpn = ""}).alpn(), "");
}

TEST(Tls, SpeaksHttp1ToClientsWithoutAlpn) {
  TestServer server(echo, {}, true);
  EXPECT_THAT(asked_by(server, {.alpn = ""}), StartsWith("GET / version=11"));
}

TEST(Tls, TellsClientsThatForgotIt) {
  TestServer server(echo, {}, true);
  TestClient client(server.server().port());
  client.send(kGet);
  EXPECT_THAT(client.read_all(), HasSubstr("Client sent an HTTP request to an HTTPS server."));
}

TEST(Tls, TakesNewCertificatesForNewConnections) {
  TestServer server(whoami, {}, true);
  TestClient before = server.connect(ClientTls{.identity = test_pki().client("old", {})});
  const CertifiedKey other_ca = make_ca("other", around_now()).value();
  TlsOptions tls = test_pki().server_tls();
  tls.client_ca_pem = other_ca.certificate_pem;
  ASSERT_TRUE(server.server().set_tls(tls));
  before.send(kGet);
  EXPECT_EQ(before.read_answer().body, "old ");
  EXPECT_EQ(asked_by(server, {.identity = test_pki().client("old", {})}), "nobody");
  const CertifiedKey fresh = issue_certificate(other_ca, {.common_name = "new",
                                                          .use = CertificateUse::kClient,
                                                          .validity = around_now()})
                                 .value();
  EXPECT_EQ(asked_by(server, {.identity = fresh}), "new ");
}

struct BadTls {
  std::string_view what;
  TlsOptions tls;
};

TEST(Tls, SaysWhatIsWrongWithCertificates) {
  const TlsOptions good = test_pki().server_tls();
  const CertifiedKey other = make_ca("other", around_now()).value();
  for (const BadTls& bad : std::vector<BadTls>{
           {"serving certificate: no PEM certificate found", {"", good.key_pem, ""}},
           {"serving certificate: ",
            {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", good.key_pem, ""}},
           {"serving key: ", {good.certificate_pem, "nothing", ""}},
           {"does not belong", {good.certificate_pem, other.key_pem.reveal(), ""}},
           {"client CA: no PEM certificate found", {good.certificate_pem, good.key_pem, "x"}},
       }) {
    const auto made = TlsContext::make(bad.tls);
    ASSERT_FALSE(made) << bad.what;
    EXPECT_EQ(made.error().code(), Code::kInvalid);
    EXPECT_THAT(made.error().message(), HasSubstr(bad.what));
    EXPECT_THAT(made.error().message(), ::testing::Not(HasSubstr("PRIVATE KEY")));
  }
}

TEST(Tls, ClientsThatBreakOffTheHandshakeAreForgotten) {
  TestServer server(echo, {}, true);
  for (int i = 0; i < 20; ++i) {
    TestClient client(server.server().port());
    client.send(std::string("\x16\x03\x01\x02\x00\x01", 6));
  }
  EXPECT_TRUE(eventually([&] { return server.server().stats().connections == 0; }));
  EXPECT_THAT(asked_by(server, {}), StartsWith("GET / "));
}

// Both ends in memory. Tells whether the client was content with the server.
struct Meeting {
  bool passed = false;
  bool speaks_h2 = false;
  std::string failure;
  std::string seen_by_server;
};

Meeting meet(const ClientTlsOptions& options, const TlsGreeting& greeting) {
  const auto served = TlsContext::make(test_pki().server_tls()).value();
  const auto asking = TlsContext::make(options).value();
  TlsEngine server(Side::kServer, served, {});
  TlsEngine client(Side::kClient, asking, greeting);
  std::string to_server;
  std::string to_client;
  TlsStep client_step = client.handshake({}, to_server);
  TlsStep server_step = TlsStep::kMore;
  while (client_step == TlsStep::kMore || server_step == TlsStep::kMore) {
    std::string bytes;
    bytes.swap(to_server);
    if (server_step == TlsStep::kMore) server_step = server.handshake(bytes, to_client);
    if (client_step != TlsStep::kMore) break;
    bytes.clear();
    bytes.swap(to_client);
    client_step = client.handshake(bytes, to_server);
  }
  Meeting met{.passed = client_step == TlsStep::kDone && server_step == TlsStep::kDone,
              .speaks_h2 = client.speaks_h2(),
              .failure = client.failure(),
              .seen_by_server = {}};
  if (met.passed && server.peer()) met.seen_by_server = server.peer()->common_name;
  return met;
}

TEST(Tls, AClientVerifiesTheNameItWasTold) {
  using Trust = ClientTlsOptions::Trust;
  const ClientTlsOptions known{.trust = Trust::kGiven,
                               .ca_pem = test_pki().authority.certificate_pem};
  EXPECT_TRUE(meet(known, {.server_name = "localhost"}).passed);
  EXPECT_TRUE(meet(known, {.server_name = "127.0.0.1"}).passed);
  for (const std::string name : {"other.example", "127.0.0.2", "", "strake"}) {
    const Meeting met = meet(known, {.server_name = name});
    EXPECT_FALSE(met.passed) << name;
    EXPECT_THAT(met.failure, HasSubstr("does not pass")) << name;
  }
  EXPECT_TRUE(meet({.trust = Trust::kNobody}, {.server_name = "other.example"}).passed);
  EXPECT_FALSE(meet({.trust = Trust::kSystem}, {.server_name = "localhost"}).passed);
  const ClientTlsOptions stranger{
      .trust = Trust::kGiven, .ca_pem = make_ca("stranger", around_now()).value().certificate_pem};
  EXPECT_FALSE(meet(stranger, {.server_name = "localhost"}).passed);
}

TEST(Tls, AClientShowsItsCertificateAndOffersHttp2) {
  const CertifiedKey jane = test_pki().client("jane", {});
  const ClientTlsOptions options{.trust = ClientTlsOptions::Trust::kGiven,
                                 .ca_pem = test_pki().authority.certificate_pem,
                                 .certificate_pem = jane.certificate_pem,
                                 .key_pem = jane.key_pem};
  const Meeting both = meet(options, {.server_name = "localhost"});
  EXPECT_EQ(both.seen_by_server, "jane");
  EXPECT_TRUE(both.speaks_h2);
  EXPECT_FALSE(meet(options, {.server_name = "localhost", .offers_h2 = false}).speaks_h2);
}

TEST(Tls, AClientIsToldWhatIsWrongWithItsOptions) {
  const CertifiedKey jane = test_pki().client("jane", {});
  const struct {
    ClientTlsOptions options;
    std::string_view says;
  } cases[] = {
      {{.trust = ClientTlsOptions::Trust::kGiven, .ca_pem = "x"}, "authorities to trust"},
      {{.certificate_pem = "x", .key_pem = jane.key_pem}, "client certificate"},
      {{.certificate_pem = jane.certificate_pem, .key_pem = Secret("k3y")}, "client key"},
      {{.certificate_pem = jane.certificate_pem, .key_pem = test_pki().client("j", {}).key_pem},
       "does not belong"},
  };
  for (const auto& one : cases) {
    const auto made = TlsContext::make(one.options);
    ASSERT_FALSE(made) << one.says;
    EXPECT_EQ(made.error().code(), Code::kInvalid);
    EXPECT_THAT(made.error().message(), HasSubstr(one.says));
    EXPECT_THAT(made.error().message(), ::testing::Not(HasSubstr("k3y")));
  }
}

}  // namespace
}  // namespace strake::http
