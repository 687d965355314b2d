#include "strake/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "schema/loose/file_resolver.h"
#include "validate/checker.h"
#include "validate/document_stream.h"
#include "validate/messages.h"
#include "validate/schema_set.h"
#include "value/json_writer.h"

namespace strake::check {
namespace {

namespace loose = schema::loose;

// The public enumerations have the enumerators of the inner ones, in their order.
template <typename Inner, typename Outer>
constexpr Inner as(Outer value) {
  return static_cast<Inner>(value);
}
static_assert(as<validate::UnknownFields>(UnknownFields::kPreserve) ==
              validate::UnknownFields::kPreserve);
static_assert(as<validate::DuplicateKeys>(DuplicateKeys::kFirstWins) ==
              validate::DuplicateKeys::kFirstWins);
static_assert(as<validate::DefaultMode>(Defaults::kApply) == validate::DefaultMode::kApply);
static_assert(as<validate::Profile>(Profile::kLoose) == validate::Profile::kLoose);
static_assert(as<loose::EqualMode>(EqualMode::kCanonicalJson) == loose::EqualMode::kCanonicalJson);
static_assert(as<loose::Ambiguity>(Ambiguity::kScoreBest) == loose::Ambiguity::kScoreBest);
static_assert(as<loose::NumberMode>(NumberMode::kK8s) == loose::NumberMode::kK8s);
static_assert(as<loose::FormatMode>(FormatMode::kEnforce) == loose::FormatMode::kEnforce);
static_assert(as<schema::StreamOptions::Strategy>(Strategy::kFullBuffer) ==
              schema::StreamOptions::Strategy::kFullBuffer);

// The caller's documents first, then files below the folders.
class CallerResolver final : public loose::Resolver {
 public:
  CallerResolver(const Options& options, loose::Resolver& files)
      : resolve_(options.resolve), files_(files), reads_files_(!options.schema_folders.empty()) {}

  bool finds_anything() const { return resolve_ != nullptr || reads_files_; }

  Result<value::Document> load(std::string_view uri) override {
    if (resolve_) {
      if (const auto text = resolve_(uri)) {
        value::ReadOptions how;
        how.source_name = uri;
        STRAKE_TRY(std::optional<value::Document> read,
                   validate::DocumentStream(*text, how).next());
        if (!read) return fail(Code::kInvalid, "{} is empty", uri);
        return *std::move(read);
      }
    }
    if (reads_files_) return files_.load(uri);
    return fail(Code::kNotFound, "nothing is known of {}", uri);
  }

 private:
  std::function<std::optional<std::string>(std::string_view)> resolve_;
  loose::Resolver& files_;
  bool reads_files_;
};

// What is wrong with the options as a whole is told when the first schema is added.
Result<rules::AllowedFunctions> allowed_functions(const Options& options) {
  if (!options.rule_functions) return rules::AllowedFunctions();
  return rules::AllowedFunctions::only(*options.rule_functions);
}

Result<> check_sense(const Options& options, const validate::CheckOptions& check) {
  if (options.rule_timeout.count() < 0)
    return fail(Code::kUsage, "the time for rules is below zero");
  STRAKE_CHECK(allowed_functions(options));
  return validate::check_prefixes(check.presence);
}

rules::EngineOptions engine_options(const Options& options) {
  return {.timeout = options.rule_timeout,
          .clock = &system_clock(),
          .functions = allowed_functions(options).value_or(rules::AllowedFunctions())};
}

validate::JudgeOptions judge_options(const Options& options, const rules::Engine& rules,
                                     rules::CrdRules& crd_rules, CallerResolver& resolver) {
  validate::JudgeOptions out;
  if (resolver.finds_anything()) {
    out.resolver = &resolver;
    std::error_code error;
    out.folder = std::filesystem::current_path(error).string();
  }
  out.profile = as<validate::Profile>(options.profile);
  out.unknown = as<validate::UnknownFields>(options.unknown);
  out.defaults = as<validate::DefaultMode>(options.defaults);
  if (options.rules) out.rules = &rules;
  out.rule_compiler = &crd_rules;
  out.import_at_once = true;
  if (options.profile != Profile::kLoose) return out;
  out.loose = {.equal = as<loose::EqualMode>(options.equal),
               .ambiguity = as<loose::Ambiguity>(options.ambiguity),
               .numbers = as<loose::NumberMode>(options.numbers),
               .formats = as<loose::FormatMode>(options.formats),
               .embedded_checks = options.embedded_checks,
               .int_or_string_pattern = options.int_or_string_pattern};
  out.loose.max_depth = options.max_depth.value_or(out.loose.max_depth);
  return out;
}

validate::CheckOptions check_options(const Options& options) {
  const bool is_loose = options.profile == Profile::kLoose;
  validate::CheckOptions out;
  out.duplicates = as<validate::DuplicateKeys>(options.duplicates);
  out.yaml_core = options.yaml_core;
  out.max_depth = options.max_depth.value_or(is_loose ? loose::Options{}.max_depth : out.max_depth);
  out.max_bytes = options.max_bytes.value_or(is_loose ? UINT64_MAX : out.max_bytes);
  out.max_issues = options.max_findings;
  out.ignore_missing_schemas = options.ignore_missing_schemas;
  if (options.keep_output) {
    out.output = options.preserving ? validate::Output::kPreserving : validate::Output::kStored;
  }
  if (is_loose && options.numbers == NumberMode::kJsonNumber)
    out.numbers = value::NumberPolicy::kLiteral;
  out.presence = {.on = options.presence,
                  .include = options.presence_include,
                  .exclude = options.presence_exclude};
  out.note_defaults = options.defaults == Defaults::kAnnotate;
  return out;
}

Finding public_finding(const validate::Finding& found, const std::string& file,
                       std::size_t document, validate::Locale locale) {
  const validate::Fault& fault = found.fault;
  Finding out;
  out.severity =
      fault.severity == validate::Severity::kError ? Severity::kError : Severity::kWarning;
  out.code = validate::to_string(fault.issue);
  out.pointer = found.path.to_pointer();
  out.field = fault.field;
  out.message = validate::message_of(fault, locale);
  out.hint = validate::hint_of(fault, locale);
  out.file = file;
  out.document = document;
  if (found.position) {
    out.line = found.position->line;
    out.column = found.position->column;
    out.offset = found.position->offset;
    out.length = found.length;
  }
  out.fragment = found.fragment;
  out.schema_path = fault.schema_path;
  out.rule = fault.rule;
  for (const validate::Param& param : fault.params) out.params.emplace_back(param.name, param.json);
  out.reason = fault.reason;
  if (!fault.reason.empty()) out.detail = fault.message;
  return out;
}

class CallerSource final : public validate::ByteSource {
 public:
  explicit CallerSource(const Schemas::Read& read) : read_(read) {}
  Result<std::size_t> read(std::span<char> into) override {
    return std::min(read_(into), into.size());
  }
  bool seek(std::uint64_t) override { return false; }

 private:
  const Schemas::Read& read_;
};

}  // namespace

Options Options::as_server() {
  Options out;
  out.defaults = Defaults::kApply;
  out.rules = true;
  return out;
}

std::string Finding::text() const {
  std::string out = file;
  if (line != 0) out += fmt::format("{}{}:{}", file.empty() ? "" : ":", line, column);
  if (!out.empty()) out += ": ";
  if (severity == Severity::kWarning) out += "warning: ";
  if (!field.empty()) out += field + ": ";
  return out + message;
}

bool Report::ok() const {
  return unlisted_invalid == 0 &&
         std::ranges::none_of(objects, [](const Object& object) { return object.unknown; }) &&
         std::ranges::none_of(
             findings, [](const Finding& finding) { return finding.severity == Severity::kError; });
}

std::string Report::summary() const {
  constexpr std::size_t kShown = 3;
  const bool japanese = validate::locale_of(locale) == validate::Locale::kJapanese;
  std::string out;
  for (std::size_t i = 0; i < std::min(findings.size(), kShown); ++i) {
    const Finding& finding = findings[i];
    out += fmt::format("{}{}{}{}: {}", i > 0 ? "; " : "", finding.code, japanese ? " " : " at ",
                       finding.pointer, finding.message);
  }
  if (findings.size() > kShown) {
    out += japanese ? fmt::format(" (全 {} 件)", findings.size())
                    : fmt::format(" ({} in all)", findings.size());
  }
  return out;
}

struct Schemas::Impl {
  explicit Impl(const Options& options)
      : file_resolver(files, options.schema_folders),
        resolver(options, file_resolver),
        rules(engine_options(options)),
        crd_rules(allowed_functions(options).value_or(rules::AllowedFunctions())),
        schemas(judge_options(options, rules, crd_rules, resolver), options.schema_root),
        check(check_options(options)),
        sense(check_sense(options, check)),
        locale(validate::locale_of(options.locale)),
        locale_name(options.locale) {
    limits.strategy = as<schema::StreamOptions::Strategy>(options.strategy);
    limits.max_buffer = options.max_buffer;
    limits.max_total_buffer = options.max_total_buffer;
  }

  validate::Checker checker(const validate::OldObjects* old) const {
    validate::CheckOptions with_any = check;
    with_any.any = schemas.any();
    return {schemas.catalog(), old, with_any};
  }

  Report report(const validate::FileResult& result) const {
    Report out{.unlisted_valid = result.unlisted_valid,
               .unlisted_invalid = result.unlisted_invalid,
               .locale = locale_name};
    for (const validate::DocumentResult& document : result.documents)
      add(document, result.file, out);
    return out;
  }

  void add(const validate::DocumentResult& document, const std::string& file, Report& out) const {
    Object object{.api_version = document.api_version,
                  .kind = document.kind,
                  .name = document.name,
                  .valid = document.status == validate::Status::kValid,
                  .output_passed = document.output_passed,
                  .unknown = document.status == validate::Status::kUnknown,
                  .defaults = document.defaults,
                  .document = document.document,
                  .items = document.items};
    if (document.output) object.output = value::to_json(document.output->root());
    for (const validate::Presence& one : document.presence)
      object.presence.push_back({one.pointer, one.seen, one.was_null, one.default_applied});
    out.objects.push_back(std::move(object));
    for (const validate::Finding& finding : document.findings)
      out.findings.push_back(public_finding(finding, file, document.document, locale));
  }

  loose::ReferencedDiskFiles files;
  loose::FileResolver file_resolver;
  CallerResolver resolver;
  rules::Engine rules;
  rules::CrdRules crd_rules;
  validate::SchemaSet schemas;
  validate::CheckOptions check;
  validate::StreamLimits limits;
  Result<> sense;  // of the options
  std::size_t warnings_told = 0;
  validate::Locale locale;
  std::string locale_name;
};

Schemas::Schemas(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Schemas::~Schemas() = default;
Schemas::Schemas(Schemas&&) noexcept = default;
Schemas& Schemas::operator=(Schemas&&) noexcept = default;

std::expected<Added, std::string> Schemas::add(std::string_view text, std::string_view file_name) {
  if (!impl_->sense) return std::unexpected(impl_->sense.error().to_string());
  auto added =
      impl_->schemas.add(std::string(file_name), std::make_shared<const std::string>(text));
  if (!added) return std::unexpected(added.error().to_string());
  Added out{.count = *added};
  const auto& all = impl_->schemas.diagnostics();
  for (; impl_->warnings_told < all.size(); ++impl_->warnings_told) {
    const validate::SchemaSet::Diagnostic& one = all[impl_->warnings_told];
    out.warnings.push_back({one.file, one.about.schema_path, one.about.keyword, one.about.message});
  }
  return out;
}

Report Schemas::check(std::string_view text, std::string_view file_name) const {
  return impl_->report(impl_->checker(nullptr).check(std::string(file_name), text));
}

Report Schemas::check_update(std::string_view text, std::string_view old_text,
                             std::string_view file_name) const {
  validate::OldObjects old;
  if (auto added = old.add(old_text, validate::read_options("old object", impl_->check, false));
      !added) {
    Report unreadable;
    unreadable.findings.push_back({.code = "unreadable",
                                   .message = added.error().to_string(),
                                   .file = std::string(file_name)});
    return unreadable;
  }
  return impl_->report(impl_->checker(&old).check(std::string(file_name), text));
}

Report Schemas::check_stream(const Read& read, std::string_view file_name,
                             const OnDocument& on_document, const OnOutput& on_output) const {
  CallerSource source(read);
  validate::CheckOptions plain = impl_->check;
  plain.any = impl_->schemas.any();
  if (!on_document) {
    // Nobody would get to see it.
    plain.output = validate::Output::kNone;
    plain.presence.on = false;
    plain.note_defaults = false;
  }
  const validate::Checker checker(impl_->schemas.catalog(), nullptr, plain);
  const std::string file(file_name);
  validate::Checker::OnDocument tell;
  if (on_document) {
    tell = [&](const validate::DocumentResult& document) {
      Report one{.locale = impl_->locale_name};
      impl_->add(document, file, one);
      return on_document(one);
    };
  }
  validate::StreamLimits limits = impl_->limits;
  const validate::Projection projection{
      .preserving = impl_->check.output == validate::Output::kPreserving, .write = on_output};
  if (on_output && impl_->check.output != validate::Output::kNone) limits.projection = &projection;
  return impl_->report(checker.check_stream(file, source, limits, tell));
}

}  // namespace strake::check
