#include "cli/serve/audit_flags.h"

#include <charconv>

#include "cli/serve/flag_values.h"

namespace strake::cli {
namespace {

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

}  // namespace

Result<> read_audit(const Arguments& args, server::Options& out) {
  out.audit_policy_file = args.text("audit-policy-file");
  out.audit_log_path = args.text("audit-log-path");
  out.audit_log_megabytes = args.number("audit-log-maxsize");
  out.audit_log_backups = args.number("audit-log-maxbackup");
  out.audit_log_days = args.number("audit-log-maxage");
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

}  // namespace strake::cli
