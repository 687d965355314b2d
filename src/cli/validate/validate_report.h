#pragma once
// What `strake validate` prints: results in each of the formats it offers.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/command/report.h"
#include "cli/io/io.h"
#include "validate/finding.h"
#include "validate/report.h"

namespace strake::cli {

struct ValidateReport {
  ReportFormat format = ReportFormat::kText;
  validate::PathRender paths = validate::PathRender::kK8s;
  validate::Locale locale = validate::Locale::kEnglish;
  bool presence = false;
  bool verbose = false;  // the text lists what was skipped
  bool color = false;
};

// The whole report as text that ends in a newline.
void write_results(std::span<const validate::FileResult> results, const ValidateReport& how,
                   Output& out);

// A line of its own on the error stream: what the report has no place for.
void warn(std::string_view text, validate::Locale locale, Io& io);
// What kept the command from a report.
void tell_error(const Error& error, validate::Locale locale, Io& io);

// What was settled: YAML documents, or one List in JSON.
void write_outputs(std::span<const validate::FileResult> results, bool json, Output& out);

}  // namespace strake::cli
