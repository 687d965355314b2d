#include "auth/oidc/https_get.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/quote.h"
#include "http/byte_stream.h"
#include "http/proxy.h"
#include "http/url.h"

namespace strake::auth {
namespace {

constexpr int kMostRedirects = 10;
constexpr std::size_t kMostShownBody = 512;

std::string environment(const char* name) {
  const char* found = std::getenv(name);
  return found != nullptr ? found : "";
}

Result<http::ClientRequest> request_for(const http::Url& url) {
  if (!url.tls)
    return fail(Code::kInvalid, "{}: an issuer and its keys are asked over https alone",
                url.shown());
  http::ClientRequest out;
  out.to.host = url.host;
  out.to.port = url.port;
  STRAKE_TRY(out.to.proxy, http::proxy_from_environment(url, environment));
  out.target = url.target;
  out.headers.add("Accept", "application/json");
  out.headers.add("User-Agent", "strake");
  return out;
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

async::Task<std::string> https_get(std::shared_ptr<http::Client> client, std::string text,
                                   HttpsGet how) {
  STRAKE_CO_TRY(http::Url url, http::Url::parse(text));
  const std::string first = fmt::format("{}:{}", url.host, url.port);
  const Deadline deadline = Deadline::after(how.timeout);
  for (int i = 0; i <= kMostRedirects; ++i) {
    STRAKE_CO_TRY(http::ClientRequest request, request_for(url));
    request.to.tls_context = how.tls;
    request.deadline = deadline;
    request.try_timeout = how.timeout;
    request.max_body = how.most_bytes;
    request.cancel = how.cancel;
    if (!how.bearer.empty() && fmt::format("{}:{}", url.host, url.port) == first)
      request.headers.add("Authorization", fmt::format("Bearer {}", how.bearer.reveal()));
    const auto failed = [&url](const http::Failure& why) {
      return std::unexpected(why.to_error().prefixed(url.shown()));
    };
    http::Outcome<http::ClientResponse> response = co_await client->send(std::move(request));
    if (!response) co_return failed(response.error());
    http::Outcome<std::string> body = co_await http::read_all(*response->body, how.most_bytes);
    if (!body) co_return failed(body.error());
    if (is_redirect(response->status)) {
      STRAKE_CO_TRY(url, url.resolve(response->headers.get("Location")));
      continue;
    }
    if (response->status != 200) {
      co_return fail(Code::kServiceUnavailable, "{}: answered {}: {}", url.shown(),
                     response->status, quote(body->substr(0, kMostShownBody)));
    }
    co_return *std::move(body);
  }
  co_return fail(Code::kServiceUnavailable, "{}: more than {} redirects", url.shown(),
                 kMostRedirects);
}

}  // namespace strake::auth
