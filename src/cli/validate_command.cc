#include "cli/validate_command.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>

#include "cli/app.h"
#include "cli/disk_files.h"
#include "cli/file_watch.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/validate_report.h"
#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "validate/catalog.h"
#include "validate/checker.h"

namespace strake::cli {
namespace {

using validate::Catalog;
using validate::Checker;
using validate::FileResult;
using validate::OldObjects;

constexpr std::chrono::milliseconds kQuietAfterChange{50};

struct ValidateOptions {
  std::vector<std::string> schemas;
  std::vector<std::string> operands;
  std::string old;
  validate::JudgeOptions judge;
  validate::CheckOptions check;
  ValidateReport report;
  std::size_t threads = 1;
  bool print = false;
  bool fail_fast = false;
  bool watch = false;
};

validate::UnknownFields unknown_fields(std::string_view text) {
  if (text == "prune") return validate::UnknownFields::kPrune;
  if (text == "strict") return validate::UnknownFields::kStrict;
  return text == "preserve" ? validate::UnknownFields::kPreserve : validate::UnknownFields::kWarn;
}

validate::DuplicateKeys duplicate_keys(std::string_view text) {
  if (text == "error") return validate::DuplicateKeys::kError;
  if (text == "last-wins") return validate::DuplicateKeys::kLastWins;
  return text == "first-wins" ? validate::DuplicateKeys::kFirstWins
                              : validate::DuplicateKeys::kWarn;
}

Result<ValidateOptions> read_validate_options(const Arguments& args, const Io& io) {
  ValidateOptions options;
  options.schemas = args.texts("schema");
  options.operands = args.operands();
  if (options.operands.empty()) {
    if (io.in_is_terminal)
      return fail(Code::kUsage, "name files or folders, or - for standard input");
    options.operands.emplace_back("-");
  }
  const auto count_input =
      std::ranges::count(options.operands, "-") + std::ranges::count(options.schemas, "-");
  if (count_input > 1) return fail(Code::kUsage, "standard input can be read only once");
  options.old = args.text("old");

  options.judge.unknown = unknown_fields(args.text("unknown"));
  options.judge.trust_definitions = args.on("trust-schemas");
  options.check.duplicates = duplicate_keys(args.text("duplicates"));
  if (args.on("strict")) {
    for (const std::string_view other : {"unknown", "duplicates"}) {
      if (args.given(other))
        return fail(Code::kUsage, "--strict and --{} cannot be combined", other);
    }
    options.judge.unknown = validate::UnknownFields::kStrict;
    options.check.duplicates = validate::DuplicateKeys::kError;
  }
  options.check.max_depth = static_cast<std::size_t>(args.number("max-depth"));
  options.check.max_bytes = args.number("max-bytes");
  options.check.max_issues = static_cast<std::size_t>(args.number("max-issues"));
  if (options.check.max_issues == 0) return fail(Code::kUsage, "--max-issues must be at least 1");
  options.check.ignore_missing_schemas = args.on("ignore-missing-schemas");

  const auto format = std::ranges::find(kValidateFormats, args.text("output"));
  options.report.format = static_cast<ValidateFormat>(format - std::begin(kValidateFormats));
  const bool for_machines = options.report.format == ValidateFormat::kJson ||
                            options.report.format == ValidateFormat::kYaml;
  options.report.paths = for_machines ? validate::PathRender::kBoth : validate::PathRender::kK8s;
  if (args.given("path-render")) {
    const std::string_view paths = args.text("path-render");
    options.report.paths = paths == "pointer" ? validate::PathRender::kPointer
                           : paths == "k8s"   ? validate::PathRender::kK8s
                                              : validate::PathRender::kBoth;
  }
  options.threads =
      args.number("jobs") == 0 ? all_cores() : static_cast<std::size_t>(args.number("jobs"));
  constexpr std::size_t kMostThreads = 256;
  if (options.threads > kMostThreads)
    return fail(Code::kUsage, "--jobs must be at most {}", kMostThreads);
  options.print = args.on("print");
  options.check.keep_output = options.print;
  const bool printable_format = options.report.format == ValidateFormat::kText ||
                                options.report.format == ValidateFormat::kJson ||
                                options.report.format == ValidateFormat::kYaml;
  if (options.print && !printable_format) {
    return fail(Code::kUsage, "--print needs yaml or json, and cannot be combined with --output={}",
                args.text("output"));
  }
  options.fail_fast = args.on("fail-fast");
  options.watch = args.on("watch");
  if (options.watch && count_input > 0) {
    return fail(Code::kUsage, "--watch needs files: standard input does not change");
  }
  return options;
}

// Everything from the names to the results, once; a watch makes a new one for each round.
class Round {
 public:
  Round(const ValidateOptions& options, const DiskFiles& files, Io& io)
      : options_(options), files_(files), io_(io), catalog_(with_rules(options.judge)) {}

  // Fails when a name leads nowhere.
  Result<> run() {
    for (const std::string& operand : options_.operands) {
      STRAKE_TRY(const std::vector<std::string> found, files_.find(operand));
      names_.insert(names_.end(), found.begin(), found.end());
    }
    STRAKE_CHECK(load_schemas());
    if (!options_.old.empty()) STRAKE_CHECK(load_old());
    read_inputs();
    check_inputs();
    add_refused_schemas();
    return {};
  }

  std::span<const FileResult> results() const { return results_; }
  // What a watch should look at besides the folders that were named.
  std::vector<std::string> all_files() const {
    std::vector<std::string> out = names_;
    out.insert(out.end(), schema_names_.begin(), schema_names_.end());
    return out;
  }

  ExitCode exit_code() const {
    ExitCode code = ExitCode::kFine;
    for (const FileResult& result : results_) {
      if (result.unreadable) return ExitCode::kInput;
      if (result.has_errors()) code = ExitCode::kFindings;
    }
    return code;
  }

 private:
  using Text = std::shared_ptr<const std::string>;

  Result<Text> read(const std::string& name) const {
    STRAKE_TRY(std::string bytes, files_.read(name, options_.check.max_file_bytes));
    STRAKE_TRY(std::string text,
               validate::plain_text(std::move(bytes), options_.check.max_file_bytes));
    return std::make_shared<const std::string>(std::move(text));
  }

  std::vector<Result<Text>> read_all(const std::vector<std::string>& names) const {
    std::vector<Result<Text>> texts(names.size());
    for_each_index(
        names.size(), options_.threads, [&](std::size_t i) { texts[i] = read(names[i]); },
        [](std::size_t) {});
    return texts;
  }

  Result<> load_schemas() {
    for (const std::string& operand : options_.schemas) {
      STRAKE_TRY(const std::vector<std::string> names, files_.find(operand));
      std::vector<Result<Text>> texts = read_all(names);
      std::size_t found = 0;
      for (std::size_t i = 0; i < names.size(); ++i) {
        schema_names_.push_back(names[i]);
        if (!texts[i]) {
          results_.push_back(validate::unreadable_file(names[i], texts[i].error()));
          continue;
        }
        const auto count = catalog_.add(names[i], *texts[i]);
        if (!count) results_.push_back(validate::unreadable_file(names[i], count.error()));
        found += count.value_or(1);
      }
      if (found == 0)
        return std::unexpected(Error(Code::kIo, "no CustomResourceDefinition in it").in(operand));
    }
    return {};
  }

  Result<> load_old() {
    STRAKE_TRY(const std::vector<std::string> names, files_.find(options_.old));
    for (const std::string& name : names) {
      STRAKE_TRY(const Text text, read(name));
      STRAKE_CHECK(old_.add(name, *text, options_.check));
    }
    return {};
  }

  // CRDs among the inputs are schemas for the rest, whichever comes first.
  void read_inputs() {
    texts_ = read_all(names_);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!texts_[i] || (*texts_[i])->find("CustomResourceDefinition") == std::string::npos)
        continue;
      // What is wrong with the text is told when it is checked.
      static_cast<void>(catalog_.add(names_[i], *texts_[i]));
    }
  }

  void check_inputs() {
    const Checker checker(catalog_, options_.old.empty() ? nullptr : &old_, options_.check);
    std::vector<FileResult> checked(names_.size());
    std::atomic<std::size_t> first_failure = names_.size();
    Progress progress(io_, "checking", names_.size());
    for_each_index(
        names_.size(), options_.threads,
        [&](std::size_t i) {
          // Whatever the threads do, everything before the first failure is checked.
          if (options_.fail_fast && i > first_failure.load()) return;
          checked[i] = texts_[i] ? checker.check(names_[i], **texts_[i])
                                 : validate::unreadable_file(names_[i], texts_[i].error());
          texts_[i] = Text();  // not needed again
          if (!options_.fail_fast || (!checked[i].has_errors() && !checked[i].unreadable)) return;
          std::size_t known = first_failure.load();
          while (i < known && !first_failure.compare_exchange_weak(known, i)) {
          }
        },
        [&](std::size_t done) {
          for (std::size_t i = 0; i < done; ++i) progress.step();
        });
    if (options_.fail_fast && first_failure < checked.size()) {
      checked.resize(first_failure + 1);
      keep_first_error(checked.back());
    }
    std::ranges::move(checked, std::back_inserter(results_));
  }

  static void keep_first_error(FileResult& result) {
    for (std::size_t d = 0; d < result.documents.size(); ++d) {
      std::vector<validate::Finding>& findings = result.documents[d].findings;
      const auto first = std::ranges::find_if(findings, [](const validate::Finding& f) {
        return f.fault.severity == validate::Severity::kError;
      });
      if (first == findings.end()) continue;
      findings.erase(first + 1, findings.end());
      result.documents.resize(d + 1);
      return;
    }
  }

  // A CRD that was used, and that the server would refuse, is a finding of its own; among the
  // inputs it is one already.
  void add_refused_schemas() {
    const Checker checker(catalog_, nullptr, options_.check);
    std::vector<FileResult> refused;
    for (const std::string& name : catalog_.refused_files()) {
      if (std::ranges::find(names_, name) != names_.end()) continue;
      const auto text = read(name);
      refused.push_back(text ? checker.check(name, **text)
                             : validate::unreadable_file(name, text.error()));
      for (validate::DocumentResult& document : refused.back().documents) document.output.reset();
    }
    std::ranges::move(results_, std::back_inserter(refused));
    results_ = std::move(refused);
  }

  validate::JudgeOptions with_rules(validate::JudgeOptions judge) {
    judge.rules = &rules_;
    judge.rule_compiler = &crd_rules_;
    return judge;
  }

  const ValidateOptions& options_;
  const DiskFiles& files_;
  Io& io_;
  // Compiled rules belong to the schemas of one round.
  rules::Engine rules_;
  rules::CrdRules crd_rules_;
  Catalog catalog_;
  OldObjects old_;
  std::vector<std::string> names_;
  std::vector<std::string> schema_names_;
  std::vector<Result<Text>> texts_;  // of the inputs
  std::vector<FileResult> results_;
};

void write_round(const Round& round, const ValidateOptions& options, Io& io) {
  ValidateReport report = options.report;
  if (!options.print) {
    report.colour = io.colour_out;
    io.out.write(render_results(round.results(), report));
    return;
  }
  io.out.write(render_outputs(round.results(), report.format == ValidateFormat::kJson));
  report.format = ValidateFormat::kText;
  report.paths = validate::PathRender::kK8s;
  report.colour = io.colour_err;
  io.err.write(render_results(round.results(), report));
}

ExitCode watch_and_check(const ValidateOptions& options, const DiskFiles& files, Io& io) {
  FileWatch watch;
  std::vector<std::string> folders;
  for (const auto* operands : {&options.operands, &options.schemas}) {
    for (const std::string& operand : *operands) {
      std::error_code error;
      if (!std::filesystem::is_directory(operand, error)) continue;
      folders.push_back(operand);
      for (std::filesystem::recursive_directory_iterator at(operand, error), end;
           !error && at != end; at.increment(error)) {
        std::error_code gone;
        if (at->is_directory(gone) && !at->is_symlink(gone)) folders.push_back(at->path().string());
      }
    }
  }
  while (true) {
    Round round(options, files, io);
    if (const auto done = round.run(); !done) {
      print_error(done.error().to_string(), io);
    } else {
      write_round(round, options, io);
    }
    static_cast<void>(io.err.flush());
    if (io.out.failed() || !io.out.flush()) return ExitCode::kOutputFailed;
    auto watched = watch.add(round.all_files(), folders);
    if (watched) watched = watch.wait(kQuietAfterChange);
    if (!watched) {
      print_error(watched.error().to_string(), io);
      return ExitCode::kInput;
    }
  }
}

ExitCode run_validate(const Arguments& args, Io& io) {
  const auto options = read_validate_options(args, io);
  if (!options) {
    print_error(options.error().to_string(), io);
    return ExitCode::kInput;
  }
  DiskFiles files(io);
  const bool reads_input = std::ranges::find(options->operands, "-") != options->operands.end() ||
                           std::ranges::find(options->schemas, "-") != options->schemas.end();
  if (reads_input) {
    if (const auto taken = files.take_input(options->check.max_file_bytes); !taken) {
      print_error(taken.error().to_string(), io);
      return ExitCode::kInput;
    }
  }
  if (options->watch) return watch_and_check(*options, files, io);
  Round round(*options, files, io);
  if (const auto done = round.run(); !done) {
    print_error(done.error().to_string(), io);
    return ExitCode::kInput;
  }
  write_round(round, *options, io);
  return round.exit_code();
}

constexpr std::string_view kUnknownChoices[] = {"warn", "prune", "strict", "preserve"};
constexpr std::string_view kDuplicateChoices[] = {"warn", "error", "last-wins", "first-wins"};
constexpr std::string_view kPathChoices[] = {"pointer", "k8s", "both"};

constexpr FlagSpec kValidateFlags[] = {
    {.name = "schema",
     .letter = 's',
     .kind = FlagKind::kTexts,
     .value_name = "FILE|DIR|GLOB",
     .summary = "CRDs to check with; may be given several times"},
    {.name = "strict", .summary = "unknown and duplicate fields are errors, not warnings"},
    {.name = "trust-schemas", .summary = "do not check the CRDs given with -s themselves"},
    {.name = "ignore-missing-schemas", .summary = "pass over kinds without a schema"},
    {.name = "output",
     .letter = 'o',
     .kind = FlagKind::kChoice,
     .value_name = "FORMAT",
     .choices = kValidateFormats,
     .fallback = "text",
     .summary = "report as text, json, yaml, sarif, junit or github"},
    {.name = "old",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "objects that are replaced: check those with the same kind and name as updates"},
    {.name = "print",
     .summary = "print the objects as the server would store them; report on the error stream"},
    {.name = "watch", .summary = "check again whenever a file changes"},
    {.name = "jobs",
     .letter = 'j',
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "0",
     .summary = "threads to use; 0 means all cores"},
    {.name = "fail-fast", .summary = "stop at the first error"},
    {.name = "unknown",
     .kind = FlagKind::kChoice,
     .value_name = "POLICY",
     .choices = kUnknownChoices,
     .fallback = "warn",
     .summary = "fields no schema covers: dropped with a warning (warn) or silently (prune), "
                "refused (strict), kept "
                "(preserve)"},
    {.name = "duplicates",
     .kind = FlagKind::kChoice,
     .value_name = "POLICY",
     .choices = kDuplicateChoices,
     .fallback = "warn",
     .summary = "a key that stands twice: warn, error, last-wins or first-wins"},
    {.name = "path-render",
     .kind = FlagKind::kChoice,
     .value_name = "FORM",
     .choices = kPathChoices,
     .summary = "paths as /spec/a/0 (pointer), spec.a[0] (k8s), or both"},
    {.name = "max-issues",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "1000",
     .summary = "findings shown of one document"},
    {.name = "max-depth",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "10000",
     .summary = "refuse documents nested deeper"},
    {.name = "max-bytes",
     .kind = FlagKind::kBytes,
     .value_name = "SIZE",
     .fallback = "3Mi",
     .summary = "refuse documents larger than the server would take"},
};

constexpr Example kValidateExamples[] = {
    {"strake validate -s crds/ manifests/", "check a folder of manifests with a folder of CRDs"},
    {"strake validate --strict bundle.yaml", "CRDs and objects in one file; typos are errors"},
    {"kustomize build . | strake validate -s 'crds/*.yaml' -", "check what a pipe brings"},
    {"strake validate -s crds/ --old live.yaml new.yaml", "would this update be accepted?"},
    {"strake validate -s crds/ --print a.yaml", "the object with its defaults"},
};

}  // namespace

constinit const Command kValidateCommand = {
    .name = "validate",
    .group = Group::kCheck,
    .summary = "check manifests against their CRDs, as the API server does",
    .description =
        "Checks objects as the API server would when they are created: unknown fields, types, "
        "limits, "
        "formats, enumerations, lists, metadata. Every finding has its file, line and column, the "
        "server's message and a code.\n\n"
        "Reads JSON, NDJSON and YAML with any number of documents, lists, and gzip. Folders stand "
        "for "
        "the YAML and JSON files below them; without arguments, or for -, it reads standard input. "
        "Schemas are CustomResourceDefinitions: those given with -s, and those among the inputs, "
        "which "
        "are checked themselves.\n\n"
        "Exits 0 when nothing is wrong, 1 when there are errors, 2 when something could not be "
        "read. "
        "Warnings leave it at 0.",
    .flags = kValidateFlags,
    .operands = {.usage = "[FILE|DIR|-]...", .at_most = kAnyNumber, .files = true},
    .examples = kValidateExamples,
    .run = run_validate,
};

}  // namespace strake::cli
