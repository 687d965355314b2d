#include "publish/remote_discovery.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/field_path.h"
#include "base/utf8.h"
#include "publish/json_text.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::publish {
namespace {

using value::text_of;
using value::Type;
using value::Value;

struct RemoteKind {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
};

using Words = std::vector<std::string_view>;

struct RemoteSubresource {
  RemoteKind kind;
  std::vector<RemoteKind> accepted;
  Words verbs;
};

struct RemoteResource {
  RemoteKind kind;
  bool namespaced = false;
  std::string_view singular;
  Words verbs;
  Words short_names;
  Words categories;
  std::map<std::string_view, RemoteSubresource> subresources;
};

using RemoteResources = std::map<std::string_view, RemoteResource>;

class Reader {
 public:
  explicit Reader(const RemoteDiscoveryLimits& limits) : limits_(limits) {}

  Result<RemoteResources> aggregated(const Value& resources, const FieldPath& at);
  Result<RemoteResources> list(const Value& resources, std::string_view group,
                               std::string_view version);

 private:
  Result<> count(const FieldPath& at) {
    if (++entries_ > limits_.entries)
      return fail(Code::kLimit, at, "must have at most {} resources", limits_.entries);
    return {};
  }
  // A word that can stand in a path and on a terminal.
  Result<std::string_view> word(const Value& v, const FieldPath& at, bool may_have_slash = false);
  // Empty when it is absent.
  Result<std::string_view> optional_word(const Value& object, std::string_view key,
                                         const FieldPath& at);
  Result<Words> words(const Value& object, std::string_view key, const FieldPath& at);
  Result<RemoteKind> kind(const Value& v, const FieldPath& at);
  Result<RemoteSubresource> subresource(const Value& v, const FieldPath& at);
  Result<RemoteResource> resource(const Value& v, const FieldPath& at);
  Result<> add_to_list(RemoteResources& out, const Value& v, const RemoteKind& of_list,
                       const FieldPath& at);

  const RemoteDiscoveryLimits& limits_;
  std::size_t entries_ = 0;
};

Result<> check_object(const Value& v, const FieldPath& at) {
  if (v.is_object()) return {};
  return fail(Code::kInvalid, at, "must be an object, got {}", value::to_string(v.type()));
}

// Null and absent lists are empty ones.
Result<> check_list(const Value& v, const FieldPath& at) {
  if (v.is_array() || v.is_null()) return {};
  return fail(Code::kInvalid, at, "must be an array, got {}", value::to_string(v.type()));
}

Result<std::string_view> Reader::word(const Value& v, const FieldPath& at, bool may_have_slash) {
  if (!v.is_string())
    return fail(Code::kInvalid, at, "must be a string, got {}", value::to_string(v.type()));
  const std::string_view text = v.as_string();
  if (text.size() > limits_.name_bytes)
    return fail(Code::kLimit, at, "must have at most {} bytes", limits_.name_bytes);
  for (std::size_t i = 0; i < text.size();) {
    const utf8::Decoded next = utf8::decode(text.substr(i));
    // Spaces, controls of ASCII and of Latin-1, and the marks that turn the direction of text.
    const char32_t c = next.code_point;
    const bool is_control = c <= 0x20 || (c >= 0x7f && c <= 0xa0) || (c >= 0x200b && c <= 0x200f) ||
                            (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
                            c == 0xfeff || (c == utf8::kReplacement && next.width == 1);
    if (is_control || (c == '/' && !may_have_slash))
      return fail(Code::kInvalid, at, "must be a name without spaces and control characters");
    i += next.width;
  }
  return text;
}

Result<std::string_view> Reader::optional_word(const Value& object, std::string_view key,
                                               const FieldPath& at) {
  const Value& v = object.get(key);
  if (v.is_null()) return std::string_view();
  return word(v, at / key);
}

Result<Words> Reader::words(const Value& object, std::string_view key, const FieldPath& at) {
  const Value& all = object.get(key);
  STRAKE_CHECK(check_list(all, at / key));
  if (all.items().size() > limits_.words)
    return fail(Code::kLimit, at / key, "must have at most {} items", limits_.words);
  Words out;
  for (const Value& one : all.items()) {
    STRAKE_TRY(const std::string_view text, word(one, at / key / out.size()));
    out.push_back(text);
  }
  return out;
}

Result<RemoteKind> Reader::kind(const Value& v, const FieldPath& at) {
  if (v.is_null()) return RemoteKind();
  STRAKE_CHECK(check_object(v, at));
  RemoteKind out;
  STRAKE_TRY(out.group, optional_word(v, "group", at));
  STRAKE_TRY(out.version, optional_word(v, "version", at));
  STRAKE_TRY(out.kind, optional_word(v, "kind", at));
  return out;
}

Result<RemoteSubresource> Reader::subresource(const Value& v, const FieldPath& at) {
  RemoteSubresource out;
  STRAKE_TRY(out.kind, kind(v.get("responseKind"), at / "responseKind"));
  STRAKE_TRY(out.verbs, words(v, "verbs", at));
  const Value& accepted = v.get("acceptedTypes");
  STRAKE_CHECK(check_list(accepted, at / "acceptedTypes"));
  if (accepted.items().size() > limits_.words)
    return fail(Code::kLimit, at / "acceptedTypes", "must have at most {} items", limits_.words);
  for (const Value& one : accepted.items()) {
    STRAKE_TRY(const RemoteKind type, kind(one, at / "acceptedTypes" / out.accepted.size()));
    out.accepted.push_back(type);
  }
  return out;
}

Result<RemoteResource> Reader::resource(const Value& v, const FieldPath& at) {
  RemoteResource out;
  STRAKE_TRY(out.kind, kind(v.get("responseKind"), at / "responseKind"));
  const std::string_view scope = text_of(v, "scope");
  if (scope != "Namespaced" && scope != "Cluster")
    return fail(Code::kInvalid, at / "scope", "must be Namespaced or Cluster");
  out.namespaced = scope == "Namespaced";
  STRAKE_TRY(out.singular, optional_word(v, "singularResource", at));
  STRAKE_TRY(out.verbs, words(v, "verbs", at));
  STRAKE_TRY(out.short_names, words(v, "shortNames", at));
  STRAKE_TRY(out.categories, words(v, "categories", at));
  const Value& below = v.get("subresources");
  const FieldPath below_at = at / "subresources";
  STRAKE_CHECK(check_list(below, below_at));
  for (std::size_t i = 0; i < below.items().size(); ++i) {
    const Value& one = below.items()[i];
    STRAKE_CHECK(count(below_at));
    STRAKE_CHECK(check_object(one, below_at / i));
    STRAKE_TRY(const std::string_view name,
               word(one.get("subresource"), below_at / i / "subresource", true));
    if (name.empty()) return fail(Code::kInvalid, below_at / i / "subresource", "must have a name");
    STRAKE_TRY(RemoteSubresource read, subresource(one, below_at / i));
    out.subresources.try_emplace(name, std::move(read));  // the first of a name counts
  }
  return out;
}

Result<RemoteResources> Reader::aggregated(const Value& resources, const FieldPath& at) {
  STRAKE_CHECK(check_list(resources, at));
  RemoteResources out;
  for (std::size_t i = 0; i < resources.items().size(); ++i) {
    const Value& one = resources.items()[i];
    STRAKE_CHECK(count(at));
    STRAKE_CHECK(check_object(one, at / i));
    STRAKE_TRY(const std::string_view name, word(one.get("resource"), at / i / "resource"));
    if (name.empty()) return fail(Code::kInvalid, at / i / "resource", "must have a name");
    STRAKE_TRY(RemoteResource read, resource(one, at / i));
    out.try_emplace(name, std::move(read));
  }
  return out;
}

Result<> Reader::add_to_list(RemoteResources& out, const Value& v, const RemoteKind& of_list,
                             const FieldPath& at) {
  STRAKE_CHECK(count(at));
  STRAKE_CHECK(check_object(v, at));
  STRAKE_TRY(const std::string_view whole, word(v.get("name"), at / "name", true));
  STRAKE_TRY(RemoteKind shown, kind(v, at));
  // Only where they differ are they there.
  if (!shown.kind.empty()) {
    if (shown.version.empty()) {
      shown.group = of_list.group;
      shown.version = of_list.version;
    }
  }
  STRAKE_TRY(Words verbs, words(v, "verbs", at));
  const bool namespaced = value::flag_of(v, "namespaced");
  const std::size_t slash = whole.find('/');
  const std::string_view name = whole.substr(0, slash);
  if (name.empty()) return fail(Code::kInvalid, at / "name", "must have a name");
  if (slash == std::string_view::npos) {
    RemoteResource read{.kind = shown, .namespaced = namespaced, .verbs = std::move(verbs)};
    STRAKE_TRY(read.singular, optional_word(v, "singularName", at));
    STRAKE_TRY(read.short_names, words(v, "shortNames", at));
    STRAKE_TRY(read.categories, words(v, "categories", at));
    out.try_emplace(name, std::move(read));
    return {};
  }
  const std::string_view below = whole.substr(slash + 1);
  if (below.empty()) return fail(Code::kInvalid, at / "name", "must have a name");
  const auto [resource, is_new] = out.try_emplace(name, RemoteResource{.namespaced = namespaced});
  if (resource->second.namespaced != namespaced) {
    return fail(Code::kInvalid, at / "namespaced", "must be the same as of the resource {}", name);
  }
  resource->second.subresources.try_emplace(
      below, RemoteSubresource{.kind = shown, .accepted = {}, .verbs = std::move(verbs)});
  return {};
}

Result<RemoteResources> Reader::list(const Value& resources, std::string_view group,
                                     std::string_view version) {
  const FieldPath at = FieldPath() / "resources";
  STRAKE_CHECK(check_list(resources, at));
  RemoteResources out;
  const RemoteKind of_list{.group = group, .version = version, .kind = {}};
  // Resources first: the subresources may stand before theirs.
  for (const bool subresources : {false, true}) {
    for (std::size_t i = 0; i < resources.items().size(); ++i) {
      const Value& one = resources.items()[i];
      if (text_of(one, "name").contains('/') != subresources) continue;
      STRAKE_CHECK(add_to_list(out, one, of_list, at / i));
    }
  }
  return out;
}

// --- writing

void write_kind_members(JsonText& json, const RemoteKind& kind) {
  json.field("group", kind.group).field("version", kind.version).field("kind", kind.kind);
}

void write_response_kind(JsonText& json, const RemoteKind& kind) {
  json.object("responseKind");
  write_kind_members(json, kind);
  json.close_object();
}

std::string written(const RemoteResources& resources) {
  std::string out;
  JsonText json(out);
  json.open_array();
  for (const auto& [name, resource] : resources) {
    json.open_object().field("resource", name);
    write_response_kind(json, resource.kind);
    json.field("scope", resource.namespaced ? "Namespaced" : "Cluster")
        .field("singularResource", resource.singular)
        .texts("verbs", resource.verbs);
    if (!resource.short_names.empty()) json.texts("shortNames", resource.short_names);
    if (!resource.categories.empty()) json.texts("categories", resource.categories);
    if (!resource.subresources.empty()) json.array("subresources");
    for (const auto& [below, subresource] : resource.subresources) {
      json.open_object().field("subresource", below);
      write_response_kind(json, subresource.kind);
      if (!subresource.accepted.empty()) {
        json.array("acceptedTypes");
        for (const RemoteKind& one : subresource.accepted) {
          json.open_object();
          write_kind_members(json, one);
          json.close_object();
        }
        json.close_array();
      }
      json.texts("verbs", subresource.verbs).close_object();
    }
    if (!resource.subresources.empty()) json.close_array();
    json.close_object();
  }
  json.close_array();
  return out;
}

}  // namespace

Result<value::Document> read_remote_json(std::string text, const RemoteDiscoveryLimits& limits) {
  value::ReadOptions options;
  options.limits.bytes = limits.bytes;
  options.limits.nodes = limits.nodes;
  options.limits.depth = limits.depth;
  // As Go's encoding/json, which such servers are tested with.
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  return value::read_json(std::move(text), options);
}

bool is_aggregated_discovery(const Value& root) {
  const std::string_view version = text_of(root, "apiVersion");
  return text_of(root, "kind") == "APIGroupDiscoveryList" &&
         (version == "apidiscovery.k8s.io/v2" || version == "apidiscovery.k8s.io/v2beta1");
}

Result<std::optional<std::string>> resources_in_aggregated(const Value& root,
                                                           std::string_view group,
                                                           std::string_view version,
                                                           const RemoteDiscoveryLimits& limits) {
  const FieldPath at = FieldPath() / "items";
  STRAKE_CHECK(check_list(root.get("items"), at));
  const auto items = root.get("items").items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (text_of(items[i].get("metadata"), "name") != group) continue;
    const auto versions = items[i].get("versions").items();
    for (std::size_t j = 0; j < versions.size(); ++j) {
      if (text_of(versions[j], "version") != version) continue;
      STRAKE_TRY(const RemoteResources resources,
                 Reader(limits).aggregated(versions[j].get("resources"),
                                           at / i / "versions" / j / "resources"));
      return written(resources);
    }
  }
  return std::nullopt;
}

Result<std::string> resources_in_list(const Value& root, std::string_view group,
                                      std::string_view version,
                                      const RemoteDiscoveryLimits& limits) {
  if (text_of(root, "kind") != "APIResourceList")
    return fail(Code::kInvalid, FieldPath() / "kind", "must be APIResourceList");
  STRAKE_TRY(const RemoteResources resources,
             Reader(limits).list(root.get("resources"), group, version));
  return written(resources);
}

}  // namespace strake::publish
