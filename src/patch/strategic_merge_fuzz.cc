// A document and a strategic merge patch, the lines of the input, with merge keys on two levels.
// The document stays as it was, nothing of the patch is held on to, and a patch without directives
// that was applied twice changes nothing when it is applied again. A patch that names no list means
// what a merge patch means.
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

const patch::MergeFields& fields() {
  using Strategy = patch::MergeField::Strategy;
  static const patch::MergeFields ports{{
      {.name = "hosts", .strategy = Strategy::kMerge},
      {.name = "whole", .strategy = Strategy::kReplace},
  }};
  static const patch::MergeFields containers{{
      {.name = "args", .strategy = Strategy::kDefault},
      {.name = "ports", .strategy = Strategy::kMerge, .key = "port", .below = &ports},
      {.name = "strategy", .strategy = Strategy::kMergeRetainKeys},
  }};
  static const patch::MergeFields spec{{
      {.name = "containers", .strategy = Strategy::kMerge, .key = "name", .below = &containers},
      {.name = "finalizers", .strategy = Strategy::kMerge},
      {.name = "strategy", .strategy = Strategy::kMergeRetainKeys},
      {.name = "whole", .strategy = Strategy::kReplace},
  }};
  static const patch::MergeFields root{{
      {.name = "metadata", .below = &patch::object_meta_merge_fields()},
      {.name = "spec", .below = &spec},
  }};
  return root;
}

struct Contents {
  bool directives = false;
  bool lists = false;
  bool nulls = false;
};

void look(const value::Value& root, Contents& found) {
  std::vector<const value::Value*> pending{&root};
  while (!pending.empty()) {
    const value::Value& v = *pending.back();
    pending.pop_back();
    found.lists |= v.is_array();
    found.nulls |= v.is_null();
    for (const value::Value& item : v.items()) pending.push_back(&item);
    for (const value::Member& m : v.members()) {
      found.directives |= m.key.starts_with('$');
      pending.push_back(&m.value);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 8192) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find('\n');
  if (cut == std::string_view::npos) return 0;
  value::ReadOptions options;
  options.limits.depth = 100;
  const auto document = value::read_json(input.substr(0, cut), options);
  if (!document) return 0;
  const std::string before = value::to_json(document->root());
  Arena arena;
  value::Value patched;
  Contents found;
  {
    const auto patch = value::read_json(input.substr(cut + 1), options);
    if (!patch) return 0;
    look(patch->root(), found);
    const auto done =
        patch::apply_strategic_merge(document->root(), patch->root(), fields(), arena);
    STRAKE_ASSERT(value::to_json(document->root()) == before);
    if (!done) return 0;
    patched = *done;
    if (!found.directives && !found.lists && document->root().is_object() &&
        patch->root().is_object()) {
      // Only a field that is replaced whole is another matter, and lists that stand in the way.
      Contents here;
      look(document->root(), here);
      if (!here.lists && !here.directives && input.find("whole") == std::string_view::npos) {
        const value::Value merged =
            patch::apply_merge_patch(document->root(), patch->root(), arena);
        STRAKE_ASSERT(value::to_json(merged) == value::to_json(patched));
      }
    }
  }
  const std::string text = value::to_json(patched);
  const auto again = value::read_json(text);
  // A number with a fraction may be written as an integer.
  STRAKE_ASSERT(again && value::to_json(again->root()) == text);
  if (found.directives) return 0;

  const auto patch = value::read_json(input.substr(cut + 1), options);
  const auto twice = patch::apply_strategic_merge(patched, patch->root(), fields(), arena);
  if (!twice) return 0;
  const auto thrice = patch::apply_strategic_merge(*twice, patch->root(), fields(), arena);
  STRAKE_ASSERT(thrice && value::to_json(*thrice) == value::to_json(*twice));
  return 0;
}
