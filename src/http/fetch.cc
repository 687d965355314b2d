#include "http/fetch.h"

#include <curl/curl.h>

#include <array>
#include <memory>

namespace strake::http {
namespace {

struct FreeCurl {
  void operator()(CURL* p) const { curl_easy_cleanup(p); }
  void operator()(CURLU* p) const { curl_url_cleanup(p); }
  void operator()(curl_slist* p) const { curl_slist_free_all(p); }
};
using Handle = std::unique_ptr<CURL, FreeCurl>;
using Url = std::unique_ptr<CURLU, FreeCurl>;
using Lines = std::unique_ptr<curl_slist, FreeCurl>;

CURL* thread_handle() {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (ready != CURLE_OK) return nullptr;
  thread_local const Handle handle(curl_easy_init());
  if (handle) curl_easy_reset(handle.get());
  return handle.get();
}

struct Receiving {
  const FetchRequest& request;
  FetchResponse response;
  bool too_large = false;
};

std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& receiving = *static_cast<Receiving*>(user);
  std::string& body = receiving.response.body;
  if (body.size() + size * count > receiving.request.max_bytes) {
    receiving.too_large = true;
    return 0;
  }
  body.append(bytes, size * count);
  return size * count;
}

std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& receiving = *static_cast<Receiving*>(user);
  std::string_view line(bytes, size * count);
  // Each answer on the way (100, a redirect) begins with its own status line.
  if (line.starts_with("HTTP/")) receiving.response.headers = Headers();
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos && !line.starts_with("HTTP/")) {
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) {
      value.remove_prefix(1);
    }
    receiving.response.headers.add(line.substr(0, colon), value);
  }
  return size * count;
}

int on_progress(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<Receiving*>(user)->request.cancel.cancelled() ? 1 : 0;
}

std::string part(CURLU* url, CURLUPart which) {
  char* text = nullptr;
  if (curl_url_get(url, which, &text, 0) != CURLUE_OK) return {};
  std::string copy(text);
  curl_free(text);
  return copy;
}

// The URL without what may be secret.
Result<std::string> shown_url(const std::string& text) {
  const Url url(curl_url());
  if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) {
    return fail(Code::kInvalid, "not a URL that can be fetched");
  }
  const std::string scheme = part(url.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") {
    return fail(Code::kInvalid, "only http and https URLs can be fetched, not {}", scheme);
  }
  const std::string port = part(url.get(), CURLUPART_PORT);
  return fmt::format("{}://{}{}{}{}", scheme, part(url.get(), CURLUPART_HOST),
                     port.empty() ? "" : ":", port, part(url.get(), CURLUPART_PATH));
}

bool has_line_break(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

Result<Lines> header_lines(const FetchRequest& request) {
  Lines lines;
  const auto add = [&lines](const std::string& line) {
    lines.reset(curl_slist_append(lines.release(), line.c_str()));
  };
  for (const Header& header : request.headers.all()) {
    if (header.name.empty() || has_line_break(header.name) || has_line_break(header.value)) {
      return fail(Code::kInvalid, "not a header that can be sent: \"{}\"",
                  has_line_break(header.name) ? "" : header.name);
    }
    add(header.value.empty() ? header.name + ";"
                             : fmt::format("{}: {}", header.name, header.value));
  }
  // Bodies here are small: waiting for leave to send them would cost a round trip.
  add("Expect:");
  if (!request.headers.has("Content-Type")) add("Content-Type:");
  return lines;
}

void set_blob(CURL* handle, CURLoption option, const std::string& text) {
  if (text.empty()) return;
  // Copied: the handle outlives this request.
  curl_blob blob{const_cast<char*>(text.data()), text.size(), CURL_BLOB_COPY};
  curl_easy_setopt(handle, option, &blob);
}

void set_tls(CURL* handle, const FetchRequest& request) {
  set_blob(handle, CURLOPT_CAINFO_BLOB, request.ca_pem);
  if (!request.ca_file.empty()) curl_easy_setopt(handle, CURLOPT_CAINFO, request.ca_file.c_str());
  set_blob(handle, CURLOPT_SSLCERT_BLOB, request.client_certificate_pem);
  set_blob(handle, CURLOPT_SSLKEY_BLOB, request.client_key_pem.reveal());
  curl_easy_setopt(handle, CURLOPT_SSLCERTTYPE, "PEM");
  curl_easy_setopt(handle, CURLOPT_SSLKEYTYPE, "PEM");
  curl_easy_setopt(handle, CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, request.insecure ? 0L : 1L);
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, request.insecure ? 0L : 2L);
}

// libcurl takes the name to verify from the URL alone. So the URL names it, the connection goes to
// the real host, and the header says what it would have said.
struct Renamed {
  std::string url;
  std::string connect_to;
  std::string host_header;
};

Result<Renamed> with_server_name(const FetchRequest& request) {
  const Url url(curl_url());
  if (curl_url_set(url.get(), CURLUPART_URL, request.url.c_str(), 0) != CURLUE_OK)
    return fail(Code::kInvalid, "not a URL that can be fetched");
  const std::string host = part(url.get(), CURLUPART_HOST);
  const std::string port = part(url.get(), CURLUPART_PORT);
  if (curl_url_set(url.get(), CURLUPART_HOST, request.tls_server_name.c_str(), 0) != CURLUE_OK)
    return fail(Code::kInvalid, "not a name of a server: \"{}\"", request.tls_server_name);
  return Renamed{.url = part(url.get(), CURLUPART_URL),
                 .connect_to = fmt::format("::{}:{}", host, port),
                 .host_header = fmt::format("Host: {}{}{}", host, port.empty() ? "" : ":", port)};
}

void set_request(CURL* handle, const FetchRequest& request) {
  curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (request.method == "HEAD") curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
  if (!request.body.empty() || !reads) {
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.data());
  }
  if (request.method != "HEAD" && !(reads && request.body.empty())) {
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  // Another method would be repeated, or changed, at each turn.
  if (request.follow_redirects && reads) {
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, 10L);
  }
  if (!request.bearer_token.empty()) {
    curl_easy_setopt(handle, CURLOPT_HTTPAUTH, long{CURLAUTH_BEARER});
    curl_easy_setopt(handle, CURLOPT_XOAUTH2_BEARER, request.bearer_token.reveal().c_str());
  } else if (!request.user_name.empty()) {
    curl_easy_setopt(handle, CURLOPT_HTTPAUTH, long{CURLAUTH_BASIC});
    curl_easy_setopt(handle, CURLOPT_USERNAME, request.user_name.c_str());
    curl_easy_setopt(handle, CURLOPT_PASSWORD, request.password.reveal().c_str());
  }
  if (!request.proxy.empty()) curl_easy_setopt(handle, CURLOPT_PROXY, request.proxy.c_str());
  if (request.compressed) curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "gzip");
}

std::unexpected<Error> explain(CURLcode code, const FetchRequest& request, const std::string& url,
                               std::string_view detail) {
  const std::string what = fmt::format("{} {}", request.method, url);
  const std::string_view why = detail.empty() ? curl_easy_strerror(code) : detail;
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return fail(Code::kTimeout, "{}: no answer within {} ms", what, request.timeout.count());
    case CURLE_ABORTED_BY_CALLBACK: return fail(Code::kCancelled, "{}: cancelled", what);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return fail(Code::kInvalid, "{}: not a URL that can be fetched", what);
    case CURLE_SSL_CERTPROBLEM:
      return fail(Code::kInvalid, "{}: the client certificate or its key cannot be used: {}", what,
                  why);
    case CURLE_SSL_CACERT_BADFILE:
      return fail(Code::kInvalid, "{}: the authorities to trust cannot be read: {}", what, why);
    case CURLE_COULDNT_RESOLVE_HOST:
      return fail(Code::kServiceUnavailable, "{}: the host's name is not known", what);
    case CURLE_COULDNT_RESOLVE_PROXY:
      return fail(Code::kServiceUnavailable,
                  "{}: the name of the proxy is not known (https_proxy, http_proxy)", what);
    case CURLE_COULDNT_CONNECT:
      return fail(Code::kServiceUnavailable, "{}: cannot connect: {}", what, why);
    case CURLE_PEER_FAILED_VERIFICATION:
      return fail(Code::kServiceUnavailable, "{}: the server's certificate does not pass: {}", what,
                  why);
    case CURLE_TOO_MANY_REDIRECTS:
      return fail(Code::kServiceUnavailable, "{}: redirected more than ten times", what);
    default: return fail(Code::kServiceUnavailable, "{}: {}", what, why);
  }
}

}  // namespace

Result<FetchResponse> fetch(const FetchRequest& request) {
  CURL* handle = thread_handle();
  if (handle == nullptr)
    return fail(Code::kUnsupported, "libcurl.so.4 is not installed, or cannot be set up");
  STRAKE_TRY(const std::string url, shown_url(request.url));
  if (request.method.empty() || has_line_break(request.method) ||
      request.method.find(' ') != std::string::npos) {
    return fail(Code::kInvalid, "not a method that can be sent");
  }
  STRAKE_TRY(Lines lines, header_lines(request));
  Receiving receiving{.request = request, .response = {}};
  std::array<char, CURL_ERROR_SIZE> detail{};
  set_request(handle, request);
  set_tls(handle, request);
  Lines connect_to;
  if (!request.tls_server_name.empty()) {
    STRAKE_TRY(const Renamed renamed, with_server_name(request));
    curl_easy_setopt(handle, CURLOPT_URL, renamed.url.c_str());
    connect_to.reset(curl_slist_append(nullptr, renamed.connect_to.c_str()));
    curl_easy_setopt(handle, CURLOPT_CONNECT_TO, connect_to.get());
    lines.reset(curl_slist_append(lines.release(), renamed.host_header.c_str()));
  }
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, lines.get());
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, detail.data());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &receiving);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &receiving);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &receiving);
  const CURLcode code = curl_easy_perform(handle);
  FetchResponse response = std::move(receiving.response);
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  response.status = static_cast<int>(status);
  const char* last_url = nullptr;
  curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_URL, &last_url);
  response.url = last_url == nullptr ? "" : last_url;
  curl_easy_reset(handle);  // it must not keep secrets, nor pointers into this call
  if (receiving.too_large) {
    return fail(Code::kLimit, "{} {}: the answer is larger than {} bytes", request.method, url,
                request.max_bytes);
  }
  if (code != CURLE_OK) return explain(code, request, url, detail.data());
  return response;
}

async::Task<FetchResponse> fetch(async::Workers& workers, FetchRequest request) {
  co_return co_await workers.run([request = std::move(request)] { return fetch(request); });
}

}  // namespace strake::http
