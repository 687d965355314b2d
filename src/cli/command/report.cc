#include "cli/command/report.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/arena.h"
#include "base/utf8.h"
#include "cli/command/report_ci.h"
#include "cli/command/version.h"
#include "cli/io/terminal.h"
#include "validate/phrases.h"
#include "value/json_writer.h"
#include "value/value.h"
#include "value/yaml_writer.h"

namespace strake::cli {
namespace {

using value::Value;

constexpr std::size_t kExcerptColumns = 100;

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// --- text
// -----------------------------------------------------------------------------------------------------------

// The source line, cut to a window around the column when it is long, with a caret under the
// column.
std::string excerpt(const ReportEntry& finding, bool color) {
  std::string_view rest = finding.source_line;
  const std::size_t column = finding.position->column;
  const std::size_t first = column > kExcerptColumns ? column - kExcerptColumns / 2 : 1;
  std::string shown;
  std::string under;
  if (utf8::is_ascii(rest)) {  // as nearly every line
    shown = rest.substr(std::min(first - 1, rest.size()), kExcerptColumns);
    under.assign(std::min(column - first, shown.size()), ' ');
    for (std::size_t at = 0; at < under.size(); ++at)
      if (shown[at] == '\t') under[at] = '\t';
    rest = {};
  }
  for (std::size_t at = 1; !rest.empty() && at < first + kExcerptColumns; ++at) {
    const utf8::Decoded next = utf8::decode(rest);
    const std::string_view bytes = rest.substr(0, next.width);
    rest.remove_prefix(next.width);
    if (at < first) continue;
    shown += bytes;
    if (at < column) under += bytes == "\t" ? '\t' : ' ';
  }
  const std::string number = fmt::format("{:>5}", finding.position->line);
  return fmt::format("{} {}\n{} {}{}\n", paint(color, Tone::kDim, number + " |"), printable(shown),
                     paint(color, Tone::kDim, "      |"), under, paint(color, Tone::kGood, "^"));
}

// Text of several lines; those after the first stand below the excerpts' bar.
std::string indented(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out += printable(line);
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
    if (text.empty()) return out;
    out += "\n        ";
  }
}

std::string colored_diff(std::string_view diff, bool color) {
  std::string out;
  while (!diff.empty()) {
    const std::size_t end = std::min(diff.find('\n'), diff.size() - 1) + 1;
    std::string_view line = diff.substr(0, end);
    diff.remove_prefix(end);
    const bool ends = line.ends_with('\n');
    if (ends) line.remove_suffix(1);
    const std::string safe = printable(line);
    if (line.starts_with('+')) {
      out += paint(color, Tone::kAdded, safe);
    } else if (line.starts_with('-')) {
      out += paint(color, Tone::kRemoved, safe);
    } else if (line.starts_with('@')) {
      out += paint(color, Tone::kDim, safe);
    } else {
      out += safe;
    }
    out += '\n';
  }
  return out;
}

std::string report_text(const Report& report, bool color) {
  std::string out;
  for (const ReportEntry& finding : report.findings) out += render_text(finding, color);
  if (report.list_files) {
    std::set<std::string_view> troubled;
    for (const ReportEntry& finding : report.findings) troubled.insert(finding.file);
    for (const CheckedFile& file : report.files) {
      if (troubled.contains(file.name)) continue;
      out += fmt::format("{} {} ({})\n", paint(color, Tone::kGood, "ok"), printable(file.name),
                         counted(file.documents, "document"));
    }
  }
  out += summary_line(report, color);
  return out;
}

// --- JSON, YAML, SARIF
// --------------------------------------------------------------------------------------------

// Makes a document member by member. Text that is not UTF-8 is made so, since the formats have no
// other way.
class DocumentMaker {
 public:
  static Value object() { return Value::object({}); }
  Value array(std::span<const Value> items) {
    Value* kept = arena_.allocate_array<Value>(items.size());
    std::ranges::copy(items, kept);
    return Value::array({kept, items.size()});
  }
  Value text(std::string_view text) {
    return Value::string(arena_.copy(utf8::replace_invalid(text)));
  }
  // Keys are literals, and outlive the arena.
  void set(Value& object, std::string_view key, Value v) { object.set(key, v, arena_); }
  void set(Value& object, std::string_view key, std::string_view v) {
    object.set(key, text(v), arena_);
  }
  void set(Value& object, std::string_view key, std::size_t v) {
    object.set(key, Value::unsigned_integer(v), arena_);
  }

 private:
  Arena arena_;
};

Value plain_document(const Report& report, DocumentMaker& make) {
  std::vector<Value> findings;
  for (const ReportEntry& finding : report.findings) {
    Value item = make.object();
    make.set(item, "code", finding.code);
    make.set(item, "severity", to_string(finding.severity));
    make.set(item, "message", finding.message);
    make.set(item, "file", finding.file);
    if (finding.position) {
      make.set(item, "line", std::size_t{finding.position->line});
      make.set(item, "column", std::size_t{finding.position->column});
    }
    if (!finding.path.empty()) make.set(item, "path", finding.path.to_dotted());
    if (!finding.hint.empty()) make.set(item, "hint", finding.hint);
    if (!finding.diff.empty()) make.set(item, "diff", finding.diff);
    if (!finding.help.empty()) make.set(item, "help", finding.help);
    findings.push_back(item);
  }
  Value summary = make.object();
  make.set(summary, "files", report.files.size());
  make.set(summary, "documents", report.documents());
  make.set(summary, "errors", report.count(Severity::kError));
  make.set(summary, "warnings", report.count(Severity::kWarning));
  make.set(summary, "notes", report.count(Severity::kNote));
  Value root = make.object();
  make.set(root, "command", report.command);
  make.set(root, "findings", make.array(findings));
  make.set(root, "summary", summary);
  return root;
}

// A relative reference, as code hosts expect for files of the repository.
std::string uri(std::string_view file) {
  std::string out;
  for (const char c : file) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

Value sarif_location(const ReportEntry& finding, DocumentMaker& make) {
  Value artifact = make.object();
  make.set(artifact, "uri", uri(finding.file));
  Value physical = make.object();
  make.set(physical, "artifactLocation", artifact);
  if (finding.position) {
    Value region = make.object();
    make.set(region, "startLine", std::size_t{finding.position->line});
    make.set(region, "startColumn", std::size_t{finding.position->column});
    make.set(physical, "region", region);
  }
  Value location = make.object();
  make.set(location, "physicalLocation", physical);
  if (!finding.path.empty()) {
    Value logical = make.object();
    make.set(logical, "fullyQualifiedName", finding.path.to_dotted());
    make.set(location, "logicalLocations", make.array({&logical, 1}));
  }
  return location;
}

Value sarif_document(const Report& report, DocumentMaker& make) {
  std::map<std::string_view, std::string_view> help_by_code;
  for (const ReportEntry& finding : report.findings)
    help_by_code.emplace(finding.code, finding.help);
  std::vector<Value> rules;
  for (const auto& [code, page] : help_by_code) {
    Value rule = make.object();
    make.set(rule, "id", code);
    if (!page.empty()) {
      // A helpUri would have to be absolute; the page comes with the program.
      Value help = make.object();
      make.set(help, "text", fmt::format("see {}", page));
      make.set(rule, "help", help);
    }
    rules.push_back(rule);
  }
  std::vector<Value> results;
  for (const ReportEntry& finding : report.findings) {
    Value message = make.object();
    make.set(message, "text",
             finding.hint.empty() ? finding.message
                                  : fmt::format("{} ({})", finding.message, finding.hint));
    const Value location = sarif_location(finding, make);
    Value result = make.object();
    make.set(result, "ruleId", finding.code);
    make.set(result, "ruleIndex",
             static_cast<std::size_t>(
                 std::distance(help_by_code.begin(), help_by_code.find(finding.code))));
    make.set(result, "level", to_string(finding.severity));
    make.set(result, "message", message);
    make.set(result, "locations", make.array({&location, 1}));
    results.push_back(result);
  }

  Value driver = make.object();
  make.set(driver, "name", "strake");
  make.set(driver, "version", version_number());
  make.set(driver, "rules", make.array(rules));
  Value tool = make.object();
  make.set(tool, "driver", driver);
  Value run = make.object();
  make.set(run, "tool", tool);
  make.set(run, "columnKind", "unicodeCodePoints");
  make.set(run, "results", make.array(results));
  Value root = make.object();
  make.set(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  make.set(root, "version", "2.1.0");
  make.set(root, "runs", make.array({&run, 1}));
  return root;
}

}  // namespace

ReportFormat report_format(const Arguments& args) {
  const auto found = std::ranges::find(kReportFormats, args.text("output"));
  return static_cast<ReportFormat>(found - std::begin(kReportFormats));
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  return "error";
}

std::size_t Report::count(Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count(findings, severity, &ReportEntry::severity));
}

std::size_t Report::documents() const {
  std::size_t sum = 0;
  for (const CheckedFile& file : files) sum += file.documents;
  return sum;
}

std::string render_text(const ReportEntry& finding, bool color) {
  std::string place = printable(finding.file);
  if (finding.position) {
    place += fmt::format(":{}:{}", finding.position->line, finding.position->column);
  }
  std::string out = fmt::format("{}: ", paint(color, Tone::kBold, place));
  if (finding.severity != Severity::kError) {
    const std::string_view word =
        finding.severity_word.empty() ? to_string(finding.severity) : finding.severity_word;
    out += fmt::format("{}: ", paint(color, Tone::kWarning, word));
  }
  if (!finding.path.empty()) out += fmt::format("{}: ", printable(finding.path.to_dotted()));
  const std::string message = indented(finding.message);
  out += finding.severity == Severity::kError ? paint(color, Tone::kBad, message) : message;
  out += '\n';
  if (finding.position && !finding.source_line.empty()) out += excerpt(finding, color);
  if (!finding.hint.empty())
    out += fmt::format("      {} {}\n", paint(color, Tone::kDim, "="), indented(finding.hint));
  out += colored_diff(finding.diff, color);
  return out;
}

std::string with_code(std::string message, std::string_view code) {
  message.insert(std::min(message.find('\n'), message.size()), fmt::format(" [{}]", code));
  return message;
}

std::string summary_line(const Report& report, bool color) {
  std::string verdict;
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    const std::size_t count = report.count(severity);
    if (count == 0) continue;
    if (!verdict.empty()) verdict += ", ";
    verdict += paint(color, severity == Severity::kError ? Tone::kBad : Tone::kWarning,
                     counted(count, to_string(severity)));
  }
  if (verdict.empty())
    verdict = report.files.empty() ? "nothing to check" : paint(color, Tone::kGood, "all fine");
  return fmt::format("{}, {}: {}\n", counted(report.files.size(), "file"),
                     counted(report.documents(), "document"), verdict);
}

std::string render(const Report& report, ReportFormat format, bool color) {
  DocumentMaker make;
  switch (format) {
    case ReportFormat::kText: return report_text(report, color);
    case ReportFormat::kJson:
      return printable_json(value::to_json(plain_document(report, make), {.indent = 2})) + "\n";
    case ReportFormat::kYaml: return value::to_yaml(plain_document(report, make));
    case ReportFormat::kSarif:
      return printable_json(value::to_json(sarif_document(report, make), {.indent = 2})) + "\n";
    case ReportFormat::kJunit: return render_junit(report);
    case ReportFormat::kGithub: return render_github(report);
  }
  return {};
}

std::string_view line_at(std::string_view text, const Position& position) {
  const auto offset =
      static_cast<std::size_t>(std::min<std::uint64_t>(position.offset, text.size()));
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
  std::string_view line = text.substr(start, text.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

ReportEntry entry_from(const Error& error, std::string_view file, std::string_view text) {
  ReportEntry finding;
  finding.code = strake::to_string(error.code());
  std::ranges::replace(finding.code, ' ', '-');
  finding.message = validate::plain_parse_error(error.message());
  for (const Error& cause : error.causes())
    finding.message += fmt::format(": {}", cause.to_string());
  finding.file = error.source().empty() ? file : error.source();
  finding.position = error.position();
  finding.path = error.path();
  if (finding.position) finding.source_line = line_at(text, *finding.position);
  finding.broken = true;
  return finding;
}

}  // namespace strake::cli
