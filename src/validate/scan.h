#pragma once
// A quick look at YAML text: where its documents lie, and which of them define which kind. Reading
// a CRD takes a thousand times longer than scanning for its name, and of a folder of CRDs few may
// be needed.
#include <optional>
#include <string_view>
#include <vector>

namespace strake::validate {

// The documents of a YAML text, divided by lines that start with `---`. Nothing when the text has
// directives or `...` lines, and has to be read to be divided.
std::optional<std::vector<std::string_view>> split_yaml(std::string_view text);

struct ScannedDefinition {
  std::string_view group;
  std::string_view kind;
};

enum class Scan : unsigned char {
  kDefinition,  // a CRD; its names are found
  kOther,       // surely no CRD
  kUnclear,     // has to be read
};

// Looks at one YAML document in block style, as nearly all CRDs are written. What a scan finds is a
// hint: whoever reads the document later compares.
Scan scan_definition(std::string_view document, ScannedDefinition& out);

// A document of a text, and what a look at it found.
struct ScannedPart {
  std::string_view text;
  Scan scan = Scan::kUnclear;
  ScannedDefinition definition;  // for kDefinition
};

// All documents of a text; a text that has to be read to be divided is one unclear part. Any number
// of threads may scan, so that many texts need not wait for each other.
std::vector<ScannedPart> scan_text(std::string_view text);

}  // namespace strake::validate
