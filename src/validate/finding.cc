#include "validate/finding.h"

#include <algorithm>
#include <compare>

namespace strake::validate {
namespace {

// Indices come before names only where a path is at odds with itself; names compare by their bytes.
std::strong_ordering compare_steps(const FieldPath::Step& a, const FieldPath::Step& b) {
  const bool a_index = a.kind == FieldPath::Kind::kIndex;
  const bool b_index = b.kind == FieldPath::Kind::kIndex;
  if (a_index != b_index)
    return a_index ? std::strong_ordering::less : std::strong_ordering::greater;
  return a_index ? a.index <=> b.index : a.name.compare(b.name) <=> 0;
}

bool precedes(const Finding& a, const Finding& b) {
  const auto& left = a.path.steps();
  const auto& right = b.path.steps();
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
    const std::strong_ordering order = compare_steps(left[i], right[i]);
    if (order != 0) return order < 0;
  }
  if (left.size() != right.size()) return left.size() < right.size();
  return to_string(a.fault.issue) < to_string(b.fault.issue);
}

}  // namespace

std::string_view to_string(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

std::string_view to_string(Issue issue) {
  switch (issue) {
    case Issue::kInvalidType: return "invalid_type";
    case Issue::kRequired: return "required";
    case Issue::kUnknownKey: return "unknown_key";
    case Issue::kDuplicateKey: return "duplicate_key";
    case Issue::kDuplicateItem: return "duplicate_item";
    case Issue::kTooSmall: return "too_small";
    case Issue::kTooBig: return "too_big";
    case Issue::kNotMultiple: return "not_multiple";
    case Issue::kTooShort: return "too_short";
    case Issue::kTooLong: return "too_long";
    case Issue::kPattern: return "pattern";
    case Issue::kInvalidEnum: return "invalid_enum";
    case Issue::kInvalidFormat: return "invalid_format";
    case Issue::kUnionAmbiguous: return "union_ambiguous";
    case Issue::kNoMatch: return "no_match";
    case Issue::kNotAllowed: return "not_allowed";
    case Issue::kCelViolation: return "cel_violation";
    case Issue::kCelError: return "cel_error";
    case Issue::kParseError: return "parse_error";
    case Issue::kTruncated: return "truncated";
    case Issue::kSchemaInvalid: return "schema_invalid";
    case Issue::kSchemaUnsupported: return "schema_unsupported";
    case Issue::kSchemaMissing: return "schema_missing";
    case Issue::kUnreadable: return "unreadable";
    case Issue::kCustom: return "custom";
  }
  return "custom";
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kValid: return "valid";
    case Status::kInvalid: return "invalid";
    case Status::kError: return "error";
    case Status::kSkipped: return "skipped";
  }
  return "error";
}

std::size_t FileResult::count(Severity severity) const {
  std::size_t total = 0;
  for (const DocumentResult& document : documents) {
    total += static_cast<std::size_t>(
        std::count_if(document.findings.begin(), document.findings.end(),
                      [&](const Finding& f) { return f.fault.severity == severity; }));
  }
  return total;
}

void sort_findings(std::vector<Finding>& findings) {
  std::vector<std::size_t> order(findings.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (precedes(findings[a], findings[b])) return true;
    return !precedes(findings[b], findings[a]) && a < b;
  });
  std::vector<Finding> sorted;
  sorted.reserve(findings.size());
  for (const std::size_t i : order) sorted.push_back(std::move(findings[i]));
  findings = std::move(sorted);
}

}  // namespace strake::validate
