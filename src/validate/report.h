#pragma once
// Results as one document for machines: a report of version 1, see docs/validate.md.
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "validate/finding.h"
#include "validate/messages.h"
#include "value/document.h"

namespace strake::validate {

enum class PathRender : std::uint8_t { kPointer, kK8s, kBoth };

struct Summary {
  std::size_t documents = 0;
  std::size_t valid = 0;
  std::size_t invalid = 0;
  std::size_t errors = 0;  // unreadable, or without a schema
  std::size_t skipped = 0;
  std::size_t unknown = 0;  // no fault, but not everything was looked at
  std::size_t truncated = 0;
  std::size_t unlisted = 0;  // findings past the limits
};
Summary summarize(std::span<const FileResult> results);

struct ReportOptions {
  PathRender paths = PathRender::kBoth;  // kPointer leaves fieldPath out
  Locale locale = Locale::kEnglish;
  bool presence = false;
};
value::Document report_document(std::span<const FileResult> results, const ReportOptions& options);
// The same as text, in pieces: all of it together may take several times the memory of the results.
enum class ReportText : std::uint8_t { kJson, kYaml };
void write_report(std::span<const FileResult> results, const ReportOptions& options,
                  ReportText text, const std::function<void(std::string_view)>& write);

// How people see where a fault is: the server's path where it printed one. Empty when the message
// says it.
std::string shown_path(const Finding& finding, PathRender paths);

}  // namespace strake::validate
