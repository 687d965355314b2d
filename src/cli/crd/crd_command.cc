#include "cli/crd/crd_command.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "cli/command/report.h"
#include "cli/command/shared_flags.h"
#include "cli/crd/crd_files.h"
#include "cli/io/files.h"
#include "cli/io/git_files.h"
#include "cli/io/terminal.h"
#include "crd/diff.h"
#include "crd/lint.h"
#include "rules/crd_rules.h"

namespace strake::cli {
namespace {

constexpr FlagSpec kOutputFlag = output_flag("report as text, json, yaml, sarif, junit or github");

// --- crd lint

// "a,b" as the codes they name.
Result<std::set<std::string_view>> read_codes(const Arguments& args, std::string_view flag) {
  std::set<std::string_view> out;
  std::string_view rest = args.text(flag);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view code = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (code.empty()) continue;
    const crd::LintCode* found = crd::find_lint_code(code);
    if (found == nullptr) {
      std::vector<std::string_view> known;
      for (const crd::LintCode& one : crd::lint_codes()) known.push_back(one.code);
      return fail(Code::kUsage, "--{}: unknown code \"{}\"{}", flag, code, suggestion(code, known));
    }
    out.insert(found->code);
  }
  return out;
}

std::string code_table() {
  std::string out;
  for (const crd::LintCode& one : crd::lint_codes()) {
    out += fmt::format("{:<22} {:<8} {}{}\n", one.code, one.refused ? "error" : "warning",
                       one.summary, one.by_default ? "" : " (off unless enabled)");
  }
  return out;
}

// Findings of unreadable files came first; a report is in the order of the files.
void order_by_file(Report& report) {
  std::map<std::string, std::vector<ReportEntry>> by_file;
  for (ReportEntry& finding : report.findings) by_file[finding.file].push_back(std::move(finding));
  report.findings.clear();
  for (const CheckedFile& file : report.files) {
    // A file that was named twice was read twice, and has all it needs at its first place.
    auto found = by_file.extract(file.name);
    if (!found) continue;
    std::ranges::move(found.mapped(), std::back_inserter(report.findings));
  }
}

ExitCode run_crd_lint(const Arguments& args, Io& io) {
  if (args.on("codes")) {
    io.out.write(code_table());
    return ExitCode::kFine;
  }
  const auto disabled = read_codes(args, "disable");
  if (!disabled) return refused(disabled.error(), io);
  const auto enabled = read_codes(args, "enable");
  if (!enabled) return refused(enabled.error(), io);
  const auto operands = inputs_or_stdin(args, io);
  if (!operands) return refused(operands.error(), io);
  CrdFiles found = read_crd_files(*operands, io);
  if (found.crds.empty() && found.findings.empty()) {
    print_error("no CustomResourceDefinition among the inputs", io);
    return ExitCode::kInput;
  }

  const bool strict = args.on("warnings-as-errors");
  const ReportFormat format = report_format(args);
  Report report{.command = "crd lint", .files = std::move(found.files)};
  report.findings = std::move(found.findings);
  ExitCode worst = found.worst;
  for (const FoundCrd& one : found.crds) {
    report.resources.push_back(
        {.file = one.file->name,
         .name = fmt::format("CustomResourceDefinition/{}", one.crd.name())});
    std::vector<crd::RuleCost> costs;
    rules::CrdRules compiler(&costs);
    const crd::LintOptions options{.compiler = &compiler, .wanted = [&](const crd::LintCode& code) {
                                     return !disabled->contains(code.code) &&
                                            (code.by_default || enabled->contains(code.code));
                                   }};
    for (const crd::Lint& remark : crd::lint(one.crd, one.unknown, options)) {
      ReportEntry finding = one.entry(remark.code->code, remark.path);
      const bool error = remark.code->refused || strict;
      finding.severity = error ? Severity::kError : Severity::kWarning;
      if (error) worst = std::max(worst, ExitCode::kFindings);
      finding.message = remark.message;
      finding.hint = remark.hint;
      finding.resource = report.resources.size() - 1;
      report.findings.push_back(std::move(finding));
    }
  }
  order_by_file(report);
  for (ReportEntry& finding : report.findings) {
    if (crd::find_lint_code(finding.code) != nullptr)
      finding.help = fmt::format("docs/crd-lint.md#{}", finding.code);
    // The other formats have a place for the code.
    if (format == ReportFormat::kText)
      finding.message = with_code(std::move(finding.message), finding.code);
  }
  io.out.write(render(report, format, io.color_out));
  return worst;
}

constexpr FlagSpec kLintFlags[] = {
    kOutputFlag,
    {.name = "disable",
     .kind = FlagKind::kText,
     .value_name = "CODES",
     .summary = "turn these codes off (comma-separated)"},
    {.name = "enable",
     .kind = FlagKind::kText,
     .value_name = "CODES",
     .summary = "turn on codes that are off by default (comma-separated)"},
    {.name = "warnings-as-errors", .summary = "treat warnings as errors"},
    {.name = "codes", .summary = "list all codes with their meaning"},
};

constexpr Example kLintExamples[] = {
    {"strake crd lint config/crd/", "check all CRDs in a folder"},
    {"strake crd lint -o sarif --disable list-type-missing crd.yaml",
     "SARIF output for code scanning"},
    {"kubectl get crds -o yaml | strake crd lint -", "check what a cluster has"},
};

// --- crd diff

Severity severity_of(crd::Impact impact) {
  switch (impact) {
    case crd::Impact::kSafe: return Severity::kNote;
    case crd::Impact::kRatcheted: return Severity::kWarning;
    case crd::Impact::kBreaking: return Severity::kError;
  }
  return Severity::kError;
}

class CrdComparison {
 public:
  CrdComparison(ReportFormat format, bool verbose) : format_(format), verbose_(verbose) {
    report.command = "crd diff";
  }

  void compare(const std::vector<FoundCrd>& old, const std::vector<FoundCrd>& next) {
    for (const FoundCrd& now : next) {
      const FoundCrd* before = find(old, now.crd.name());
      // One CRD on each side is meant to be the same one, whatever its name.
      if (before == nullptr && old.size() == 1 && next.size() == 1) before = &old[0];
      rules::CrdRules compiler;
      for (crd::Change& refusal :
           crd::refusals(before != nullptr ? &before->crd : nullptr, now.crd, &compiler))
        add(now, std::move(refusal));
      if (before == nullptr) {
        add(now, {.impact = crd::Impact::kSafe,
                  .code = "crd-added",
                  .message = fmt::format("{} added", now.crd.name()),
                  .path = FieldPath()});
        continue;
      }
      for (crd::Change& change : crd::diff(before->crd, now.crd)) {
        const FoundCrd& place = change.in_old ? *before : now;
        add(place, std::move(change));
      }
    }
    if (old.size() == 1 && next.size() == 1) return;
    for (const FoundCrd& before : old) {
      if (find(next, before.crd.name()) != nullptr) continue;
      add(before, {.impact = crd::Impact::kBreaking,
                   .code = "crd-removed",
                   .message = fmt::format("{} removed, with all its objects", before.crd.name()),
                   .path = FieldPath()});
    }
  }

  Report report;
  std::optional<crd::Impact> worst;
  std::size_t hidden = 0;  // safe changes that the text leaves out

 private:
  static const FoundCrd* find(const std::vector<FoundCrd>& all, std::string_view name) {
    const auto found =
        std::ranges::find_if(all, [&](const FoundCrd& one) { return one.crd.name() == name; });
    return found == all.end() ? nullptr : &*found;
  }

  void add(const FoundCrd& place, crd::Change change) {
    worst = std::max(worst.value_or(change.impact), change.impact);
    if (change.impact == crd::Impact::kSafe && !verbose_ && format_ == ReportFormat::kText) {
      ++hidden;
      return;
    }
    ReportEntry finding = place.entry(change.code, change.path);
    finding.severity = severity_of(change.impact);
    std::string where = change.version;
    if (!change.field.empty()) where += " " + change.field;
    finding.message = fmt::format("{}: {}{}{}", crd::to_string(change.impact), where,
                                  where.empty() ? "" : ": ", change.message);
    // People have the field of the object in the message; the place in the schema is long.
    if (format_ == ReportFormat::kText || format_ == ReportFormat::kJunit ||
        format_ == ReportFormat::kGithub)
      finding.path = {};
    report.findings.push_back(std::move(finding));
  }

  ReportFormat format_;
  bool verbose_;
};

// The two sides of a comparison, and what to call them.
struct CrdSides {
  CrdFiles old;
  CrdFiles next;
  bool may_be_empty = false;  // one of them: what is on the other is all new, or all gone
  std::string where;          // for the message when there is nothing to compare
};

// A repository holds much besides CRDs, and not all of it can be read: only a file that was named
// itself, or may have a CRD in it, matters.
bool may_hold_crd(const std::string& text) {
  return text.find("CustomResourceDefinition") != std::string::npos;
}

Result<CrdFiles> crds_of_revision(const GitRepository& repository, std::string_view revision,
                                  const std::vector<std::string>& paths) {
  STRAKE_TRY(const std::string commit, repository.commit(revision));
  std::vector<NamedText> texts;
  for (const std::string& path : paths) {
    STRAKE_TRY(std::vector<GitFile> files, repository.read(commit, path, kMostCrdBytes));
    for (GitFile& file : files) {
      if (file.named || may_hold_crd(file.text))
        texts.push_back(
            {.name = fmt::format("{}:{}", revision, file.name), .text = std::move(file.text)});
    }
  }
  return read_crd_texts(std::move(texts));
}

// A folder with nothing in it is one whose files are gone.
bool is_empty_folder(const std::string& path, const Error& error) {
  std::error_code unreadable;
  const std::filesystem::directory_iterator entries(path, unreadable);
  return error.source() == path && std::filesystem::is_directory(path) && !unreadable;
}

Result<CrdFiles> crds_of_now(const std::vector<std::string>& paths, Io& io) {
  std::vector<NamedText> texts;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;  // removed since
    const bool named = !std::filesystem::is_directory(path, error);
    const auto names = find_inputs({&path, 1}, io);
    if (!names && is_empty_folder(path, names.error())) continue;
    if (!names) return std::unexpected(names.error());
    for (const std::string& name : *names) {
      STRAKE_TRY(std::string text, read_input(name, kMostCrdBytes, io));
      if (named || may_hold_crd(text)) texts.push_back({.name = name, .text = std::move(text)});
    }
  }
  return read_crd_texts(std::move(texts));
}

// "main" is compared with the files as they are now, "v1..v2" with another revision.
Result<CrdSides> sides_from_git(const Arguments& args, Io& io) {
  std::vector<std::string> paths = args.operands();
  if (paths.empty()) paths.emplace_back(".");
  if (std::ranges::find(paths, "-") != paths.end())
    return fail(Code::kUsage, "--git compares files: standard input has no history");
  const std::string_view range = args.text("git");
  const std::size_t dots = range.find("..");
  STRAKE_TRY(const GitRepository repository, GitRepository::find());
  CrdSides out{.old = {},
               .next = {},
               .may_be_empty = true,
               .where = fmt::format("{}, at {} or now", fmt::join(paths, " "), range)};
  STRAKE_TRY(out.old, crds_of_revision(repository, range.substr(0, dots), paths));
  if (dots != std::string_view::npos) {
    const std::string_view end = range.substr(dots + 2);
    STRAKE_TRY(out.next, crds_of_revision(repository, end.empty() ? "HEAD" : end, paths));
    return out;
  }
  STRAKE_TRY(out.next, crds_of_now(paths, io));
  return out;
}

Result<CrdSides> sides_to_compare(const Arguments& args, Io& io) {
  if (args.given("git")) return sides_from_git(args, io);
  const std::vector<std::string>& operands = args.operands();
  if (operands.size() != 2)
    return fail(Code::kUsage, "name two files or folders, OLD and NEW, or give --git REVISION");
  CrdSides out{.old = read_crd_files({&operands[0], 1}, io),
               .next = read_crd_files({&operands[1], 1}, io)};
  out.where = out.old.crds.empty() ? operands[0] : operands[1];
  return out;
}

ExitCode run_crd_diff(const Arguments& args, Io& io) {
  const ReportFormat format = report_format(args);
  CrdComparison comparison(format, args.on("verbose"));
  auto sides = sides_to_compare(args, io);
  if (!sides) return failed(sides.error(), io);
  for (CrdFiles* found : {&sides->old, &sides->next}) {
    Report& report = comparison.report;
    std::ranges::move(found->files, std::back_inserter(report.files));
    std::ranges::move(found->findings, std::back_inserter(report.findings));
  }
  // What cannot be read cannot be compared.
  if (!comparison.report.findings.empty()) {
    io.out.write(render(comparison.report, format, io.color_out));
    return ExitCode::kInput;
  }
  const bool no_old = sides->old.crds.empty();
  const bool no_next = sides->next.crds.empty();
  if (sides->may_be_empty ? no_old && no_next : no_old || no_next) {
    print_error(fmt::format("no CustomResourceDefinition in {}", sides->where), io);
    return ExitCode::kInput;
  }
  comparison.compare(sides->old.crds, sides->next.crds);
  io.out.write(render(comparison.report, format, io.color_out));
  if (comparison.hidden > 0) {
    io.out.write(fmt::format("{} safe {} not shown; --verbose shows them\n", comparison.hidden,
                             comparison.hidden == 1 ? "change" : "changes"));
  }
  const std::string_view limit = args.text("fail-on");
  if (limit == "never" || !comparison.worst) return ExitCode::kFine;
  const auto least = limit == "breaking" ? crd::Impact::kBreaking : crd::Impact::kRatcheted;
  return *comparison.worst >= least ? ExitCode::kFindings : ExitCode::kFine;
}

constexpr std::string_view kFailChoices[] = {"breaking", "ratcheted", "never"};
constexpr FlagSpec kDiffFlags[] = {
    {.name = "git",
     .kind = FlagKind::kText,
     .value_name = "REVISION",
     .summary = "compare the files of this git revision with the current files; v1..v2 compares "
                "two revisions"},
    choice_flag("fail-on", "IMPACT", kFailChoices, "breaking",
                "lowest impact that exits 1: breaking, ratcheted or never"),
    {.name = "verbose", .letter = 'v', .summary = "also show safe changes in text output"},
    kOutputFlag,
};

constexpr Example kDiffExamples[] = {
    {"strake crd diff old/crd.yaml new/crd.yaml", "show what a new CRD changes for its users"},
    {"strake crd diff --git origin/main config/crd/", "fail in CI on what this branch breaks"},
    {"strake crd diff --fail-on ratcheted -o junit main/crds/ crds/", "compare two folders in CI"},
};

}  // namespace

constinit const Command kCrdLintCommand = {
    .name = "crd lint",
    .group = Group::kCheck,
    .summary = "check CRDs for errors and likely mistakes",
    .description =
        "Checks CustomResourceDefinitions as kube-apiserver does when they are created, with their "
        "validation rules and their estimated cost, and reports the server's errors with file and "
        "line. It also warns of valid constructs that are probably mistakes. Other documents are "
        "skipped.\n\n"
        "Every finding has a code; docs/crd-lint.md explains them, and --disable turns one off. "
        "Warnings do not change the exit code.",
    .flags = kLintFlags,
    .operands = kFileOperands,
    .examples = kLintExamples,
    .run = run_crd_lint,
};

constinit const Command kCrdDiffCommand = {
    .name = "crd diff",
    .group = Group::kCheck,
    .summary = "show breaking and safe changes between two CRDs",
    .description =
        "Compares the schemas of both sides, version by version, and rates every change. Breaking: "
        "objects, clients or the update itself can fail, or data is lost. Ratcheted: validation is "
        "stricter, but stored values are tolerated as long as they do not change. Safe: valid "
        "objects stay valid and keep their meaning. Folders are compared CRD by CRD, by name. "
        "docs/crd-diff.md has the rules.\n\n"
        "With --git, the old side is a revision of the git repository around the current folder, "
        "and the arguments are the files and folders to compare; default: all.",
    .flags = kDiffFlags,
    .operands = {.usage = "OLD NEW | --git REVISION [FILE|DIR]...",
                 .at_most = kAnyNumber,
                 .files = true},
    .examples = kDiffExamples,
    .run = run_crd_diff,
};

}  // namespace strake::cli
