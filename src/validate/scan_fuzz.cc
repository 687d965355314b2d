// Any text as YAML: a quick look at it divides it into the documents that reading it finds, and a
// document that is said to be no definition is none. The first line names the file.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "validate/document_stream.h"
#include "validate/recognise.h"
#include "validate/scan.h"
#include "value/yaml_reader.h"

using namespace strake;
using namespace strake::validate;

namespace {

value::ReadOptions options() {
  value::ReadOptions out = value::ReadOptions::as_api_server();
  out.limits.depth = 100;
  return out;
}

bool is_definition(const value::Value& root) {
  return root.get("kind").as_string() == "CustomResourceDefinition" &&
         root.get("apiVersion").as_string() == "apiextensions.k8s.io/v1";
}

// Documents that can be read; nothing when one cannot.
std::optional<std::vector<value::Document>> read_all(std::string_view text) {
  value::YamlReader reader(text, options());
  std::vector<value::Document> out;
  while (true) {
    auto next = reader.next();
    if (!next) return std::nullopt;
    if (!*next) return out;
    out.push_back(**std::move(next));
  }
}

void check_part(const ScannedPart& part) {
  const auto documents = read_all(part.text);
  if (!documents || documents->size() != 1 || part.scan == Scan::kUnclear) return;
  // A duplicate key is an error wherever the document is checked; the scan stops at the first.
  if (!documents->front().duplicates().empty()) return;
  const value::Value& root = documents->front().root();
  if (part.scan == Scan::kOther) STRAKE_ASSERT(!is_definition(root));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1 << 13) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = std::min(input.find('\n'), input.size());
  const std::string_view name = input.substr(0, cut);
  const std::string_view text = input.substr(std::min(cut + 1, input.size()));
  static_cast<void>(known_file(name));
  static_cast<void>(is_chart_values(name));
  static_cast<void>(looks_like_template(text));

  std::size_t definitions = 0;
  const auto whole = read_all(text);
  const std::vector<ScannedPart> parts = scan_text(text);
  for (const ScannedPart& part : parts) {
    STRAKE_ASSERT(part.text.data() >= text.data() &&
                  part.text.data() + part.text.size() <= text.data() + text.size());
    check_part(part);
    definitions += part.scan != Scan::kOther;
  }
  if (whole) {
    // Every definition is in a part that is taken for one, or that has to be read.
    std::size_t there = 0;
    for (const value::Document& document : *whole)
      there += document.duplicates().empty() && is_definition(document.root());
    const bool read_whole = parts.size() == 1 && parts[0].text.size() == text.size();
    STRAKE_ASSERT(there <= definitions || read_whole);
    if (there > 0) STRAKE_ASSERT(definitions > 0);
  }

  // Documents of any name come to an end, and go on behind one that is broken only forwards.
  value::ReadOptions named = options();
  named.source_name = std::string(name);
  DocumentStream stream(text, named);
  for (std::size_t steps = 0; steps <= text.size() + 1; ++steps) {
    auto next = stream.next();
    if (next && !*next) return 0;
    if (!next && !stream.skip_broken(next.error())) return 0;
  }
  STRAKE_ASSERT(false && "more documents than bytes");
}
