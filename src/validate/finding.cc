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
  if (a.fault.afterthought != b.fault.afterthought) return b.fault.afterthought;
  const std::strong_ordering order = compare_paths(a.path, b.path);
  return order != 0 ? order < 0 : to_string(a.fault.issue) < to_string(b.fault.issue);
}

}  // namespace

std::strong_ordering compare_paths(const FieldPath& a, const FieldPath& b) {
  const auto& left = a.steps();
  const auto& right = b.steps();
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
    const std::strong_ordering order = compare_steps(left[i], right[i]);
    if (order != 0) return order;
  }
  return left.size() <=> right.size();
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::kValid: return "valid";
    case Status::kInvalid: return "invalid";
    case Status::kError: return "error";
    case Status::kSkipped: return "skipped";
    case Status::kUnknown: return "unknown";
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

bool FileResult::is_certain() const {
  return std::none_of(documents.begin(), documents.end(),
                      [](const DocumentResult& d) { return d.status == Status::kUnknown; });
}

std::size_t FileResult::document_count() const {
  return documents.size() + unlisted_valid + unlisted_invalid;
}

void settle_status(DocumentResult& document) {
  if (document.status != Status::kInvalid && document.status != Status::kError) return;
  const bool errors = std::any_of(
      document.findings.begin(), document.findings.end(),
      [](const Finding& finding) { return finding.fault.severity == Severity::kError; });
  if (errors) return;
  document.status = document.status == Status::kInvalid ? Status::kValid : Status::kSkipped;
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
