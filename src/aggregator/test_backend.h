#pragma once
// Servers behind an API server in the test program: scripted ones, with certificates of their own,
// and the whole way to them.
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "aggregator/aggregation.h"
#include "api/test_server.h"
#include "async/loops.h"
#include "http/client.h"
#include "http/pki.h"
#include "http/server.h"

namespace strake::aggregator::testing {

http::Validity valid_now();

// Certificates for a server; whom it says to be is up to the test.
struct Identity {
  http::CertifiedKey authority;
  http::CertifiedKey server;
};
// Of default/there unless told otherwise.
Identity make_identity(std::vector<std::string> names = {"there.default.svc"},
                       const http::Validity& validity = valid_now());
// The authority of the proxy's certificate, and that.
const http::CertifiedKey& proxy_authority();
const http::CertifiedKey& proxy_certificate();

// What a backend was asked.
struct Seen {
  std::string method;
  std::string target;
  http::Headers headers;
  std::string body;
  std::string certificate;  // the common name of who asked
  int version = 0;
};

class ScriptedBackend final : public http::Handler {
 public:
  using Script = std::function<boost::asio::awaitable<http::Response>(http::Request)>;
  // Answers probes with 200 unless `answers_probes` is taken back, and all else by the script.
  explicit ScriptedBackend(Script script = {}, Identity identity = make_identity());
  ~ScriptedBackend() override;

  std::uint16_t port() const { return server_->port(); }
  std::string ca_bundle() const;  // base64, as an APIService has it
  const Identity& identity() const { return identity_; }
  std::vector<Seen> seen() const;  // but for probes
  std::size_t probes() const { return probes_; }
  std::size_t connections() const { return server_->stats().connections; }
  // Bodies come while they arrive.
  void stream_bodies(bool on) { streams_ = on; }
  void answer_probes(bool on) { answers_probes_ = on; }
  void hang_probes(bool on) { hangs_probes_ = on; }
  async::Loops& loops() { return loops_; }

  boost::asio::awaitable<http::Response> handle(http::Request request) override;
  bool is_authenticated(const http::Request&) const override { return true; }
  bool wants_stream(const http::Request&) const override { return streams_; }

 private:
  const Script script_;
  const Identity identity_;
  std::atomic<std::size_t> probes_{0};
  std::atomic<bool> streams_{false};
  std::atomic<bool> answers_probes_{true};
  std::atomic<bool> hangs_probes_{false};
  mutable std::mutex mu_;
  std::vector<Seen> seen_;  // guarded by mu_
  async::Loops loops_{1};
  std::unique_ptr<http::Server> server_;
};

http::Response json_answer(std::string text, int status = 200);
// Never answers; ends when it is cancelled.
boost::asio::awaitable<http::Response> hang(http::Request request);

// An API server with the aggregation layer.
class AggregatedServer {
 public:
  explicit AggregatedServer(Aggregation::Options options = {},
                            api::testing::TestServer::Options server = {},
                            const api::Authenticator* believes = nullptr);
  ~AggregatedServer();

  api::testing::TestServer* operator->() { return server_.get(); }
  api::testing::TestServer& operator*() { return *server_; }
  Aggregation& aggregation() { return *aggregation_; }

  // The service default/NAME leads to the backend.
  void map(const ScriptedBackend& backend, std::string_view name = "there");
  // An APIService v1.GROUP whose service is default/there, and waits until it is available.
  void add(const ScriptedBackend& backend, std::string_view group = "x.example");
  // Without waiting; `more` are further members of the spec.
  void create(std::string_view group, std::string_view more, std::string_view name = "there");
  // Waits until the condition has this reason, and gives its message.
  std::string wait_for_reason(std::string_view name, std::string_view reason);

  // The API server behind a real port; requests are those of system:masters.
  std::uint16_t listen();
  http::Outcome<http::ClientResponse> ask(http::ClientRequest request);
  // Lets go of answers where they belong.
  void end(std::vector<http::ClientResponse> answers);
  // The same, and the body up to this many bytes.
  struct Read {
    int status = 0;
    http::Headers headers;
    std::string body;
    http::Headers trailers;
    bool broke_off = false;
  };
  Read read(http::ClientRequest request, std::size_t most = 16U << 20);
  async::Loops& loops() { return server_->core().hub.loops(); }

 private:
  Aggregation* aggregation_ = nullptr;
  std::vector<std::pair<std::string, std::uint16_t>> mapped_;
  std::unique_ptr<api::testing::TestServer> server_;
  std::unique_ptr<http::Server> http_;
  std::unique_ptr<http::Client> client_;
};

inline constexpr std::string_view kApiServices = "/apis/apiregistration.k8s.io/v1/apiservices";

}  // namespace strake::aggregator::testing
