#include "strake/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "validate/catalog.h"
#include "validate/checker.h"
#include "value/json_writer.h"

namespace strake::check {
namespace {

validate::UnknownFields unknown_fields(UnknownFields unknown) {
  switch (unknown) {
    case UnknownFields::kWarn: return validate::UnknownFields::kWarn;
    case UnknownFields::kPrune: return validate::UnknownFields::kPrune;
    case UnknownFields::kStrict: return validate::UnknownFields::kStrict;
    case UnknownFields::kPreserve: return validate::UnknownFields::kPreserve;
  }
  return validate::UnknownFields::kWarn;
}

Finding public_finding(const validate::Finding& found, const std::string& file,
                       std::size_t document) {
  Finding out;
  out.severity =
      found.fault.severity == validate::Severity::kError ? Severity::kError : Severity::kWarning;
  out.code = validate::to_string(found.fault.issue);
  out.pointer = found.path.to_pointer();
  out.field = found.fault.field;
  out.message = found.fault.message;
  out.hint = found.fault.hint;
  out.file = file;
  out.document = document;
  if (found.position) {
    out.line = found.position->line;
    out.column = found.position->column;
  }
  return out;
}

}  // namespace

std::string Finding::text() const {
  std::string out = file;
  if (line != 0) out += fmt::format("{}{}:{}", file.empty() ? "" : ":", line, column);
  if (!out.empty()) out += ": ";
  if (severity == Severity::kWarning) out += "warning: ";
  if (!field.empty()) out += field + ": ";
  return out + message;
}

bool Report::ok() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.severity == Severity::kError; });
}

struct Schemas::Impl {
  explicit Impl(const Options& options)
      : catalog({.unknown = unknown_fields(options.unknown),
                 .rules = &rules,
                 .rule_compiler = &crd_rules}) {
    check.max_issues = options.max_findings;
    check.ignore_missing_schemas = options.ignore_missing_schemas;
    check.output = options.keep_output ? validate::Output::kStored : validate::Output::kNone;
  }

  Report report(std::string_view text, std::string_view file_name,
                const validate::OldObjects* old) const {
    const validate::Checker checker(catalog, old, check);
    validate::FileResult result = checker.check(std::string(file_name), text);
    Report out;
    for (const validate::DocumentResult& document : result.documents) {
      Object object{document.api_version,
                    document.kind,
                    document.name,
                    document.status == validate::Status::kValid,
                    {}};
      if (document.output) object.output = value::to_json(document.output->root());
      out.objects.push_back(std::move(object));
      for (const validate::Finding& finding : document.findings) {
        out.findings.push_back(public_finding(finding, result.file, document.document));
      }
    }
    return out;
  }

  rules::Engine rules;
  rules::CrdRules crd_rules;
  validate::Catalog catalog;
  validate::CheckOptions check;
};

Schemas::Schemas(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
Schemas::~Schemas() = default;
Schemas::Schemas(Schemas&&) noexcept = default;
Schemas& Schemas::operator=(Schemas&&) noexcept = default;

std::expected<std::size_t, std::string> Schemas::add(std::string_view text,
                                                     std::string_view file_name) {
  auto added =
      impl_->catalog.add(std::string(file_name), std::make_shared<const std::string>(text));
  if (!added) return std::unexpected(added.error().to_string());
  return *added;
}

Report Schemas::check(std::string_view text, std::string_view file_name) const {
  return impl_->report(text, file_name, nullptr);
}

Report Schemas::check_update(std::string_view text, std::string_view old_text,
                             std::string_view file_name) const {
  validate::OldObjects old;
  if (auto added = old.add("old object", old_text, impl_->check); !added) {
    Report unreadable;
    unreadable.findings.push_back({.code = "unreadable",
                                   .message = added.error().to_string(),
                                   .file = std::string(file_name)});
    return unreadable;
  }
  return impl_->report(text, file_name, &old);
}

}  // namespace strake::check
