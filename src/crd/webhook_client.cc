#include "crd/webhook_client.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/result.h"
#include "crd/schema_view.h"
#include "meta/names.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kUrlForm = "; desired format: https://host[/path]";

struct Url {
  std::string_view scheme;
  bool has_user = false;
  std::string_view user;
  std::string_view host;
  std::string_view query;
  std::string_view fragment;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The parts of a URL, found as kube-apiserver's parser finds them; its errors for the mistakes that
// people make.
Result<Url> parse_url(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return fail(Code::kInvalid, "parse {}: {}", quote(text), why);
  };
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return refuse("net/url: invalid control character in URL");
  }
  Url out;
  std::string_view rest = text;
  if (const std::size_t hash = rest.find('#'); hash != std::string_view::npos) {
    out.fragment = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (is_letter(c)) continue;
    if (is_digit(c) || c == '+' || c == '-' || c == '.') {
      if (i == 0) break;
      continue;
    }
    if (c == ':') {
      if (i == 0) return refuse("missing protocol scheme");
      out.scheme = rest.substr(0, i);
      rest.remove_prefix(i + 1);
    }
    break;
  }
  if (const std::size_t question = rest.find('?'); question != std::string_view::npos) {
    out.query = rest.substr(question + 1);
    rest = rest.substr(0, question);
  }
  if (!rest.starts_with('/')) {
    if (!out.scheme.empty()) return out;  // opaque, like mailto:
    const std::string_view segment = rest.substr(0, rest.find('/'));
    if (segment.find(':') != std::string_view::npos)
      return refuse("first path segment in URL cannot contain colon");
  }
  if (!rest.starts_with("//")) return out;
  rest.remove_prefix(2);
  std::string_view authority = rest.substr(0, rest.find('/'));
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    out.has_user = true;
    out.user = authority.substr(0, at);
    authority.remove_prefix(at + 1);
  }
  out.host = authority;
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.rfind(']');
    if (close == std::string_view::npos) return refuse("missing ']' in host");
    port = authority.substr(close + 1);
  } else if (const std::size_t colon = authority.rfind(':'); colon != std::string_view::npos) {
    port = authority.substr(colon);
  }
  if (!port.empty() && (port[0] != ':' || !std::all_of(port.begin() + 1, port.end(), is_digit))) {
    return refuse(fmt::format("invalid port {} after host", quote(port)));
  }
  for (const char c : authority) {
    if (c == ' ' || c == '"' || c == '\\' || c == '^' || c == '`' || c == '{' || c == '|' ||
        c == '}') {
      return refuse(
          fmt::format("invalid character {} in host name", quote(std::string_view(&c, 1))));
    }
  }
  return out;
}

void check_service_path(std::string_view path, const FieldPath& at, FieldErrors& errors) {
  if (path.empty() || path == "/") return;
  const auto refuse = [&](std::string detail) {
    errors.push_back(FieldError::invalid(at, Value::string(path), std::move(detail)));
  };
  // Both slashes would be trimmed below, and the empty segment between them with them.
  if (path == "//") return refuse("segment[0] may not be empty");
  if (!path.starts_with('/')) refuse("must start with a '/'");
  std::string_view rest = path.substr(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (std::size_t i = 0;; ++i) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    if (segment.empty()) {
      refuse(fmt::format("segment[{}] may not be empty", i));
    } else {
      for (const std::string& message : meta::check_dns1123_subdomain(segment)) {
        refuse(fmt::format("segment[{}]: {}", i, message));
      }
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

}  // namespace

void check_webhook_url(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  const auto url = parse_url(text);
  if (!url) {
    errors.push_back(FieldError::required(
        at, fmt::format("url must be a valid URL: {}{}", url.error().message(), kUrlForm)));
    return;
  }
  const auto refuse = [&](std::string_view shown, std::string detail) {
    errors.push_back(FieldError::invalid(at, Value::string(shown), std::move(detail)));
  };
  const std::string scheme = meta::to_lower_ascii(url->scheme);
  if (scheme != "https")
    refuse(scheme, fmt::format("'https' is the only allowed URL scheme{}", kUrlForm));
  if (url->host.empty()) refuse("", fmt::format("host must be specified{}", kUrlForm));
  if (url->has_user) refuse(url->user, "user information is not permitted in the URL");
  if (!url->fragment.empty()) refuse(url->fragment, "fragments are not permitted in the URL");
  if (!url->query.empty()) refuse(url->query, "query parameters are not permitted in the URL");
}

void check_webhook_service(const Value& service_value, const FieldPath& at, FieldErrors& errors) {
  const SchemaView service(service_value);
  // kube-apiserver 1.36 hands the two over in the wrong order: a missing namespace is reported at
  // name, and the other way round.
  if (service.text("namespace").empty()) errors.push_back(FieldError::required(at / "name"));
  if (service.text("name").empty()) errors.push_back(FieldError::required(at / "namespace"));
  const Value* port = service.get("port");
  const std::int64_t number = port != nullptr ? port->as_int() : 0;
  if (const auto messages = meta::check_port(number); !messages.empty()) {
    errors.push_back(FieldError::invalid(at / "port", Value::integer(number),
                                         "port is not valid: " + meta::join(messages, ", ")));
  }
  if (const auto path = service.optional_text("path"))
    check_service_path(*path, at / "path", errors);
}

}  // namespace strake::crd
