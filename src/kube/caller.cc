#include "kube/caller.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/base64.h"
#include "base/trim.h"
#include "http/proxy.h"
#include "http/tls.h"
#include "http/url.h"
#include "kube/small_file.h"

namespace strake::kube {
namespace {

std::string from_process(const char* name) {
  const char* found = std::getenv(name);
  return found != nullptr ? found : "";
}

Result<std::shared_ptr<const http::TlsContext>> tls_of(const Access& access) {
  http::ClientTlsOptions options;
  options.trust = access.insecure         ? http::ClientTlsOptions::Trust::kNobody
                  : access.ca_pem.empty() ? http::ClientTlsOptions::Trust::kSystem
                                          : http::ClientTlsOptions::Trust::kGiven;
  options.ca_pem = access.ca_pem;
  options.certificate_pem = access.credentials.certificate_pem;
  options.key_pem = access.credentials.key_pem;
  return http::TlsContext::make(options);
}

http::Headers headers_of(const Access& access) {
  http::Headers out;
  const Credentials& as = access.credentials;
  if (!as.token.empty()) {
    out.add("Authorization", fmt::format("Bearer {}", as.token.reveal()));
  } else if (!as.user_name.empty()) {
    out.add("Authorization",
            fmt::format("Basic {}",
                        base64_encode(fmt::format("{}:{}", as.user_name, as.password.reveal()))));
  }
  if (access.as.user.empty()) return out;
  out.add("Impersonate-User", access.as.user);
  if (!access.as.uid.empty()) out.add("Impersonate-Uid", access.as.uid);
  for (const std::string& group : access.as.groups) out.add("Impersonate-Group", group);
  for (const auto& [key, values] : access.as.extra) {
    for (const std::string& one : values) out.add(fmt::format("Impersonate-Extra-{}", key), one);
  }
  return out;
}

}  // namespace

Result<Caller> Caller::make(const Access& access) {
  if (access.exec)
    return fail(Code::kUnsupported,
                "a plugin for credentials cannot be used here; give a certificate or a token");
  STRAKE_TRY(const http::Url url, http::Url::parse(access.server));
  Caller out;
  out.upstream.tls = url.tls;
  out.upstream.host = url.host;
  out.upstream.port = url.port;
  out.upstream.server_name = access.tls_server_name;
  if (url.tls) {
    STRAKE_TRY(out.upstream.tls_context, tls_of(access));
  }
  if (!access.proxy_url.empty()) {
    STRAKE_TRY(out.upstream.proxy, http::read_proxy(access.proxy_url));
  } else {
    STRAKE_TRY(out.upstream.proxy, http::proxy_from_environment(url, from_process));
  }
  out.path = url.target.substr(0, url.target.find('?'));
  // The host as it was written: a port that was left out stays so.
  const std::size_t host = access.server.find("://") + 3;
  out.url = access.server.substr(0, access.server.find_first_of("/?#", host)) + out.path;
  out.headers = headers_of(access);
  out.token_file = access.token_file;
  return out;
}

void Caller::append_path(std::string_view more) {
  if (more.empty()) return;
  for (std::string* one : {&path, &url}) {
    while (one->ends_with('/')) one->pop_back();
    *one += more;
  }
}

std::string Caller::target(std::string_view path_and_query) const {
  std::string out = path;
  if (out.ends_with('/')) out.pop_back();
  return out.append(path_and_query);
}

http::Headers Caller::headers_now() const {
  http::Headers out = headers;
  if (token_file.empty()) return out;
  if (const auto token = read_small_file(token_file)) {
    out.remove("Authorization");
    out.add("Authorization", fmt::format("Bearer {}", trim(*token)));
  }
  return out;
}

}  // namespace strake::kube
