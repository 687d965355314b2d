#include "kube/client.h"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <mutex>

#include "http/byte_stream.h"
#include "http/client.h"
#include "kube/exec_credential.h"
#include "kube/own_loop.h"
#include "kube/small_file.h"
#include "value/json_reader.h"

namespace strake::kube {
namespace {

constexpr int kMostTries = 5;
constexpr std::chrono::seconds kMostPatience{10};  // before the next try
constexpr std::chrono::seconds kEarly{10};         // credentials are made again before they run out
constexpr std::size_t kMostQuoted = 200;
struct ReasonCode {
  std::string_view reason;
  Code code;
};
constexpr ReasonCode kReasons[] = {
    {"BadRequest", Code::kBadRequest},
    {"Unauthorized", Code::kUnauthorized},
    {"Forbidden", Code::kForbidden},
    {"NotFound", Code::kNotFound},
    {"MethodNotAllowed", Code::kMethodNotAllowed},
    {"NotAcceptable", Code::kNotAcceptable},
    {"AlreadyExists", Code::kAlreadyExists},
    {"Conflict", Code::kConflict},
    {"Gone", Code::kGone},
    {"Expired", Code::kExpired},
    {"RequestEntityTooLarge", Code::kRequestTooLarge},
    {"UnsupportedMediaType", Code::kUnsupportedMediaType},
    {"Invalid", Code::kInvalid},
    {"TooManyRequests", Code::kTooManyRequests},
    {"InternalError", Code::kInternal},
    {"ServiceUnavailable", Code::kServiceUnavailable},
    {"ServerTimeout", Code::kTimeout},
    {"Timeout", Code::kTimeout},
};

Code code_of(int status) {
  switch (status) {
    case 400: return Code::kBadRequest;
    case 401: return Code::kUnauthorized;
    case 403: return Code::kForbidden;
    case 404: return Code::kNotFound;
    case 405: return Code::kMethodNotAllowed;
    case 406: return Code::kNotAcceptable;
    case 409: return Code::kConflict;
    case 410: return Code::kGone;
    case 413: return Code::kRequestTooLarge;
    case 415: return Code::kUnsupportedMediaType;
    case 422: return Code::kInvalid;
    case 429: return Code::kTooManyRequests;
    case 503: return Code::kServiceUnavailable;
    case 504: return Code::kTimeout;
    default: return Code::kInternal;
  }
}

// A proxy or a load balancer answers with a page; its first words are enough.
std::string first_words(std::string_view body) {
  const std::size_t end = body.find_first_of("\r\n");
  std::string_view line = body.substr(0, std::min(end, kMostQuoted));
  if (line.starts_with('<')) return {};  // markup
  return line.empty() ? std::string() : fmt::format(": {}", line);
}

std::optional<std::chrono::seconds> asked_to_wait(const http::FetchResponse& response) {
  if (response.status != 429 && response.status < 500) return std::nullopt;
  const std::string_view text = response.headers.get("Retry-After");
  unsigned seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
    return std::nullopt;
  return std::min(std::chrono::seconds(seconds), kMostPatience);
}

}  // namespace

Error error_of(const Request& request, const http::FetchResponse& response) {
  const std::string path = request.path.substr(0, request.path.find('?'));
  const auto document = value::read_json(std::string_view(response.body));
  const auto text = [&](std::string_view key) -> std::string {
    const value::Value* found = document ? document->root().find(key) : nullptr;
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
  };
  Code code = code_of(response.status);
  const std::string what = fmt::format("{} {}", request.method, path);
  if (text("kind") != "Status")
    return Error(code, fmt::format("{}: the server answered {}{}", what, response.status,
                                   first_words(response.body)));
  for (const ReasonCode& one : kReasons) {
    if (one.reason == text("reason")) code = one.code;
  }
  return Error(code, fmt::format("{}: {}", what, text("message")));
}

struct Client::Impl {
  Access access;
  ClientOptions options;
  std::mutex mutex;
  std::optional<Credentials> made;     // by the plugin; guarded by mutex
  std::optional<RateLimiter> limiter;  // guarded by mutex

  // How long the next request has to wait for its turn.
  std::chrono::nanoseconds turn() {
    const std::lock_guard lock(mutex);
    return limiter ? limiter->take(std::chrono::steady_clock::now()) : std::chrono::nanoseconds(0);
  }

  // Those to use now. `refused` are those that the server did not take.
  Result<Credentials> credentials(const std::optional<Credentials>& refused) {
    if (!access.exec) return access.credentials;
    const std::lock_guard lock(mutex);
    const auto now = system_clock().now();
    const bool fresh = made && (!made->expires || *made->expires - kEarly > now);
    // Another thread may have made new ones meanwhile.
    const bool others = !refused || (made && !made->token.equals(refused->token.reveal()));
    if (fresh && others) return *made;
    STRAKE_TRY(made, run_exec_plugin(access, options.has_terminal));
    return *made;
  }

  void add_impersonation(http::Headers& headers) const {
    if (!access.as.user.empty()) headers.add("Impersonate-User", access.as.user);
    if (!access.as.uid.empty()) headers.add("Impersonate-Uid", access.as.uid);
    for (const std::string& group : access.as.groups) headers.add("Impersonate-Group", group);
    for (const auto& [key, values] : access.as.extra) {
      for (const std::string& value : values) headers.add("Impersonate-Extra-" + key, value);
    }
  }

  Result<http::FetchResponse> ask(const Request& request, const Credentials& as,
                                  const CancelToken& cancel, Deadline deadline) const {
    http::FetchRequest out;
    out.url = access.server + request.path;
    out.method = request.method;
    out.headers.add("Accept", request.accept);
    out.headers.add("User-Agent", options.user_agent);
    if (!request.content_type.empty()) out.headers.add("Content-Type", request.content_type);
    add_impersonation(out.headers);
    out.body = request.body;
    out.timeout = std::min(options.timeout,
                           std::chrono::ceil<std::chrono::milliseconds>(deadline.remaining()));
    out.cancel = cancel;
    out.max_bytes = options.max_bytes;
    out.ca_pem = access.ca_pem;
    out.insecure = access.insecure;
    out.tls_server_name = access.tls_server_name;
    out.client_certificate_pem = as.certificate_pem;
    out.client_key_pem = as.key_pem;
    out.bearer_token = as.token;
    out.user_name = as.user_name;
    out.password = as.password;
    out.proxy = access.proxy_url;
    out.compressed = true;
    // Read for every request: the kubelet replaces the token of a pod before it runs out.
    if (!access.token_file.empty()) {
      STRAKE_TRY(std::string token, read_small_file(access.token_file));
      while (token.ends_with('\n') || token.ends_with('\r') || token.ends_with(' '))
        token.pop_back();
      out.bearer_token = Secret(std::move(token));
    }
    return http::fetch(out);
  }

  // As code on a loop calls the cluster.
  Result<Caller> caller_with(const Credentials& as) const {
    Access plain = access;
    plain.exec.reset();
    plain.credentials = as;
    STRAKE_TRY(Caller out, Caller::make(plain));
    out.headers.add("User-Agent", options.user_agent);
    return out;
  }
};

namespace {

struct Streamed {
  const Client& client;
  const Caller& caller;
  const Request& request;
  const Client::TakePart& take;
  std::chrono::milliseconds timeout;
  std::optional<Error>& refusal;  // of whoever takes the parts
};

std::unexpected<Error> broken(const Request& request, const http::Failure& why) {
  return std::unexpected(why.to_error().prefixed(
      fmt::format("{} {}", request.method, request.path.substr(0, request.path.find('?')))));
}

async::Task<http::FetchResponse> stream_once(http::Client& http, Streamed one) {
  http::ClientRequest out;
  out.to = one.caller.upstream;
  out.method = one.request.method;
  out.target = one.caller.target(one.request.path);
  out.headers = one.caller.headers_now();
  out.headers.add("Accept", one.request.accept);
  if (!one.request.content_type.empty()) out.headers.add("Content-Type", one.request.content_type);
  out.body = one.request.body;
  out.try_timeout = one.timeout;
  out.deadline = one.client.deadline();
  out.cancel = one.client.cancel();
  http::Outcome<http::ClientResponse> response = co_await http.send(std::move(out));
  if (!response) co_return broken(one.request, response.error());
  http::FetchResponse answer{.status = response->status, .headers = std::move(response->headers)};
  if (answer.status < 200 || answer.status > 299) {
    if (auto text = co_await http::read_all(*response->body, kMostErrorBytes))
      answer.body = *std::move(text);
    co_return answer;
  }
  while (true) {
    http::Outcome<std::string> part = co_await response->body->next();
    if (!part) co_return broken(one.request, part.error());
    if (part->empty()) co_return answer;
    const Result<bool> wants_more = one.take(*part);
    if (!wants_more) one.refusal = wants_more.error();
    if (!wants_more || !*wants_more) co_return answer;
  }
}

}  // namespace

Client::Client(Access access, ClientOptions options) : impl_(std::make_shared<Impl>()) {
  impl_->access = std::move(access);
  if (options.rate) impl_->limiter.emplace(*options.rate);
  impl_->options = std::move(options);
}
Client::~Client() = default;
Client::Client(Client&&) noexcept = default;

const Access& Client::access() const { return impl_->access; }

// Cancelled with whichever comes first.
struct Client::Either {
  Either(const CancelToken& one, const CancelToken& other)
      : source(one), with_other(other.on_cancel([this] { source.cancel(); })) {}
  CancelSource source;
  CancelRegistration with_other;
};

Client Client::within(CancelToken cancel, Deadline deadline) const {
  Client out(impl_);
  out.either_ = std::make_shared<Either>(cancel_, cancel);
  out.outer_ = either_;
  out.cancel_ = out.either_->source.token();
  out.deadline_ = deadline_.or_earlier(deadline);
  out.seam_ = seam_;
  return out;
}

Client Client::through(std::shared_ptr<RequestSeam> seam) const {
  Client out = within({}, Deadline::never());
  out.seam_ = std::move(seam);
  return out;
}

Result<> Client::pause(std::chrono::nanoseconds time) const {
  std::mutex mu;
  std::condition_variable woken;
  bool over = false;  // guarded by mu
  {
    const CancelRegistration heard = cancel_.on_cancel([&] {
      const std::lock_guard lock(mu);
      over = true;
      woken.notify_all();
    });
    std::unique_lock lock(mu);
    woken.wait_for(lock, std::min(time, deadline_.remaining()), [&] { return over; });
  }
  return check();
}

Result<> Client::wait_for_turn() const {
  STRAKE_CHECK(check());
  const std::chrono::nanoseconds turn = impl_->turn();
  if (turn.count() <= 0) return {};
  return pause(turn);
}

// Tries again only when the server asks for it with Retry-After, and once with new credentials
// after a 401. Whether anything else is worth another try is the caller's to judge.
Result<http::FetchResponse> Client::ask_patiently(const Request& request, const Ask& ask) const {
  std::optional<Credentials> refused;
  for (int tries = 1;; ++tries) {
    STRAKE_CHECK(wait_for_turn());
    if (seam_) STRAKE_CHECK(seam_->before(request));
    STRAKE_TRY(Credentials as, impl_->credentials(refused));
    auto response = ask(as);
    if (!response) {
      return std::unexpected(std::move(response).error().prefixed(
          fmt::format("context \"{}\"", impl_->access.context)));
    }
    if (response->status >= 200 && response->status < 300) {
      if (seam_) STRAKE_CHECK(seam_->after(request));
      return response;
    }
    if (response->status == 401 && impl_->access.exec && !refused) {
      refused = std::move(as);
      continue;
    }
    const auto wait = asked_to_wait(*response);
    if (!wait || tries == kMostTries) return std::unexpected(error_of(request, *response));
    STRAKE_CHECK(pause(*wait));
  }
}

Result<http::FetchResponse> Client::send(const Request& request) const {
  return ask_patiently(
      request, [&](const Credentials& as) { return impl_->ask(request, as, cancel_, deadline_); });
}

Result<> Client::stream(const Request& request, const TakePart& take) const {
  OwnLoop loop;
  std::optional<Error> refusal;
  STRAKE_TRY(const http::FetchResponse head, ask_patiently(request, [&](const Credentials& as) {
               Result<http::FetchResponse> out = fail(Code::kInternal, "not asked");
               const Result<Caller> caller = impl_->caller_with(as);
               if (!caller) {
                 out = std::unexpected(caller.error());
               } else {
                 out = loop.run(stream_once(loop.client(), {.client = *this,
                                                            .caller = *caller,
                                                            .request = request,
                                                            .take = take,
                                                            .timeout = impl_->options.timeout,
                                                            .refusal = refusal}));
               }
               return out;
             }));
  (void)head;
  if (refusal) return std::unexpected(*std::move(refusal));
  return {};
}

Result<Caller> Client::caller() const {
  STRAKE_TRY(const Credentials as, impl_->credentials(std::nullopt));
  return impl_->caller_with(as);
}

Result<std::string> Client::get(std::string_view path) const {
  STRAKE_TRY(http::FetchResponse response, send({.path = std::string(path)}));
  return std::move(response.body);
}

}  // namespace strake::kube
