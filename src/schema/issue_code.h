#pragma once
// What can be wrong with a document: a closed list of codes that never change their meaning, shared
// by every engine and every report. docs/validate.md has a line for each.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace strake::schema {

enum class Severity : std::uint8_t { kError, kWarning };
std::string_view to_string(Severity severity);  // "error", "warning"

enum class IssueCode : std::uint8_t {
  kInvalidType,
  kRequired,
  kUnknownKey,
  kDuplicateKey,
  kDuplicateItem,
  kTooSmall,
  kTooBig,
  kNotMultiple,
  kTooShort,
  kTooLong,
  kPattern,
  kInvalidEnum,
  kInvalidFormat,
  kUnionAmbiguous,
  kNoMatch,
  kNotAllowed,
  kDiscriminatorMissing,
  kDiscriminatorUnknown,
  kCelViolation,
  kCelError,
  kCelBudget,
  kCelCompile,
  kParseError,
  kOverflow,
  kTruncated,
  kBufferExceeded,
  kSchemaInvalid,
  kSchemaUnsupported,
  kSchemaMissing,
  kUnreadable,
  // Kept for refinements that a caller supplies.
  kDomainRange,
  kAggregateViolation,
  kUniqueness,
  kBusinessRule,
  kConflict,
  kDependencyUnavailable,
  kCustom,
};
std::string_view to_string(IssueCode code);  // "invalid_type"
std::optional<IssueCode> issue_code(std::string_view text);
std::span<const IssueCode> all_issue_codes();

}  // namespace strake::schema
