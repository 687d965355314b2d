#pragma once
// What `strake validate` prints: results in each of the formats it offers.
#include <cstdint>
#include <span>
#include <string>

#include "cli/report.h"
#include "validate/finding.h"
#include "validate/report.h"

namespace strake::cli {

enum class ValidateFormat : std::uint8_t { kText, kJson, kYaml, kSarif, kJunit, kGithub };
// In the order of the enumerators.
inline constexpr std::string_view kValidateFormats[] = {"text",  "json",  "yaml",
                                                        "sarif", "junit", "github"};

struct ValidateReport {
  ValidateFormat format = ValidateFormat::kText;
  validate::PathRender paths = validate::PathRender::kK8s;
  validate::Locale locale = validate::Locale::kEnglish;
  bool presence = false;
  bool colour = false;
};

// The whole report as text that ends in a newline.
std::string render_results(std::span<const validate::FileResult> results,
                           const ValidateReport& how);

// What was settled: YAML documents, or one List in JSON.
std::string render_outputs(std::span<const validate::FileResult> results, bool json);

}  // namespace strake::cli
