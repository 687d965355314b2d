// Any JSON as a document and any JSON as a patch, split at the first newline: whatever comes of it
// can be printed and read again, and the input stays as it was.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "patch/json_patch.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find('\n');
  if (cut == std::string_view::npos) return 0;
  const auto document = value::read_json(input.substr(0, cut));
  if (!document) return 0;
  const std::string before = value::to_json(document->root());
  Arena arena;
  value::Value patched;
  {
    const auto patch = value::read_json(input.substr(cut + 1));
    if (!patch) return 0;
    const patch::JsonPatchLimits limits{.operations = 100, .copied_bytes = 10'000};
    const auto done = patch::apply_json_patch(document->root(), patch->root(), arena, limits);
    STRAKE_ASSERT(value::to_json(document->root()) == before);
    if (!done) return 0;
    patched = *done;
  }
  // The patch is gone by now, and nothing of it may be missed.
  const std::string text = value::to_json(patched);
  value::ReadOptions options;
  options.limits.depth = 1'000'000;
  const auto again = value::read_json(text, options);
  STRAKE_ASSERT(again && value::equal(again->root(), patched));
  return 0;
}
