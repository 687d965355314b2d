#include "cli/openapi_facts.h"

#include <fmt/format.h>

namespace strake::cli {
namespace {

using value::Value;

std::string_view text_in(const Value* in, std::string_view key) {
  const Value* found = in != nullptr ? in->find(key) : nullptr;
  return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

std::size_t keyed_lists_in(const Value& v) {
  std::size_t out = 0;
  if (v.is_object()) {
    if (v.find("x-kubernetes-patch-merge-key") != nullptr ||
        v.find("x-kubernetes-list-map-keys") != nullptr)
      ++out;
    for (const value::Member& m : v.members()) out += keyed_lists_in(m.value);
  } else if (v.is_array()) {
    for (const Value& item : v.items()) out += keyed_lists_in(item);
  }
  return out;
}

}  // namespace

OpenApiFacts facts_of(const Value& root) {
  OpenApiFacts out;
  const std::string_view swagger = text_in(&root, "swagger");
  const std::string_view openapi = text_in(&root, "openapi");
  if (!swagger.empty()) out.version = "OpenAPI v2";
  if (!openapi.empty()) out.version = fmt::format("OpenAPI v{}", openapi.substr(0, 1));
  const Value* info = root.find("info");
  out.about = fmt::format("{} {}", text_in(info, "title"), text_in(info, "version"));
  const Value* components = root.find("components");
  const Value* definitions =
      components != nullptr ? components->find("schemas") : root.find("definitions");
  if (definitions == nullptr || !definitions->is_object()) return out;
  out.definitions = definitions->size();
  for (const value::Member& m : definitions->members()) {
    const Value* kinds = m.value.find("x-kubernetes-group-version-kind");
    if (kinds != nullptr && kinds->is_array()) out.kinds += kinds->size();
    out.keyed_lists += keyed_lists_in(m.value);
  }
  return out;
}

std::string OpenApiFacts::to_string() const {
  return fmt::format("{}, {}: {} definitions, {} kinds, {} lists with merge keys", version, about,
                     definitions, kinds, keyed_lists);
}

}  // namespace strake::cli
