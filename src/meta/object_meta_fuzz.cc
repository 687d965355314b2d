// Any JSON as metadata, and as the metadata that replaces it (the lines of the input): canonical
// form is reached in one step and survives being written, judging it never fails badly, and
// metadata that may be created may also replace itself.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "meta/object_meta.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

using namespace strake;
using meta::ObjectMeta;

namespace {

const FieldPath& at() {
  static const FieldPath path = FieldPath() / "metadata";
  return path;
}

// Canonical metadata; nothing when it is refused.
std::optional<value::Document> canonical(std::string_view text) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.limits.depth = 60;
  auto document = value::read_json(text, options);
  if (!document) return std::nullopt;
  // As it is read from the store: only what is no object at all is refused.
  auto kept = value::read_json(text, options);
  STRAKE_ASSERT(
      meta::coerce_object_meta(kept->root(), kept->arena(), {.drop_malformed = true}).has_value() ==
      (kept->root().is_object() || kept->root().is_null()));

  std::vector<std::string> unknown;
  if (!meta::coerce_object_meta(document->root(), document->arena(), {.unknown = &unknown}))
    return std::nullopt;
  // Two ways to the same: through the store, and again.
  STRAKE_ASSERT(value::identical(document->root(), kept->root()));
  const std::string once = value::to_json(document->root());
  auto again = value::read_json(once);
  STRAKE_ASSERT(again.has_value());
  std::vector<std::string> none;
  STRAKE_ASSERT(meta::coerce_object_meta(again->root(), again->arena(), {.unknown = &none}));
  STRAKE_ASSERT(none.empty() && value::to_json(again->root()) == once);
  return *std::move(document);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find('\n');
  auto first = canonical(input.substr(0, cut));
  if (!first || !first->root().is_object()) return 0;
  static_cast<void>(meta::dedupe_owner_references(first->root()));
  STRAKE_ASSERT(!meta::dedupe_owner_references(first->root()));
  const ObjectMeta metadata(&first->root());
  const auto errors = meta::validate_object_meta(metadata, true, meta::name_is_dns_subdomain, at());
  for (const value::FieldError& error : errors) STRAKE_ASSERT(!error.to_string().empty());
  if (errors.empty()) {
    // The server has given it a version by the time it is replaced.
    first->root().set("resourceVersion", value::Value::string("1"), first->arena());
    STRAKE_ASSERT(meta::validate_object_meta_update(metadata, metadata, at()).empty());
  }
  static_cast<void>(meta::finalizer_warnings(metadata, metadata));
  if (cut == std::string_view::npos) return 0;
  auto second = canonical(input.substr(cut + 1));
  if (!second || !second->root().is_object()) return 0;
  for (const value::FieldError& error :
       meta::validate_object_meta_update(ObjectMeta(&second->root()), metadata, at()))
    STRAKE_ASSERT(!error.to_string().empty());
  return 0;
}
