#include "http/test_http_client.h"

#include <boost/asio/post.hpp>

#include "async/concurrently.h"

namespace strake::http::testing {
namespace {

Exchange<ReadResponse> send_and_read(Client& client, ClientRequest request) {
  STRAKE_CO_TRY(ClientResponse response, co_await client.send(std::move(request)));
  ReadResponse out{.status = response.status,
                   .version = response.version,
                   .headers = std::move(response.headers),
                   .body = {},
                   .trailers = {}};
  if (!response.body) co_return out;
  STRAKE_CO_TRY(out.body, co_await read_all(*response.body, std::size_t{1} << 30));
  out.trailers = response.body->trailers();
  co_return out;
}

}  // namespace

std::string_view name_of(Way way) {
  switch (way) {
    case Way::kH1: return "H1";
    case Way::kH1Tls: return "H1Tls";
    case Way::kH2: return "H2";
    case Way::kH2Tls: return "H2Tls";
  }
  return "";
}

Fault fault_of(const Reply& reply) {
  EXPECT_FALSE(reply) << "status " << reply->status;
  return reply ? Fault::kInvalid : reply.error().fault;
}

HttpClient::HttpClient()
    : tls_(TlsContext::make(ClientTlsOptions{.trust = ClientTlsOptions::Trust::kGiven,
                                             .ca_pem = test_pki().authority.certificate_pem})
               .value()) {
  use({});
}

HttpClient::~HttpClient() { client_.reset(); }

void HttpClient::use(ClientOptions options) { client_ = std::make_unique<Client>(loops_, options); }

TestServer HttpClient::serve(FunctionHandler::Function function, ServerOptions options) const {
  return TestServer(std::move(function), std::move(options), is_tls());
}

Upstream HttpClient::to_port(std::uint16_t port) const {
  Upstream out;
  out.tls = is_tls();
  out.host = "127.0.0.1";
  out.port = port;
  if (is_tls()) out.tls_context = tls_;
  out.protocol = is_h2() ? Upstream::Protocol::kHttp2 : Upstream::Protocol::kHttp1;
  return out;
}

Reply HttpClient::ask(ClientRequest request) {
  return run(send_and_read(*client_, std::move(request)));
}

Outcome<ClientResponse> HttpClient::start(ClientRequest request) {
  return run(client_->send(std::move(request)));
}

std::vector<Reply> HttpClient::ask_many(std::size_t count,
                                        std::function<ClientRequest(std::size_t)> make,
                                        std::size_t width) {
  std::vector<Reply> replies(count, failed(Fault::kInvalid, "not asked"));
  const auto all = [](Client* client, std::vector<Reply>* out,
                      std::function<ClientRequest(std::size_t)> made,
                      std::size_t at_a_time) -> Exchange<int> {
    co_await async::for_each_concurrently(
        out->size(), at_a_time, [client, out, &made](std::size_t i) {
          return [](Client* asked, std::vector<Reply>* to, std::size_t at,
                    ClientRequest request) -> boost::asio::awaitable<void> {
            (*to)[at] = co_await send_and_read(*asked, std::move(request));
          }(client, out, i, made(i));
        });
    co_return 0;
  };
  (void)run(all(client_.get(), &replies, std::move(make), width));
  return replies;
}

void HttpClient::destroy(Outcome<ClientResponse> response) {
  const auto drop = [](Outcome<ClientResponse> dropped) -> Exchange<int> {
    dropped = failed(Fault::kInvalid, "dropped");
    co_return 0;
  };
  (void)run(drop(std::move(response)));
}

ClientStats HttpClient::stats() {
  const auto count = [](Client* client) -> Exchange<ClientStats> {
    co_return co_await client->stats();
  };
  return run(count(client_.get())).value();
}

}  // namespace strake::http::testing
