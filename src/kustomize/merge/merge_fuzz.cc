// Any base and any patch: a strategic merge must not crash, and merging nothing into what came out
// must not change it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kustomize/merge/merge.h"
#include "kustomize/tree/node_reader.h"
#include "kustomize/tree/node_value.h"

namespace {

using namespace strake;
using namespace strake::kustomize;

Node* first_map(std::string_view text, NodeArena& arena) {
  const auto nodes = read_nodes(text, arena);
  return nodes && !nodes->empty() && nodes->front()->is_map() ? nodes->front() : nullptr;
}

}  // namespace

// The first byte chooses the options; base and patch are divided by a NUL byte.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 1 << 13) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t middle = text.find('\0');
  if (middle == std::string_view::npos) return 0;
  NodeArena arena;
  BuildSchemas schemas;
  SchemaLayer layer;
  // Every list named l merges, whatever the kind.
  static_cast<void>(layer.add_keys({"", "", "", "spec/l", {"k"}}));
  static_cast<void>(layer.add_keys({"", "", "", "spec/m", {"k", "p"}}));
  const MergeOptions options{.keep_order = (data[0] & 1) != 0, .replace_items = (data[0] & 2) != 0};
  const MergeSchemas all(schemas, &layer);
  Node* base = first_map(text.substr(0, middle), arena);
  Node* patch = first_map(text.substr(middle + 1), arena);
  if (base == nullptr || patch == nullptr) return 0;
  const auto merged = strategic_merge(base, patch, all, options, arena);
  if (!merged || *merged == nullptr) return 0;
  Arena scratch;
  static_cast<void>(to_value(**merged, scratch));
  // Folding has settled by the second time.
  const auto once = strategic_merge(*merged, arena.map(), all, options, arena);
  if (!once || *once == nullptr) return 0;
  const Node* before = arena.copy(*once);
  const auto twice = strategic_merge(*once, arena.map(), all, options, arena);
  if (!twice || *twice == nullptr) return 0;
  if ((*twice)->count > before->count) {
    std::fprintf(stderr, "merging nothing added something:\n%s\n", to_text(**twice).c_str());
    std::abort();
  }
  return 0;
}
