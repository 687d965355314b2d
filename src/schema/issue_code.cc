#include "schema/issue_code.h"

#include <algorithm>
#include <array>
#include <utility>

namespace strake::schema {
namespace {

constexpr auto kNames = std::to_array<std::string_view>({
    "invalid_type",
    "required",
    "unknown_key",
    "duplicate_key",
    "duplicate_item",
    "too_small",
    "too_big",
    "not_multiple",
    "too_short",
    "too_long",
    "pattern",
    "invalid_enum",
    "invalid_format",
    "union_ambiguous",
    "no_match",
    "not_allowed",
    "discriminator_missing",
    "discriminator_unknown",
    "cel_violation",
    "cel_error",
    "cel_budget",
    "cel_compile",
    "parse_error",
    "overflow",
    "truncated",
    "buffer_exceeded",
    "schema_invalid",
    "schema_unsupported",
    "schema_missing",
    "unreadable",
    "domain_range",
    "aggregate_violation",
    "uniqueness",
    "business_rule",
    "conflict",
    "dependency_unavailable",
    "custom",
});
static_assert(kNames.size() == static_cast<std::size_t>(IssueCode::kCustom) + 1);

constexpr auto kAll = [] {
  std::array<IssueCode, kNames.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<IssueCode>(i);
  return out;
}();

}  // namespace

std::string_view to_string(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

std::string_view to_string(IssueCode code) { return kNames[static_cast<std::size_t>(code)]; }

std::optional<IssueCode> issue_code(std::string_view text) {
  const auto found = std::ranges::find(kNames, text);
  if (found == kNames.end()) return std::nullopt;
  return kAll[static_cast<std::size_t>(found - kNames.begin())];
}

std::span<const IssueCode> all_issue_codes() { return kAll; }

}  // namespace strake::schema
