#include "cli/validate/validate_report.h"

#include <algorithm>
#include <map>
#include <optional>

#include "cli/io/terminal.h"
#include "validate/messages.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

namespace strake::cli {
namespace {

using validate::DocumentResult;
using validate::FileResult;

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

bool is_not_ours(const DocumentResult& document) {
  return document.skipped_as != validate::NotManifest::kNo;
}

// How many documents were meant to be checked; none when the whole file is not ours.
std::size_t own_documents(const FileResult& file) {
  return file.document_count() -
         static_cast<std::size_t>(std::ranges::count_if(file.documents, is_not_ours));
}
bool is_not_ours(const FileResult& file) {
  return file.passed_over != validate::NotManifest::kNo ||
         (!file.documents.empty() && own_documents(file) == 0);
}

std::string resource_name(const DocumentResult& document, validate::Locale locale) {
  std::string out = document.kind;
  for (const std::string& part : {document.namespace_name, document.name}) {
    if (!part.empty()) out += "/" + part;
  }
  if (document.kind.empty() || document.name.empty())
    out += fmt::format("{}{} {}", out.empty() ? "" : "/",
                       locale == validate::Locale::kJapanese ? "文書" : "document",
                       document.document + 1);
  return out;
}

// A text that could not be read is no resource: its findings belong to the file.
bool is_resource(const DocumentResult& document) {
  return !document.kind.empty() ||
         std::ranges::none_of(document.findings, [](const validate::Finding& finding) {
           return is_broken(finding.fault.issue);
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

ReportEntry entry_of(const validate::Finding& found, const FileResult& file,
                     const ValidateReport& how, bool path_in_message) {
  ReportEntry finding{.code = std::string(to_string(found.fault.issue)),
                      .message = validate::message_of(found.fault, how.locale),
                      .file = found.file.empty() ? file.file : found.file};
  finding.severity =
      found.fault.severity == validate::Severity::kError ? Severity::kError : Severity::kWarning;
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
  return finding;
}

// People read the path in front of the message; machines find it in a field of its own.
Report report_of(std::span<const FileResult> results, const ValidateReport& how,
                 bool path_in_message) {
  Report report{.command = "validate"};
  const bool by_resource = how.format == ReportFormat::kJunit;
  for (const FileResult& file : results) {
    if (!is_not_ours(file)) {
      report.files.push_back(
          {.name = file.file, .documents = own_documents(file), .skipped = is_skipped(file)});
    }
    for (const DocumentResult& document : file.documents) {
      std::optional<std::size_t> resource;
      if (by_resource && is_resource(document)) {
        resource = report.resources.size();
        report.resources.push_back({.file = file.file,
                                    .name = resource_name(document, how.locale),
                                    .skipped = document.status == validate::Status::kSkipped,
                                    .reason = validate::explain(document.skipped_as, how.locale)});
      }
      for (const validate::Finding& found : document.findings) {
        report.findings.push_back(entry_of(found, file, how, path_in_message));
        report.findings.back().resource = resource;
      }
    }
  }
  return report;
}

// What was left alone: each with its name when it was named, or when that is asked for; the others
// by their number.
std::string render_skipped(std::span<const FileResult> results, const ValidateReport& how) {
  std::string listed;
  std::map<validate::NotManifest, std::size_t> counts;
  const auto add = [&](const FileResult& file, validate::NotManifest what) {
    if (how.verbose || file.named) {
      listed += validate::say_in(how.locale, validate::Phrase::kSkippedFile, printable(file.file),
                                 validate::explain(what, how.locale)) +
                "\n";
    } else {
      ++counts[what];
    }
  };
  for (const FileResult& file : results) {
    if (file.passed_over != validate::NotManifest::kNo) add(file, file.passed_over);
    for (const DocumentResult& document : file.documents) {
      if (is_not_ours(document)) add(file, document.skipped_as);
    }
  }
  if (counts.empty()) return listed;
  std::string line;
  for (const auto& [what, count] : counts) {
    if (!line.empty()) line += how.locale == validate::Locale::kJapanese ? "、" : ", ";
    line += validate::counted(what, count, how.locale);
  }
  return listed + validate::say_in(how.locale, validate::Phrase::kSkippedCounts, line) + "\n";
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

std::string summary_in_japanese(const Report& report, bool color) {
  std::string verdict;
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    const std::size_t count = report.count(severity);
    if (count == 0) continue;
    if (!verdict.empty()) verdict += "、";
    verdict += paint(color, severity == Severity::kError ? Tone::kBad : Tone::kWarning,
                     fmt::format("{} {} 件", severity_in_japanese(severity), count));
  }
  if (verdict.empty())
    verdict = report.files.empty() ? "検査するものがありません"
                                   : paint(color, Tone::kGood, "問題ありません");
  return fmt::format("{} ファイル、{} 文書: {}\n", report.files.size(), report.documents(),
                     verdict);
}

std::string summary_of(const Report& report, std::span<const FileResult> results,
                       const ValidateReport& how) {
  const bool japanese = how.locale == validate::Locale::kJapanese;
  std::string out =
      japanese ? summary_in_japanese(report, how.color) : summary_line(report, how.color);
  const validate::Summary sum = validate::summarize(results);
  std::size_t unlisted = 0;
  std::size_t ignored = 0;
  std::size_t not_ours = 0;
  for (const FileResult& file : results) {
    unlisted += file.unlisted_invalid;
    ignored += file.ignored;
    not_ours += static_cast<std::size_t>(std::ranges::count_if(
        file.documents, [](const DocumentResult& d) { return is_not_ours(d); }));
  }
  struct More {
    std::size_t count;
    std::string_view english;
    std::string_view japanese;
  };
  for (const More& more :
       {More{sum.skipped - std::min(sum.skipped, not_ours), "skipped", "対象外"},
        More{ignored, "ignored", "無視"}, More{sum.unknown, "not judged in full", "一部未検査"},
        More{unlisted, "more documents with errors", "ほかにエラーのある文書"},
        More{sum.unlisted, "more findings", "ほかの指摘"}}) {
    if (more.count == 0) continue;
    out.pop_back();
    out += japanese ? fmt::format("、{} {} 件\n", more.japanese, more.count)
                    : fmt::format(", {} {}\n", more.count, more.english);
  }
  return out;
}

void write_text_report(std::span<const FileResult> results, const ValidateReport& how,
                       Output& out) {
  Report report = report_of(results, how, true);
  for (ReportEntry& finding : report.findings) {
    finding.message = with_code(std::move(finding.message), finding.code);
    out.write(render_text(finding, how.color));
  }
  out.write(render_defaults(results, how.locale));
  out.write(render_skipped(results, how));
  out.write(summary_of(report, results, how));
}

}  // namespace

void write_results(std::span<const FileResult> results, const ValidateReport& how, Output& out) {
  const validate::ReportOptions options{
      .paths = how.paths, .locale = how.locale, .presence = how.presence};
  const auto write = [&](std::string_view text) { out.write(text); };
  switch (how.format) {
    case ReportFormat::kText: return write_text_report(results, how, out);
    case ReportFormat::kJson:
      return validate::write_report(
          results, options, validate::ReportText::kJson,
          [&](std::string_view text) { out.write(printable_json(text)); });
    case ReportFormat::kYaml:
      return validate::write_report(results, options, validate::ReportText::kYaml, write);
    case ReportFormat::kSarif:
      return out.write(render(report_of(results, how, false), ReportFormat::kSarif, false));
    case ReportFormat::kJunit:
    case ReportFormat::kGithub: {
      Report report = report_of(results, how, true);
      if (how.locale == validate::Locale::kJapanese)
        report.summary = summary_in_japanese(report, false);
      return out.write(render(report, how.format, false));
    }
  }
}

void warn(std::string_view text, validate::Locale locale, Io& io) {
  const bool japanese = locale == validate::Locale::kJapanese;
  io.err.write(fmt::format("{}: {}\n",
                           japanese ? severity_in_japanese(Severity::kWarning) : "warning", text));
}

void tell_error(const Error& error, validate::Locale locale, Io& io) {
  if (locale == validate::Locale::kEnglish) return print_error(error.to_string(), io);
  const std::string word = fmt::format("{}:", severity_in_japanese(Severity::kError));
  io.err.write(fmt::format("{} {}\n", paint(io.color_err, Tone::kBad, word),
                           printable(validate::in_language(error, locale).to_string())));
}

void write_outputs(std::span<const FileResult> results, bool json, Output& out) {
  bool first = true;
  if (json) out.write("{\n  \"apiVersion\": \"v1\",\n  \"items\": [");
  for (const FileResult& file : results) {
    for (const DocumentResult& document : file.documents) {
      if (!document.output) continue;
      if (json) {
        out.write(first ? "\n" : ",\n");
        std::string text = "    ";
        for (const char c : value::to_json(document.output->root(), {.indent = 2})) {
          text += c;
          if (c == '\n') text += "    ";
        }
        out.write(text);
      } else {
        if (!first) out.write("---\n");
        out.write(value::to_yaml(document.output->root()));
      }
      first = false;
    }
  }
  if (json)
    out.write(first ? "],\n  \"kind\": \"List\"\n}\n" : "\n  ],\n  \"kind\": \"List\"\n}\n");
}

}  // namespace strake::cli
