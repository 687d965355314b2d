#pragma once
// The CRDs in the files that a command names, each with the place it came from.
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "cli/command/report.h"
#include "cli/io/exit_code.h"
#include "cli/io/io.h"
#include "crd/crd.h"
#include "value/document.h"

namespace strake::cli {

struct CrdFile {
  std::string name;
  std::string text;
  std::vector<value::Document> documents;  // with positions
};

struct FoundCrd {
  std::shared_ptr<const CrdFile> file;
  const value::Document* document = nullptr;  // of the file
  FieldPath at;                               // in the document: empty, or an item of a List
  std::vector<std::string> unknown;           // fields that were dropped as it was read
  crd::Crd crd;

  // A finding at a path of the CRD, or at its nearest ancestor that is there.
  ReportEntry entry(std::string_view code, const FieldPath& path) const;
};

// An OpenAPI document, v2 or v3.
struct FoundDescription {
  std::shared_ptr<const CrdFile> file;
  const value::Document* document = nullptr;  // of the file
};

struct CrdFiles {
  std::vector<FoundCrd> crds;  // in the order of the files
  std::vector<FoundDescription> descriptions;
  std::vector<CheckedFile> files;     // all that were looked at
  std::vector<ReportEntry> findings;  // files that cannot be read, and CRDs that make no sense
  ExitCode worst = ExitCode::kFine;   // of those findings
};

// Files, folders or "-", as find_inputs takes them, compressed or not; documents that are no CRDs
// are passed over. A name that is not there is a finding.
CrdFiles read_crd_files(std::span<const std::string> operands, Io& io);

// The same of texts that are at hand already.
struct NamedText {
  std::string name;  // its end tells the format
  std::string text;
};
CrdFiles read_crd_texts(std::vector<NamedText> texts);

inline constexpr std::uint64_t kMostCrdBytes = std::uint64_t{64} << 20;  // of one file

}  // namespace strake::cli
