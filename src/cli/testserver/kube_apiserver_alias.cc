#include "cli/testserver/kube_apiserver_alias.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/io/terminal.h"
#include "cli/serve/serve_command.h"
#include "cli/testserver/tool_flags.h"

namespace strake::cli {
namespace {

using enum ToolFlag::Use;

// kube-apiserver 1.36. Those that `serve` has too, with the same meaning.
constexpr std::string_view kSameFlags[] = {
    "advertise-address",
    "anonymous-auth",
    "api-audiences",
    "audit-log-maxage",
    "audit-log-maxbackup",
    "audit-log-maxsize",
    "audit-log-path",
    "audit-policy-file",
    "authorization-mode",
    "client-ca-file",
    "disable-admission-plugins",
    "enable-admission-plugins",
    "enable-priority-and-fairness",
    "kubelet-certificate-authority",
    "kubelet-client-certificate",
    "kubelet-client-key",
    "kubelet-preferred-address-types",
    "max-mutating-requests-inflight",
    "max-requests-inflight",
    "proxy-client-cert-file",
    "proxy-client-key-file",
    "requestheader-allowed-names",
    "requestheader-client-ca-file",
    "requestheader-extra-headers-prefix",
    "requestheader-group-headers",
    "requestheader-username-headers",
    "service-account-issuer",
    "service-account-jwks-uri",
    "service-account-key-file",
    "service-account-max-token-expiration",
    "service-account-signing-key-file",
    "service-cluster-ip-range",
    "service-node-port-range",
};

constexpr ToolFlag kKubeApiserverFlags[] = {
    {.name = "advertise-address", .use = kUsed},
    {.name = "anonymous-auth", .use = kUsed, .is_switch = true},
    {.name = "api-audiences", .use = kUsed},
    {.name = "audit-log-maxage", .use = kUsed},
    {.name = "audit-log-maxbackup", .use = kUsed},
    {.name = "audit-log-maxsize", .use = kUsed},
    {.name = "audit-log-path", .use = kUsed},
    {.name = "audit-policy-file", .use = kUsed},
    {.name = "authorization-mode", .use = kUsed},
    {.name = "bind-address", .use = kUsed},
    {.name = "cert-dir", .use = kUsed},
    {.name = "client-ca-file", .use = kUsed},
    {.name = "enable-priority-and-fairness", .use = kUsed, .is_switch = true},
    {.name = "kubelet-certificate-authority", .use = kUsed},
    {.name = "kubelet-client-certificate", .use = kUsed},
    {.name = "kubelet-client-key", .use = kUsed},
    {.name = "kubelet-preferred-address-types", .use = kUsed},
    {.name = "max-mutating-requests-inflight", .use = kUsed},
    {.name = "max-requests-inflight", .use = kUsed},
    {.name = "proxy-client-cert-file", .use = kUsed},
    {.name = "proxy-client-key-file", .use = kUsed},
    {.name = "requestheader-allowed-names", .use = kUsed},
    {.name = "requestheader-client-ca-file", .use = kUsed},
    {.name = "requestheader-extra-headers-prefix", .use = kUsed},
    {.name = "requestheader-group-headers", .use = kUsed},
    {.name = "requestheader-username-headers", .use = kUsed},
    {.name = "secure-port", .use = kUsed},
    {.name = "service-account-issuer", .use = kUsed},
    {.name = "service-account-jwks-uri", .use = kUsed},
    {.name = "service-account-key-file", .use = kUsed},
    {.name = "service-account-max-token-expiration", .use = kUsed},
    {.name = "service-account-signing-key-file", .use = kUsed},
    {.name = "service-cluster-ip-range", .use = kUsed},
    {.name = "service-node-port-range", .use = kUsed},
    {.name = "tls-cert-file", .use = kUsed},
    {.name = "tls-private-key-file", .use = kUsed},
    {.name = "token-auth-file", .use = kUsed},
    {.name = "v", .use = kUsed},
    // Whatever they say, tests see the same.
    {.name = "allow-metric-labels"},
    {.name = "apiserver-count"},
    {.name = "contention-profiling", .is_switch = true},
    {.name = "default-watch-cache-size"},
    {.name = "delete-collection-workers"},
    {.name = "enable-aggregator-routing", .is_switch = true},
    {.name = "enable-bootstrap-token-auth", .is_switch = true, .plain = "false"},
    {.name = "enable-garbage-collector", .is_switch = true},
    {.name = "encryption-provider-config"},
    {.name = "endpoint-reconciler-type"},
    {.name = "etcd-cafile"},
    {.name = "etcd-certfile"},
    {.name = "etcd-compaction-interval"},
    {.name = "etcd-count-metric-poll-period"},
    {.name = "etcd-healthcheck-timeout"},
    {.name = "etcd-keyfile"},
    {.name = "etcd-prefix"},
    // The harness runs one beside it, which is ours.
    {.name = "etcd-servers", .use = kUsed},
    {.name = "event-ttl"},
    {.name = "feature-gates"},
    {.name = "goaway-chance"},
    {.name = "http2-max-streams-per-connection"},
    {.name = "kubelet-timeout"},
    {.name = "livez-grace-period"},
    {.name = "logging-format"},
    {.name = "min-request-timeout"},
    {.name = "profiling", .is_switch = true},
    {.name = "request-timeout"},
    {.name = "runtime-config"},
    {.name = "shutdown-delay-duration"},
    {.name = "shutdown-send-retry-after", .is_switch = true},
    {.name = "storage-backend", .plain = "etcd3"},
    {.name = "storage-media-type"},
    {.name = "tls-cipher-suites"},
    {.name = "tls-min-version"},
    {.name = "vmodule"},
    {.name = "watch-cache", .is_switch = true},
    {.name = "watch-cache-sizes"},
    {.name = "disable-admission-plugins", .use = kUsed},
    {.name = "enable-admission-plugins", .use = kUsed},
    // These would change what tests see.
    {.name = "admission-control-config-file", .use = kRefused},
    {.name = "allow-privileged", .use = kRefused, .is_switch = true, .plain = "true"},
    {.name = "authentication-config", .use = kRefused},
    {.name = "authentication-token-webhook-config-file", .use = kRefused},
    {.name = "authorization-config", .use = kRefused},
    {.name = "authorization-webhook-config-file", .use = kRefused},
    {.name = "egress-selector-config-file", .use = kRefused},
    {.name = "insecure-port", .use = kRefused, .plain = "0"},
    {.name = "oidc-issuer-url", .use = kRefused},
};

// "v" of klog is a number; from 4 on it is for debugging.
std::string_view log_level(const std::string& v) {
  if (v.empty() || v == "0") return "warn";
  return v.size() == 1 && v < "4" ? "info" : "debug";
}

// The certificate that a harness has put there, as kube-apiserver finds it.
void add_certificate(const ToolArguments& given, std::vector<std::string>& words) {
  std::string certificate = given.text("tls-cert-file");
  std::string key = given.text("tls-private-key-file");
  if (certificate.empty() && given.given("cert-dir")) {
    certificate = given.text("cert-dir") + "/apiserver.crt";
    key = given.text("cert-dir") + "/apiserver.key";
    std::error_code unknown;
    if (!std::filesystem::exists(certificate, unknown)) return;
  }
  if (certificate.empty()) return;
  words.push_back("--tls-cert=" + certificate);
  words.push_back("--tls-key=" + key);
}

std::string listen_address(const ToolArguments& given) {
  const std::string host = given.text("bind-address", "0.0.0.0");
  const std::string port = given.text("secure-port", "6443");
  return fmt::format(fmt::runtime(host.contains(':') ? "[{}]:{}" : "{}:{}"), host, port);
}

}  // namespace

Result<ServeWords> as_serve_words(std::span<const std::string> args) {
  STRAKE_TRY(const ToolArguments given,
             ToolArguments::read("kube-apiserver", kKubeApiserverFlags, args));
  ServeWords out{
      .words = {"--in-memory", "--workloads",
                // Neither the garbage collector nor any other is part of kube-apiserver.
                "--controllers=-garbage-collector-controller", "--listen=" + listen_address(given),
                fmt::format("--log-level={}", log_level(given.text("v")))},
      .warnings = given.warnings()};
  add_certificate(given, out.words);
  if (given.given("token-auth-file"))
    out.words.push_back("--token-file=" + given.text("token-auth-file"));
  for (const std::string_view flag : kSameFlags) {
    for (const std::string& value : given.texts(flag))
      out.words.push_back(fmt::format("--{}={}", flag, value));
  }
  return out;
}

ExitCode run_kube_apiserver(std::span<const std::string> args, Io& io) {
  if (std::ranges::find(args, "--version") != args.end()) {
    io.out.write("Kubernetes v1.36.4\n");
    return ExitCode::kFine;
  }
  if (std::ranges::any_of(args, [](const auto& one) { return one == "--help" || one == "-h"; })) {
    io.out.write("strake as kube-apiserver, for tests: objects are kept in memory\n\nFlags:\n" +
                 list_flags(kKubeApiserverFlags));
    return ExitCode::kFine;
  }
  Result<Arguments> parsed = [&]() -> Result<Arguments> {
    STRAKE_TRY(const ServeWords serve, as_serve_words(args));
    for (const std::string& warning : serve.warnings)
      io.err.write(fmt::format("warning: {}\n", printable(warning)));
    return parse_arguments(kServeCommand.flags, kServeCommand.operands, serve.words);
  }();
  if (!parsed) {
    print_error(parsed.error().to_string(), io);
    return ExitCode::kFindings;  // as kube-apiserver
  }
  return kServeCommand.run(*parsed, io);
}

}  // namespace strake::cli
