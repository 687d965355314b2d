// Keywords that apply schemas: to elements, to members, and to the value itself.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "schema/loose/importer.h"
#include "value/fields.h"

namespace strake::schema::loose {
namespace {

using value::Value;

// The keys whose presence counts, each with a place of its own.
class Watchlist {
 public:
  explicit Watchlist(std::vector<std::string>& names) : names_(names) {}
  std::uint32_t place(std::string_view name) {
    const auto [it, added] =
        places_.emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (added) names_.emplace_back(name);
    return it->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, std::uint32_t> places_;
};

}  // namespace

Result<> Importer::read_array(LooseNode& node, const Place& place) {
  ArrayRules rules;
  bool any = false;
  const auto child = [&](std::string_view keyword, const LooseNode*& out) -> Result<> {
    const Value* v = keyword_of(place, keyword);
    if (v == nullptr) return {};
    if (!places_.contains(v)) return wrong(place, keyword, "must be a schema");
    STRAKE_TRY(out, node_for(*v));
    any = true;
    return {};
  };
  const auto list = [&](std::string_view keyword) -> Result<> {
    const Value* v = keyword_of(place, keyword);
    if (v == nullptr) return {};
    if (!v->is_array()) return wrong(place, keyword, "must be an array of schemas");
    for (const Value& item : v->items()) {
      if (!places_.contains(&item)) return wrong(place, keyword, "must be an array of schemas");
      STRAKE_TRY(const LooseNode* prefix, node_for(item));
      rules.prefix.push_back(prefix);
      any = true;
    }
    return {};
  };
  if (place.vocabulary.applicator) {
    // Up to draft 2019-09 an array under `items` is positional and `additionalItems` is the rest;
    // 2020-12 renames them to `prefixItems` and `items`. Both end up in the same two fields.
    const Value* items = keyword_of(place, "items");
    const bool old_form = items != nullptr && items->is_array();
    if (place.dialect >= Dialect::kDraft2020 && !old_form) STRAKE_CHECK(list("prefixItems"));
    if (old_form) {
      if (place.dialect >= Dialect::kDraft2020)
        note(place, "items", "an array of schemas is read as prefixItems");
      STRAKE_CHECK(list("items"));
      STRAKE_CHECK(child("additionalItems", rules.items));
    } else {
      STRAKE_CHECK(child("items", rules.items));
    }
    if (place.dialect >= Dialect::kDraft6) STRAKE_CHECK(child("contains", rules.contains));
  }
  if (place.vocabulary.unevaluated && place.dialect >= Dialect::kDraft2019) {
    STRAKE_CHECK(child("unevaluatedItems", rules.unevaluated));
  }
  if (place.vocabulary.validation) {
    STRAKE_CHECK(read_count(place, "minItems", rules.min_items));
    STRAKE_CHECK(read_count(place, "maxItems", rules.max_items));
    if (place.dialect >= Dialect::kDraft2019) {
      std::optional<std::uint64_t> least;
      STRAKE_CHECK(read_count(place, "minContains", least));
      rules.min_contains = least.value_or(1);
      STRAKE_CHECK(read_count(place, "maxContains", rules.max_contains));
    }
    if (const Value* unique = keyword_of(place, "uniqueItems")) {
      if (!unique->is_bool()) return wrong(place, "uniqueItems", "must be a boolean");
      rules.unique = unique->as_bool();
      any = any || rules.unique;
    }
  }
  if (const Value* type = keyword_of(place, "x-kubernetes-list-type")) {
    const std::string_view name = value::text_of(*type);
    if (name != "atomic" && name != "set" && name != "map") {
      return wrong(place, "x-kubernetes-list-type", "must be atomic, set or map");
    }
    rules.list_type = name == "set"   ? ListType::kSet
                      : name == "map" ? ListType::kMap
                                      : ListType::kAtomic;
    any = any || rules.list_type != ListType::kAtomic;
  }
  if (const Value* keys = keyword_of(place, "x-kubernetes-list-map-keys")) {
    if (!keys->is_array())
      return wrong(place, "x-kubernetes-list-map-keys", "must be an array of names");
    for (const Value& key : keys->items()) {
      if (!key.is_string())
        return wrong(place, "x-kubernetes-list-map-keys", "must be an array of names");
      rules.map_keys.emplace_back(key.as_string());
    }
  }
  if (rules.list_type == ListType::kMap && rules.map_keys.empty()) {
    return wrong(place, "x-kubernetes-list-map-keys", "must not be empty for a list of type map");
  }
  any = any || rules.min_items || rules.max_items;
  if (any) node.array = std::make_unique<const ArrayRules>(std::move(rules));
  return {};
}

Result<> Importer::read_object(LooseNode& node, const Place& place) {
  ObjectRules rules;
  bool any = false;
  Watchlist watchlist(rules.watched);
  std::vector<KeyRule> properties;
  const auto child = [&](std::string_view keyword, const LooseNode*& out) -> Result<> {
    const Value* v = keyword_of(place, keyword);
    if (v == nullptr) return {};
    if (!places_.contains(v)) return wrong(place, keyword, "must be a schema");
    STRAKE_TRY(out, node_for(*v));
    any = true;
    return {};
  };
  const auto members = [&](std::string_view keyword, auto&& each) -> Result<> {
    const Value* v = keyword_of(place, keyword);
    if (v == nullptr) return {};
    if (!v->is_object()) return wrong(place, keyword, "must be an object");
    for (const value::Member& member : v->members()) {
      STRAKE_CHECK(each(member));
      any = true;
    }
    return {};
  };
  const auto names = [&](const Value& v, std::string_view keyword,
                         std::vector<std::uint32_t>& out) -> Result<> {
    if (!v.is_array()) return wrong(place, keyword, "must be an array of names");
    for (const Value& name : v.items()) {
      if (!name.is_string()) return wrong(place, keyword, "must be an array of names");
      const std::uint32_t watched = watchlist.place(name.as_string());
      if (std::ranges::find(out, watched) == out.end()) out.push_back(watched);
    }
    return {};
  };
  const auto dependent_required = [&](std::string_view keyword,
                                      const value::Member& member) -> Result<> {
    DependentRequired dependent{watchlist.place(member.key), {}};
    STRAKE_CHECK(names(member.value, keyword, dependent.required));
    rules.dependent.push_back(std::move(dependent));
    return {};
  };
  const auto dependent_schema = [&](std::string_view keyword,
                                    const value::Member& member) -> Result<> {
    if (!places_.contains(&member.value)) return wrong(place, keyword, "must hold schemas");
    STRAKE_TRY(const LooseNode* target, node_for(member.value));
    node.in_place.push_back({Edge::kDependent, watchlist.place(member.key), target, {}});
    return {};
  };
  const bool modern = place.dialect >= Dialect::kDraft2019;
  if (place.vocabulary.applicator) {
    STRAKE_CHECK(members("properties", [&](const value::Member& member) -> Result<> {
      if (!places_.contains(&member.value)) return wrong(place, "properties", "must hold schemas");
      STRAKE_TRY(const LooseNode* property, node_for(member.value));
      properties.push_back({std::string(member.key), property, -1});
      return {};
    }));
    STRAKE_CHECK(members("patternProperties", [&](const value::Member& member) -> Result<> {
      if (!places_.contains(&member.value))
        return wrong(place, "patternProperties", "must hold schemas");
      STRAKE_TRY(PatternPtr pattern, read_pattern(place, "patternProperties", member.key));
      STRAKE_TRY(const LooseNode* property, node_for(member.value));
      rules.patterns.push_back({std::move(pattern), std::string(member.key), property});
      return {};
    }));
    STRAKE_CHECK(child("additionalProperties", rules.additional));
    STRAKE_CHECK(child("propertyNames", rules.names));
    if (modern) {
      STRAKE_CHECK(members("dependentSchemas", [&](const value::Member& member) {
        return dependent_schema("dependentSchemas", member);
      }));
    }
    STRAKE_CHECK(members("dependencies", [&](const value::Member& member) {
      return member.value.is_array() ? dependent_required("dependencies", member)
                                     : dependent_schema("dependencies", member);
    }));
  }
  if (place.vocabulary.unevaluated && modern)
    STRAKE_CHECK(child("unevaluatedProperties", rules.unevaluated));
  if (place.vocabulary.validation) {
    STRAKE_CHECK(read_count(place, "minProperties", rules.min_properties));
    STRAKE_CHECK(read_count(place, "maxProperties", rules.max_properties));
    const Value* required = keyword_of(place, "required");
    // Old documents mark single properties as required with a boolean.
    if (required != nullptr && required->is_bool()) {
      note(place, "required", "a boolean is ignored; list the names at the object");
    } else if (required != nullptr) {
      STRAKE_CHECK(names(*required, "required", rules.required));
      any = any || !rules.required.empty();
    }
    if (modern) {
      STRAKE_CHECK(members("dependentRequired", [&](const value::Member& member) {
        return dependent_required("dependentRequired", member);
      }));
    }
  }
  rules.preserve_unknown = is_true(keyword_of(place, "x-kubernetes-preserve-unknown-fields"));
  any = any || rules.preserve_unknown;
  any = any || rules.min_properties || rules.max_properties;
  if (!any) return {};

  rules.declares_members =
      !properties.empty() || !rules.patterns.empty() || rules.additional != nullptr;
  // One sorted table answers both questions about a key with a single search: which schema it has,
  // and which watched place it fills. A key that is only watched has no schema.
  rules.keys = std::move(properties);
  std::ranges::sort(rules.keys, {}, &KeyRule::name);
  std::vector<KeyRule> only_watched;
  for (std::size_t i = 0; i < rules.watched.size(); ++i) {
    const auto it = std::ranges::lower_bound(rules.keys, rules.watched[i], {}, &KeyRule::name);
    if (it != rules.keys.end() && it->name == rules.watched[i]) {
      it->watched = static_cast<int>(i);
    } else {
      only_watched.push_back({rules.watched[i], nullptr, static_cast<int>(i)});
    }
  }
  rules.keys.insert(rules.keys.end(), std::make_move_iterator(only_watched.begin()),
                    std::make_move_iterator(only_watched.end()));
  std::ranges::sort(rules.keys, {}, &KeyRule::name);
  node.object = std::make_unique<const ObjectRules>(std::move(rules));
  return {};
}

Result<> Importer::read_reference(LooseNode& node, const Place& place) {
  const auto reference = [&](std::string_view keyword) -> Result<const Value*> {
    const Value* v = keyword_of(place, keyword);
    if (v == nullptr) return nullptr;
    if (!v->is_string()) return wrong(place, keyword, "must be a string");
    return resolve(place, keyword, v->as_string());
  };
  STRAKE_TRY(const Value* target, reference("$ref"));
  if (target != nullptr) {
    STRAKE_TRY(const LooseNode* to, node_for(*target));
    node.in_place.push_back({Edge::kRef, 0, to, {}});
  }
  // A dynamic reference is resolved like an ordinary one first. Only when the target bears the
  // dynamic anchor does the dynamic scope matter at run time.
  const bool recursive = place.dialect == Dialect::kDraft2019;
  if (place.dialect < Dialect::kDraft2019 || reference_stands_alone(place.dialect)) return {};
  const std::string_view keyword = recursive ? "$recursiveRef" : "$dynamicRef";
  STRAKE_TRY(const Value* dynamic, reference(keyword));
  if (dynamic == nullptr) return {};
  STRAKE_TRY(const LooseNode* to, node_for(*dynamic));
  InPlace edge{Edge::kRef, 0, to, {}};
  const std::string_view text = keyword_of(place, keyword)->as_string();
  if (recursive) {
    if (is_true(dynamic->find("$recursiveAnchor"))) edge.edge = Edge::kDynamicRef;
  } else if (const Value* anchor = dynamic->is_object() ? dynamic->find("$dynamicAnchor") : nullptr;
             anchor != nullptr && anchor->is_string()) {
    // Only a reference by the name of the anchor looks around; one by pointer is an ordinary one.
    const std::size_t hash = text.find('#');
    if (hash != std::string_view::npos && text.substr(hash + 1) == anchor->as_string()) {
      edge.edge = Edge::kDynamicRef;
      edge.dynamic_anchor = anchor->as_string();
    }
  }
  if (edge.edge == Edge::kDynamicRef) schema_->has_dynamic_refs_ = true;
  node.in_place.push_back(std::move(edge));
  return {};
}

Result<> Importer::read_in_place(LooseNode& node, const Place& place) {
  if (place.vocabulary.applicator) {
    const auto list = [&](std::string_view keyword, Edge edge) -> Result<> {
      const Value* v = keyword_of(place, keyword);
      if (v == nullptr) return {};
      if (!v->is_array()) return wrong(place, keyword, "must be an array of schemas");
      for (std::size_t i = 0; i < v->size(); ++i) {
        if (!places_.contains(&v->items()[i]))
          return wrong(place, keyword, "must be an array of schemas");
        STRAKE_TRY(const LooseNode* to, node_for(v->items()[i]));
        node.in_place.push_back({edge, static_cast<std::uint32_t>(i), to, {}});
      }
      return {};
    };
    const auto one = [&](std::string_view keyword, Edge edge) -> Result<> {
      const Value* v = keyword_of(place, keyword);
      if (v == nullptr) return {};
      if (!places_.contains(v)) return wrong(place, keyword, "must be a schema");
      STRAKE_TRY(const LooseNode* to, node_for(*v));
      node.in_place.push_back({edge, 0, to, {}});
      return {};
    };
    STRAKE_CHECK(list("allOf", Edge::kAllOf));
    STRAKE_CHECK(list("anyOf", Edge::kAnyOf));
    STRAKE_CHECK(list("oneOf", Edge::kOneOf));
    STRAKE_CHECK(one("not", Edge::kNot));
    const bool conditional =
        place.dialect >= Dialect::kDraft7 && keyword_of(place, "if") != nullptr;
    if (conditional) {
      STRAKE_CHECK(one("if", Edge::kIf));
      STRAKE_CHECK(one("then", Edge::kThen));
      STRAKE_CHECK(one("else", Edge::kElse));
    }
  }
  // The evaluator relies on this order: branches of one keyword stand together, and `if` stands
  // before `then` and `else`, which depend on its result.
  std::ranges::sort(node.in_place, {},
                    [](const InPlace& part) { return std::pair(part.edge, part.index); });
  return {};
}

Result<> Importer::read_discriminator(LooseNode& node, const Place& place) {
  const Value* discriminator = keyword_of(place, "discriminator");
  if (discriminator == nullptr || !is_openapi(place.dialect)) return {};
  // Swagger 2.0 has the bare name; its branches are whatever extends the schema, which no keyword
  // lists.
  const Value* property = discriminator->find("propertyName");
  const bool any_of = keyword_of(place, "oneOf") == nullptr;
  const Value* branches = keyword_of(place, any_of ? "anyOf" : "oneOf");
  if (property == nullptr || !property->is_string() || branches == nullptr ||
      !branches->is_array()) {
    note(place, "discriminator",
         "picks no branch without propertyName and oneOf or anyOf; ignored");
    return {};
  }
  Discriminator out;
  out.property = property->as_string();
  out.edge = any_of ? Edge::kAnyOf : Edge::kOneOf;
  std::vector<const Value*> targets;
  for (std::uint32_t i = 0; i < branches->size(); ++i) {
    const Value* ref =
        branches->items()[i].is_object() ? branches->items()[i].find("$ref") : nullptr;
    if (ref == nullptr || !ref->is_string()) {
      targets.push_back(nullptr);
      note(place, "discriminator", "a branch without $ref has no name and is never picked");
      continue;
    }
    STRAKE_TRY(const Value* target, resolve(place, "discriminator", ref->as_string()));
    targets.push_back(target);
    const std::string_view text = ref->as_string();
    std::string_view name = text.substr(text.rfind('/') + 1);
    if (name.find('#') != std::string_view::npos) name = name.substr(0, name.find('#'));
    out.branches.emplace_back(std::string(name), i);
  }
  if (const Value* mapping = discriminator->find("mapping");
      mapping != nullptr && mapping->is_object()) {
    for (const value::Member& member : mapping->members()) {
      if (!member.value.is_string())
        return wrong(place, "discriminator", "mapping must hold strings");
      const std::string_view to = member.value.as_string();
      const bool bare = to.find_first_of("#/.") == std::string_view::npos;
      const std::string reference =
          bare ? fmt::format("#/components/schemas/{}", to) : std::string(to);
      STRAKE_TRY(const Value* target, resolve(place, "discriminator", reference));
      const auto it = std::ranges::find(targets, target);
      if (it == targets.end()) {
        note(place, "discriminator",
             fmt::format("mapping \"{}\" leads to no branch; ignored", member.key));
        continue;
      }
      const auto index = static_cast<std::uint32_t>(it - targets.begin());
      std::erase_if(out.branches, [&](const auto& entry) { return entry.first == member.key; });
      out.branches.emplace_back(std::string(member.key), index);
    }
  }
  std::ranges::sort(out.branches);
  node.discriminator = std::make_unique<const Discriminator>(std::move(out));
  return {};
}

}  // namespace strake::schema::loose
