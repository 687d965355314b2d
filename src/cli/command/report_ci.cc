#include "cli/command/report_ci.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

#include "base/utf8.h"
#include "cli/io/terminal.h"

namespace strake::cli {
namespace {

std::string xml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const utf8::Decoded next = utf8::decode(text);
    const char32_t c = next.code_point;
    text.remove_prefix(next.width);
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\t': out += "&#9;"; break;
      case '\n': out += "&#10;"; break;
      case '\r': out += "&#13;"; break;
      default: {
        // XML 1.0 cannot name the other control characters at all.
        const bool allowed = c >= 0x20 && c != 0xfffe && c != 0xffff;
        utf8::append(out, allowed ? c : utf8::kReplacement);
      }
    }
  }
  return out;
}

// One <testcase>, as its findings come in.
struct TestCase {
  std::string file_class;  // the attribute classname
  std::string name;
  bool skipped = false;
  std::string reason;
  std::string body;
  std::string notes;
  bool failed = false;
  bool broken = false;

  void add(const ReportEntry& finding) {
    std::string text = render_text(finding, false);
    if (text.ends_with('\n')) text.pop_back();
    if (finding.severity != Severity::kError) {
      notes += text + "\n";
      return;
    }
    (finding.broken ? broken : failed) = true;
    body += fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n",
                        finding.broken ? "error" : "failure", xml(finding.code),
                        xml(finding.message), xml(text));
  }
};

// Files whose resources are listed have no case of their own, unless something is wrong with the
// file itself.
std::vector<TestCase> test_cases(const Report& report) {
  std::vector<TestCase> cases;
  std::set<std::string_view> listed;
  for (const CheckedResource& resource : report.resources) {
    listed.insert(resource.file);
    cases.push_back({.file_class = resource.file,
                     .name = resource.name,
                     .skipped = resource.skipped,
                     .reason = resource.reason});
  }
  std::map<std::string_view, std::size_t> by_file;
  const std::string suite = fmt::format("strake.{}", report.command);
  const auto case_of_file = [&](std::string_view file) {
    const auto [at, added] = by_file.try_emplace(file, cases.size());
    if (added) cases.push_back({.file_class = suite, .name = std::string(file)});
    return at->second;
  };
  for (const CheckedFile& file : report.files) {
    if (!listed.contains(file.name)) cases[case_of_file(file.name)].skipped = file.skipped;
  }
  for (const ReportEntry& finding : report.findings)
    cases[finding.resource ? *finding.resource : case_of_file(finding.file)].add(finding);
  return cases;
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

// GitHub calls a note a notice.
std::string_view command_of(Severity severity) {
  return severity == Severity::kNote ? "notice" : to_string(severity);
}

}  // namespace

std::string render_junit(const Report& report) {
  std::size_t failed = 0;
  std::size_t broken = 0;
  std::size_t skipped = 0;
  std::string body;
  const std::vector<TestCase> cases = test_cases(report);
  for (const TestCase& one : cases) {
    std::string inside = one.body;
    // A case counts once, as the worst that it is.
    if (one.broken) {
      ++broken;
    } else if (one.failed) {
      ++failed;
    } else if (one.skipped) {
      ++skipped;
      inside = one.reason.empty()
                   ? "      <skipped/>\n"
                   : fmt::format("      <skipped message=\"{}\"/>\n", xml(one.reason));
    }
    if (!one.notes.empty())
      inside += fmt::format("      <system-out>{}</system-out>\n", xml(one.notes));
    const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                                         xml(one.file_class), xml(one.name));
    body += inside.empty() ? head + "/>\n" : fmt::format("{}>\n{}    </testcase>\n", head, inside);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"strake {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{}>\n{}  "
      "</testsuite>\n</testsuites>\n",
      xml(report.command), cases.size(), failed, broken,
      skipped > 0 ? fmt::format(" skipped=\"{}\"", skipped) : "", body);
}

std::string render_github(const Report& report) {
  std::string out;
  for (const ReportEntry& finding : report.findings) {
    out += fmt::format("::{} file={}", command_of(finding.severity),
                       printable(escape_command(finding.file, true)));
    if (finding.position)
      out += fmt::format(",line={},col={}", finding.position->line, finding.position->column);
    std::string text = finding.message;
    if (!finding.path.empty()) text = fmt::format("{}: {}", finding.path.to_dotted(), text);
    if (!finding.hint.empty()) text += fmt::format(" ({})", finding.hint);
    out += fmt::format(",title={}::{}\n", escape_command(finding.code, true),
                       escape_command(printable_lines(text), false));
  }
  return out + (report.summary.empty() ? summary_line(report, false) : report.summary);
}

}  // namespace strake::cli
