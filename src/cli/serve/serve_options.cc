#include "cli/serve/serve_options.h"

#include "base/go_duration.h"
#include "cli/command/version.h"
#include "cli/serve/aggregation_flags.h"
#include "cli/serve/audit_flags.h"
#include "cli/serve/authorization_flags.h"
#include "cli/serve/delegation_flags.h"
#include "cli/serve/flag_values.h"
#include "cli/serve/front_proxy_flags.h"
#include "cli/serve/issuer_flags.h"
#include "cli/serve/kubelet_flags.h"
#include "cli/serve/listen.h"
#include "cli/serve/load_flags.h"
#include "cli/serve/operate_controllers.h"
#include "cli/serve/operations_flags.h"
#include "cli/serve/serve_flags.h"
#include "kinds/service_ranges.h"

namespace strake::cli {
namespace {

Result<api::EnabledControllers> read_controllers(const Arguments& args) {
  std::vector<std::string> names = read_list(args, "controllers");
  const bool has_names = !names.empty();
  static_cast<void>(take_operate(names));
  if (has_names && names.empty()) return api::EnabledControllers();
  auto enabled = api::EnabledControllers::parse(names);
  if (!enabled)
    return fail(enabled.error().code(), "--controllers: {}, {}", enabled.error().message(),
                kOperate);
  return enabled;
}

// As kube-apiserver takes --service-account-max-token-expiration.
Result<std::chrono::seconds> parse_longest_life(std::string_view text) {
  constexpr std::chrono::hours kLeast{1};
  if (text.empty()) return std::chrono::seconds(0);
  const auto life = parse_go_duration(text);
  if (!life || *life < kLeast)
    return fail(Code::kUsage,
                "--service-account-max-token-expiration wants a duration of at least 1h, got "
                "\"{}\"",
                text);
  return std::chrono::duration_cast<std::chrono::seconds>(*life);
}

Result<> read_service_ranges(const Arguments& args, server::Options& out) {
  constexpr std::string_view kIps = "service-cluster-ip-range";
  constexpr std::string_view kPorts = "service-node-port-range";
  if (args.given(kIps)) {
    auto ips = kinds::parse_ip_ranges(args.text(kIps));
    if (!ips) return fail(Code::kUsage, "--{} {}", kIps, ips.error().message());
    out.service_ranges.ips = *std::move(ips);
  }
  if (args.given(kPorts)) {
    const auto ports = kinds::parse_port_range(args.text(kPorts));
    if (!ports) return fail(Code::kUsage, "--{} {}", kPorts, ports.error().message());
    std::tie(out.service_ranges.first_port, out.service_ranges.last_port) = *ports;
  }
  return {};
}

}  // namespace

Result<server::Options> read_serve_options(const Arguments& args, const Io& io) {
  server::Options out;
  STRAKE_TRY(Address address, parse_address(args.text("listen")));
  out.host = std::move(address.host);
  out.port = address.port;
  out.in_memory = args.on("in-memory");
  out.data_dir = args.text("data-dir");
  if (out.data_dir.empty() && !out.in_memory) out.data_dir = default_data_dir(io);
  out.extra_hosts = args.texts("tls-san");
  out.tls_certificate_file = args.text("tls-cert");
  out.tls_key_file = args.text("tls-key");
  out.client_ca_file = args.text("client-ca-file");
  if (args.given("client-ca")) {
    if (args.given("client-ca-file"))
      return fail(Code::kUsage,
                  "--client-ca is another name of --client-ca-file: give one of them");
    out.client_ca_file = args.text("client-ca");
  }
  STRAKE_CHECK(read_front_proxy(args, out));
  STRAKE_CHECK(read_delegation(args, out));
  read_aggregation(args, out);
  out.token_file = args.text("token-file");
  out.service_account_signing_key_file = args.text("service-account-signing-key-file");
  out.service_account_key_files = args.texts("service-account-key-file");
  out.service_account_issuers = args.texts("service-account-issuer");
  out.api_audiences = read_list(args, "api-audiences");
  STRAKE_TRY(out.service_account_longest_life,
             parse_longest_life(args.text("service-account-max-token-expiration")));
  out.service_account_keys_url = args.text("service-account-jwks-uri");
  STRAKE_CHECK(read_authorization(args, out));
  STRAKE_CHECK(read_oidc(args, out));
  out.authentication_config_file = args.text("authentication-config");
  if (args.given("anonymous-auth")) out.anonymous_auth = args.text("anonymous-auth") == "true";
  STRAKE_CHECK(read_token_webhook(args, out));
  if (args.given("advertise-address")) {
    STRAKE_TRY(out.advertised_address, parse_advertised(args.text("advertise-address"), out.port));
  }
  if (args.given("controllers")) {
    STRAKE_TRY(out.controllers, read_controllers(args));
  }
  out.kubeconfig_file = args.text("kubeconfig-out");
  out.workloads = args.on("workloads");
  STRAKE_TRY(out.admission_plugins,
             admission::PluginChoice::parse(read_list(args, "enable-admission-plugins"),
                                            read_list(args, "disable-admission-plugins")));
  STRAKE_CHECK(read_service_ranges(args, out));
  read_kubelet(args, out);
  out.log_requests = args.on("log-requests");
  STRAKE_TRY(out.slow_requests, parse_time(args, "log-slow-requests"));
  STRAKE_CHECK(read_audit(args, out));
  STRAKE_CHECK(read_load(args, out));
  STRAKE_CHECK(read_operations(args, kServeFlags, out));
  out.io_threads = args.number("io-threads");
  out.drain_timeout = std::chrono::seconds(args.number("drain-seconds"));
  out.version = version_number();
  return out;
}

std::string default_data_dir(const Io& io) {
  if (const auto data = io.env("XDG_DATA_HOME"); data && !data->empty()) return *data + "/strake";
  if (const auto home = io.env("HOME"); home && !home->empty())
    return *home + "/.local/share/strake";
  return "strake-data";
}

}  // namespace strake::cli
