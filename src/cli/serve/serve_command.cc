#include "cli/serve/serve_command.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>

#include "base/go_duration.h"
#include "base/log.h"
#include "base/trim.h"
#include "cli/command/version.h"
#include "cli/io/terminal.h"
#include "cli/serve/listen.h"
#include "kinds/service_ranges.h"
#include "server/server.h"
#include "server/signal_watch.h"

namespace strake::cli {
namespace {

// "a,b" and repeated flags are one list.
std::vector<std::string> read_list(const Arguments& args, std::string_view flag) {
  std::vector<std::string> out;
  for (const std::string& given : args.texts(flag)) {
    std::string_view rest = given;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (const std::string_view one = trim(rest.substr(0, comma)); !one.empty())
        out.emplace_back(one);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return out;
}

Result<> read_front_proxy(const Arguments& args, server::Options& out) {
  out.requestheader_client_ca_file = args.text("requestheader-client-ca-file");
  const std::pair<std::string_view, std::vector<std::string>*> lists[] = {
      {"requestheader-allowed-names", &out.front_proxy.allowed_names},
      {"requestheader-username-headers", &out.front_proxy.username_headers},
      {"requestheader-group-headers", &out.front_proxy.group_headers},
      {"requestheader-uid-headers", &out.front_proxy.uid_headers},
      {"requestheader-extra-headers-prefix", &out.front_proxy.extra_prefixes},
  };
  for (const auto& [flag, list] : lists) {
    if (args.given(flag)) *list = read_list(args, flag);
  }
  const auto is_standard = [](const std::string& one) {
    return http::equals_ignoring_case(one, "X-Remote-Uid");
  };
  if (!out.front_proxy.uid_headers.empty() &&
      std::ranges::none_of(out.front_proxy.uid_headers, is_standard))
    return fail(Code::kUsage, "--requestheader-uid-headers must include X-Remote-Uid");
  return {};
}

Result<api::EnabledControllers> read_controllers(const Arguments& args) {
  auto enabled = api::EnabledControllers::parse(read_list(args, "controllers"));
  if (!enabled) return fail(enabled.error().code(), "--controllers: {}", enabled.error().message());
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

Result<std::chrono::nanoseconds> parse_time(const Arguments& args, std::string_view flag) {
  const auto time = parse_go_duration(args.text(flag));
  if (!time || time->count() < 0)
    return fail(Code::kUsage, "--{} wants a duration such as 30s, got \"{}\"", flag,
                args.text(flag));
  return *time;
}

Result<> read_authorization(const Arguments& args, server::Options& out) {
  constexpr std::string_view kOthers[] = {
      "authorization-mode", "authorization-webhook-config-file", "authorization-webhook-version",
      "authorization-webhook-cache-authorized-ttl", "authorization-webhook-cache-unauthorized-ttl"};
  out.authorization_config_file = args.text("authorization-config");
  if (!out.authorization_config_file.empty() &&
      std::ranges::any_of(kOthers, [&](std::string_view one) { return args.given(one); }))
    return fail(Code::kUsage,
                "--authorization-config can not be specified when --authorization-mode or "
                "--authorization-webhook-* flags are defined");
  auth::AuthorizationFlags& flags = out.authorization;
  flags.modes = read_list(args, "authorization-mode");
  flags.webhook_config_file = args.text("authorization-webhook-config-file");
  flags.webhook_version = args.text("authorization-webhook-version");
  STRAKE_TRY(flags.authorized_ttl, parse_time(args, "authorization-webhook-cache-authorized-ttl"));
  STRAKE_TRY(flags.unauthorized_ttl,
             parse_time(args, "authorization-webhook-cache-unauthorized-ttl"));
  return {};
}

Result<double> parse_rate(const Arguments& args, std::string_view flag) {
  const std::string_view text = args.text(flag);
  double out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size())
    return fail(Code::kUsage, "--{} wants a number, got \"{}\"", flag, text);
  return out;
}

// "true" and "false", as kube-apiserver's flags are given.
Result<bool> parse_bool(const Arguments& args, std::string_view flag) {
  const std::string_view text = args.text(flag);
  if (text != "true" && text != "false")
    return fail(Code::kUsage, "--{} wants true or false, got \"{}\"", flag, text);
  return text == "true";
}

Result<> read_truncation(const Arguments& args, std::string_view sink,
                         audit::TruncateOptions& out) {
  const auto flag = [&](std::string_view name) {
    return fmt::format("audit-{}-truncate-{}", sink, name);
  };
  out.enabled = args.on(flag("enabled"));
  out.most_batch_bytes = args.number(flag("max-batch-size"));
  out.most_event_bytes = args.number(flag("max-event-size"));
  if (out.most_event_bytes == 0)
    return fail(Code::kUsage,
                "invalid audit truncate {} max event size 0, must be a positive number", sink);
  if (out.most_batch_bytes < out.most_event_bytes)
    return fail(Code::kUsage,
                "invalid audit truncate {} max batch size {}, must be greater than max event size "
                "({})",
                sink, out.most_batch_bytes, out.most_event_bytes);
  return {};
}

Result<audit::Mode> read_audit_mode(const Arguments& args, std::string_view sink) {
  const std::string_view mode = args.text(fmt::format("audit-{}-mode", sink));
  if (mode == "batch") return audit::Mode::kBatch;
  if (mode == "blocking") return audit::Mode::kBlocking;
  if (mode == "blocking-strict") return audit::Mode::kBlockingStrict;
  return fail(Code::kUsage,
              "invalid audit {} mode {}, allowed modes are \"batch,blocking,blocking-strict\"",
              sink, mode);
}

Result<> read_audit_webhook(const Arguments& args, server::Options& out) {
  STRAKE_TRY(out.audit_log_mode, read_audit_mode(args, "log"));
  STRAKE_TRY(out.audit_webhook_mode, read_audit_mode(args, "webhook"));
  out.audit_webhook_config_file = args.text("audit-webhook-config-file");
  if (const std::string_view version = args.text("audit-webhook-version");
      version != "audit.k8s.io/v1")
    return fail(Code::kUsage, "invalid group version, allowed versions are [\"audit.k8s.io/v1\"]");
  audit::WebhookSink::Options& to = out.audit_webhook;
  to.buffer = args.number("audit-webhook-batch-buffer-size");
  to.most_events = args.number("audit-webhook-batch-max-size");
  STRAKE_TRY(to.longest_wait, parse_time(args, "audit-webhook-batch-max-wait"));
  STRAKE_TRY(const bool throttle, parse_bool(args, "audit-webhook-batch-throttle-enable"));
  STRAKE_TRY(to.per_second, parse_rate(args, "audit-webhook-batch-throttle-qps"));
  to.burst = args.number("audit-webhook-batch-throttle-burst");
  STRAKE_TRY(to.first_backoff, parse_time(args, "audit-webhook-initial-backoff"));
  if (to.buffer == 0)
    return fail(Code::kUsage,
                "invalid audit batch webhook buffer size 0, must be a positive number");
  if (to.most_events == 0)
    return fail(Code::kUsage,
                "invalid audit batch webhook max batch size 0, must be a positive number");
  if (throttle && to.per_second <= 0)
    return fail(Code::kUsage,
                "invalid audit batch webhook throttle QPS {}, must be a positive number",
                to.per_second);
  if (throttle && to.burst == 0)
    return fail(Code::kUsage,
                "invalid audit batch webhook throttle burst 0, must be a positive number");
  if (!throttle) to.per_second = 0;
  STRAKE_CHECK(read_truncation(args, "webhook", to.truncate));
  return read_truncation(args, "log", out.audit_log_truncate);
}

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

Result<server::Options> read_options(const Arguments& args, const Io& io) {
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
  out.proxy_client_certificate_file = args.text("proxy-client-cert-file");
  out.proxy_client_key_file = args.text("proxy-client-key-file");
  out.service_resolver_file = args.text("service-resolver-file");
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
  STRAKE_CHECK(read_service_ranges(args, out));
  out.log_requests = args.on("log-requests");
  out.audit_policy_file = args.text("audit-policy-file");
  out.audit_log_path = args.text("audit-log-path");
  out.audit_log_megabytes = args.number("audit-log-maxsize");
  out.audit_log_backups = args.number("audit-log-maxbackup");
  out.audit_log_days = args.number("audit-log-maxage");
  STRAKE_CHECK(read_audit_webhook(args, out));
  out.io_threads = args.number("io-threads");
  out.drain_timeout = std::chrono::seconds(args.number("drain-seconds"));
  out.version = version_number();
  return out;
}

void greet(const server::Server& server, Io& io) {
  io.out.write(fmt::format("serving at {}\n  export KUBECONFIG={}\n  kubectl get namespaces\n",
                           server.url(), printable(server.kubeconfig_path())));
  static_cast<void>(io.out.flush());
}

void reload(server::Server& server) {
  const std::vector<Error> failures = server.reload();
  for (const Error& failure : failures)
    log::get("server").error("not reloaded, the old one stays", {{"error", failure}});
  if (failures.empty()) log::get("server").info("reloaded tokens and certificates");
}

// What is left between the end of the drain and the end of the process, whatever goes on in it.
constexpr std::chrono::seconds kLongestEnd{10};

// Threads of the server are still busy: nothing that they may use is taken down.
[[noreturn]] void end_now(const Error& why, Io& io) {
  print_error(why.to_string(), io);
  static_cast<void>(io.out.flush());
  static_cast<void>(io.err.flush());
  std::_Exit(static_cast<int>(ExitCode::kInput));
}

ExitCode run_serve(const Arguments& args, Io& io) {
  if (const auto level = log::parse_level(args.text("log-level")))
    log::configure({.level = *level});
  auto options = read_options(args, io);
  if (!options) {
    print_error(options.error().to_string(), io);
    return ExitCode::kInput;
  }
  ::signal(SIGPIPE, SIG_IGN);
  server::SignalWatch signals(options->drain_timeout + kLongestEnd);
  options->stop = signals.token();

  auto server = server::Server::start(*options);
  if (!server) {
    if (server.error().code() == Code::kCancelled) return ExitCode::kFine;
    if (server.error().code() == Code::kTimeout) end_now(server.error(), io);
    print_error(server.error().to_string(), io);
    return ExitCode::kInput;
  }
  greet(**server, io);
  if (const auto told = tell_ready(args, (*server)->url()); !told)
    print_error(told.error().to_string(), io);
  while (signals.wait() == server::SignalWatch::Signal::kReload) reload(**server);
  io.out.write("stopping\n");
  static_cast<void>(io.out.flush());
  const Result<> stopped = (*server)->stop();
  if (stopped) return ExitCode::kFine;
  if (stopped.error().code() == Code::kTimeout) end_now(stopped.error(), io);
  print_error(stopped.error().to_string(), io);
  return ExitCode::kInput;
}

constexpr std::string_view kDataDirSummary =
    "data folder; the kubeconfig is DIR/admin.kubeconfig (default $XDG_DATA_HOME/strake or "
    "~/.local/share/strake; none with --in-memory)";
constexpr std::string_view kTruths[] = {"true", "false"};
constexpr std::string_view kReviewVersions[] = {"v1", "v1beta1"};
constexpr FlagSpec kServeFlags[] = {
    {.name = "data-dir", .kind = FlagKind::kText, .value_name = "DIR", .summary = kDataDirSummary},
    {.name = "listen",
     .kind = FlagKind::kText,
     .value_name = "HOST:PORT",
     .fallback = "127.0.0.1:6443",
     .summary = "address to listen on; port 0 picks a free port"},
    {.name = "in-memory",
     .summary = "keep objects in memory only; without --data-dir nothing outlives the server"},
    {.name = "kubeconfig-out",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "write the administrator's kubeconfig to FILE (mode 0600)"},
    {.name = "ready-fd",
     .kind = FlagKind::kCount,
     .value_name = "FD",
     .summary = "write the URL to this file descriptor when ready, then close it"},
    {.name = "tls-cert",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "serving certificate (PEM); needs --tls-key"},
    {.name = "tls-key",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "key of --tls-cert (PEM)"},
    {.name = "tls-san",
     .kind = FlagKind::kTexts,
     .value_name = "HOST",
     .summary = "additional name or address for the generated certificate"},
    {.name = "client-ca-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "additional authorities (PEM) for client certificates"},
    {.name = "client-ca",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the same as --client-ca-file"},
    {.name = "requestheader-client-ca-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "authorities (PEM) for front proxies, in place of pki/front-proxy-ca.crt"},
    {.name = "requestheader-allowed-names",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary = "common names of front proxies; default: front-proxy-client, or any name with an "
                "authority of your own"},
    {.name = "requestheader-username-headers",
     .kind = FlagKind::kTexts,
     .value_name = "HEADERS",
     .summary = "headers that name the user; default X-Remote-User"},
    {.name = "requestheader-group-headers",
     .kind = FlagKind::kTexts,
     .value_name = "HEADERS",
     .summary = "headers that name groups; default X-Remote-Group"},
    {.name = "requestheader-uid-headers",
     .kind = FlagKind::kTexts,
     .value_name = "HEADERS",
     .summary = "headers that give the user's UID; default X-Remote-Uid"},
    {.name = "requestheader-extra-headers-prefix",
     .kind = FlagKind::kTexts,
     .value_name = "PREFIXES",
     .summary = "prefixes of headers with extra attributes; default X-Remote-Extra-"},
    {.name = "proxy-client-cert-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the certificate (PEM) that is shown to the servers of APIServices, in place of "
                "pki/front-proxy-client.crt"},
    {.name = "proxy-client-key-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "its key (PEM)"},
    {.name = "service-resolver-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "where services of APIServices are that have no endpoints: a YAML mapping from "
                "NAMESPACE/NAME[:PORT] to HOST:PORT"},
    {.name = "enable-aggregator-routing",
     .summary = "accepted for compatibility: requests always go to endpoints"},
    {.name = "token-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "static tokens, one per line: token,user,uid,\"groups\""},
    {.name = "authorization-mode",
     .kind = FlagKind::kTexts,
     .value_name = "MODES",
     .summary = "who decides about permissions, in order: RBAC, Webhook, AlwaysAllow, AlwaysDeny "
                "(default RBAC)"},
    {.name = "authorization-config",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "AuthorizationConfiguration, in place of the other --authorization flags; reloaded "
                "when it changes"},
    {.name = "authorization-webhook-config-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "kubeconfig of the webhook of mode Webhook"},
    {.name = "authorization-webhook-version",
     .kind = FlagKind::kText,
     .value_name = "VERSION",
     .fallback = "v1beta1",
     .summary = "version of the SubjectAccessReviews it is sent: v1 or v1beta1"},
    {.name = "authorization-webhook-cache-authorized-ttl",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "5m",
     .summary = "how long to remember that it allowed a request; 0 means not at all"},
    {.name = "authorization-webhook-cache-unauthorized-ttl",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "30s",
     .summary = "how long to remember that it did not; 0 means not at all"},
    {.name = "audit-policy-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary =
         "audit policy (audit.k8s.io/v1); needs --audit-log-path or --audit-webhook-config-file"},
    {.name = "audit-log-path",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "append audit events to FILE, one per line; - means standard output"},
    {.name = "audit-log-maxsize",
     .kind = FlagKind::kCount,
     .value_name = "MB",
     .fallback = "100",
     .summary = "rotate the audit log at this size; 0 means never"},
    {.name = "audit-log-maxbackup",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "0",
     .summary = "rotated audit logs to keep; 0 means all"},
    {.name = "audit-log-maxage",
     .kind = FlagKind::kCount,
     .value_name = "DAYS",
     .fallback = "0",
     .summary = "days to keep rotated audit logs; 0 means forever"},
    {.name = "audit-log-mode",
     .kind = FlagKind::kText,
     .value_name = "MODE",
     .fallback = "blocking",
     .summary = "blocking: requests wait until their events are in the file; blocking-strict: "
                "requests whose events cannot be written are refused; batch: nobody waits, and "
                "events are lost when the disk is far behind"},
    {.name = "audit-log-truncate-enabled",
     .summary = "leave objects out of audit events in the log that are too large"},
    {.name = "audit-log-truncate-max-event-size",
     .kind = FlagKind::kCount,
     .value_name = "BYTES",
     .fallback = "102400",
     .summary = "largest event in the log before it is truncated"},
    {.name = "audit-log-truncate-max-batch-size",
     .kind = FlagKind::kCount,
     .value_name = "BYTES",
     .fallback = "10485760",
     .summary = "accepted as by kube-apiserver; the log has no batches"},
    {.name = "audit-webhook-config-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "kubeconfig of a service that audit events are sent to; needs "
                "--audit-policy-file"},
    {.name = "audit-webhook-mode",
     .kind = FlagKind::kText,
     .value_name = "MODE",
     .fallback = "batch",
     .summary = "batch: events are sent behind the requests; blocking: requests wait until the "
                "service has their events; blocking-strict: and are refused when it does not"},
    {.name = "audit-webhook-version",
     .kind = FlagKind::kText,
     .value_name = "VERSION",
     .fallback = "audit.k8s.io/v1",
     .summary = "version of the events it is sent"},
    {.name = "audit-webhook-initial-backoff",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "10s",
     .summary = "pause before a batch that failed is sent again; then longer, four times in all"},
    {.name = "audit-webhook-batch-buffer-size",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "10000",
     .summary = "events that can wait for the webhook; more are lost, and the log says so"},
    {.name = "audit-webhook-batch-max-size",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "400",
     .summary = "events in one batch"},
    {.name = "audit-webhook-batch-max-wait",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "30s",
     .summary = "how long to wait for a batch to fill"},
    {.name = "audit-webhook-batch-throttle-enable",
     .kind = FlagKind::kText,
     .value_name = "BOOL",
     .fallback = "true",
     .summary = "limit the number of batches per second"},
    {.name = "audit-webhook-batch-throttle-qps",
     .kind = FlagKind::kText,
     .value_name = "N",
     .fallback = "10",
     .summary = "batches per second"},
    {.name = "audit-webhook-batch-throttle-burst",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "15",
     .summary = "batches that can follow each other at once"},
    {.name = "audit-webhook-truncate-enabled",
     .summary = "leave objects out of events for the webhook that are too large"},
    {.name = "audit-webhook-truncate-max-event-size",
     .kind = FlagKind::kCount,
     .value_name = "BYTES",
     .fallback = "102400",
     .summary = "largest event for the webhook before it is truncated"},
    {.name = "audit-webhook-truncate-max-batch-size",
     .kind = FlagKind::kCount,
     .value_name = "BYTES",
     .fallback = "10485760",
     .summary = "largest batch with truncation"},
    {.name = "service-account-signing-key-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "private key (PEM, RSA or ECDSA) that signs tokens of service accounts (default "
                "DIR/pki/sa.key)"},
    {.name = "service-account-key-file",
     .kind = FlagKind::kTexts,
     .value_name = "FILE",
     .summary = "additional keys (PEM) that verify tokens of service accounts"},
    {.name = "service-account-issuer",
     .kind = FlagKind::kTexts,
     .value_name = "URL",
     .summary = "issuer of tokens of service accounts; the first one is written, all are accepted; "
                "default: as kube-apiserver"},
    {.name = "service-account-jwks-uri",
     .kind = FlagKind::kText,
     .value_name = "URL",
     .summary = "where the discovery document says the keys are (default this server)"},
    {.name = "service-account-max-token-expiration",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .summary = "longest life of a token of a service account, at least 1h (default what its "
                "request says)"},
    {.name = "api-audiences",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary = "audiences of this server, one of which tokens must name (default the first "
                "issuer)"},
    {.name = "anonymous-auth",
     .kind = FlagKind::kChoice,
     .value_name = "true|false",
     .choices = kTruths,
     .fallback = "true",
     .summary = "whether requests without credentials are those of system:anonymous"},
    {.name = "authentication-config",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary =
         "AuthenticationConfiguration: issuers of tokens and anonymous access; reloaded when "
         "it changes; not with --oidc-*"},
    {.name = "oidc-issuer-url",
     .kind = FlagKind::kText,
     .value_name = "URL",
     .summary = "accept tokens (JWT) of this OpenID Connect issuer, an https URL; needs "
                "--oidc-client-id"},
    {.name = "oidc-client-id",
     .kind = FlagKind::kText,
     .value_name = "ID",
     .summary = "audience that tokens of the issuer must name"},
    {.name = "oidc-username-claim",
     .kind = FlagKind::kText,
     .value_name = "CLAIM",
     .fallback = "sub",
     .summary = "claim that names the user"},
    {.name = "oidc-username-prefix",
     .kind = FlagKind::kText,
     .value_name = "PREFIX",
     .summary = "prefix of user names; - means none (default URL# of the issuer, none for email)"},
    {.name = "oidc-groups-claim",
     .kind = FlagKind::kText,
     .value_name = "CLAIM",
     .summary = "claim that lists groups, or names one (default no groups)"},
    {.name = "oidc-groups-prefix",
     .kind = FlagKind::kText,
     .value_name = "PREFIX",
     .summary = "prefix of group names"},
    {.name = "oidc-required-claim",
     .kind = FlagKind::kTexts,
     .value_name = "KEY=VALUE",
     .summary = "claim that tokens must have with this value; can be repeated"},
    {.name = "oidc-signing-algs",
     .kind = FlagKind::kTexts,
     .value_name = "ALGS",
     .summary = "accepted algorithms: RS, PS or ES with 256, 384 or 512; default RS256"},
    {.name = "oidc-ca-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary =
         "authorities (PEM) for the certificate of the issuer (default those of the system)"},
    {.name = "oidc-jwks-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "keys of the issuer (JWKS) from a file; the issuer is not contacted"},
    {.name = "authentication-token-webhook-config-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "kubeconfig of a webhook that is asked whose other tokens are"},
    {.name = "authentication-token-webhook-version",
     .kind = FlagKind::kChoice,
     .value_name = "VERSION",
     .choices = kReviewVersions,
     .fallback = "v1beta1",
     .summary = "version of the TokenReview that the webhook gets: v1 or v1beta1"},
    {.name = "authentication-token-webhook-cache-ttl",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "2m",
     .summary = "how long answers of the webhook are cached"},
    {.name = "advertise-address",
     .kind = FlagKind::kText,
     .value_name = "HOST",
     .summary = "HOST or HOST:PORT that /api names as the server's address; default: the address "
                "that the client has reached"},
    {.name = "controllers",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary = "controllers to run: * for all (default), NAME to run one, -NAME to leave one out, "
                "such as '*,-garbage-collector-controller'"},
    {.name = "service-cluster-ip-range",
     .kind = FlagKind::kText,
     .value_name = "CIDR[,CIDR]",
     .fallback = "10.0.0.0/24",
     .summary = "where the cluster IPs of services come from: one network, or one of IPv4 and "
                "one of IPv6, the preferred one first"},
    {.name = "service-node-port-range",
     .kind = FlagKind::kText,
     .value_name = "FROM-TO",
     .fallback = "30000-32767",
     .summary = "where the node ports of services come from"},
    {.name = "io-threads",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "0",
     .summary = "threads for connections; 0 means one per core"},
    {.name = "drain-seconds",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "30",
     .summary = "how long requests in progress can take to finish at shutdown"},
    {.name = "log-level",
     .kind = FlagKind::kChoice,
     .value_name = "LEVEL",
     .choices = kLogLevels,
     .fallback = "info",
     .summary = "debug, info, warn, error or off"},
    {.name = "log-requests",
     .summary = "log every request at info: user, agent, source, verb, path, code and time; "
                "refused ones (401, 403) are logged always"},
};

constexpr std::string_view kAccessFlags[] = {"tls-cert",
                                             "tls-key",
                                             "tls-san",
                                             "client-ca-file",
                                             "client-ca",
                                             "token-file",
                                             "service-account-signing-key-file",
                                             "service-account-key-file",
                                             "service-account-issuer",
                                             "service-account-jwks-uri",
                                             "service-account-max-token-expiration",
                                             "api-audiences",
                                             "anonymous-auth"};
constexpr std::string_view kIssuerFlags[] = {"authentication-config",
                                             "oidc-issuer-url",
                                             "oidc-client-id",
                                             "oidc-username-claim",
                                             "oidc-username-prefix",
                                             "oidc-groups-claim",
                                             "oidc-groups-prefix",
                                             "oidc-required-claim",
                                             "oidc-signing-algs",
                                             "oidc-ca-file",
                                             "oidc-jwks-file",
                                             "authentication-token-webhook-config-file",
                                             "authentication-token-webhook-version",
                                             "authentication-token-webhook-cache-ttl"};
constexpr std::string_view kProxyFlags[] = {
    "requestheader-client-ca-file",   "requestheader-allowed-names",
    "requestheader-username-headers", "requestheader-group-headers",
    "requestheader-uid-headers",      "requestheader-extra-headers-prefix"};
constexpr std::string_view kAggregationFlags[] = {"proxy-client-cert-file", "proxy-client-key-file",
                                                  "service-resolver-file",
                                                  "enable-aggregator-routing"};
constexpr std::string_view kAuthorizationFlags[] = {"authorization-mode",
                                                    "authorization-config",
                                                    "authorization-webhook-config-file",
                                                    "authorization-webhook-version",
                                                    "authorization-webhook-cache-authorized-ttl",
                                                    "authorization-webhook-cache-unauthorized-ttl"};
constexpr std::string_view kAuditFlags[] = {"audit-policy-file",
                                            "audit-log-path",
                                            "audit-log-maxsize",
                                            "audit-log-maxbackup",
                                            "audit-log-maxage",
                                            "audit-log-mode",
                                            "audit-log-truncate-enabled",
                                            "audit-log-truncate-max-event-size",
                                            "audit-log-truncate-max-batch-size",
                                            "audit-webhook-config-file",
                                            "audit-webhook-mode",
                                            "audit-webhook-version",
                                            "audit-webhook-initial-backoff",
                                            "audit-webhook-batch-buffer-size",
                                            "audit-webhook-batch-max-size",
                                            "audit-webhook-batch-max-wait",
                                            "audit-webhook-batch-throttle-enable",
                                            "audit-webhook-batch-throttle-qps",
                                            "audit-webhook-batch-throttle-burst",
                                            "audit-webhook-truncate-enabled",
                                            "audit-webhook-truncate-max-event-size",
                                            "audit-webhook-truncate-max-batch-size"};
constexpr std::string_view kProcessFlags[] = {"advertise-address", "controllers", "ready-fd",
                                              "io-threads", "drain-seconds"};
constexpr std::string_view kServiceFlags[] = {"service-cluster-ip-range",
                                              "service-node-port-range"};
constexpr FlagSection kServeSections[] = {
    {"certificates and tokens", kAccessFlags},
    {"tokens of others", kIssuerFlags},
    {"front proxy", kProxyFlags},
    {"aggregation", kAggregationFlags},
    {"authorization", kAuthorizationFlags},
    {"audit log", kAuditFlags},
    {"services", kServiceFlags},
    {"process", kProcessFlags},
};

constexpr Example kServeExamples[] = {
    {"strake serve --data-dir ./demo", "start a server; the folder is created; Ctrl-C stops it"},
    {"strake serve --in-memory --kubeconfig-out test.kubeconfig --listen 127.0.0.1:0",
     "for tests: keep only the kubeconfig on disk"},
};

}  // namespace

std::string default_data_dir(const Io& io) {
  if (const auto data = io.env("XDG_DATA_HOME"); data && !data->empty()) return *data + "/strake";
  if (const auto home = io.env("HOME"); home && !home->empty())
    return *home + "/.local/share/strake";
  return "strake-data";
}

constexpr Command kServeCommand{
    .name = "serve",
    .group = Group::kServe,
    .summary = "run an API server for custom resources",
    .description =
        "Starts a Kubernetes-compatible API server for custom resources on one SQLite file. The "
        "data folder is created if it does not exist, with the certificate authority, the "
        "certificates, the administrator's kubeconfig and the store. It must belong to you, and "
        "other users must not have access to it.\n\n"
        "Tokens, keys, certificates, authorities and configurations are read again when their "
        "files change, and on SIGHUP. If a file is invalid, the old one stays in use and the log "
        "says why. Connections continue.\n\n"
        "SIGTERM and Ctrl-C end watches cleanly and let requests in progress finish. No "
        "acknowledged write is lost, "
        "however the process ends.",
    .flags = kServeFlags,
    .sections = kServeSections,
    .operands = {.usage = ""},
    .examples = kServeExamples,
    .run = run_serve,
};

}  // namespace strake::cli
