#include "pulumi/translate.h"

#include <algorithm>

#include "base/quote.h"
#include "pulumi/schema_parts.h"
#include "pulumi/translator.h"
#include "value/json_writer.h"

namespace strake::pulumi {
namespace {

using value::Member;
using value::Value;

constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxPathBytes = 16'384;
constexpr std::size_t kMaxSkips = 10'000;

constexpr std::string_view kKeywords[] = {
    "oneOf", "anyOf", "allOf", "not", "discriminator", "patternProperties", "const"};

bool is_text_list_value(const Value& v) {
  return v.is_array() &&
         std::ranges::all_of(v.items(), [](const Value& item) { return item.is_string(); });
}

bool is_any_ref(std::string_view ref) {
  return ref == "pulumi.json#/Any" || ref == "pulumi.json#/Json";
}

}  // namespace

class Translator::Below {
 public:
  Below(Translator& translator, std::string_view step, bool repeats = false)
      : translator_(translator), length_(translator.path_.size()), repeats_(repeats) {
    translator_.path_ += step;
    ++translator_.depth_;
    if (repeats_) ++translator_.repeated_;
  }
  ~Below() {
    translator_.path_.resize(length_);
    --translator_.depth_;
    if (repeats_) --translator_.repeated_;
  }
  Below(const Below&) = delete;
  Below& operator=(const Below&) = delete;

 private:
  Translator& translator_;
  std::size_t length_;
  bool repeats_;
};

Translator::Translated Translator::skip(std::string reason) {
  tell(path_, std::move(reason));
  return std::nullopt;
}

void Translator::tell(std::string path, std::string reason) {
  if (skips_.list.size() < kMaxSkips) {
    skips_.list.push_back({std::move(path), std::move(reason)});
  } else {
    ++skips_.untold;
  }
}

std::unexpected<Error> Translator::refuse(std::string_view construct) const {
  return fail(Code::kUnsupported, "{} path {} unsupported construct: {}",
              component_words(component_), quote(path_.substr(0, kMaxPathBytes)), construct);
}

Result<> Translator::count(std::size_t bytes) {
  ++nodes_;
  bytes_ += bytes;
  if (nodes_ > kMaxSchemaNodes || bytes_ > kMaxTextBytes) return refuse(kTooLarge);
  return {};
}

Translator::Translated Translator::node(const Value& node, Place place) {
  if (++visits_ > kMaxVisits || depth_ > kMaxSchemaDepth || path_.size() > kMaxPathBytes) {
    return refuse(kTooLarge);
  }
  if (!node.is_object()) return skip("schema is not an object");
  for (const std::string_view keyword : kKeywords) {
    if (node.find(keyword) == nullptr) continue;
    if (keyword == "oneOf" && options_.unions != Unions::kSkip) return one_of(node);
    if (keyword == "const" && options_.const_as_enum) return constant(node, place);
    return skip(fmt::format("keyword {}", quote(keyword)));
  }
  const Value* ref = node.find("$ref");
  if (ref == nullptr) {
    STRAKE_TRY(const auto out, by_type(node, place));
    return out ? annotated(node, *out) : Translated(std::nullopt);
  }
  if (!ref->is_string()) return skip("$ref is not a string");
  STRAKE_TRY(const auto out, by_ref(ref->as_string()));
  return out ? annotated(node, *out) : Translated(std::nullopt);
}

Translator::Translated Translator::by_type(const Value& node, Place place) {
  const Value* type = node.find("type");
  if (type == nullptr) return skip("missing type");
  if (!type->is_string()) return skip("type is not a string");
  const std::string_view name = type->as_string();
  if (is_scalar_type(name)) {
    STRAKE_CHECK(count(0));
    return schema_of_type(name, arena_);
  }
  if (name == "array") return array(node);
  if (name == "object") return object(node, place);
  return skip(fmt::format("unsupported type {}", quote(name)));
}

Translator::Translated Translator::by_ref(std::string_view ref) {
  const auto local = package_.local(ref);
  if (!local) {
    STRAKE_CHECK(count(0));
    if (!options_.any_untyped || !is_any_ref(ref)) return opaque_object(arena_);
    const Member members[] = {{kPreserve, Value::boolean(true)}};
    return make_object(members, arena_);
  }
  if (local->target == nullptr) return skip(fmt::format("unresolved local ref {}", quote(ref)));
  if (std::ranges::find(open_refs_, local->target) != open_refs_.end()) {
    return refuse(fmt::format("cyclic local ref {}", quote(ref)));
  }
  // A chain of references adds nothing to the schema, so its length needs a bound of its own.
  if (open_refs_.size() >= 2 * kMaxSchemaDepth) return refuse(kTooLarge);
  open_refs_.push_back(local->target);
  Translated out = std::nullopt;
  if (!local->resource) {
    out = node(*local->target, Place::kTypeEntry);
  } else if (local->target->is_object()) {
    const Value* properties = local->target->find("inputProperties");
    out = properties == nullptr || properties->size() == 0
              ? Translated(opaque_object(arena_))
              : object_of(properties, local->target->find("requiredInputs"));
  } else {
    out = skip("schema is not an object");
  }
  open_refs_.pop_back();
  return out;
}

Translator::Translated Translator::array(const Value& node) {
  const Value* items = node.find("items");
  if (items == nullptr) return skip("array without items");
  const Below below(*this, "[]", true);
  STRAKE_TRY(const auto element, this->node(*items, Place::kInline));
  if (!element) return std::nullopt;
  STRAKE_CHECK(count(0));
  const Member members[] = {{"items", *element}, {"type", Value::string("array")}};
  Value out = make_object(members, arena_);
  if (options_.list_types) hint_list_type(out);
  return out;
}

Translator::Translated Translator::object(const Value& node, Place place) {
  const Value* properties = node.find("properties");
  const Value* additional = node.find("additionalProperties");
  if (properties != nullptr && additional != nullptr) {
    return skip("properties with additionalProperties");
  }
  if (additional != nullptr) return map(additional);
  const bool empty = properties == nullptr || (properties->is_object() && properties->size() == 0);
  if (place == Place::kTypeEntry && empty) {
    STRAKE_CHECK(count(0));
    return opaque_object(arena_);
  }
  if (properties == nullptr) return map(nullptr);
  return object_of(properties, node.find("required"));
}

Translator::Translated Translator::map(const Value* element) {
  STRAKE_CHECK(count(0));
  Value schema = schema_of_type("string", arena_);  // what an absent element type means
  if (element != nullptr) {
    const Below below(*this, ".*", true);
    STRAKE_TRY(const auto translated, node(*element, Place::kInline));
    if (!translated) return std::nullopt;
    schema = *translated;
  }
  const Member members[] = {{"additionalProperties", schema}, {"type", Value::string("object")}};
  return make_object(members, arena_);
}

Translator::Translated Translator::object_of(const Value* properties, const Value* required) {
  if (properties != nullptr && !properties->is_object()) return skip("properties is not an object");
  if (required != nullptr && !required->is_null() && !is_text_list_value(*required)) {
    return skip("required is not a list of strings");
  }
  STRAKE_CHECK(count(0));
  std::vector<Member> kept;
  if (properties != nullptr) {
    for (const Member& member : properties->members()) {
      bytes_ += member.key.size();
      const Below below(*this, fmt::format(".{}", member.key));
      STRAKE_TRY(auto schema, node(member.value, Place::kInline));
      if (!schema) continue;
      if (options_.transition_rules) hint_rule(member.value, *schema);
      kept.push_back({member.key, *schema});
    }
  }
  Value out = schema_of_type("object", arena_);
  const Value map = make_object(kept, arena_);
  out.set("properties", map, arena_);
  // An object of which nothing is known would lose everything it is given.
  if (kept.empty()) out.set(kPreserve, Value::boolean(true), arena_);
  std::vector<std::string_view> names;
  if (required != nullptr && required->is_array()) {
    for (const Value& name : required->items()) {
      if (map.find(name.as_string()) != nullptr) names.push_back(name.as_string());
    }
  }
  if (!names.empty()) out.set("required", make_text_set(std::move(names), arena_), arena_);
  return out;
}

Translator::Translated Translator::constant(const Value& node, Place place) {
  const Value& only = node.get("const");
  std::string_view type = only.is_string() ? "string" : only.is_bool() ? "boolean" : "";
  if (only.is_number()) type = fits_scalar(only, "integer") ? "integer" : "number";
  if (type.empty()) return skip("const is not a scalar");
  if (node.find("type") != nullptr || node.find("$ref") != nullptr) {
    Value bare = value::deep_copy(node, arena_);
    bare.remove("const");
    STRAKE_TRY(const auto known, this->node(bare, place));
    if (!known) return std::nullopt;
    if (!is_scalar_type(schema_type(*known))) return skip("const of a type that is not scalar");
    type = schema_type(*known);
  } else {
    STRAKE_CHECK(count(0));
  }
  if (!fits_scalar(only, type)) {
    return refuse(fmt::format("const value {} is not compatible with type {}",
                              value::to_json(only, {.escape_html = false}), quote(type)));
  }
  Value out = schema_of_type(type, arena_);
  const Value values[] = {settled_scalar(only, type)};
  out.set("enum", make_list(values, arena_), arena_);
  Value notes = value::deep_copy(node, arena_);
  notes.remove("enum");
  return annotated(notes, out);
}

Translator::Translated Translator::annotated(const Value& node, Value out) {
  if (const Value* description = node.find("description")) {
    if (!description->is_string()) return skip("description is not a string");
    bytes_ += description->size();
    out.set("description", *description, arena_);
  }
  if (const Value* list = node.find("enum")) {
    if (schema_type(out).empty()) return skip("enum without type");
    if (!list->is_array()) return skip("enum is not a list");
    STRAKE_TRY(const auto values, enum_values(*list, schema_type(out)));
    if (!values) return std::nullopt;
    if (!values->empty()) out.set("enum", make_list(*values, arena_), arena_);
  }
  settle_default(node.find("default"), out);
  if (bytes_ > kMaxTextBytes) return refuse(kTooLarge);
  return out;
}

Result<std::optional<std::vector<Value>>> Translator::enum_values(const Value& list,
                                                                  std::string_view type) {
  std::vector<Value> out;
  for (const Value& entry : list.items()) {
    if (++visits_ > kMaxVisits) return refuse(kTooLarge);
    const Value* v = entry.is_object() ? entry.find("value") : &entry;
    if (v == nullptr || v->is_null() || v->is_array() || v->is_object()) {
      static_cast<void>(skip("enum entry is neither a scalar nor an object with a value"));
      return std::nullopt;
    }
    if (!fits_scalar(*v, type)) {
      return refuse(fmt::format("enum value {} is not compatible with type {}",
                                value::to_json(*v, {.escape_html = false}), quote(type)));
    }
    out.push_back(settled_scalar(*v, type));
    if (v->is_string()) bytes_ += v->size();
  }
  // Each once, in the order of the first.
  std::vector<std::size_t> order(out.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto text = [&](std::size_t i) { return value::to_json(out[i]); };
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < out.size(); ++i) texts.push_back(text(i));
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return texts[a] != texts[b] ? texts[a] < texts[b] : a < b;
  });
  std::vector<bool> again(out.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    again[order[i]] = texts[order[i]] == texts[order[i - 1]];
  }
  std::vector<Value> unique;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!again[i]) unique.push_back(out[i]);
  }
  return unique;
}

void Translator::settle_default(const Value* given, Value& out) {
  if (given != nullptr) {
    out.set("default", settled_scalar(*given, schema_type(out)), arena_);
  }
  const Value* chosen = out.find("default");
  if (chosen == nullptr) return;
  const Value v = *chosen;
  out.remove("default");
  if (!fits_schema(v, out)) {
    tell(path_, "default does not fit the schema");
    return;
  }
  if (v.is_string()) bytes_ += v.size();
  out.set("default", v, arena_);
}

void Translator::hint_list_type(Value& array_schema) {
  const Value& items = array_schema.get("items");
  if (is_scalar_type(schema_type(items)) && items.find("enum") != nullptr) {
    array_schema.set(kListType, Value::string("set"), arena_);
    return;
  }
  const Value* properties = items.find("properties");
  if (schema_type(items) != "object" || properties == nullptr) return;
  const auto required = required_of(items);
  for (const std::string_view key : {"name", "key", "id"}) {
    const Value* property = properties->find(key);
    if (property == nullptr || !is_scalar_type(schema_type(*property)) ||
        std::ranges::find(required, key) == required.end()) {
      continue;
    }
    const Value keys[] = {Value::string(key)};
    array_schema.set(kListMapKeys, make_list(keys, arena_), arena_);
    array_schema.set(kListType, Value::string("map"), arena_);
    return;
  }
}

// Only where the old value is sure to be found and the cost is known to be small: scalars that no
// list or map repeats.
void Translator::hint_rule(const Value& property, Value& out) {
  constexpr std::size_t kMaxRules = 100;
  const auto says = [&](std::string_view key) {
    const Value* flag = property.find(key);
    return flag != nullptr && flag->is_bool() && flag->as_bool();
  };
  if (!says("replaceOnChanges") && !says("willReplaceOnChanges")) return;
  if (repeated_ > 0 || !is_scalar_type(schema_type(out)) || ++rules_ > kMaxRules) return;
  const Member rule[] = {
      {"message", Value::string("cannot change: another value needs a new resource")},
      {"rule", Value::string("self == oldSelf")}};
  const Value rules[] = {make_object(rule, arena_)};
  out.set(kValidations, make_list(rules, arena_), arena_);
}

Translator::Translated Translator::translate_resource(const Value& resource,
                                                      std::string_view properties,
                                                      std::string_view required,
                                                      std::string_view root) {
  path_ = root;
  open_refs_.push_back(&resource);
  const Value* names = required.empty() ? nullptr : resource.find(required);
  Translated out = object_of(resource.find(properties), names);
  open_refs_.pop_back();
  std::ranges::sort(skips_.list, [](const Skip& a, const Skip& b) {
    return a.path != b.path ? a.path < b.path : a.reason < b.reason;
  });
  return out;
}

Result<Value> translate_inputs(const Package& package, std::string_view component,
                               const TranslateOptions& options, Arena& arena, Skips& skips) {
  Translator translator(package, component, options, arena, skips);
  STRAKE_TRY(const auto out,
             translator.translate_resource(*package.resource(component), "inputProperties",
                                           "requiredInputs", "spec"));
  if (!out || out->get("properties").size() == 0) {
    return fail(Code::kInvalid,
                "no translatable spec fields remain after skipping unsupported schema paths for {}",
                component_words(component));
  }
  return *out;
}

Result<Value> translate_outputs(const Package& package, std::string_view component,
                                const TranslateOptions& options, Arena& arena, Skips& skips) {
  TranslateOptions without_rules = options;  // those are promises of whoever writes the spec
  without_rules.transition_rules = false;
  Translator translator(package, component, without_rules, arena, skips);
  STRAKE_TRY(const auto out, translator.translate_resource(*package.resource(component),
                                                           "properties", "", "status"));
  return out ? *out : opaque_object(arena);
}

}  // namespace strake::pulumi
