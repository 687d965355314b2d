// Any JSON as a document and any JSON as a patch, split at the first newline. Merge patches: what
// was applied twice stays when it is applied again, and the patch that is made from two documents
// leads from one to the other, but for nulls. Strategic merge patches: nothing but an answer or an
// error.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

using namespace strake;

namespace {

bool has_nulls(const value::Value& root) {
  std::vector<const value::Value*> pending{&root};
  while (!pending.empty()) {
    const value::Value& v = *pending.back();
    pending.pop_back();
    if (v.is_null()) return true;
    if (v.is_array()) {
      for (const value::Value& item : v.items()) pending.push_back(&item);
    } else if (v.is_object()) {
      for (const value::Member& m : v.members()) pending.push_back(&m.value);
    }
  }
  return false;
}

const patch::MergeFields& fields() {
  using Strategy = patch::MergeField::Strategy;
  static const patch::MergeFields inner{{
      {.name = "l", .strategy = Strategy::kMerge, .key = "k"},
      {.name = "s", .strategy = Strategy::kMerge},
  }};
  static const patch::MergeFields outer{{
      {.name = "l", .strategy = Strategy::kMerge, .key = "k", .below = &inner},
      {.name = "s", .strategy = Strategy::kMerge},
      {.name = "o", .below = &inner},
  }};
  return outer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find('\n');
  if (cut == std::string_view::npos) return 0;
  const auto from = value::read_json(input.substr(0, cut));
  const auto to = value::read_json(input.substr(cut + 1));
  if (!from || !to) return 0;
  const std::string before = value::to_json(from->root());
  Arena arena;

  const value::Value once = patch::apply_merge_patch(from->root(), to->root(), arena);
  if (to->root().is_object()) {
    // The first time, an array that takes the place of an object keeps its nulls.
    const value::Value twice = patch::apply_merge_patch(once, to->root(), arena);
    STRAKE_ASSERT(value::identical(patch::apply_merge_patch(twice, to->root(), arena), twice));
  }
  const value::Value made = patch::make_merge_patch(from->root(), to->root(), arena);
  if (!has_nulls(to->root())) {
    STRAKE_ASSERT(
        value::identical(patch::apply_merge_patch(from->root(), made, arena), to->root()));
  }

  const auto strategic = patch::apply_strategic_merge(from->root(), to->root(), fields(), arena);
  if (strategic) value::to_json(*strategic);
  STRAKE_ASSERT(value::to_json(from->root()) == before);
  return 0;
}
