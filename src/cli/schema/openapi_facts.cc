#include "cli/schema/openapi_facts.h"

#include <fmt/format.h>

#include <optional>

#include "value/fields.h"
#include "value/yaml_reader.h"

namespace strake::cli {
namespace {

using value::Value;

constexpr std::string_view kCrdFacts = "CRDs";

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

// Each version of a CRD is a kind.
OpenApiFacts facts_of_crd(const Value& crd) {
  OpenApiFacts out{.version = std::string(kCrdFacts), .about = {}, .definitions = 1};
  const Value* spec = crd.find("spec");
  const Value* versions = spec != nullptr ? spec->find("versions") : nullptr;
  out.kinds = versions != nullptr && versions->is_array() ? versions->size() : 1;
  if (spec != nullptr) out.keyed_lists = keyed_lists_in(*spec);
  return out;
}

}  // namespace

OpenApiFacts facts_of(const Value& root) {
  OpenApiFacts out;
  if (!root.is_object()) return out;
  if (text_of(root, "kind") == "CustomResourceDefinition") return facts_of_crd(root);
  // A manifest: builds would find no schema in it.
  if (root.find("kind") != nullptr || root.find("apiVersion") != nullptr) return out;
  const std::string_view swagger = text_of(root, "swagger");
  const std::string_view openapi = text_of(root, "openapi");
  // What says nothing of itself is read as v2, `{}` too.
  out.version = root.find("components") != nullptr ? "OpenAPI v3" : "OpenAPI v2";
  if (!swagger.empty()) out.version = "OpenAPI v2";
  if (!openapi.empty()) out.version = fmt::format("OpenAPI v{}", openapi.substr(0, 1));
  const Value* info = root.find("info");
  if (info != nullptr)
    out.about = fmt::format("{} {}", text_of(info, "title"), text_of(info, "version"));
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

Result<OpenApiFacts> facts_of_file(std::string_view text, const std::string& name) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  options.source_name = name;
  value::YamlReader reader(text, options);
  OpenApiFacts out;
  for (;;) {
    STRAKE_TRY(const std::optional<value::Document> next, reader.next());
    if (!next) break;
    const OpenApiFacts one = facts_of(next->root());
    if (one.version.empty()) {
      return std::unexpected(
          Error(Code::kInvalid,
                "neither an OpenAPI document (definitions, or components.schemas) nor a "
                "CustomResourceDefinition")
              .in(name));
    }
    if (out.version.empty()) {
      out = one;
      continue;
    }
    if (one.version != kCrdFacts || out.version != kCrdFacts)
      return std::unexpected(Error(Code::kInvalid, "more than one OpenAPI document").in(name));
    out.definitions += one.definitions;
    out.kinds += one.kinds;
    out.keyed_lists += one.keyed_lists;
  }
  if (out.version.empty()) return std::unexpected(Error(Code::kInvalid, "empty file").in(name));
  return out;
}

std::string OpenApiFacts::to_string() const {
  return fmt::format("{}{}{}: {} definitions, {} kinds, {} lists with merge keys", version,
                     about.empty() ? "" : ", ", about, definitions, kinds, keyed_lists);
}

}  // namespace strake::cli
