#include "cli/serve/issuer_flags.h"

#include <algorithm>

#include "base/go_duration.h"
#include "cli/serve/flag_values.h"

namespace strake::cli {

// As kube-apiserver takes them: nothing where none is given.
Result<> read_oidc(const Arguments& args, server::Options& out) {
  constexpr std::string_view kFlags[] = {
      "oidc-issuer-url",   "oidc-client-id",     "oidc-username-claim", "oidc-username-prefix",
      "oidc-groups-claim", "oidc-groups-prefix", "oidc-required-claim", "oidc-signing-algs",
      "oidc-ca-file",      "oidc-jwks-file"};
  if (std::ranges::none_of(kFlags, [&](std::string_view flag) { return args.given(flag); }))
    return {};
  const std::string issuer(args.text("oidc-issuer-url"));
  const std::string client(args.text("oidc-client-id"));
  if (issuer.empty() || client.empty())
    return fail(Code::kUsage,
                "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* "
                "flags are set");
  auth::JwtConfig config;
  config.issuer.url = issuer;
  config.issuer.audiences = {client};
  config.issuer.keys_file = args.text("oidc-jwks-file");
  out.oidc_ca_file = args.text("oidc-ca-file");
  std::vector<std::string> algorithms = read_list(args, "oidc-signing-algs");
  if (algorithms.empty()) algorithms = {"RS256"};
  for (const std::string& name : algorithms) {
    const auto algorithm = auth::algorithm_named(name);
    if (!algorithm) return fail(Code::kUsage, "oidc: unsupported signing alg: \"{}\"", name);
    config.issuer.algorithms.push_back(*algorithm);
  }
  config.username.claim = args.text("oidc-username-claim");
  // Names of other issuers must not meet those of this server. An address has an owner.
  std::string prefix(args.text("oidc-username-prefix"));
  if (prefix.empty() && config.username.claim != "email") prefix = issuer + "#";
  config.username.prefix = prefix == "-" ? "" : prefix;
  config.groups.claim = args.text("oidc-groups-claim");
  if (!config.groups.claim.empty()) config.groups.prefix = args.text("oidc-groups-prefix");
  for (const std::string& rule : args.texts("oidc-required-claim")) {
    const std::size_t equals = rule.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(Code::kUsage, "--oidc-required-claim wants KEY=VALUE, got \"{}\"", rule);
    const std::string claim = rule.substr(0, equals);
    std::erase_if(config.claim_rules, [&](const auto& one) { return one.claim == claim; });
    config.claim_rules.push_back({.claim = claim, .required_value = rule.substr(equals + 1)});
  }
  out.oidc = std::move(config);
  return {};
}

Result<> read_token_webhook(const Arguments& args, server::Options& out) {
  out.token_webhook_file = args.text("authentication-token-webhook-config-file");
  out.token_webhook_version = args.text("authentication-token-webhook-version");
  const std::string_view text = args.text("authentication-token-webhook-cache-ttl");
  const auto kept = parse_go_duration(text);
  if (!kept)
    return fail(Code::kUsage,
                "--authentication-token-webhook-cache-ttl wants a duration, got \"{}\"", text);
  out.token_webhook_kept = *kept;
  return {};
}

}  // namespace strake::cli
