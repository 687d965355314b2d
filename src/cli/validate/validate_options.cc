#include "cli/validate/validate_options.h"

#include <algorithm>
#include <filesystem>

#include "base/go_duration.h"
#include "cli/command/shared_flags.h"
#include "cli/io/parallel.h"
#include "cli/validate/config_file.h"
#include "cli/validate/validate_flags.h"
#include "validate/builtin_kinds.h"
#include "validate/phrases.h"

namespace strake::cli {
namespace {

namespace loose = schema::loose;

// What the API server has decided for CRDs, and what is therefore open for other schemas only.
constexpr std::string_view kLooseFlags[] = {"equal-mode",      "ambiguity",
                                            "number-mode",     "format-mode",
                                            "embedded-checks", "int-or-string-pattern",
                                            "schema-root"};

// The settings of the nearest strake.yaml, or of the file that --config names.
Result<Config> read_settings(const Arguments& args) {
  if (args.given("config")) {
    if (args.on("no-config"))
      return fail(Code::kUsage, "--config and --no-config cannot be combined");
    return read_config(std::filesystem::path(args.text("config")));
  }
  if (args.on("no-config")) return Config{};
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const auto file = error ? std::nullopt : find_config(here);
  return file ? read_config(file->lexically_proximate(here)) : Config{};
}

// What a flag says, or else the config file.
std::vector<std::string> texts_of(const Arguments& args, std::string_view flag,
                                  const std::optional<std::vector<std::string>>& setting) {
  return args.given(flag) || !setting ? args.texts(flag) : *setting;
}
bool switched(const Arguments& args, std::string_view flag, const std::optional<bool>& setting) {
  return args.given(flag) || !setting ? args.on(flag) : *setting;
}
// A word of a list of choices: Code::kInvalid when the config file has another one.
template <typename Enum>
Result<Enum> choice_of(const Arguments& args, std::string_view flag,
                       std::span<const std::string_view> choices, const Config& config,
                       const std::optional<std::string>& setting) {
  if (args.given(flag) || !setting) return chosen<Enum>(args, flag, choices);
  const auto found = std::ranges::find(choices, *setting);
  if (found != choices.end()) return static_cast<Enum>(found - choices.begin());
  return std::unexpected(Error(Code::kInvalid, validate::say(validate::Phrase::kNoneOf, flag,
                                                             *setting, fmt::join(choices, ", ")))
                             .in(config.file));
}

Result<> read_inputs(const Arguments& args, const Io& io, const Config& config,
                     ValidateOptions& options) {
  options.schemas = texts_of(args, "schema", config.validate.schemas);
  options.schema_folders = args.texts("schema-folder");
  STRAKE_TRY(options.operands, inputs_or_stdin(args, io));
  const auto count_input =
      std::ranges::count(options.operands, "-") + std::ranges::count(options.schemas, "-");
  if (count_input > 1) return fail(Code::kUsage, "standard input can be read only once");
  std::error_code error;
  const bool own = args.given("exclude") || !config.validate.exclude;
  options.exclude = PathPatterns(own ? args.texts("exclude") : *config.validate.exclude,
                                 own ? std::filesystem::current_path(error) : config.folder);
  options.baseline = args.text("baseline");
  if (!args.given("baseline")) options.baseline = config.validate.baseline.value_or("");
  options.write_baseline = args.on("write-baseline");
  if (options.write_baseline && options.baseline.empty())
    return fail(Code::kUsage, "--write-baseline needs --baseline");
  options.old = args.text("old");
  options.policies = args.texts("policies");
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

Result<> read_policies(const Arguments& args, const Config& config, ValidateOptions& options) {
  validate::JudgeOptions& judge = options.judge;
  const Config::Validate& settings = config.validate;
  STRAKE_TRY(judge.unknown, choice_of<validate::UnknownFields>(args, "unknown", kUnknownChoices,
                                                               config, settings.unknown));
  judge.trust_definitions = switched(args, "trust-schemas", settings.trust_schemas);
  judge.defaults = chosen<validate::DefaultMode>(args, "defaults", kDefaultChoices);
  options.check.note_defaults = judge.defaults == validate::DefaultMode::kAnnotate;
  STRAKE_TRY(options.check.duplicates,
             choice_of<validate::DuplicateKeys>(args, "duplicates", kDuplicateChoices, config,
                                                settings.duplicates));
  options.check.yaml_core = args.on("yaml-core");
  options.check.ignore_comments = true;
  STRAKE_CHECK(read_rule_limits(args, options));
  options.check.ignore_missing_schemas =
      switched(args, "ignore-missing-schemas", settings.ignore_missing_schemas);
  options.fail_on_schema_warnings = judge.import_at_once = args.on("fail-on-schema-warnings");
  const bool is_set = !args.given("kubernetes-version") && settings.kubernetes_version;
  auto minor = validate::kubernetes_minor(is_set ? *settings.kubernetes_version
                                                 : args.text("kubernetes-version"));
  if (!minor && is_set) return std::unexpected(std::move(minor).error().in(config.file));
  STRAKE_TRY(judge.kubernetes_minor, std::move(minor));
  for (const std::string& kind : texts_of(args, "skip", settings.skip)) {
    STRAKE_TRY(validate::KindSelector selector, validate::parse_kind_selector(kind));
    options.check.skip.push_back(std::move(selector));
  }
  if (args.on("strict")) {
    for (const std::string_view other : {"unknown", "duplicates"}) {
      if (args.given(other))
        return fail(Code::kUsage, "--strict and --{} cannot be combined", other);
    }
  } else if (args.given("strict") || args.given("unknown") || args.given("duplicates") ||
             !settings.strict.value_or(false)) {
    return {};
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
  report.format = report_format(args);
  const bool for_machines =
      report.format == ReportFormat::kJson || report.format == ReportFormat::kYaml;
  report.paths = for_machines ? validate::PathRender::kBoth : validate::PathRender::kK8s;
  if (args.given("path-render"))
    report.paths = chosen<validate::PathRender>(args, "path-render", kPathChoices);
  report.locale = validate::locale_of(args.text("locale"));
  report.verbose = args.on("verbose");
  options.fail_fast = args.on("fail-fast");

  options.print = args.on("print");
  if (options.print && !for_machines && report.format != ReportFormat::kText) {
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
  validate::ResultLimits& results = options.check.results;
  results.documents = static_cast<std::size_t>(args.number("max-documents"));
  if (results.documents == 0) return fail(Code::kUsage, "--max-documents must be at least 1");
  if (args.number("max-findings") == 0)
    return fail(Code::kUsage, "--max-findings must be at least 1");
  results.set_findings(static_cast<std::size_t>(args.number("max-findings")));
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
  STRAKE_TRY(const Config config, read_settings(args));
  STRAKE_CHECK(read_inputs(args, io, config, options));
  STRAKE_CHECK(read_policies(args, config, options));
  STRAKE_CHECK(read_profile(args, options));
  STRAKE_CHECK(read_output(args, options));
  STRAKE_CHECK(read_limits(args, options));
  return options;
}

}  // namespace strake::cli
