#include "admission/webhook/target.h"

#include <fmt/format.h>

#include <vector>

#include "base/base64.h"
#include "crd/webhook_client.h"
#include "http/tls.h"
#include "http/url.h"
#include "kinds/fields.h"

namespace strake::admission {
namespace {

using value::Value;

// As Go's path.Join("/", path).
std::string clean(std::string_view path) {
  std::vector<std::string_view> steps;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view step = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (step.empty() || step == ".") continue;
    if (step != "..") {
      steps.push_back(step);
    } else if (!steps.empty()) {
      steps.pop_back();
    }
  }
  std::string out;
  for (const std::string_view step : steps) out.append("/").append(step);
  return out.empty() ? "/" : out;
}

// What is wrong with a caBundle that cannot be used, in the words of client-go.
std::string ca_fault(std::string_view pem) {
  return fmt::format("could not get REST client: unable to load root certificates: {}",
                     pem.contains("-----BEGIN CERTIFICATE-----")
                         ? "failed to parse certificate: x509: malformed certificate"
                     : pem.contains("-----BEGIN ") ? "no valid certificate authority data seen"
                                                   : "unable to parse bytes as PEM block");
}

void read_service(const Value& service, Target& out) {
  const std::int64_t port = kinds::integer(service, "port");
  out.service = value::text_of(service, "name");
  out.upstream.host = fmt::format("{}.{}.svc", out.service, value::text_of(service, "namespace"));
  out.upstream.port = static_cast<std::uint16_t>(port != 0 ? port : crd::kDefaultServicePort);
  out.path = clean(value::text_of(service, "path"));
  out.url = fmt::format("https://{}:{}{}", out.upstream.host, out.upstream.port, out.path);
}

void read_url(std::string_view text, Target& out) {
  if (text.empty()) {
    out.fault = "could not get REST client: webhook configuration must have either service or URL";
    return;
  }
  const Result<http::Url> url = http::Url::parse(text);
  if (!url) {
    out.fault = "could not get REST client: Unparsable URL";
    return;
  }
  out.upstream.tls = url->tls;
  out.upstream.host = url->host;
  out.upstream.port = url->port;
  out.path = clean(std::string_view(url->target).substr(0, url->target.find('?')));
  // The host as it was written: a port that was left out stays so.
  const std::size_t scheme = text.find("://") + 3;
  const std::size_t end = std::min(text.find_first_of("/?#", scheme), text.size());
  out.url = std::string(text.substr(0, end)) + out.path;
}

}  // namespace

Target Target::of(const Value& client_config) {
  Target out;
  if (const Value* service = kinds::member(client_config, "service")) {
    read_service(*service, out);
  } else {
    read_url(value::text_of(client_config, "url"), out);
  }
  const std::string_view bundle = value::text_of(client_config, "caBundle");
  if (bundle.empty() || !out.fault.empty()) return out;
  const Result<std::string> pem = base64_decode(bundle);
  const std::string_view bytes = pem ? std::string_view(*pem) : std::string_view();
  http::ClientTlsOptions options;
  options.trust = http::ClientTlsOptions::Trust::kGiven;
  options.ca_pem = bytes;
  Result<std::shared_ptr<const http::TlsContext>> made = http::TlsContext::make(options);
  if (made) {
    out.upstream.tls_context = *std::move(made);
  } else {
    out.fault = ca_fault(bytes);
  }
  return out;
}

}  // namespace strake::admission
