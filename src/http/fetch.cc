#include "http/fetch.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <optional>

#include "base/base64.h"
#include "base/sha256.h"
#include "http/client.h"
#include "http/gzip.h"
#include "http/proxy.h"
#include "http/tls.h"
#include "http/url.h"

namespace strake::http {
namespace {

namespace asio = boost::asio;

constexpr int kMostRedirects = 10;
constexpr std::size_t kMostTlsContexts = 8;

// A loop that runs while this thread waits, and the connections that are kept for its next request.
class ThreadLoop {
 public:
  ThreadLoop() : client_(std::make_unique<Client>(context_.get_executor(), ClientOptions())) {}
  // The client closes its pools by posting to the loop; poll() lets that happen before the loop
  // goes.
  ~ThreadLoop() {
    client_.reset();
    context_.restart();
    context_.poll();
  }
  ThreadLoop(const ThreadLoop&) = delete;
  ThreadLoop& operator=(const ThreadLoop&) = delete;

  Client& client() { return *client_; }

  template <typename T>
  Result<T> run(async::Task<T> task) {
    std::optional<Result<T>> outcome;
    asio::co_spawn(context_, std::move(task),
                   [&outcome](std::exception_ptr error, Result<T> value) {
                     if (error) value = fail(Code::kInternal, "a request ended with an exception");
                     outcome.emplace(std::move(value));
                   });
    context_.restart();
    while (!outcome) context_.run_one();
    return *std::move(outcome);
  }

  // Reading certificates takes longer than many a request; the same ones are used again.
  Result<std::shared_ptr<const TlsContext>> tls(const ClientTlsOptions& options) {
    std::string whole = fmt::format("{}", static_cast<int>(options.trust));
    for (const std::string* part :
         {&options.ca_pem, &options.certificate_pem, &options.key_pem.reveal()}) {
      // Sizes keep the parts apart. Only the digest is kept as a key, since one part is a private
      // key.
      whole += fmt::format("|{}|{}", part->size(), *part);
    }
    const std::string key = sha256_hex(whole);
    for (const auto& [known, context] : tls_) {
      if (known == key) return context;
    }
    STRAKE_TRY(std::shared_ptr<const TlsContext> made, TlsContext::make(options));
    if (tls_.size() == kMostTlsContexts) tls_.erase(tls_.begin());
    tls_.emplace_back(key, made);
    return made;
  }

 private:
  asio::io_context context_{1};
  std::unique_ptr<Client> client_;
  std::vector<std::pair<std::string, std::shared_ptr<const TlsContext>>> tls_;
};

std::string environment(const char* name) {
  const char* found = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it meanwhile
  return found == nullptr ? std::string() : std::string(found);
}

Result<std::optional<Proxy>> proxy_for(const FetchRequest& request, const Url& url) {
  if (request.proxy.empty()) return proxy_from_environment(url, environment);
  STRAKE_TRY(Proxy named, read_proxy(request.proxy));
  return std::optional<Proxy>(std::move(named));
}

Result<std::shared_ptr<const TlsContext>> tls_for(ThreadLoop& loop, const FetchRequest& request) {
  using Trust = ClientTlsOptions::Trust;
  ClientTlsOptions options{.trust = request.ca_pem.empty() ? Trust::kSystem : Trust::kGiven,
                           .ca_pem = request.ca_pem,
                           .certificate_pem = request.client_certificate_pem,
                           .key_pem = request.client_key_pem};
  if (request.insecure) {
    options.trust = Trust::kNobody;
    options.ca_pem.clear();
  }
  return loop.tls(options);
}

// Secrets go to the host that was asked, not to one that it names.
void add_credentials(ClientRequest& out, const FetchRequest& request, const Url& first,
                     const Url& url) {
  if (!url.has_same_origin(first)) {
    out.headers.remove("Authorization");
    return;
  }
  const std::string& user = request.user_name.empty() ? first.user_name : request.user_name;
  const Secret& password = request.user_name.empty() ? first.password : request.password;
  if (!request.bearer_token.empty()) {
    out.headers.set("Authorization", "Bearer " + request.bearer_token.reveal());
  } else if (!user.empty()) {
    out.headers.set("Authorization", "Basic " + base64_encode(user + ":" + password.reveal()));
  }
}

Error explain(const FetchRequest& request, const Url& url, const Failure& why) {
  const std::string what = fmt::format("{} {}", request.method, url.shown());
  if (why.fault == Fault::kTimeout) {
    return {Code::kTimeout,
            fmt::format("{}: no answer within {} ms", what, request.timeout.count())};
  }
  if (why.fault == Fault::kTooLarge) {
    return {Code::kLimit, fmt::format("{}: the answer is larger than {} bytes: {}", what,
                                      request.max_bytes, why.message)};
  }
  return why.to_error().prefixed(what);
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// One request and its whole answer.
async::Task<FetchResponse> ask(ThreadLoop& loop, const FetchRequest& request, const Url& first,
                               const Url& url, Deadline deadline) {
  ClientRequest out{.method = request.method, .target = url.target, .body = request.body};
  out.to.tls = url.tls;
  out.to.host = url.host;
  out.to.port = url.port;
  out.to.server_name = request.tls_server_name;
  STRAKE_CO_TRY(out.to.proxy, proxy_for(request, url));
  if (url.tls) {
    STRAKE_CO_TRY(out.to.tls_context, tls_for(loop, request));
  }
  out.headers = request.headers;
  if (request.compressed) out.headers.set("Accept-Encoding", "gzip");
  add_credentials(out, request, first, url);
  out.deadline = deadline;
  out.try_timeout = request.timeout;
  out.cancel = request.cancel;
  out.max_body = request.max_bytes;
  Outcome<ClientResponse> response = co_await loop.client().send(std::move(out));
  if (!response) co_return std::unexpected(explain(request, url, response.error()));
  FetchResponse answer{.status = response->status,
                       .headers = std::move(response->headers),
                       .body = {},
                       .url = url.text()};
  Outcome<std::string> body = co_await read_all(*response->body, request.max_bytes);
  if (!body) co_return std::unexpected(explain(request, url, body.error()));
  answer.body = *std::move(body);
  if (equals_ignoring_case(answer.headers.get("Content-Encoding"), "gzip") && request.compressed &&
      !answer.body.empty()) {
    auto plain = gunzip(answer.body, request.max_bytes);
    if (!plain) {
      co_return std::unexpected(
          std::move(plain).error().prefixed(fmt::format("{} {}", request.method, url.shown())));
    }
    answer.body = *std::move(plain);
    answer.headers.remove("Content-Encoding");
    answer.headers.remove("Content-Length");
  }
  co_return answer;
}

async::Task<FetchResponse> follow(ThreadLoop& loop, const FetchRequest& request, Url first) {
  const Deadline deadline = Deadline::after(request.timeout);
  // Another method would be repeated, or changed, at each turn.
  const bool follows =
      request.follow_redirects && (request.method == "GET" || request.method == "HEAD");
  Url url = first;
  for (int turns = 0;; ++turns) {
    STRAKE_CO_TRY(FetchResponse response, co_await ask(loop, request, first, url, deadline));
    const std::string location(response.headers.get("Location"));
    if (!follows || !is_redirect(response.status) || location.empty()) co_return response;
    if (turns == kMostRedirects) {
      co_return fail(Code::kServiceUnavailable, "{} {}: redirected more than ten times",
                     request.method, first.shown());
    }
    auto next = url.resolve(location);
    if (!next) {
      co_return std::unexpected(std::move(next).error().prefixed(
          fmt::format("{} {}: redirected", request.method, first.shown())));
    }
    url = *std::move(next);
  }
}

}  // namespace

Result<FetchResponse> fetch(const FetchRequest& request) {
  STRAKE_TRY(Url url, Url::parse(request.url));
  thread_local ThreadLoop loop;
  return loop.run(follow(loop, request, std::move(url)));
}

}  // namespace strake::http
