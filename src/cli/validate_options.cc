#include "cli/validate_options.h"

#include <algorithm>

#include "base/go_duration.h"
#include "cli/parallel.h"
#include "cli/shared_flags.h"
#include "cli/validate_flags.h"

namespace strake::cli {
namespace {

namespace loose = schema::loose;

// What the API server has decided for CRDs, and what is therefore open for other schemas only.
constexpr std::string_view kLooseFlags[] = {"equal-mode",      "ambiguity",
                                            "number-mode",     "format-mode",
                                            "embedded-checks", "int-or-string-pattern",
                                            "schema-root"};

Result<> read_inputs(const Arguments& args, const Io& io, ValidateOptions& options) {
  options.schemas = args.texts("schema");
  options.schema_folders = args.texts("schema-folder");
  STRAKE_TRY(options.operands, inputs_or_stdin(args, io));
  const auto count_input =
      std::ranges::count(options.operands, "-") + std::ranges::count(options.schemas, "-");
  if (count_input > 1) return fail(Code::kUsage, "standard input can be read only once");
  options.old = args.text("old");
  options.ask_cluster = asks_cluster(args);
  options.context = args.text("context");
  options.kubeconfig = args.text("kubeconfig");
  options.schema_root = args.text("schema-root");
  options.watch = args.on("watch");
  if (options.watch && count_input > 0)
    return fail(Code::kUsage, "--watch needs files: standard input does not change");
  return {};
}

Result<> read_rule_limits(const Arguments& args, ValidateOptions& options) {
  options.cel = args.text("cel") == "on";
  for (const std::string_view flag : {"cel-timeout", "cel-functions"}) {
    if (args.given(flag) && !options.cel)
      return fail(Code::kUsage, "--{} has no effect with --cel=off", flag);
  }
  if (args.given("cel-timeout")) {
    const auto timeout = parse_go_duration(args.text("cel-timeout"));
    if (!timeout || timeout->count() <= 0) {
      return fail(Code::kUsage,
                  "--cel-timeout must be a time above zero, such as 200ms, got \"{}\"",
                  args.text("cel-timeout"));
    }
    options.cel_timeout = *timeout;
  }
  if (!args.given("cel-functions")) return {};
  std::vector<std::string> names;
  for (const std::string& list : args.texts("cel-functions")) {
    for (std::string_view rest = list; !rest.empty();) {
      const std::size_t comma = rest.find(',');
      names.emplace_back(rest.substr(0, comma));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
  }
  auto allowed = rules::AllowedFunctions::only(names);
  if (!allowed) return fail(Code::kUsage, "--cel-functions: {}", allowed.error().message());
  options.cel_functions = *std::move(allowed);
  return {};
}

Result<> read_policies(const Arguments& args, ValidateOptions& options) {
  validate::JudgeOptions& judge = options.judge;
  judge.unknown = chosen<validate::UnknownFields>(args, "unknown", kUnknownChoices);
  judge.trust_definitions = args.on("trust-schemas");
  judge.defaults = chosen<validate::DefaultMode>(args, "defaults", kDefaultChoices);
  options.check.note_defaults = judge.defaults == validate::DefaultMode::kAnnotate;
  options.check.duplicates = chosen<validate::DuplicateKeys>(args, "duplicates", kDuplicateChoices);
  options.check.yaml_core = args.on("yaml-core");
  STRAKE_CHECK(read_rule_limits(args, options));
  options.check.ignore_missing_schemas = args.on("ignore-missing-schemas");
  options.fail_on_schema_warnings = args.on("fail-on-schema-warnings");
  if (!args.on("strict")) return {};
  for (const std::string_view other : {"unknown", "duplicates"}) {
    if (args.given(other)) return fail(Code::kUsage, "--strict and --{} cannot be combined", other);
  }
  judge.unknown = validate::UnknownFields::kStrict;
  options.check.duplicates = validate::DuplicateKeys::kError;
  return {};
}

Result<> read_profile(const Arguments& args, ValidateOptions& options) {
  validate::JudgeOptions& judge = options.judge;
  judge.profile = chosen<validate::Profile>(args, "profile", kProfileChoices);
  const bool is_loose = judge.profile == validate::Profile::kLoose;
  for (const std::string_view flag : kLooseFlags) {
    if (args.given(flag) && !is_loose)
      return fail(Code::kUsage, "--{} needs --profile=loose: for CRDs the server has decided",
                  flag);
  }
  options.check.max_depth = args.given("max-depth")
                                ? static_cast<std::size_t>(args.number("max-depth"))
                            : is_loose ? loose::Options{}.max_depth
                                       : options.check.max_depth;
  if (is_loose) options.check.max_bytes = UINT64_MAX;
  if (args.given("max-bytes")) options.check.max_bytes = args.number("max-bytes");
  if (!is_loose) return {};
  judge.loose = {};
  judge.loose.equal = chosen<loose::EqualMode>(args, "equal-mode", kEqualChoices);
  judge.loose.ambiguity = chosen<loose::Ambiguity>(args, "ambiguity", kAmbiguityChoices);
  judge.loose.numbers = chosen<loose::NumberMode>(args, "number-mode", kNumberChoices);
  judge.loose.formats = chosen<loose::FormatMode>(args, "format-mode", kFormatChoices);
  judge.loose.embedded_checks = args.text("embedded-checks") == "on";
  judge.loose.int_or_string_pattern = args.on("int-or-string-pattern");
  judge.loose.max_depth = options.check.max_depth;
  if (judge.loose.numbers == loose::NumberMode::kJsonNumber)
    options.check.numbers = value::NumberPolicy::kLiteral;
  return {};
}

Result<> read_output(const Arguments& args, ValidateOptions& options) {
  ValidateReport& report = options.report;
  report.format = chosen<ValidateFormat>(args, "output", kValidateFormats);
  const bool for_machines =
      report.format == ValidateFormat::kJson || report.format == ValidateFormat::kYaml;
  report.paths = for_machines ? validate::PathRender::kBoth : validate::PathRender::kK8s;
  if (args.given("path-render"))
    report.paths = chosen<validate::PathRender>(args, "path-render", kPathChoices);
  report.locale = validate::locale_of(args.text("locale"));
  options.fail_fast = args.on("fail-fast");

  options.print = args.on("print");
  if (options.print && !for_machines && report.format != ValidateFormat::kText) {
    return fail(Code::kUsage, "--print needs yaml or json, and cannot be combined with --output={}",
                args.text("output"));
  }
  const bool preserving = args.on("preserving");
  if (preserving && !options.print) return fail(Code::kUsage, "--preserving needs --print");
  if (options.print) {
    options.check.output = preserving ? validate::Output::kPreserving : validate::Output::kStored;
  }

  validate::PresenceOptions& presence = options.check.presence;
  presence.on = args.on("presence");
  presence.include = args.texts("presence-include");
  presence.exclude = args.texts("presence-exclude");
  report.presence = presence.on;
  if (!presence.on && !(presence.include.empty() && presence.exclude.empty()))
    return fail(Code::kUsage, "--presence-include and --presence-exclude need --presence");
  if (presence.on && (!for_machines || options.print))
    return fail(Code::kUsage, "--presence needs a report as json or yaml");
  return validate::check_prefixes(presence);
}

Result<> read_limits(const Arguments& args, ValidateOptions& options) {
  options.check.max_issues = static_cast<std::size_t>(args.number("max-issues"));
  if (options.check.max_issues == 0) return fail(Code::kUsage, "--max-issues must be at least 1");
  options.threads =
      args.number("jobs") == 0 ? all_cores() : static_cast<std::size_t>(args.number("jobs"));
  constexpr std::size_t kMostThreads = 256;
  if (options.threads > kMostThreads)
    return fail(Code::kUsage, "--jobs must be at most {}", kMostThreads);

  validate::StreamLimits& limits = options.stream_limits;
  limits.strategy = chosen<schema::StreamOptions::Strategy>(args, "strategy", kStrategyChoices);
  limits.max_buffer = static_cast<std::size_t>(args.number("max-buffer"));
  limits.max_total_buffer = static_cast<std::size_t>(args.number("max-total-buffer"));
  limits.stop_at_error = args.on("fail-fast");
  options.stream_threshold = args.number("stream-threshold");
  options.stream = args.on("stream");
  const bool reads_files =
      std::ranges::any_of(options.operands, [](const std::string& name) { return name != "-"; });
  if (!options.stream && !(options.may_stream() && reads_files)) {
    for (const std::string_view flag :
         {"strategy", "max-buffer", "max-total-buffer", "stream-threshold"}) {
      if (args.given(flag))
        return fail(Code::kUsage, "--{} has no effect on documents that are held", flag);
    }
  }
  if (!options.stream || options.may_stream()) return {};
  return fail(Code::kUsage,
              "--stream holds no document, and cannot be combined with --print, --presence or "
              "--defaults=annotate");
}

}  // namespace

bool ValidateOptions::may_stream() const {
  return check.output == validate::Output::kNone && !check.presence.on && !check.note_defaults;
}

Result<ValidateOptions> read_validate_options(const Arguments& args, const Io& io) {
  ValidateOptions options;
  STRAKE_CHECK(read_inputs(args, io, options));
  STRAKE_CHECK(read_policies(args, options));
  STRAKE_CHECK(read_profile(args, options));
  STRAKE_CHECK(read_output(args, options));
  STRAKE_CHECK(read_limits(args, options));
  return options;
}

}  // namespace strake::cli
