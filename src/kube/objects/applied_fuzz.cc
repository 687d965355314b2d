// Any object of a server, whose managedFields may say anything: what was applied is found without
// harm, names the object, and what is not taken for applied before it is written is not after it is
// read again.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "kube/objects/applied.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  value::ReadOptions options;
  options.limits.depth = 300;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  const auto read =
      value::read_json(std::string_view(reinterpret_cast<const char*>(data), size), options);
  if (!read || !read->root().is_object()) return 0;
  const value::Value& live = read->root().get("live");
  const value::Value& wanted = read->root().get("wanted");
  if (!live.is_object() || !wanted.is_object()) return 0;
  const bool applied = kube::is_applied(live, wanted, "m");
  const auto again = value::read_json(value::to_json(wanted), options);
  if (again) STRAKE_ASSERT(kube::is_applied(live, again->root(), "m") == applied);
  const value::Document before = kube::applied_by(live, "m");
  if (before.root().is_object())
    STRAKE_ASSERT(value::equal(before.root().get("kind"), live.get("kind")));
  return 0;
}
