#pragma once
// What a checking command has to say, and the forms in which it says it. A command fills a Report;
// the writers here are shared, so every command speaks to people, scripts, code hosts and CI
// systems alike.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/field_path.h"
#include "base/position.h"
#include "cli/command/args.h"

namespace strake::cli {

enum class Severity : std::uint8_t { kError, kWarning, kNote };
std::string_view to_string(Severity severity);  // "error", "warning", "note"

// A finding of any command, in the words that are printed.
struct ReportEntry {
  std::string code;  // stable, for machines: "not-canonical"
  Severity severity = Severity::kError;
  std::string_view severity_word;  // in the reader's language; empty for English
  std::string message;
  std::string file;
  std::optional<Position> position;
  FieldPath path;           // in the document; empty when it is not about one field
  std::string hint;         // what to do about it; may be empty
  std::string source_line;  // the line at `position`, for showing the place; may be empty
  std::string diff;         // unified; may be empty
  bool broken = false;      // nothing could be judged at all: for JUnit an error, not a failure
  std::string help;         // the page that explains the code, "docs/crd-lint.md#x"; may be empty
  std::optional<std::size_t> resource;  // which of Report::resources it is about
};

struct CheckedFile {
  std::string name;
  std::size_t documents = 0;
  bool skipped = false;  // nothing in it was judged, and that is as it was asked for
};

// An object in a file: a test case of its own for JUnit.
struct CheckedResource {
  std::string file;
  std::string name;  // "Garden/default/roses"
  bool skipped = false;
  std::string reason;  // why it was skipped; may be empty
};

struct Report {
  std::string command;                // "fmt"
  std::vector<CheckedFile> files;     // all that were looked at, in order
  std::vector<ReportEntry> findings;  // in the order of the files
  // Of commands that tell them apart, in the order of the files.
  std::vector<CheckedResource> resources;

  std::string summary;  // the last line, where that is not in English

  bool list_files = false;  // the text names the files without findings too

  std::size_t count(Severity severity) const;
  std::size_t documents() const;
};

enum class ReportFormat : std::uint8_t { kText, kJson, kYaml, kSarif, kJunit, kGithub };
// In the order of the enumerators, for the flag that every reporting command takes: -o, --output.
inline constexpr std::string_view kReportFormats[] = {"text",  "json",  "yaml",
                                                      "sarif", "junit", "github"};
// What --output says.
ReportFormat report_format(const Arguments& args);

// The whole report as text that ends in a newline. Color applies to kText only.
std::string render(const Report& report, ReportFormat format, bool color);

// One finding as people read it: place, message, source line with a caret, hint, diff. Further
// lines of a message or hint are indented.
std::string render_text(const ReportEntry& finding, bool color);
// The message with the code behind its first line, for text, which has no other place for it.
std::string with_code(std::string message, std::string_view code);
// "7 files, 12 documents: 2 errors, 1 warning"
std::string summary_line(const Report& report, bool color);

// A finding made of an error, its place shown in `text`, the content of the file.
ReportEntry entry_from(const Error& error, std::string_view file, std::string_view text);

// The line of the text that the position is in, without its end.
std::string_view line_at(std::string_view text, const Position& position);

}  // namespace strake::cli
