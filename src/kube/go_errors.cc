#include "kube/go_errors.h"

#include <fmt/format.h>

#include <cctype>
#include <cstring>

#include "base/quote.h"
#include "base/rfc3339.h"

namespace strake::kube {
namespace {

using http::CertificateFault;
using http::Failure;
using http::Fault;

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& one : texts) out += (out.empty() ? "" : ", ") + one;
  return out;
}

std::string time_text(WallTime time) { return format_rfc3339(Instant::from(time)); }

std::string wrong_name(const CertificateFault& fault, const std::string& host) {
  const bool is_address =
      host.contains(':') || host.find_first_not_of("0123456789.") == std::string::npos;
  const std::vector<std::string>& names = is_address ? fault.ip_addresses : fault.dns_names;
  if (!names.empty())
    return fmt::format("x509: certificate is valid for {}, not {}", joined(names), host);
  if (is_address) {
    return fmt::format(
        "x509: cannot validate certificate for {} because it doesn't contain any IP SANs", host);
  }
  return fmt::format("x509: certificate is not valid for any names, but wanted to match {}", host);
}

std::string certificate_error(const CertificateFault& fault, const std::string& host,
                              WallTime now) {
  using Kind = CertificateFault::Kind;
  switch (fault.kind) {
    case Kind::kUnknownAuthority: return "x509: certificate signed by unknown authority";
    case Kind::kOutOfTime: {
      const bool early = now < fault.not_before;
      return fmt::format(
          "x509: certificate has expired or is not yet valid: current time {} is {} {}",
          time_text(now), early ? "before" : "after",
          time_text(early ? fault.not_before : fault.not_after));
    }
    case Kind::kWrongName: return wrong_name(fault, host);
    case Kind::kOther: break;
  }
  return "x509: certificate is not authorized to sign other certificates";
}

std::string tls_error(const Failure& failure, const std::string& host, WallTime now) {
  if (failure.certificate) {
    return fmt::format("tls: failed to verify certificate: {}",
                       certificate_error(*failure.certificate, host, now));
  }
  const std::string_view why = failure.message;
  // What OpenSSL calls a first record that is none of TLS.
  if (why.contains("wrong version number") || why.contains("http request"))
    return "http: server gave HTTP response to HTTPS client";
  if (why.contains("alert handshake failure")) return "remote error: tls: handshake failure";
  if (why.contains("alert bad certificate")) return "remote error: tls: bad certificate";
  if (why.contains("alert certificate required")) return "remote error: tls: certificate required";
  if (why.contains("unexpected eof") || why.contains("closed the connection")) return "EOF";
  return fmt::format("tls: {}", why);
}

std::string connect_error(const Failure& failure) {
  if (failure.system_error == 0) return fmt::format("dial tcp {}: i/o timeout", failure.address);
  std::string why = std::strerror(failure.system_error);
  if (!why.empty())
    why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why.front())));
  return fmt::format("dial tcp {}: connect: {}", failure.address, why);
}

}  // namespace

std::string go_transport_error(const Failure& failure, const std::string& host,
                               std::string_view service, WallTime now) {
  switch (failure.fault) {
    case Fault::kTimeout: return "context deadline exceeded";
    case Fault::kCancelled: return "context canceled";
    case Fault::kConnect: return connect_error(failure);
    case Fault::kTls: return tls_error(failure, host, now);
    case Fault::kClosed: return "EOF";
    case Fault::kResolve:
      // kube-apiserver looks services up, not their names.
      if (!service.empty()) return fmt::format("service {} not found", quote(service));
      return fmt::format("dial tcp: lookup {}: no such host", host);
    case Fault::kProtocol:
      return fmt::format("net/http: HTTP/1.x transport connection broken: {}", failure.message);
    default: return failure.message;
  }
}

std::string go_status_error(int code, std::string_view text) {
  const bool unknown = text.empty() || text == "unknown";
  switch (code) {
    case 400: return "the server rejected our request for an unknown reason";
    case 401: return "the server has asked for the client to provide credentials";
    case 403: return std::string(text);
    case 404: return "the server could not find the requested resource";
    case 405: return "the server does not allow this method on the requested resource";
    case 406:
      return unknown
                 ? "the server was unable to respond with a content type that the client supports"
                 : std::string(text);
    case 409: return "the server reported a conflict";
    case 415:
      return unknown
                 ? "the server was unable to respond with a content type that the client supports"
                 : std::string(text);
    case 422: return "the server rejected our request due to an error in our request";
    case 429:
      return "the server has received too many requests and has asked us to try again later";
    case 503: return "the server is currently unable to handle the request";
    case 504:
      return "the server was unable to return a response in the time allotted, but may still be "
             "processing the request";
    default: break;
  }
  if (code >= 500) {
    return fmt::format("an error on the server ({}) has prevented the request from succeeding",
                       quote(text));
  }
  return fmt::format(
      "the server responded with the status code {} but did not return more information", code);
}

}  // namespace strake::kube
