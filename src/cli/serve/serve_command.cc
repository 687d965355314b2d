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
#include "cli/serve/aggregation_flags.h"
#include "cli/serve/delegation_flags.h"
#include "cli/serve/flag_values.h"
#include "cli/serve/front_proxy_flags.h"
#include "cli/serve/issuer_flags.h"
#include "cli/serve/listen.h"
#include "kinds/service_ranges.h"
#include "server/server.h"
#include "server/signal_watch.h"
#include "server/unregister.h"

namespace strake::cli {
namespace {

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
  if (options->registration && args.on("unregister")) {
    const Result<> removed = server::unregister(*options);
    if (removed) return ExitCode::kFine;
    print_error(removed.error().to_string(), io);
    return ExitCode::kInput;
  }
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
constexpr FlagSpec kMainFlags[] = {
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

constexpr auto kServeFlags =
    joined_flags(kMainFlags, kIssuerFlags, kFrontProxyFlags, kAggregationFlags, kDelegationFlags);

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
constexpr auto kIssuerFlagNames = flag_names(kIssuerFlags);
constexpr auto kFrontProxyFlagNames = flag_names(kFrontProxyFlags);
constexpr auto kAggregationFlagNames = flag_names(kAggregationFlags);
constexpr auto kDelegationFlagNames = flag_names(kDelegationFlags);
constexpr FlagSection kServeSections[] = {
    {"certificates and tokens", kAccessFlags},
    {"tokens of others", kIssuerFlagNames},
    {"front proxy", kFrontProxyFlagNames},
    {"aggregation", kAggregationFlagNames},
    {"authorization", kAuthorizationFlags},
    {"audit log", kAuditFlags},
    {"services", kServiceFlags},
    {"extension server", kDelegationFlagNames},
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
