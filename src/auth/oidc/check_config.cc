#include "auth/oidc/check_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "http/tls.h"
#include "http/url.h"

namespace strake::auth {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::size_t kMostIssuers = 64;

FieldError invalid_text(const FieldPath& at, std::string_view met, std::string detail) {
  return FieldError::invalid(at, Value::string(met), std::move(detail));
}

std::string_view without_slashes(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

class SourceCheck {
 public:
  SourceCheck(const TokenSource& source, std::span<const std::string> disallowed,
              FieldErrors& errors)
      : source_(source), disallowed_(disallowed.begin(), disallowed.end()), errors_(errors) {}

  std::shared_ptr<const http::TlsContext> check(const FieldPath& at) {
    if (source_.url.empty()) {
      errors_.push_back(FieldError::required(at / "url"));
    } else {
      if (disallowed_.contains(source_.url)) {
        errors_.push_back(
            invalid_text(at / "url", source_.url,
                         fmt::format("URL must not overlap with disallowed issuers: [{}]",
                                     fmt::join(disallowed_, " "))));
      }
      check_url(source_.url, at / "url");
    }
    if (!source_.discovery_url.empty()) {
      if (!source_.url.empty() &&
          without_slashes(source_.url) == without_slashes(source_.discovery_url))
        errors_.push_back(invalid_text(at / "discoveryURL", source_.discovery_url,
                                       "discoveryURL must be different from URL"));
      check_url(source_.discovery_url, at / "discoveryURL");
    }
    check_audiences(at);
    auto tls = check_authority(at / "certificateAuthority");
    if (!source_.egress_selector.empty()) {
      errors_.push_back(invalid_text(at / "egressSelectorType", source_.egress_selector,
                                     "egress selector is not supported when "
                                     "StructuredAuthenticationConfigurationEgressSelector "
                                     "feature gate is disabled"));
    }
    return tls;
  }

 private:
  void check_url(std::string_view text, const FieldPath& at) {
    const std::size_t errors_before = errors_.size();
    std::string_view rest = text;
    const std::size_t fragment = std::min(rest.find('#'), rest.size());
    const bool has_fragment = fragment + 1 < rest.size();
    rest = rest.substr(0, fragment);
    const std::size_t query = std::min(rest.find('?'), rest.size());
    const bool has_query = query + 1 < rest.size();
    rest = rest.substr(0, query);
    const std::size_t scheme = rest.find("://");
    const bool has_host = scheme != std::string_view::npos;
    const std::string_view host =
        has_host ? rest.substr(scheme + 3, rest.find('/', scheme + 3) - scheme - 3)
                 : std::string_view();
    if (!has_host || rest.substr(0, scheme) != "https")
      errors_.push_back(invalid_text(at, text, "URL scheme must be https"));
    if (host.contains('@'))
      errors_.push_back(invalid_text(at, text, "URL must not contain a username or password"));
    if (has_query) errors_.push_back(invalid_text(at, text, "URL must not contain a query"));
    if (has_fragment) errors_.push_back(invalid_text(at, text, "URL must not contain a fragment"));
    if (errors_.size() != errors_before) return;
    if (const auto url = http::Url::parse(text); !url)
      errors_.push_back(invalid_text(at, text, url.error().message()));
  }

  void check_audiences(const FieldPath& above) {
    const FieldPath at = above / "audiences";
    if (source_.audiences.empty()) {
      errors_.push_back(
          FieldError::required(at, fmt::format("at least one {} is required", at.to_k8s())));
      return;
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < source_.audiences.size(); ++i) {
      const std::string& one = source_.audiences[i];
      if (one.empty()) errors_.push_back(FieldError::required(at / i));
      if (!seen.insert(one).second)
        errors_.push_back(FieldError::duplicate(at / i, Value::string(one)));
    }
    const std::string& policy = source_.audience_match_policy;
    const FieldPath policy_at = above / "audienceMatchPolicy";
    if (source_.audiences.size() > 1 && policy != "MatchAny") {
      errors_.push_back(invalid_text(
          policy_at, policy, "audienceMatchPolicy must be MatchAny for multiple audiences"));
    } else if (source_.audiences.size() == 1 && !policy.empty() && policy != "MatchAny") {
      errors_.push_back(invalid_text(
          policy_at, policy, "audienceMatchPolicy must be empty or MatchAny for single audience"));
    }
  }

  std::shared_ptr<const http::TlsContext> check_authority(const FieldPath& at) {
    if (source_.certificate_authority.empty()) return nullptr;
    http::ClientTlsOptions options;
    options.trust = http::ClientTlsOptions::Trust::kGiven;
    options.ca_pem = source_.certificate_authority;
    auto made = http::TlsContext::make(options);
    if (made) return *std::move(made);
    errors_.push_back(
        invalid_text(at, "<omitted>", "data does not contain any valid RSA or ECDSA certificates"));
    return nullptr;
  }

  const TokenSource& source_;
  std::set<std::string> disallowed_;
  FieldErrors& errors_;
};

CompiledJwt compile_one(const JwtConfig& config, const FieldPath& at,
                        std::span<const std::string> disallowed, FieldErrors& errors) {
  CompiledJwt out{.config = config, .mapper = {}, .tls = {}};
  out.tls = SourceCheck(config.issuer, disallowed, errors).check(at / "issuer");
  out.mapper = std::make_shared<const ClaimMapper>(ClaimMapper::compile(config, at, errors));
  return out;
}

// A value that is no text of the document: as kube-apiserver prints its own struct.
FieldError conditions_without_anonymous(const AnonymousConfig& anonymous) {
  FieldError out = FieldError::invalid(FieldPath() / "anonymous" / "conditions", Value(),
                                       "enabled should be set to true when conditions are defined");
  std::string shown;
  for (const std::string& path : anonymous.paths) {
    shown += shown.empty() ? "" : ",";
    shown += fmt::format("{{\"Path\":{}}}", value::render_value(Value::string(path)));
  }
  out.shown = fmt::format("[{}]", shown);
  return out;
}

Result<> done(const FieldErrors& errors) {
  if (errors.empty()) return {};
  return fail(Code::kInvalid, "{}", value::aggregate(errors));
}

}  // namespace

Result<std::vector<CompiledJwt>> compile_authentication(const AuthenticationConfig& config,
                                                        std::span<const std::string> disallowed) {
  FieldErrors errors;
  std::vector<CompiledJwt> out;
  const FieldPath root = FieldPath() / "jwt";
  if (config.jwt.size() > kMostIssuers) {
    errors.push_back(FieldError::too_many(root, static_cast<std::int64_t>(config.jwt.size()),
                                          static_cast<std::int64_t>(kMostIssuers)));
    STRAKE_CHECK(done(errors));
  }
  std::set<std::string> urls;
  std::set<std::string> discovery_urls;
  for (std::size_t i = 0; i < config.jwt.size(); ++i) {
    const JwtConfig& one = config.jwt[i];
    out.push_back(compile_one(one, root / i, disallowed, errors));
    const FieldPath issuer = root / i / "issuer";
    if (!urls.insert(one.issuer.url).second)
      errors.push_back(FieldError::duplicate(issuer / "url", Value::string(one.issuer.url)));
    const std::string& discovery = one.issuer.discovery_url;
    if (!discovery.empty() && !discovery_urls.insert(discovery).second)
      errors.push_back(FieldError::duplicate(issuer / "discoveryURL", Value::string(discovery)));
  }
  if (config.anonymous && !config.anonymous->enabled && !config.anonymous->paths.empty())
    errors.push_back(conditions_without_anonymous(*config.anonymous));
  STRAKE_CHECK(done(errors));
  return out;
}

Result<CompiledJwt> compile_jwt(const JwtConfig& config, std::span<const std::string> disallowed) {
  FieldErrors errors;
  CompiledJwt out = compile_one(config, FieldPath(), disallowed, errors);
  STRAKE_CHECK(done(errors));
  return out;
}

}  // namespace strake::auth
