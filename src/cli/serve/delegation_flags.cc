#include "cli/serve/delegation_flags.h"

#include <algorithm>

#include "cli/serve/flag_values.h"

namespace strake::cli {
namespace {

// Who decides otherwise, which the main server does here.
constexpr std::string_view kOfOthers[] = {"authorization-mode", "authorization-config",
                                          "authorization-webhook-config-file",
                                          "authentication-token-webhook-config-file"};

Result<> check_alone(const Arguments& args) {
  for (const FlagSpec& one : kDelegationFlags) {
    if (args.given(one.name)) return fail(Code::kUsage, "--{} needs --delegated", one.name);
  }
  return {};
}

// Lists that were given win over what the main server says.
auth::ClusterTrust own_lists(const Arguments& args) {
  auth::ClusterTrust out;
  const auto take = [&](std::string_view flag, std::optional<std::vector<std::string>>& list) {
    if (args.given(flag)) list = read_list(args, flag);
  };
  take("requestheader-allowed-names", out.allowed_names);
  take("requestheader-username-headers", out.username_headers);
  take("requestheader-group-headers", out.group_headers);
  take("requestheader-uid-headers", out.uid_headers);
  take("requestheader-extra-headers-prefix", out.extra_prefixes);
  return out;
}

// Without the main server, what Kubernetes' extension servers take for granted.
void fill_standard_headers(auth::ClusterTrust& trust) {
  const auth::FrontProxyOptions standard;
  const auto fill = [](std::optional<std::vector<std::string>>& list, const auto& from) {
    if (!list) list = from;
  };
  fill(trust.username_headers, standard.username_headers);
  fill(trust.group_headers, standard.group_headers);
  fill(trust.uid_headers, standard.uid_headers);
  fill(trust.extra_prefixes, standard.extra_prefixes);
}

Result<> read_times(const Arguments& args, server::DelegationOptions& out) {
  const auto take = [&](std::string_view flag, std::chrono::nanoseconds& time) -> Result<> {
    if (!args.given(flag)) return {};
    STRAKE_TRY(time, parse_time(args, flag));
    return {};
  };
  STRAKE_CHECK(take("authentication-token-webhook-cache-ttl", out.tokens_kept));
  STRAKE_CHECK(take("authorization-webhook-cache-authorized-ttl", out.allowed_kept));
  return take("authorization-webhook-cache-unauthorized-ttl", out.refused_kept);
}

Result<> read_registration(const Arguments& args, server::Options& out) {
  if (!args.on("register") && !args.on("unregister")) {
    for (const std::string_view one :
         {"register-service", "register-ca-file", "register-resolver-file", "unregister-on-stop"}) {
      if (args.given(one)) return fail(Code::kUsage, "--{} needs --register", one);
    }
    return {};
  }
  // Its authority, by which the main server knows it, must be the same at the next start.
  if (out.data_dir.empty())
    return fail(Code::kUsage,
                "--register needs --data-dir: the main server knows this one by the "
                "authority in it");
  server::RegisterOptions to;
  auto service = extension::ServiceName::parse(args.text("register-service"));
  if (!service) return fail(Code::kUsage, "--register-service {}", service.error().message());
  to.service = *std::move(service);
  to.ca_file = args.text("register-ca-file");
  to.resolver_file = args.text("register-resolver-file");
  to.removes_at_end = args.on("unregister-on-stop");
  out.registration = std::move(to);
  return {};
}

}  // namespace

Result<> read_delegation(const Arguments& args, server::Options& out) {
  if (!args.on("delegated")) return check_alone(args);
  for (const std::string_view one : kOfOthers) {
    if (args.given(one))
      return fail(Code::kUsage, "--{} cannot be given with --delegated: the main server decides",
                  one);
  }
  server::DelegationOptions to{.main_kubeconfig = std::string(args.text("main-kubeconfig"))};
  if (to.main_kubeconfig.empty()) return fail(Code::kUsage, "--delegated needs --main-kubeconfig");
  to.authentication_kubeconfig = args.text("authentication-kubeconfig");
  to.authorization_kubeconfig = args.text("authorization-kubeconfig");
  to.skips_lookup = args.on("authentication-skip-lookup");
  to.tolerates_failure = args.on("authentication-tolerate-lookup-failure");
  to.own = own_lists(args);
  if (to.skips_lookup) {
    if (!args.given("client-ca-file") && !args.given("client-ca") &&
        !args.given("requestheader-client-ca-file"))
      return fail(Code::kUsage,
                  "--authentication-skip-lookup needs --client-ca-file or "
                  "--requestheader-client-ca-file");
    fill_standard_headers(to.own);
  }
  to.groups = read_list(args, "group");
  STRAKE_CHECK(read_times(args, to));
  if (args.given("authorization-always-allow-paths"))
    to.open_paths = read_list(args, "authorization-always-allow-paths");
  to.mirrors_namespaces = !args.on("no-namespace-mirror");
  out.delegation = std::move(to);
  return read_registration(args, out);
}

}  // namespace strake::cli
