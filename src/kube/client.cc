#include "kube/client.h"

#include <algorithm>
#include <charconv>
#include <mutex>
#include <thread>

#include "kube/exec_credential.h"
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
  std::optional<Credentials> made;  // by the plugin; guarded by mutex

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

  Result<http::FetchResponse> ask(const Request& request, const Credentials& as) const {
    http::FetchRequest out;
    out.url = access.server + request.path;
    out.method = request.method;
    out.headers.add("Accept", request.accept);
    out.headers.add("User-Agent", options.user_agent);
    if (!request.content_type.empty()) out.headers.add("Content-Type", request.content_type);
    add_impersonation(out.headers);
    out.body = request.body;
    out.timeout = options.timeout;
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
};

Client::Client(Access access, ClientOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->access = std::move(access);
  impl_->options = std::move(options);
}
Client::~Client() = default;
Client::Client(Client&&) noexcept = default;

const Access& Client::access() const { return impl_->access; }

// Tries again only when the server asks for it with Retry-After, and once with new credentials
// after a 401. Whether anything else is worth another try is the caller's to judge.
Result<http::FetchResponse> Client::send(const Request& request) const {
  std::optional<Credentials> refused;
  for (int tries = 1;; ++tries) {
    STRAKE_TRY(Credentials as, impl_->credentials(refused));
    auto response = impl_->ask(request, as);
    if (!response) {
      return std::unexpected(std::move(response).error().prefixed(
          fmt::format("context \"{}\"", impl_->access.context)));
    }
    if (response->status >= 200 && response->status < 300) return response;
    if (response->status == 401 && impl_->access.exec && !refused) {
      refused = std::move(as);
      continue;
    }
    const auto wait = asked_to_wait(*response);
    if (!wait || tries == kMostTries) return std::unexpected(error_of(request, *response));
    std::this_thread::sleep_for(*wait);
  }
}

Result<std::string> Client::get(std::string_view path) const {
  STRAKE_TRY(http::FetchResponse response, send({.path = std::string(path)}));
  return std::move(response.body);
}

}  // namespace strake::kube
