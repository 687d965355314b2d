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

std::string_view severity_in_japanese(Severity severity) {
  switch (severity) {
    case Severity::kError: return "エラー";
    case Severity::kWarning: return "警告";
    case Severity::kNote: return "備考";
  }
  return "エラー";
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
                        .file = found.file.empty() ? file.file : found.file};
        finding.severity = found.fault.severity == validate::Severity::kError ? Severity::kError
                                                                              : Severity::kWarning;
        if (how.locale == validate::Locale::kJapanese)
          finding.severity_word = severity_in_japanese(finding.severity);
        finding.position = found.position;
        finding.hint = validate::hint_of(found.fault, how.locale);
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
std::string render_defaults(std::span<const FileResult> results, validate::Locale locale) {
  const std::string_view words =
      locale == validate::Locale::kJapanese ? "既定値が入る場所" : "defaults at";
  const std::string_view divider = locale == validate::Locale::kJapanese ? ": " : " ";
  std::string out;
  for (const FileResult& file : results) {
    for (const DocumentResult& document : file.documents) {
      if (document.defaults.empty()) continue;
      out += fmt::format("{}: {} {}: {}{}{}\n", printable(file.file), printable(document.kind),
                         printable(document.name), words, divider,
                         printable(fmt::format("{}", fmt::join(document.defaults, ", "))));
    }
  }
  return out;
}

std::string summary_in_japanese(const Report& report, bool colour) {
  std::string verdict;
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    const std::size_t count = report.count(severity);
    if (count == 0) continue;
    if (!verdict.empty()) verdict += "、";
    verdict += paint(colour, severity == Severity::kError ? Tone::kBad : Tone::kWarning,
                     fmt::format("{} {} 件", severity_in_japanese(severity), count));
  }
  if (verdict.empty()) verdict = paint(colour, Tone::kGood, "問題ありません");
  return fmt::format("{} ファイル、{} 文書: {}\n", report.files.size(), report.documents(),
                     verdict);
}

std::string summary_of(const Report& report, std::span<const FileResult> results,
                       const ValidateReport& how) {
  const bool japanese = how.locale == validate::Locale::kJapanese;
  std::string out =
      japanese ? summary_in_japanese(report, how.colour) : summary_line(report, how.colour);
  const validate::Summary sum = validate::summarize(results);
  std::size_t unlisted = 0;
  for (const FileResult& file : results) unlisted += file.unlisted_invalid;
  struct More {
    std::size_t count;
    std::string_view english;
    std::string_view japanese;
  };
  for (const More& more :
       {More{sum.skipped, "skipped", "対象外"},
        More{sum.unknown, "not judged in full", "一部未検査"},
        More{unlisted, "more documents with errors", "ほかにエラーのある文書"}}) {
    if (more.count == 0) continue;
    out.pop_back();
    out += japanese ? fmt::format("、{} {} 件\n", more.japanese, more.count)
                    : fmt::format(", {} {}\n", more.count, more.english);
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
  return out + render_defaults(results, how.locale) + summary_of(report, results, how);
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
  ValidateReport plain = how;
  plain.colour = false;
  return out + summary_of(report, results, plain);
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
