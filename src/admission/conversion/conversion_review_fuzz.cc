// Any bytes as the answer of a conversion webhook: it is read or refused in words, and an object
// that may be used has kept its name and the rest of its metadata.
#include <cstdint>
#include <string_view>

#include "admission/conversion/conversion_review.h"
#include "base/assert.h"
#include "value/fields.h"
#include "value/json_reader.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto original = value::read_json(std::string_view(
      R"({"apiVersion":"g/v1","kind":"K","metadata":{"name":"a","uid":"u","generation":3}})"));
  for (const auto version : {admission::ReviewVersion::kV1, admission::ReviewVersion::kV1beta1}) {
    const auto read = admission::read_conversion_review(text, "u", version);
    if (!read) continue;
    STRAKE_ASSERT(read->root().is_array());
    for (const value::Value& one : read->root().items()) {
      value::Document made;
      made.root() = value::deep_copy(one, made.arena());
      if (!made.root().is_object()) continue;
      if (admission::take_over(original->root(), {"g", "v2"}, made)) continue;
      STRAKE_ASSERT(value::text_of(made.root(), "apiVersion") == "g/v2");
      const value::Value& metadata = made.root().get("metadata");
      STRAKE_ASSERT(value::text_of(metadata, "uid") == "u");
      STRAKE_ASSERT(metadata.get("generation").as_int() == 3);
    }
  }
  return 0;
}
