#include "cli/crd_command.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "cli/app.h"
#include "cli/crd_files.h"
#include "cli/report.h"
#include "cli/shared_flags.h"
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
  std::map<std::string, std::vector<Finding>> by_file;
  for (Finding& finding : report.findings) by_file[finding.file].push_back(std::move(finding));
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
      Finding finding = one.finding(remark.code->code, remark.path);
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
  for (Finding& finding : report.findings) {
    if (crd::find_lint_code(finding.code) != nullptr)
      finding.help = fmt::format("docs/crd-lint.md#{}", finding.code);
    // The other formats have a place for the code.
    if (format == ReportFormat::kText)
      finding.message = with_code(std::move(finding.message), finding.code);
  }
  io.out.write(render(report, format, io.colour_out));
  return worst;
}

constexpr FlagSpec kLintFlags[] = {
    kOutputFlag,
    {.name = "disable",
     .kind = FlagKind::kText,
     .value_name = "CODES",
     .summary = "do not look for these, divided by commas"},
    {.name = "enable",
     .kind = FlagKind::kText,
     .value_name = "CODES",
     .summary = "look for these too, which are off by default"},
    {.name = "warnings-as-errors", .summary = "let warnings count as errors"},
    {.name = "codes", .summary = "list all codes and what they mean"},
};

constexpr Example kLintExamples[] = {
    {"strake crd lint config/crd/", "check all CRDs of a folder"},
    {"strake crd lint -o sarif --disable list-type-missing crd.yaml", "for a code host"},
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
    Finding finding = place.finding(change.code, change.path);
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

ExitCode run_crd_diff(const Arguments& args, Io& io) {
  const auto& operands = args.operands();
  const ReportFormat format = report_format(args);
  CrdComparison comparison(format, args.on("verbose"));
  std::vector<std::vector<FoundCrd>> sides;
  for (const std::string& operand : operands) {
    CrdFiles found = read_crd_files({&operand, 1}, io);
    Report& report = comparison.report;
    std::ranges::move(found.files, std::back_inserter(report.files));
    std::ranges::move(found.findings, std::back_inserter(report.findings));
    sides.push_back(std::move(found.crds));
  }
  // What cannot be read cannot be compared.
  if (!comparison.report.findings.empty()) {
    io.out.write(render(comparison.report, format, io.colour_out));
    return ExitCode::kInput;
  }
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (!sides[i].empty()) continue;
    print_error(fmt::format("no CustomResourceDefinition in {}", operands[i]), io);
    return ExitCode::kInput;
  }
  comparison.compare(sides[0], sides[1]);
  io.out.write(render(comparison.report, format, io.colour_out));
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
    choice_flag("fail-on", "IMPACT", kFailChoices, "breaking",
                "exit 1 from this impact on: breaking, ratcheted or never"),
    {.name = "verbose", .letter = 'v', .summary = "let the text show safe changes too"},
    kOutputFlag,
};

constexpr Example kDiffExamples[] = {
    {"strake crd diff old/crd.yaml new/crd.yaml", "what the new CRD changes for its users"},
    {"strake crd diff --fail-on ratcheted -o junit main/crds/ crds/", "a gate for CI"},
};

}  // namespace

constinit const Command kCrdLintCommand = {
    .name = "crd lint",
    .group = Group::kCheck,
    .summary = "say what a server would refuse in CRDs, and what looks wrong",
    .description =
        "Checks CustomResourceDefinitions as kube-apiserver does when they are created, with their "
        "validation rules and what those may cost, and tells its words at the place in the file. "
        "Beyond that it warns of what a server takes although it can hardly be meant. Documents "
        "that are no CRDs are passed over.\n\n"
        "Every warning has a code; docs/crd-lint.md explains them, and --disable silences one. "
        "Warnings alone leave the exit code at 0.",
    .flags = kLintFlags,
    .operands = kFileOperands,
    .examples = kLintExamples,
    .run = run_crd_lint,
};

constinit const Command kCrdDiffCommand = {
    .name = "crd diff",
    .group = Group::kCheck,
    .summary = "tell breaking from safe changes between two CRDs",
    .description =
        "Walks the schemas of both sides, version by version, and judges every change. Breaking: "
        "objects, clients or the update itself may fail, or data is lost. Ratcheted: new values "
        "are held to more, while stored ones are tolerated as long as they do not change. Safe: "
        "everything goes on as before. Folders are compared CRD by CRD, by name. "
        "docs/crd-diff.md has the rules.",
    .flags = kDiffFlags,
    .operands = {.usage = "OLD NEW", .at_least = 2, .at_most = 2, .files = true},
    .examples = kDiffExamples,
    .run = run_crd_diff,
};

}  // namespace strake::cli
