#include "cli/build_check.h"

#include "cli/disk_files.h"
#include "cli/report.h"
#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "validate/builtin_kinds.h"
#include "validate/catalog.h"
#include "validate/checker.h"

namespace strake::cli {
namespace {

constexpr std::uint64_t kMostSchemaBytes = std::uint64_t{1} << 30;

std::vector<std::string> steps_of(const FieldPath& path) {
  std::vector<std::string> out;
  for (const FieldPath::Step& step : path.steps())
    out.push_back(step.kind == FieldPath::Kind::kIndex ? fmt::format("{}", step.index) : step.name);
  return out;
}

Severity reported_severity(validate::Severity severity) {
  switch (severity) {
    case validate::Severity::kError: return Severity::kError;
    case validate::Severity::kWarning: return Severity::kWarning;
    default: return Severity::kNote;
  }
}

Finding placed(const validate::Finding& found, const kustomize::BuildResult& result,
               std::size_t item) {
  const kustomize::BuildResult::Item& resource = result.items()[item];
  Finding out;
  out.code = "invalid-result";
  out.severity = reported_severity(found.fault.severity);
  const std::string& field = found.fault.field;
  out.message = fmt::format("{} {}: {}{}{}", resource.kind, resource.name, field,
                            field.empty() ? "" : ": ", found.fault.message);
  out.path = found.path;
  out.hint = found.fault.hint;
  out.file = "result";
  if (const auto origin = result.origin_of(item, steps_of(found.path)); origin) {
    if (!origin->file.empty()) out.file = origin->file;
    if (origin->line != 0) out.position = Position{.line = origin->line};
    if (!origin->step.empty()) {
      out.hint = fmt::format("set by {}{}{}", origin->step, out.hint.empty() ? "" : "; ", out.hint);
    }
  }
  return out;
}

}  // namespace

Result<ExitCode> check_build(const kustomize::BuildResult& result,
                             std::span<const std::string> schemas, Io& io) {
  rules::Engine rules;
  rules::CrdRules crd_rules;
  validate::JudgeOptions judge;
  judge.unknown = validate::UnknownFields::kStrict;
  STRAKE_TRY(judge.kubernetes_minor, validate::kubernetes_minor(validate::newest_kubernetes()));
  judge.rules = &rules;
  judge.rule_compiler = &crd_rules;
  validate::Catalog catalog(judge);
  const DiskFiles files(io);
  for (const std::string& operand : schemas) {
    STRAKE_TRY(const std::vector<std::string> names, files.find(operand));
    for (const std::string& name : names) {
      STRAKE_TRY(std::string text, files.read(name, kMostSchemaBytes));
      STRAKE_CHECK(catalog.add(name, std::make_shared<const std::string>(std::move(text))));
    }
  }
  for (const auto& item : result.items()) {
    if (item.kind == "CustomResourceDefinition")
      STRAKE_CHECK(catalog.add("result", std::make_shared<const std::string>(item.yaml)));
  }
  validate::CheckOptions options;
  options.ignore_missing_schemas = true;
  const validate::Checker checker(catalog, nullptr, options);
  ExitCode code = ExitCode::kFine;
  for (std::size_t i = 0; i < result.items().size(); ++i) {
    const validate::FileResult checked = checker.check("result", result.items()[i].yaml);
    for (const validate::DocumentResult& document : checked.documents) {
      for (const validate::Finding& finding : document.findings) {
        if (finding.fault.severity == validate::Severity::kError) code = ExitCode::kFindings;
        io.err.write(render_text(placed(finding, result, i), io.colour_err));
      }
    }
  }
  return code;
}

}  // namespace strake::cli
