#pragma once
// What a check found, where and why.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/field_path.h"
#include "schema/issue_code.h"

namespace strake::schema::loose {

struct Issue {
  IssueCode code = IssueCode::kInvalidType;
  Severity severity = Severity::kError;
  FieldPath path;
  std::string message;
  std::string hint;
  std::vector<std::pair<std::string, std::string>> params;  // name and JSON text, sorted by name
  std::string schema_path;    // of the keyword: /properties/a/minLength
  bool forbidden = false;     // of unknown_key: the schema itself says no, whatever the options say
  std::vector<Issue> branch;  // of no_match: what was wrong in the branch that came closest

  // One line of JSON with the fields that are not empty.
  std::string to_json() const;
};

enum class Verdict : std::uint8_t {
  kValid,
  kInvalid,
  kUnknown,  // a check was left out and no error was found
};

struct Report {
  Verdict verdict = Verdict::kValid;
  // By path (keys by their bytes, elements by index, a value before what it holds), then by code.
  // Independent of the order in which members arrived.
  std::vector<Issue> issues;
  std::size_t total = 0;  // found in all, kept or not
};

}  // namespace strake::schema::loose
