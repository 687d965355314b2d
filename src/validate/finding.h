#pragma once
// What a check has to say: findings, each with its place in the file, its path in the object, the
// API server's own words and a code that never changes its meaning; and the results that group them
// by document.
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "base/position.h"
#include "schema/issue_code.h"
#include "validate/presence.h"
#include "validate/recognise.h"
#include "value/document.h"

namespace strake::validate {

using schema::Severity;
using Issue = schema::IssueCode;
using schema::to_string;

// A detail for machines. The value is JSON text.
struct Param {
  std::string name;
  std::string json;
};

// What is wrong, and where in the object, before the place in the file is known.
struct Fault {
  Issue issue = Issue::kCustom;
  Severity severity = Severity::kError;
  FieldPath path;       // in the object
  bool at_key = false;  // the key is meant, not the value
  std::string field;  // the path as the server prints it; empty when the message stands for itself
  std::string message;  // the server's words, without the field
  std::string hint;     // may be empty
  std::vector<Param> params;
  std::string reason;       // the server's type of the fault, "FieldValueInvalid"; may be empty
  std::string schema_path;  // of the keyword, from the root of the schema; may be empty
  std::string rule;         // of x-kubernetes-validations, as it is written; may be empty
  bool afterthought =
      false;  // says only that there may be more faults, and stands behind all others
  std::uint64_t omitted = 0;  // it stands for this many, found past the limit of their list
};

struct Finding {
  Fault fault;
  FieldPath path;    // in the document: with items[3] in front for an item of a list
  std::string file;  // where it stands, when that is not the file of the result
  std::optional<Position> position;
  std::uint64_t length = 0;  // bytes of what stands there; 0 when that is not known
  std::string source_line;   // the line at the position; empty when it is very long
  std::string fragment;      // what stands there, cut short
};

enum class Status : std::uint8_t {
  kValid,
  kInvalid,
  kError,  // unreadable, or without a schema
  kSkipped,
  kUnknown,  // nothing was found, but not everything was looked at
};
std::string_view to_string(Status status);  // "valid", "invalid", "error", "skipped", "unknown"

struct DocumentResult {
  std::size_t document = 0;  // its place in the file, from 0
  std::vector<std::size_t>
      items;  // its place in the list that holds it; one more for a list in a list
  std::string api_version;
  std::string kind;
  std::string namespace_name;
  std::string name;
  Status status = Status::kValid;
  NotManifest skipped_as = NotManifest::kNo;  // why it was skipped, when that is known
  bool truncated = false;  // some findings were left out, or the document was not read to its end
  std::vector<Finding> findings;          // sorted by path
  std::vector<Presence> presence;         // in document order, when that was asked for
  std::vector<std::string> defaults;      // where defaults would apply, when they are only noted
  std::optional<value::Document> output;  // as it was asked for
  bool output_passed = false;  // the output was handed on in pieces, since the object was too large
};

struct FileResult {
  std::string file;
  std::vector<DocumentResult> documents;
  bool unreadable = false;  // the file, or a part of it, could not be read at all
  // The whole file was left alone: it is none of ours. It has no documents then.
  NotManifest passed_over = NotManifest::kNo;
  bool named = false;       // by the user, not found in a folder
  std::size_t ignored = 0;  // findings that comments or a baseline cover
  // Of a file that was not held: documents that are fine are only counted, and so are those past a
  // limit.
  std::size_t unlisted_valid = 0;
  std::size_t unlisted_invalid = 0;
  // Findings past the limits of a run: see ResultBudget.
  std::size_t unlisted_errors = 0;
  std::size_t unlisted_warnings = 0;

  std::size_t count(Severity severity) const;  // of those that are listed
  bool has_errors() const {
    return unlisted_invalid > 0 || unlisted_errors > 0 || count(Severity::kError) > 0;
  }
  bool is_certain() const;  // everything was looked at
  std::size_t document_count() const;
};

// After findings were taken out of a document: one that has no errors left is fine, or skipped when
// it was not judged.
void settle_status(DocumentResult& document);

// The order of findings: a value before what is in it, members by their names, elements by their
// places.
std::strong_ordering compare_paths(const FieldPath& a, const FieldPath& b);
// The order of findings within a document: members by key, elements by index, a node before what is
// inside it, then by issue, then as they were found. Afterthoughts come last.
void sort_findings(std::vector<Finding>& findings);

}  // namespace strake::validate
