#include "pulumi/package.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/hex.h"
#include "base/quote.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::pulumi {
namespace {

using value::Document;
using value::Member;
using value::Value;

constexpr std::string_view kTypesRef = "#/types/";
constexpr std::string_view kResourcesRef = "#/resources/";
// Twice what translation takes in nested schemas, each of which is two levels of the document, and
// room to tell the rest apart from nonsense.
constexpr std::size_t kMaxDocumentDepth = 2'000;

std::unexpected<Error> bad_shape(std::string_view what) {
  return fail(Code::kParse, "parse input schema as JSON: {}", what);
}

value::ReadOptions package_options() {
  value::ReadOptions options;
  options.limits.depth = kMaxDocumentDepth;
  options.limits.bytes = kMaxSchemaBytes;
  options.limits.nodes = 8'000'000;
  return options;
}

Result<Document> read_schema_text(std::string text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  const bool json =
      first == std::string::npos || text[first] == '{' || text[first] == '[' || text[first] == '"';
  if (!json) {
    auto document = value::read_yaml(text, package_options());
    if (!document) {
      return fail(Code::kParse, "parse input schema as YAML: {}", document.error().to_string());
    }
    // Any line of prose is a YAML string; whoever meant JSON wants to know why it is not.
    if (document->root().is_object()) return std::move(*document);
  }
  auto document = value::read_json(std::move(text), package_options());
  if (!document) return bad_shape(document.error().to_string());
  return std::move(*document);
}

bool is_text_list(const Value& v) {
  return v.is_array() &&
         std::ranges::all_of(v.items(), [](const Value& item) { return item.is_string(); });
}

Result<const Value*> section(const Value& root, std::string_view name) {
  const Value* found = root.find(name);
  if (found == nullptr || found->is_null()) return nullptr;
  if (!found->is_object()) return bad_shape(fmt::format("\"{}\" must be an object", name));
  return found;
}

Result<std::string_view> text_field(const Value& root, std::string_view name) {
  const Value* found = root.find(name);
  if (found == nullptr || found->is_null()) return std::string_view();
  if (!found->is_string()) return bad_shape(fmt::format("\"{}\" must be a string", name));
  return found->as_string();
}

// Whether the entry is a component.
Result<bool> check_resource(std::string_view token, const Value& resource) {
  if (resource.is_null()) return false;
  if (!resource.is_object()) {
    return bad_shape(fmt::format("resource {} must be an object", quote(token)));
  }
  const Value* required = resource.find("requiredInputs");
  if (required != nullptr && !required->is_null() && !is_text_list(*required)) {
    return bad_shape(
        fmt::format("resource {}: \"requiredInputs\" must be a list of strings", quote(token)));
  }
  const Value* component = resource.find("isComponent");
  if (component == nullptr || component->is_null()) return false;
  if (!component->is_bool()) {
    return bad_shape(fmt::format("resource {}: \"isComponent\" must be a boolean", quote(token)));
  }
  return component->as_bool();
}

// The text itself when an escape makes no sense.
std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low < 0) return std::string(text);
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

// The member with its key as the document holds it.
const Member* find_member(const Value* object, std::string_view key) {
  if (object == nullptr) return nullptr;
  const auto members = object->members();
  const auto found = std::ranges::lower_bound(
      members, key, [](auto a, auto b) { return value::compare_keys(a, b) < 0; }, &Member::key);
  return found != members.end() && found->key == key ? &*found : nullptr;
}

}  // namespace

Result<Package> Package::read(std::string text) {
  if (text.size() > kMaxSchemaBytes) {
    return fail(Code::kLimit, "parse input schema as JSON: more than {} bytes", kMaxSchemaBytes);
  }
  STRAKE_TRY(Document document, read_schema_text(std::move(text)));
  Package package(std::move(document));
  STRAKE_CHECK(package.index());
  return package;
}

Result<> Package::index() {
  const Value& root = document_.root();
  if (!root.is_object()) return bad_shape("the schema must be an object");
  STRAKE_TRY(types_, section(root, "types"));
  STRAKE_TRY(resources_, section(root, "resources"));
  STRAKE_TRY(name_, text_field(root, "name"));
  STRAKE_TRY(version_, text_field(root, "version"));
  if (resources_ == nullptr) return {};
  for (const Member& member : resources_->members()) {
    STRAKE_TRY(const bool component, check_resource(member.key, member.value));
    if (component) components_.push_back(member.key);
  }
  return {};
}

Result<std::string_view> Package::select(std::string_view wanted) const {
  if (components_.empty()) return fail(Code::kInvalid, "no component resources found in schema");
  if (wanted.empty()) {
    if (components_.size() == 1) return components_[0];
    return fail(Code::kInvalid, "multiple components found; provide --component from: {}",
                fmt::join(components_, ", "));
  }
  const auto found = std::ranges::find(components_, wanted);
  if (found != components_.end()) return *found;
  return fail(Code::kInvalid, "component {} not found; available components: {}", quote(wanted),
              fmt::join(components_, ", "));
}

const Value* Package::resource(std::string_view token) const {
  return resources_ != nullptr ? resources_->find(token) : nullptr;
}

const Value* Package::type(std::string_view token) const {
  return types_ != nullptr ? types_->find(token) : nullptr;
}

std::optional<LocalRef> Package::local(std::string_view ref) const {
  const bool is_type = ref.starts_with(kTypesRef);
  if (!is_type && !ref.starts_with(kResourcesRef)) return std::nullopt;
  const std::string_view raw = ref.substr((is_type ? kTypesRef : kResourcesRef).size());
  const Value* holder = is_type ? types_ : resources_;
  const Member* found = find_member(holder, raw);
  if (found == nullptr && raw.find('%') != std::string_view::npos) {
    found = find_member(holder, percent_decoded(raw));
  }
  if (found == nullptr) return LocalRef{.resource = !is_type, .token = raw};
  return LocalRef{.resource = !is_type, .token = found->key, .target = &found->value};
}

std::string component_words(std::string_view token) {
  return fmt::format("component {}", quote(token));
}

}  // namespace strake::pulumi
