#include "cli/webhook/webhook_command.h"

#include <fmt/format.h>
#include <signal.h>

#include <thread>

#include "async/run.h"
#include "base/arena.h"
#include "base/base64.h"
#include "base/log.h"
#include "cli/command/shared_flags.h"
#include "cli/io/terminal.h"
#include "cli/webhook/webhook_certificates.h"
#include "cli/webhook/webhook_config.h"
#include "cli/webhook/webhook_options.h"
#include "cli/webhook/webhook_server.h"
#include "cli/webhook/webhook_watch.h"
#include "server/signal_watch.h"

namespace strake::cli {
namespace {

// An old and a new object, as large as a server takes them, and what is around them.
constexpr std::size_t kMostReviewBytes = 7 << 20;
// What one review may take while it is judged.
constexpr std::size_t kReviewMemory = 512U << 20;
constexpr std::chrono::milliseconds kLongestWebhookEnd{5'000};

ExitCode print_configuration(const WebhookOptions& options, const WebhookJudge& judge,
                             const WebhookCertificates& certificates, Io& io) {
  const auto text = webhook_configuration(options, judge, certificates.ca_pem);
  if (!text) return refused(text.error(), io);
  io.out.write(*text);
  return ExitCode::kFine;
}

ExitCode serve_webhook(const Arguments& args, const WebhookOptions& options, const DiskFiles& files,
                       std::shared_ptr<const WebhookJudge> judge, WebhookCertificates certificates,
                       server::SignalWatch& signals, Io& io) {
  async::Loops loops(std::max(1U, std::thread::hardware_concurrency()));
  WebhookHandler handler(std::move(judge));
  handler.note_certificate(certificates.good_until);
  http::ServerOptions http_options;
  http_options.host = options.listen.host;
  http_options.port = options.listen.port;
  http_options.tls = certificates.tls;
  http_options.max_body = kMostReviewBytes;
  auto server = http::Server::listen(std::move(http_options), loops, handler);
  if (!server) return refused(server.error(), io);
  const std::string url =
      fmt::format("{}{}", url_of(options.listen.host, (*server)->port()), kReviewPath);
  io.out.write(
      fmt::format("serving at {}\ncaBundle: {}\n", url, base64_encode(certificates.ca_pem)));
  static_cast<void>(io.out.flush());
  {
    // Whoever is told that it is ready may change files: they are watched before.
    WebhookWatch watch(options, files, io, handler, **server, std::move(certificates));
    if (const auto told = tell_ready(args, url); !told) print_error(told.error().to_string(), io);
    while (signals.wait() == server::SignalWatch::Signal::kReload) watch.reload_soon();
  }
  io.out.write("stopping\n");
  static_cast<void>(io.out.flush());
  static_cast<void>(
      async::run_blocking(loops.at(0), (*server)->drain(Deadline::after(options.drain_timeout))));
  server->reset();
  loops.stop();
  return ExitCode::kFine;
}

ExitCode run_webhook(const Arguments& args, Io& io) {
  if (const auto level = log::parse_level(args.text("log-level")))
    log::configure({.level = *level});
  const auto options = read_webhook_options(args, io);
  if (!options) {
    print_error(options.error().to_string(), io);
    return ExitCode::kInput;
  }
  const DiskFiles files(io);
  const bool prints = args.on("print-config");
  // Made before any other thread; a configuration is printed without.
  std::optional<server::SignalWatch> signals;
  if (!prints) {
    ::signal(SIGPIPE, SIG_IGN);
    signals.emplace(options->drain_timeout + kLongestWebhookEnd);
  }
  Arena::limit_each(kReviewMemory);
  auto judge = WebhookJudge::load(options->validate, files, io);
  if (!judge) return refused(judge.error(), io);
  auto certificates = load_certificates(*options, system_clock());
  if (!certificates) return refused(certificates.error(), io);
  if (prints) return print_configuration(*options, **judge, *certificates, io);
  return serve_webhook(args, *options, files, *std::move(judge), *std::move(certificates), *signals,
                       io);
}

constexpr std::string_view kFailurePolicies[] = {"Fail", "Ignore"};
constexpr FlagSpec kWebhookFlags[] = {
    {.name = "schemas",
     .letter = 's',
     .kind = FlagKind::kTexts,
     .value_name = "FILE|DIR",
     .summary = "CRDs and OpenAPI documents to judge objects by"},
    {.name = "policies",
     .kind = FlagKind::kTexts,
     .value_name = "FILE|DIR",
     .summary = "ValidatingAdmissionPolicies to ask, with their bindings and parameters"},
    {.name = "listen",
     .kind = FlagKind::kText,
     .value_name = "HOST:PORT",
     .fallback = ":8443",
     .summary = "address to listen on; port 0 picks a free port"},
    {.name = "print-config",
     .summary = "print the ValidatingWebhookConfiguration for kubectl, and end"},
    {.name = "service",
     .kind = FlagKind::kText,
     .value_name = "NAMESPACE/NAME[:PORT]",
     .summary = "the Service by which the cluster reaches the webhook"},
    {.name = "url",
     .kind = FlagKind::kText,
     .value_name = "URL",
     .summary = "the https URL by which the cluster reaches it"},
    {.name = "name",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .fallback = "strake-webhook",
     .summary = "name of the configuration"},
    {.name = "failure-policy",
     .kind = FlagKind::kChoice,
     .value_name = "POLICY",
     .choices = kFailurePolicies,
     .fallback = "Fail",
     .summary = "what the cluster does when the webhook does not answer: Fail or Ignore"},
    {.name = "timeout-seconds",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "10",
     .summary = "how long the cluster waits for an answer"},
    {.name = "cert-dir",
     .kind = FlagKind::kText,
     .value_name = "DIR",
     .summary = "folder for the generated authority and certificate (default "
                "$XDG_DATA_HOME/strake-webhook or ~/.local/share/strake-webhook)"},
    {.name = "tls-cert",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "serving certificate (PEM) in place of the generated one; needs --tls-key"},
    {.name = "tls-key",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "key of --tls-cert (PEM)"},
    {.name = "ca-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "authority of --tls-cert, for the configuration"},
    {.name = "tls-san",
     .kind = FlagKind::kTexts,
     .value_name = "HOST",
     .summary = "additional name or address for the generated certificate"},
    {.name = "ready-fd",
     .kind = FlagKind::kCount,
     .value_name = "FD",
     .summary = "write the URL to this file descriptor when ready, then close it"},
    {.name = "drain-seconds",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "30",
     .summary = "how long reviews in progress can take to finish at shutdown"},
    {.name = "log-level",
     .kind = FlagKind::kChoice,
     .value_name = "LEVEL",
     .choices = kLogLevels,
     .fallback = "info",
     .summary = "debug, info, warn, error or off"},
};
constexpr std::string_view kConfigurationFlags[] = {
    "print-config", "service", "url", "name", "failure-policy", "timeout-seconds"};
constexpr std::string_view kCertificateFlags[] = {"cert-dir", "tls-cert", "tls-key", "ca-file",
                                                  "tls-san"};
constexpr std::string_view kWebhookProcessFlags[] = {"ready-fd", "drain-seconds", "log-level"};
constexpr FlagSection kWebhookSections[] = {
    {"configuration of the cluster", kConfigurationFlags},
    {"certificates", kCertificateFlags},
    {"process", kWebhookProcessFlags},
};

constexpr Example kWebhookExamples[] = {
    {"strake webhook --schemas crds/ --policies policies/ --service tools/strake",
     "judge what is written to the cluster, behind the Service tools/strake"},
    {"strake webhook -s crds/ --service tools/strake --print-config > webhook.yaml",
     "print the configuration that makes the cluster ask it, for kubectl apply"},
};

}  // namespace

constinit const Command kWebhookCommand = {
    .name = "webhook",
    .group = Group::kServe,
    .summary = "check objects for other clusters as an admission webhook",
    .description =
        "Serves a validating admission webhook over HTTPS: objects that are created or updated in "
        "a cluster are judged by the schemas as `strake validate` judges them, with the object "
        "that they replace, and shown to the policies. Refusals name the fields; warnings are "
        "passed on. Kinds without a schema are allowed.\n\n"
        "The authority and the certificate are made in the certificate folder at the first start, "
        "and the certificate is renewed before it expires. `--print-config` prints the "
        "configuration for the cluster, with the authority.\n\n"
        "Files that change are read again. If a new one is invalid, the old ones stay in use and "
        "the log says why. /healthz, /readyz and /metrics answer on the same port.",
    .flags = kWebhookFlags,
    .sections = kWebhookSections,
    .operands = {.usage = ""},
    .examples = kWebhookExamples,
    .run = run_webhook,
};

}  // namespace strake::cli
