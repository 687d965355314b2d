#include "cli/validate/validate_command.h"

#include <algorithm>
#include <filesystem>

#include "base/file_watch.h"
#include "cli/command/shared_flags.h"
#include "cli/io/disk_files.h"
#include "cli/validate/validate_flags.h"
#include "cli/validate/validate_options.h"
#include "cli/validate/validate_report.h"
#include "cli/validate/validate_run.h"

namespace strake::cli {
namespace {

constexpr std::chrono::milliseconds kQuietAfterChange{50};

void write_run(const ValidateRun& validation, const ValidateOptions& options, Io& io) {
  ValidateReport report = options.report;
  if (!options.print) {
    report.color = io.color_out;
    write_results(validation.results(), report, io.out);
    return;
  }
  write_outputs(validation.results(), report.format == ReportFormat::kJson, io.out);
  report.format = ReportFormat::kText;
  report.paths = validate::PathRender::kK8s;
  report.color = io.color_err;
  write_results(validation.results(), report, io.err);
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
    ValidateRun validation(options, files, io);
    if (const auto done = validation.run(); !done) {
      tell_error(done.error(), options.report.locale, io);
    } else {
      write_run(validation, options, io);
    }
    static_cast<void>(io.err.flush());
    if (io.out.failed() || !io.out.flush()) return ExitCode::kOutputFailed;
    auto watched = watch.add(validation.all_files(), folders);
    if (watched) watched = watch.wait(kQuietAfterChange);
    if (!watched) return refused(watched.error(), io);
  }
}

ExitCode run_validate(const Arguments& args, Io& io) {
  const auto options = read_validate_options(args, io);
  if (!options) {
    // Of a setting, that is; mistakes in the flags are told as those of all commands.
    tell_error(options.error(), validate::locale_of(args.text("locale")), io);
    return ExitCode::kInput;
  }
  DiskFiles files(io);
  // What is checked as it comes is not taken in first.
  const bool streams = options->stream && options->may_stream();
  const auto names_input = [](const std::vector<std::string>& names) {
    return std::ranges::find(names, "-") != names.end();
  };
  const bool reads_input =
      (names_input(options->operands) && !streams) || names_input(options->schemas);
  if (reads_input) {
    if (const auto taken = files.take_input(options->check.max_file_bytes); !taken)
      return refused(taken.error(), io);
  }
  if (options->watch) return watch_and_check(*options, files, io);
  const auto validation = std::make_shared<ValidateRun>(*options, files, io);
  io.freed_at_exit.push_back(validation);
  if (const auto done = validation->run(); !done) {
    tell_error(done.error(), options->report.locale, io);
    return exit_code_for(done.error().code());
  }
  write_run(*validation, *options, io);
  return validation->exit_code();
}

constexpr Example kValidateExamples[] = {
    {"strake validate -s crds/ manifests/", "check a folder of manifests against a folder of CRDs"},
    {"strake validate --exclude vendor .", "check all manifests of a repository"},
    {"strake validate --strict bundle.yaml",
     "check a file with CRDs and objects; unknown fields are errors"},
    {"kustomize build . | strake validate -s 'crds/*.yaml' -", "check standard input"},
    {"strake validate -s crds/ --old live.yaml new.yaml", "would this update be accepted?"},
    {"strake validate -s crds/ --print a.yaml", "print the object with its defaults"},
    {"strake validate --profile loose -s schema.json data.json",
     "check any JSON against any schema"},
    {"strake validate -s crds/ --stream dump.json",
     "check a list of any length in constant memory"},
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
        "Reads JSON, NDJSON and YAML with any number of documents, lists, and gzip. For a folder, "
        "it uses "
        "the YAML and JSON files below it; without arguments, or for -, it reads standard input. "
        "Schemas are CustomResourceDefinitions, those given with -s and those among the inputs, "
        "which are checked themselves; OpenAPI documents; or one schema without a kind, for "
        "any documents. The kinds of Kubernetes are known by their fields and types. Large JSON "
        "files are streamed in constant memory.\n\n"
        "In folders, files of other tools are skipped: kustomizations, Helm charts, package.json. "
        "strake.yaml, in the working folder or above it, holds settings for every run.\n\n"
        "Exits 0 if there are no errors, 1 if there are errors or something could not be checked, "
        "2 if something could not be read. Warnings do not change the exit code. docs/validate.md "
        "describes every option.",
    .flags = kValidateFlags,
    .sections = kValidateSections,
    .operands = kFileOperands,
    .examples = kValidateExamples,
    .run = run_validate,
};

}  // namespace strake::cli
