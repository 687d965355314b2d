// Any bytes as a YAML file: what can be read is written so that it reads the same. Formatting must
// not fail badly.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "kustomize/format_resource.h"
#include "kustomize/layout.h"

namespace {

using namespace strake::kustomize;

void complain(std::string_view what, std::string_view text) {
  std::fprintf(stderr, "%.*s:\n%.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(text.size()), text.data());
  std::abort();
}

bool has_alias(const LayoutNode& node) {
  if (node.alias) return true;
  for (const LayoutEntry& entry : node.entries) {
    if (has_alias(entry.key) || has_alias(entry.value)) return true;
  }
  return false;
}

void check_round_trip(const std::vector<LayoutDocument>& documents) {
  const std::string once = write_layout(documents);
  const auto again = read_layout(once);
  if (!again) return complain("what was written cannot be read", once);
  bool same = again->size() == documents.size();
  for (std::size_t i = 0; same && i < documents.size(); ++i)
    same = same_layout((*again)[i].root, documents[i].root);
  if (!same) complain("what was written reads otherwise", once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto documents = read_layout({reinterpret_cast<const char*>(data), size});
  if (!documents) return 0;
  check_round_trip(*documents);
  for (LayoutDocument& document : *documents) {
    if (!has_alias(document.root)) static_cast<void>(format_resource(document.root).has_value());
  }
  // What was moved may read otherwise, such as a tag without a value: whoever writes files compares
  // first, and leaves such a file alone.
  static_cast<void>(read_layout(write_layout(*documents)).has_value());
  return 0;
}
