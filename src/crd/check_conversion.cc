// Conversion between versions, and the webhook that may do it.
#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/quote.h"
#include "crd/check_parts.h"
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

// The parts of a URL, found as the reference's parser finds them; its errors for the mistakes that
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

std::string lower(std::string_view text) { return meta::to_lower_ascii(text); }

void check_url(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  const auto url = parse_url(text);
  if (!url) {
    errors.push_back(FieldError::required(
        at, fmt::format("url must be a valid URL: {}{}", url.error().message(), kUrlForm)));
    return;
  }
  const auto refuse = [&](std::string_view shown, std::string detail) {
    errors.push_back(FieldError::invalid(at, Value::string(shown), std::move(detail)));
  };
  const std::string scheme = lower(url->scheme);
  if (scheme != "https")
    refuse(scheme, fmt::format("'https' is the only allowed URL scheme{}", kUrlForm));
  if (url->host.empty()) refuse("", fmt::format("host must be specified{}", kUrlForm));
  if (url->has_user) refuse(url->user, "user information is not permitted in the URL");
  if (!url->fragment.empty()) refuse(url->fragment, "fragments are not permitted in the URL");
  if (!url->query.empty()) refuse(url->query, "query parameters are not permitted in the URL");
}

void check_service_path(std::string_view path, const FieldPath& at, FieldErrors& errors) {
  if (path.empty() || path == "/") return;
  const auto refuse = [&](std::string detail) {
    errors.push_back(FieldError::invalid(at, Value::string(path), std::move(detail)));
  };
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

void check_service(const SchemaView& service, const FieldPath& at, FieldErrors& errors) {
  // The reference hands the two over in the wrong order: a missing namespace is reported at name,
  // and the other way round.
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

// What keeps a bundle from being read; empty when nothing does.
std::string ca_bundle_fault(std::string_view pem) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kDashes = "-----";
  bool found = false;
  while (!pem.empty()) {
    const std::size_t begin = pem.find(kBegin);
    const std::size_t type_end =
        begin == std::string_view::npos ? begin : pem.find(kDashes, begin + kBegin.size());
    if (type_end == std::string_view::npos) {
      return found ? "" : "unable to load root certificates: unable to parse bytes as PEM block";
    }
    const std::string_view type =
        pem.substr(begin + kBegin.size(), type_end - begin - kBegin.size());
    const std::string end = fmt::format("-----END {}-----", type);
    const std::size_t body = type_end + kDashes.size();
    const std::size_t stop = pem.find(end, body);
    if (stop == std::string_view::npos) {
      return found ? "" : "unable to load root certificates: unable to parse bytes as PEM block";
    }
    if (type == "CERTIFICATE") {
      const auto der = base64_decode(pem.substr(body, stop - body));
      // A certificate is one ASN.1 sequence.
      if (der && der->size() > 2 && (*der)[0] == 0x30) {
        found = true;
      } else if (!found) {
        return "unable to load root certificates: failed to parse certificate: x509: malformed "
               "certificate";
      }
    }
    pem.remove_prefix(std::min(stop + end.size() + 1, pem.size()));
  }
  return found ? "" : "unable to load root certificates: no valid certificate authority data seen";
}

std::string ca_bundle_fault_of(std::string_view base64) {
  const auto pem = base64_decode(base64);
  return pem ? ca_bundle_fault(*pem) : std::string(pem.error().message());
}

void check_client_config(const SchemaView& config, const CheckOptions& options, const FieldPath& at,
                         FieldErrors& errors) {
  const auto url = config.optional_text("url");
  const auto service = config.schema("service");
  if (url.has_value() == service.has_value()) {
    errors.push_back(FieldError::required(at, "exactly one of url or service is required"));
  } else if (url) {
    check_url(*url, at / "url", errors);
  } else {
    check_service(*service, at / "service", errors);
  }
  const std::string_view bundle = config.text("caBundle");
  if (bundle.empty() || options.allow_invalid_ca_bundle) return;
  if (std::string fault = ca_bundle_fault_of(bundle); !fault.empty()) {
    errors.push_back(invalid_json(at / "caBundle", Value::string(bundle), std::move(fault)));
  }
}

void check_review_versions(const Value* versions, const CheckOptions& options, const FieldPath& at,
                           FieldErrors& errors) {
  if (versions == nullptr || !versions->is_array() || versions->size() == 0) {
    errors.push_back(FieldError::required(at));
    return;
  }
  TextSet seen;
  for (std::size_t i = 0; i < versions->size(); ++i) {
    const Value& version = versions->items()[i];
    if (!seen.emplace(version.as_string()).second) {
      errors.push_back(FieldError::invalid(at / i, version, "duplicate version"));
      continue;
    }
    for (const std::string& message : meta::check_dns1035_label(version.as_string())) {
      errors.push_back(FieldError::invalid(at / i, version, message));
    }
  }
  if (options.require_recognized_review_version && !seen.contains("v1") &&
      !seen.contains("v1beta1")) {
    errors.push_back(
        FieldError::invalid(at, *versions, "must include at least one of v1, v1beta1"));
  }
}

}  // namespace

bool is_valid_ca_bundle(std::string_view base64) { return ca_bundle_fault_of(base64).empty(); }

void check_conversion(const Crd& crd, const CheckOptions& options, const FieldPath& at,
                      FieldErrors& errors) {
  if (crd.conversion() == nullptr) return;
  static const std::vector<std::string> kStrategies = {"None", "Webhook"};
  const SchemaView conversion(*crd.conversion());
  const std::string_view strategy = conversion.text("strategy");
  if (strategy != "None" && crd.preserve_unknown_fields()) {
    errors.push_back(invalid_json(at / "strategy", Value::string(strategy),
                                  "must be None if spec.preserveUnknownFields is true"));
  }
  if (strategy.empty()) {
    errors.push_back(FieldError::required(at / "strategy"));
  } else if (strategy != "None" && strategy != "Webhook") {
    errors.push_back(
        FieldError::not_supported(at / "strategy", Value::string(strategy), kStrategies));
  }
  // In the form that is checked, the webhook's two parts lie beside the strategy.
  const auto webhook = conversion.schema("webhook");
  const auto config = webhook ? webhook->schema("clientConfig") : std::nullopt;
  const Value* versions = webhook ? webhook->get("conversionReviewVersions") : nullptr;
  if (strategy == "Webhook") {
    if (!config) {
      errors.push_back(FieldError::required(at / "webhookClientConfig",
                                            "required when strategy is set to Webhook"));
    } else {
      check_client_config(*config, options, at / "webhookClientConfig", errors);
    }
    check_review_versions(versions, options, at / "conversionReviewVersions", errors);
    return;
  }
  constexpr std::string_view kNotSet = "should not be set when strategy is not set to Webhook";
  if (config)
    errors.push_back(FieldError::forbidden(at / "webhookClientConfig", std::string(kNotSet)));
  if (versions != nullptr && versions->is_array() && versions->size() > 0) {
    errors.push_back(FieldError::forbidden(at / "conversionReviewVersions", std::string(kNotSet)));
  }
}

}  // namespace strake::crd
