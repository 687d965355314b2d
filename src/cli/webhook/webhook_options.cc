#include "cli/webhook/webhook_options.h"

#include <charconv>

#include "cli/io/parallel.h"

namespace strake::cli {
namespace {

// kube-apiserver waits for a webhook at most so long.
constexpr std::uint64_t kMostTimeout = 30;
constexpr std::chrono::seconds kRuleTimeout{5};

Result<ServiceName> parse_service(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::size_t colon = std::min(text.find(':'), text.size());
  ServiceName out;
  if (slash != std::string_view::npos && slash < colon) {
    out.namespace_name = text.substr(0, slash);
    out.name = text.substr(slash + 1, colon - slash - 1);
  }
  const std::string_view port = text.substr(std::min(colon + 1, text.size()));
  const bool good_port = colon == text.size() ||
                         std::from_chars(port.data(), port.data() + port.size(), out.port).ptr ==
                             port.data() + port.size();
  if (out.namespace_name.empty() || out.name.empty() || !good_port || out.port == 0)
    return fail(Code::kUsage, "--service wants NAMESPACE/NAME or NAMESPACE/NAME:PORT, got \"{}\"",
                text);
  return out;
}

std::string default_cert_dir(const Io& io) {
  if (const auto data = io.env("XDG_DATA_HOME"); data && !data->empty())
    return *data + "/strake-webhook";
  if (const auto home = io.env("HOME"); home && !home->empty())
    return *home + "/.local/share/strake-webhook";
  return "strake-webhook";
}

// Of an https URL.
std::string host_of(std::string_view url) {
  std::string_view rest = url.substr(std::min(url.find("://") + 3, url.size()));
  rest = rest.substr(0, rest.find('/'));
  if (rest.starts_with('[')) return std::string(rest.substr(1, rest.find(']') - 1));
  return std::string(rest.substr(0, rest.find(':')));
}

void add_hosts(const Arguments& args, WebhookOptions& out) {
  out.hosts = {"localhost", "127.0.0.1", "::1"};
  const auto add = [&out](std::string host) {
    if (!host.empty() && std::ranges::find(out.hosts, host) == out.hosts.end())
      out.hosts.push_back(std::move(host));
  };
  if (out.listen.host != "0.0.0.0" && out.listen.host != "::") add(out.listen.host);
  if (out.service) {
    const std::string name = fmt::format("{}.{}", out.service->name, out.service->namespace_name);
    for (const std::string_view end : {"", ".svc", ".svc.cluster.local"})
      add(fmt::format("{}{}", name, end));
  }
  if (!out.url.empty()) add(host_of(out.url));
  for (const std::string& host : args.texts("tls-san")) add(host);
}

}  // namespace

Result<WebhookOptions> read_webhook_options(const Arguments& args, const Io& io) {
  WebhookOptions out;
  out.validate.schemas = args.texts("schemas");
  out.validate.policies = args.texts("policies");
  if (out.validate.schemas.empty() && out.validate.policies.empty())
    return fail(Code::kUsage, "nothing to judge by: give --schemas, --policies or both");
  for (const auto* names : {&out.validate.schemas, &out.validate.policies}) {
    if (std::ranges::find(*names, "-") != names->end())
      return fail(Code::kUsage, "schemas and policies are read again when they change: give files");
  }
  out.validate.threads = all_cores();
  out.validate.cel_timeout = kRuleTimeout;
  // A kind without a schema is the cluster's business.
  out.validate.check.ignore_missing_schemas = true;
  out.validate.check.max_depth = 1'000;

  STRAKE_TRY(out.listen, parse_address(args.text("listen")));
  if (args.given("service")) {
    STRAKE_TRY(out.service, parse_service(args.text("service")));
  }
  out.url = args.text("url");
  if (out.service && !out.url.empty())
    return fail(Code::kUsage, "the cluster reaches the webhook by --service or by --url, not both");
  if (!out.url.empty() && !out.url.starts_with("https://"))
    return fail(Code::kUsage, "--url wants an https URL, got \"{}\"", out.url);
  out.tls_certificate_file = args.text("tls-cert");
  out.tls_key_file = args.text("tls-key");
  out.ca_file = args.text("ca-file");
  if (out.tls_certificate_file.empty() != out.tls_key_file.empty())
    return fail(Code::kUsage, "--tls-cert and --tls-key must be given together");
  if (out.tls_certificate_file.empty()) {
    if (!out.ca_file.empty())
      return fail(Code::kUsage, "--ca-file is the authority of --tls-cert, which is not given");
    out.cert_dir =
        args.given("cert-dir") ? std::string(args.text("cert-dir")) : default_cert_dir(io);
  } else if (args.given("cert-dir")) {
    return fail(Code::kUsage, "--cert-dir and --tls-cert cannot be combined");
  }
  add_hosts(args, out);
  out.name = args.text("name");
  out.failure_policy = args.text("failure-policy");
  out.timeout_seconds = args.number("timeout-seconds");
  if (out.timeout_seconds < 1 || out.timeout_seconds > kMostTimeout)
    return fail(Code::kUsage, "--timeout-seconds must be from 1 to {}", kMostTimeout);
  out.drain_timeout = std::chrono::seconds(args.number("drain-seconds"));
  return out;
}

}  // namespace strake::cli
