#include "cli/validate_report.h"

#include <algorithm>

#include "base/arena.h"
#include "cli/terminal.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

namespace strake::cli {
namespace {

using validate::DocumentResult;
using validate::FileResult;
using value::Value;

// Nothing of the document could be judged.
bool is_broken(validate::Issue issue) {
  return issue == validate::Issue::kParseError || issue == validate::Issue::kUnreadable ||
         issue == validate::Issue::kOverflow;
}

bool is_skipped(const FileResult& file) {
  return file.document_count() == file.documents.size() && !file.documents.empty() &&
         std::ranges::all_of(file.documents, [](const DocumentResult& document) {
           return document.status == validate::Status::kSkipped;
         });
}

// People read the path in front of the message; machines find it in a field of its own.
Report report_of(std::span<const FileResult> results, const ValidateReport& how,
                 bool path_in_message) {
  Report report{.command = "validate"};
  for (const FileResult& file : results) {
    report.files.push_back(
        {.name = file.file, .documents = file.document_count(), .skipped = is_skipped(file)});
    for (const DocumentResult& document : file.documents) {
      for (const validate::Finding& found : document.findings) {
        Finding finding{.code = std::string(to_string(found.fault.issue)),
                        .message = validate::message_of(found.fault, how.locale),
                        .file = file.file};
        finding.severity = found.fault.severity == validate::Severity::kError ? Severity::kError
                                                                              : Severity::kWarning;
        finding.position = found.position;
        finding.hint = found.fault.hint;
        finding.source_line = found.source_line;
        finding.broken = is_broken(found.fault.issue);
        if (path_in_message) {
          const std::string path = validate::shown_path(found, how.paths);
          if (!path.empty()) finding.message = fmt::format("{}: {}", path, finding.message);
        } else {
          finding.path = found.path;
        }
        report.findings.push_back(std::move(finding));
      }
    }
  }
  return report;
}

value::Document document_of(std::span<const FileResult> results, const ValidateReport& how) {
  return validate::report_document(
      results, {.paths = how.paths, .locale = how.locale, .presence = how.presence});
}

// Where defaults would apply, when they were only noted: a line a document.
std::string render_defaults(std::span<const FileResult> results) {
  std::string out;
  for (const FileResult& file : results) {
    for (const DocumentResult& document : file.documents) {
      if (document.defaults.empty()) continue;
      out += fmt::format("{}: {} {}: defaults at {}\n", printable(file.file),
                         printable(document.kind), printable(document.name),
                         printable(fmt::format("{}", fmt::join(document.defaults, ", "))));
    }
  }
  return out;
}

std::string render_text_report(std::span<const FileResult> results, const ValidateReport& how) {
  Report report = report_of(results, how, true);
  std::string out;
  for (Finding& finding : report.findings) {
    finding.message = with_code(std::move(finding.message), finding.code);
    out += render_text(finding, how.colour);
  }
  out += render_defaults(results);
  std::string summary = summary_line(report, how.colour);
  const validate::Summary sum = validate::summarize(results);
  std::size_t unlisted = 0;
  for (const FileResult& file : results) unlisted += file.unlisted_invalid;
  for (const auto& [count, what] :
       {std::pair(sum.skipped, "skipped"), std::pair(sum.unknown, "not judged in full"),
        std::pair(unlisted, "more documents with errors")}) {
    if (count == 0) continue;
    summary.pop_back();
    summary += fmt::format(", {} {}\n", count, what);
  }
  return out + summary;
}

// A workflow command takes one line; in its properties two more signs have a meaning.
std::string escape_command(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%': out += "%25"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      case ':': out += property ? "%3A" : ":"; break;
      case ',': out += property ? "%2C" : ","; break;
      default: out += c;
    }
  }
  return out;
}

std::string render_github(std::span<const FileResult> results, const ValidateReport& how) {
  const Report report = report_of(results, how, true);
  std::string out;
  for (const Finding& finding : report.findings) {
    out += fmt::format("::{} file={}", to_string(finding.severity),
                       escape_command(finding.file, true));
    if (finding.position)
      out += fmt::format(",line={},col={}", finding.position->line, finding.position->column);
    const std::string text = finding.hint.empty()
                                 ? finding.message
                                 : fmt::format("{} ({})", finding.message, finding.hint);
    out += fmt::format(",title={}::{}\n", escape_command(finding.code, true),
                       escape_command(printable_lines(text), false));
  }
  return out + summary_line(report, false);
}

}  // namespace

std::string render_results(std::span<const FileResult> results, const ValidateReport& how) {
  switch (how.format) {
    case ValidateFormat::kText: return render_text_report(results, how);
    case ValidateFormat::kJson:
      return value::to_json(document_of(results, how).root(), {.indent = 2}) + "\n";
    case ValidateFormat::kYaml: return value::to_yaml(document_of(results, how).root());
    case ValidateFormat::kSarif:
      return render(report_of(results, how, false), ReportFormat::kSarif, false);
    case ValidateFormat::kJunit:
      return render(report_of(results, how, true), ReportFormat::kJunit, false);
    case ValidateFormat::kGithub: return render_github(results, how);
  }
  return {};
}

std::string render_outputs(std::span<const FileResult> results, bool json) {
  std::string out;
  Arena arena;
  Value items = Value::array({});
  for (const FileResult& file : results) {
    for (const DocumentResult& document : file.documents) {
      if (!document.output) continue;
      if (json) {
        items.append(document.output->root(), arena);
        continue;
      }
      if (!out.empty()) out += "---\n";
      value::write_yaml(document.output->root(), out);
    }
  }
  if (!json) return out;
  Value list = Value::object({});
  list.set("apiVersion", Value::string("v1"), arena);
  list.set("items", items, arena);
  list.set("kind", Value::string("List"), arena);
  return value::to_json(list, {.indent = 2}) + "\n";
}

}  // namespace strake::cli
