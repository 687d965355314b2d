#include "schema/loose/importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

#include "schema/loose/uri.h"
#include "value/json_reader.h"

// From a document to a graph, in three passes so that references may point anywhere:
//   1. index: walk the places where schemas stand; note base URI, dialect and anchors of each;
//   2. compile: node_for() makes an empty node and queues it, compile() fills it in. A reference to
//      a queued node takes its pointer, so cycles need no special case. Documents that a reference
//      reaches are loaded and indexed on the way;
//   3. check: loops, branches that cannot match, defaults (import_check.cc).
// A schema is known by the address of its Value. The documents are kept in the Schema for that
// reason, and never change after they were indexed.

namespace strake::schema::loose {
namespace {

using value::Value;

enum class Holds : std::uint8_t { kSchema, kList, kMap, kEither };

// Keywords whose value is, or holds, schemas.
constexpr std::array<std::pair<std::string_view, Holds>, 23> kSchemaKeywords{{
    {"$defs", Holds::kMap},
    {"additionalItems", Holds::kSchema},
    {"additionalProperties", Holds::kSchema},
    {"allOf", Holds::kList},
    {"anyOf", Holds::kList},
    {"contains", Holds::kSchema},
    {"definitions", Holds::kMap},
    {"dependencies", Holds::kMap},
    {"dependentSchemas", Holds::kMap},
    {"else", Holds::kSchema},
    {"if", Holds::kSchema},
    {"items", Holds::kEither},
    {"not", Holds::kSchema},
    {"oneOf", Holds::kList},
    {"patternProperties", Holds::kMap},
    {"prefixItems", Holds::kList},
    {"properties", Holds::kMap},
    {"propertyNames", Holds::kSchema},
    {"then", Holds::kSchema},
    {"unevaluatedItems", Holds::kSchema},
    {"unevaluatedProperties", Holds::kSchema},
    {"contentSchema", Holds::kSchema},
    {"schema", Holds::kSchema},
}};

// Boolean schemas are part of JSON Schema from draft 6 on.
bool may_be_schema(const Value& v) { return v.is_object() || v.is_bool(); }

const Value* find_string(const Value& schema, std::string_view key) {
  const Value* found = schema.find(key);
  return found != nullptr && found->is_string() ? found : nullptr;
}

std::optional<Dialect> known_dialect(std::string_view uri) {
  if (uri.ends_with('#')) uri.remove_suffix(1);
  if (uri.starts_with("http://")) {
    uri.remove_prefix(7);
  } else if (uri.starts_with("https://")) {
    uri.remove_prefix(8);
  }
  if (uri == "json-schema.org/draft-04/schema") return Dialect::kDraft4;
  if (uri == "json-schema.org/draft-06/schema") return Dialect::kDraft6;
  if (uri == "json-schema.org/draft-07/schema") return Dialect::kDraft7;
  if (uri == "json-schema.org/draft/2019-09/schema") return Dialect::kDraft2019;
  if (uri == "json-schema.org/draft/2020-12/schema") return Dialect::kDraft2020;
  if (uri.starts_with("spec.openapis.org/oas/3.1/dialect/")) return Dialect::kOpenApi31;
  return std::nullopt;
}

bool is_description(const Value& document) {
  return document.is_object() &&
         (document.find("openapi") != nullptr || document.find("swagger") != nullptr);
}

}  // namespace

std::string_view to_string(Dialect dialect) {
  switch (dialect) {
    case Dialect::kDraft4: return "JSON Schema draft 4";
    case Dialect::kDraft6: return "JSON Schema draft 6";
    case Dialect::kDraft7: return "JSON Schema draft 7";
    case Dialect::kDraft2019: return "JSON Schema 2019-09";
    case Dialect::kDraft2020: return "JSON Schema 2020-12";
    case Dialect::kOpenApi30: return "OpenAPI 3.0";
    case Dialect::kOpenApi31: return "OpenAPI 3.1";
    case Dialect::kSwagger2: return "Swagger 2.0";
  }
  return "";
}

Dialect detect_dialect(const Value& document) {
  if (!document.is_object()) return Dialect::kDraft2020;
  if (const Value* openapi = find_string(document, "openapi")) {
    return openapi->as_string().starts_with("3.0") ? Dialect::kOpenApi30 : Dialect::kOpenApi31;
  }
  if (document.find("swagger") != nullptr) return Dialect::kSwagger2;
  if (const Value* schema = find_string(document, "$schema")) {
    return known_dialect(schema->as_string()).value_or(Dialect::kDraft2020);
  }
  if (const Value* kind = find_string(document, "kind");
      kind != nullptr && kind->as_string() == "CustomResourceDefinition") {
    return Dialect::kOpenApi30;
  }
  if (document.find("openAPIV3Schema") != nullptr) return Dialect::kOpenApi30;
  // By keywords that only one of them has.
  const Value* exclusive_minimum = document.find("exclusiveMinimum");
  const Value* exclusive_maximum = document.find("exclusiveMaximum");
  if (document.find("nullable") != nullptr ||
      (exclusive_minimum != nullptr && exclusive_minimum->is_bool()) ||
      (exclusive_maximum != nullptr && exclusive_maximum->is_bool())) {
    return Dialect::kOpenApi30;
  }
  return Dialect::kDraft2020;
}

std::string pointer_step(std::string_view pointer, std::string_view key) {
  std::string out(pointer);
  out.push_back('/');
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

std::string pointer_step(std::string_view pointer, std::size_t index) {
  return fmt::format("{}/{}", pointer, index);
}

const LooseNode* Schema::component(std::string_view name) const {
  const auto it = std::ranges::lower_bound(
      components_, name, {}, [](const auto& entry) { return std::string_view(entry.first); });
  return it != components_.end() && it->first == name ? it->second : nullptr;
}

const KeyRule* ObjectRules::find(std::string_view name) const {
  const auto it = std::ranges::lower_bound(
      keys, name, {}, [](const KeyRule& rule) { return std::string_view(rule.name); });
  return it != keys.end() && it->name == name ? &*it : nullptr;
}

void Importer::note(const Place& place, std::string_view keyword, std::string message) {
  diagnostics_.push_back({place.prefix + pointer_step(place.pointer, keyword), std::string(keyword),
                          std::move(message)});
}

std::unexpected<Error> Importer::wrong(const Place& place, std::string_view keyword,
                                       std::string_view message) const {
  const std::string at = keyword.empty() ? place.pointer : pointer_step(place.pointer, keyword);
  FieldPath path;
  FieldPath::parse_pointer(at, path);
  return fail(Code::kInvalid, std::move(path), "{}{}: {}", place.prefix, at.empty() ? "#" : at,
              message);
}

Result<Imported> Importer::run(const Value& document) {
  STRAKE_CHECK(add_root(document));
  STRAKE_CHECK(compile_pending());
  STRAKE_CHECK(check_loops());
  check_branches();
  check_defaults();
  std::ranges::sort(diagnostics_, {},
                    [](const Diagnostic& d) { return std::tie(d.schema_path, d.message); });
  return Imported{std::move(schema_), std::move(diagnostics_)};
}

Result<> Importer::add_root(const Value& document) {
  value::Document& kept = schema_->documents_.emplace_back();
  kept.root() = value::deep_copy(document, kept.arena());
  const Value& root = kept.root();
  schema_->dialect_ = options_.dialect.value_or(detect_dialect(root));

  const std::string base(without_fragment(options_.base_uri));
  Place place;
  place.schema = &root;
  place.dialect = schema_->dialect_;
  place.resource = &schema_->resources_.emplace_back();
  place.resource->uri = base;
  resources_.emplace(base, &root);
  if (is_description(root)) {
    STRAKE_CHECK(pick_components(root));
    return pick_root(root);
  }
  if (!may_be_schema(root))
    return fail(Code::kInvalid, "a schema is an object or a boolean, got {}",
                to_string(root.type()));
  const Value* kind = find_string(root, "kind");
  const bool crd = kind != nullptr && kind->as_string() == "CustomResourceDefinition";
  if (crd || root.find("openAPIV3Schema") != nullptr) return pick_root(root);
  STRAKE_CHECK(index(place));
  STRAKE_CHECK(pick_components(root));
  return pick_root(root);
}

// The named schemas of a document, each a root of its own.
Result<> Importer::pick_components(const Value& document) {
  const Value* holder = nullptr;
  std::string pointer;
  if (const Value* components = document.find("components");
      is_description(document) && components != nullptr) {
    holder = components->find("schemas");
    pointer = "/components/schemas";
  } else {
    for (const char* key : {"$defs", "definitions"}) {
      if (holder == nullptr) {
        holder = document.find(key);
        pointer = pointer_step("", key);
      }
    }
  }
  if (holder == nullptr || !holder->is_object()) return {};
  for (const value::Member& member : holder->members()) {
    if (!may_be_schema(member.value)) continue;
    if (!places_.contains(&member.value)) {
      Place place;
      place.schema = &member.value;
      place.pointer = pointer_step(pointer, member.key);
      place.dialect = schema_->dialect_;
      place.resource = &schema_->resources_.front();
      STRAKE_CHECK(index(place));
    }
    // In JSON Schema a definition that nobody refers to may be left unfinished, so only
    // descriptions compile them all.
    if (!is_description(document) && options_.root != member.key) continue;
    STRAKE_TRY(LooseNode * node, node_for(member.value));
    schema_->components_.emplace_back(std::string(member.key), node);
  }
  return {};
}

Result<> Importer::pick_root(const Value& document) {
  const Value* chosen = &document;
  std::string pointer;
  if (!options_.root.empty()) {
    if (const LooseNode* named = schema_->component(options_.root)) {
      schema_->root_ = named;
      return {};
    }
    if (!options_.root.starts_with('#'))
      return fail(Code::kNotFound, "no schema is named \"{}\"", options_.root);
    Place from;
    from.resource = &schema_->resources_.front();
    from.dialect = schema_->dialect_;
    STRAKE_TRY(chosen, resolve(from, "", options_.root));
    STRAKE_TRY(schema_->root_, node_for(*chosen));
    return {};
  }
  if (is_description(document)) return {};
  const Value* kind = find_string(document, "kind");
  if (kind != nullptr && kind->as_string() == "CustomResourceDefinition") {
    const Value* spec = document.find("spec");
    const Value* versions = spec == nullptr ? nullptr : spec->find("versions");
    chosen = nullptr;
    for (std::size_t i = 0; versions != nullptr && versions->is_array() && i < versions->size();
         ++i) {
      const Value& version = versions->items()[i];
      const Value* name = version.find("name");
      const Value* storage = version.find("storage");
      const bool wanted =
          options_.version.empty()
              ? storage != nullptr && storage->is_bool() && storage->as_bool()
              : name != nullptr && name->is_string() && name->as_string() == options_.version;
      const Value* schema = version.find("schema");
      if (!wanted || schema == nullptr) continue;
      chosen = schema->find("openAPIV3Schema");
      pointer = fmt::format("/spec/versions/{}/schema/openAPIV3Schema", i);
    }
    if (chosen == nullptr && spec != nullptr && spec->find("validation") != nullptr) {
      chosen = spec->get("validation").find("openAPIV3Schema");
      pointer = "/spec/validation/openAPIV3Schema";
    }
    if (chosen == nullptr) {
      return fail(Code::kNotFound, "the definition has no schema{}",
                  options_.version.empty() ? "" : fmt::format(" for version {}", options_.version));
    }
  } else if (document.is_object() && !places_.contains(&document)) {
    chosen = document.find("openAPIV3Schema");
    pointer = "/openAPIV3Schema";
  }
  if (!places_.contains(chosen)) {
    if (!may_be_schema(*chosen))
      return fail(Code::kInvalid, "a schema is an object or a boolean, got {}",
                  to_string(chosen->type()));
    Place place;
    place.schema = chosen;
    place.pointer = pointer;
    place.dialect = schema_->dialect_;
    place.resource = &schema_->resources_.front();
    STRAKE_CHECK(index(place));
  }
  STRAKE_TRY(schema_->root_, node_for(*chosen));
  return {};
}

// Walks the schemas below one and notes where each stands, under which URI, and which names it has.
Result<> Importer::index(Place start) {
  std::vector<Place> open;
  open.push_back(std::move(start));
  while (!open.empty()) {
    Place place = std::move(open.back());
    open.pop_back();
    const Value& schema = *place.schema;
    if (places_.contains(&schema)) continue;
    if (places_.size() >= options_.max_nodes)
      return fail(Code::kLimit, "more than {} schemas", options_.max_nodes);
    if (schema.is_object()) STRAKE_CHECK(index_identity(place));
    const auto child = [&](const Value& v, std::string pointer) {
      if (!may_be_schema(v)) return;
      Place next = place;
      next.schema = &v;
      next.pointer = std::move(pointer);
      open.push_back(std::move(next));
    };
    if (schema.is_object()) {
      for (const auto& [keyword, holds] : kSchemaKeywords) {
        const Value* found = schema.find(keyword);
        // `schema` holds a schema only in OpenAPI's parameters and media types; a reference may
        // point into it, but indexing does not go there.
        if (found == nullptr || keyword == "schema") continue;
        const std::string at = pointer_step(place.pointer, keyword);
        if (found->is_array() && (holds == Holds::kList || holds == Holds::kEither)) {
          for (std::size_t i = 0; i < found->size(); ++i)
            child(found->items()[i], pointer_step(at, i));
        } else if (found->is_object() && holds == Holds::kMap) {
          for (const value::Member& member : found->members())
            child(member.value, pointer_step(at, member.key));
        } else if (holds == Holds::kSchema || holds == Holds::kEither) {
          child(*found, at);
        }
      }
    }
    places_.emplace(&schema, std::move(place));
  }
  return {};
}

// $schema, $id and the anchors of one schema.
Result<> Importer::index_identity(Place& place) {
  const Value& schema = *place.schema;
  // Up to draft 7 the siblings of $ref are ignored, $id among them.
  const bool only_reference =
      reference_stands_alone(place.dialect) && find_string(schema, "$ref") != nullptr;
  if (only_reference) return {};
  const Value* id = find_string(schema, place.dialect == Dialect::kDraft4 ? "id" : "$id");
  const bool own_resource = id != nullptr && !id->as_string().starts_with('#');
  if (own_resource) {
    const std::string uri(without_fragment(resolve_uri(place.resource->uri, id->as_string())));
    place.resource = &schema_->resources_.emplace_back();
    place.resource->uri = uri;
    resources_.emplace(uri, &schema);
  } else if (id != nullptr && place.dialect <= Dialect::kDraft7) {
    anchors_.emplace(std::pair(place.resource->uri, std::string(id->as_string().substr(1))),
                     &schema);
  }
  if (const Value* meta = find_string(schema, "$schema");
      meta != nullptr && (own_resource || place.pointer.empty())) {
    const auto known = known_dialect(meta->as_string());
    if (known && !options_.dialect) {
      place.dialect = *known;
      place.vocabulary = {};
    } else if (!known) {
      STRAKE_TRY(place.vocabulary, read_vocabulary(meta->as_string(), place));
    }
  }
  if (place.dialect < Dialect::kDraft2019) return {};
  if (const Value* anchor = find_string(schema, "$anchor")) {
    anchors_.emplace(std::pair(place.resource->uri, std::string(anchor->as_string())), &schema);
  }
  if (const Value* anchor = find_string(schema, "$dynamicAnchor")) {
    anchors_.emplace(std::pair(place.resource->uri, std::string(anchor->as_string())), &schema);
    dynamic_anchors_.emplace_back(&schema, std::string(anchor->as_string()));
  }
  if (const Value* anchor = schema.find("$recursiveAnchor");
      anchor != nullptr && anchor->is_bool() && anchor->as_bool() &&
      place.dialect == Dialect::kDraft2019) {
    dynamic_anchors_.emplace_back(&schema, "");
  }
  return {};
}

Result<Vocabulary> Importer::read_vocabulary(std::string_view metaschema, const Place& place) {
  Vocabulary out;
  // Only its own $vocabulary is looked at: the metaschema itself is not compiled unless someone
  // refers to it.
  const std::string uri(without_fragment(metaschema));
  std::optional<value::Document> loaded;
  const Value* document = nullptr;
  if (const auto it = resources_.find(uri); it != resources_.end()) {
    document = it->second;
  } else if (options_.resolver != nullptr) {
    if (auto found = options_.resolver->load(uri)) {
      loaded = *std::move(found);
      document = &loaded->root();
    }
  }
  if (document == nullptr || !document->is_object()) {
    note(place, "$schema",
         fmt::format("the metaschema {} cannot be read; taken as JSON Schema 2020-12", uri));
    return out;
  }
  const Value* vocabularies = document->find("$vocabulary");
  if (vocabularies == nullptr || !vocabularies->is_object()) return out;
  out = {.applicator = false, .validation = false, .unevaluated = false, .format_assertion = false};
  for (const value::Member& member : vocabularies->members()) {
    const bool required = member.value.is_bool() && member.value.as_bool();
    const bool ours = member.key.starts_with("https://json-schema.org/draft/");
    const std::string_view name = member.key.substr(member.key.rfind('/') + 1);
    if (ours && name == "applicator") {
      out.applicator = true;
    } else if (ours && name == "validation") {
      out.validation = true;
    } else if (ours && name == "unevaluated") {
      out.unevaluated = true;
    } else if (ours && name == "format-assertion") {
      out.format_assertion = true;
    } else if (!ours && required) {
      return fail(Code::kUnsupported,
                  "the metaschema {} requires the vocabulary {}, which is not known", uri,
                  member.key);
    }
  }
  return out;
}

Result<const Value*> Importer::load(std::string_view uri, const Place& from) {
  if (schema_->documents_.size() >= options_.max_documents) {
    return fail(Code::kLimit, "more than {} documents", options_.max_documents);
  }
  Result<value::Document> loaded = fail(Code::kNotFound, "nothing is known of {}", uri);
  if (const char* text = builtin_metaschema(uri)) {
    loaded = value::read_json(std::string_view(text));
  } else if (options_.resolver != nullptr) {
    loaded = options_.resolver->load(uri);
  }
  if (!loaded) return std::unexpected(std::move(loaded).error());
  value::Document& kept = schema_->documents_.emplace_back(*std::move(loaded));
  const Value& root = kept.root();
  Place place;
  place.schema = &root;
  place.prefix = fmt::format("{}#", uri);
  place.dialect = from.dialect;
  if (is_description(root) || find_string(root, "$schema") != nullptr)
    place.dialect = detect_dialect(root);
  place.resource = &schema_->resources_.emplace_back();
  place.resource->uri = uri;
  resources_.emplace(std::string(uri), &root);
  if (!is_description(root) && may_be_schema(root)) STRAKE_CHECK(index(place));
  if (is_description(root) || !may_be_schema(root)) {
    // Its parts are indexed when a reference reaches them; the root only says where they are.
    places_.emplace(&root, std::move(place));
  }
  return &root;
}

Result<const Value*> Importer::resolve(const Place& from, std::string_view keyword,
                                       std::string_view reference) {
  const std::string uri = resolve_uri(from.resource->uri, reference);
  const std::string base(without_fragment(uri));
  std::string fragment;
  if (!percent_decode(split_uri(uri).fragment, fragment))
    return wrong(from, keyword, fmt::format("{} is no reference", reference));
  const Value* root = nullptr;
  if (const auto it = resources_.find(base); it != resources_.end()) {
    root = it->second;
  } else {
    auto loaded = load(base, from);
    if (!loaded) {
      if (loaded.error().code() == Code::kLimit) return std::unexpected(std::move(loaded).error());
      return wrong(from, keyword,
                   fmt::format("{} leads to nothing: {}", reference, loaded.error().message()));
    }
    root = *loaded;
  }
  if (fragment.empty()) {
    if (!places_.contains(root))
      return wrong(from, keyword, fmt::format("{} is no schema", reference));
    return root;
  }
  if (fragment.front() == '/') return follow_pointer(*root, fragment, from, reference);
  // The document may be known under more than one URI; the anchor is kept under its own.
  const std::string& own = places_.contains(root) ? place_of(*root).resource->uri : base;
  const auto it = anchors_.find(std::pair(own, fragment));
  if (it == anchors_.end())
    return wrong(from, keyword,
                 fmt::format("{} leads to nothing: no anchor of that name", reference));
  return it->second;
}

Result<const Value*> Importer::follow_pointer(const Value& resource_root, std::string_view pointer,
                                              const Place& from, std::string_view reference) {
  Place nearest;
  if (const auto it = places_.find(&resource_root); it != places_.end()) {
    nearest = it->second;
  } else {
    nearest.resource = &schema_->resources_.front();
    nearest.dialect = schema_->dialect_;
  }
  const Value* at = &resource_root;
  std::string trail = nearest.pointer;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t slash = std::min(pointer.find('/'), pointer.size());
    std::string key;
    for (std::size_t i = 0; i < slash; ++i) {
      const bool escaped =
          pointer[i] == '~' && i + 1 < slash && (pointer[i + 1] == '0' || pointer[i + 1] == '1');
      key.push_back(escaped ? (pointer[i + 1] == '0' ? '~' : '/') : pointer[i]);
      i += escaped ? 1 : 0;
    }
    pointer.remove_prefix(slash);
    const Value* next = nullptr;
    if (at->is_object()) {
      next = at->find(key);
    } else if (at->is_array()) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      const bool plain = error == std::errc() && end == key.data() + key.size() &&
                         (key.size() == 1 || key.front() != '0');
      if (plain && index < at->size()) next = &at->items()[index];
    }
    if (next == nullptr) return wrong(from, "$ref", fmt::format("{} leads to nothing", reference));
    trail = pointer_step(trail, key);
    at = next;
    // On the way down the base URI may change: a pointer into an embedded resource is resolved
    // there.
    if (const auto it = places_.find(at); it != places_.end()) {
      nearest = it->second;
      trail = nearest.pointer;
    }
  }
  if (!may_be_schema(*at)) return wrong(from, "$ref", fmt::format("{} is no schema", reference));
  if (!places_.contains(at)) {
    // A schema in a place where none is looked for, such as under a keyword of someone's own.
    nearest.schema = at;
    nearest.pointer = trail;
    STRAKE_CHECK(index(nearest));
  }
  return at;
}

Result<LooseNode*> Importer::node_for(const Value& schema) {
  if (const auto it = nodes_.find(&schema); it != nodes_.end()) return it->second;
  if (schema_->nodes_.size() >= options_.max_nodes)
    return fail(Code::kLimit, "more than {} schemas", options_.max_nodes);
  const Place& place = place_of(schema);
  LooseNode& node = schema_->nodes_.emplace_back();
  node.id = static_cast<std::uint32_t>(schema_->nodes_.size() - 1);
  node.resource = place.resource;
  node.path = place.prefix + place.pointer;
  nodes_.emplace(&schema, &node);
  node_places_.emplace(&node, &place);
  pending_.emplace_back(&node, &schema);
  return &node;
}

Result<> Importer::compile_pending() {
  std::size_t anchors_done = 0;
  while (true) {
    while (!pending_.empty()) {
      const auto [node, schema] = pending_.back();
      pending_.pop_back();
      const Place place = place_of(*schema);  // a copy: compiling may index more documents
      STRAKE_CHECK(compile(*node, place));
    }
    // What is reached from the dynamic scope alone, no edge shows.
    if (!schema_->has_dynamic_refs_ || anchors_done == dynamic_anchors_.size()) return {};
    const auto [schema, name] = dynamic_anchors_[anchors_done++];
    STRAKE_TRY(LooseNode * node, node_for(*schema));
    place_of(*schema).resource->dynamic_anchors.emplace(name, node);
  }
}

Result<Imported> import_schema(const Value& document, const ImportOptions& options) {
  return Importer(options).run(document);
}

}  // namespace strake::schema::loose
