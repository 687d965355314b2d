// One schema object to one node, keyword by keyword.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "schema/loose/ecma_pattern.h"
#include "schema/loose/importer.h"
#include "value/json_writer.h"

namespace strake::schema::loose {
namespace {

using value::Value;

// Words that have no bearing on values, and those read elsewhere.
constexpr std::array kPassedOver{"$schema",
                                 "$id",
                                 "id",
                                 "$anchor",
                                 "$dynamicAnchor",
                                 "$recursiveAnchor",
                                 "$vocabulary",
                                 "$comment",
                                 "$defs",
                                 "definitions",
                                 "title",
                                 "description",
                                 "default",
                                 "deprecated",
                                 "readOnly",
                                 "writeOnly",
                                 "examples",
                                 "example",
                                 "externalDocs",
                                 "xml",
                                 "contentEncoding",
                                 "contentMediaType",
                                 "contentSchema",
                                 "$ref",
                                 "$dynamicRef",
                                 "$recursiveRef",
                                 "type",
                                 "nullable",
                                 "enum",
                                 "const",
                                 "multipleOf",
                                 "maximum",
                                 "minimum",
                                 "exclusiveMaximum",
                                 "exclusiveMinimum",
                                 "maxLength",
                                 "minLength",
                                 "pattern",
                                 "format",
                                 "maxItems",
                                 "minItems",
                                 "uniqueItems",
                                 "contains",
                                 "minContains",
                                 "maxContains",
                                 "items",
                                 "prefixItems",
                                 "additionalItems",
                                 "unevaluatedItems",
                                 "maxProperties",
                                 "minProperties",
                                 "required",
                                 "properties",
                                 "patternProperties",
                                 "additionalProperties",
                                 "propertyNames",
                                 "unevaluatedProperties",
                                 "dependencies",
                                 "dependentRequired",
                                 "dependentSchemas",
                                 "allOf",
                                 "anyOf",
                                 "oneOf",
                                 "not",
                                 "if",
                                 "then",
                                 "else",
                                 "discriminator"};

std::uint8_t type_bit(std::string_view name) {
  if (name == "null") return types::kNull;
  if (name == "boolean") return types::kBoolean;
  if (name == "integer") return types::kInteger;
  if (name == "number") return types::kNumber;
  if (name == "string") return types::kString;
  if (name == "array") return types::kArray;
  if (name == "object") return types::kObject;
  return 0;
}

}  // namespace

Result<> Importer::compile(LooseNode& node, const Place& place) {
  const Value& schema = *place.schema;
  if (schema.is_bool()) {
    node.never = !schema.as_bool();
    node.trivial = schema.as_bool();
    return {};
  }
  // Before draft 2019-09 a $ref replaces the schema that it stands in; what stands beside it is
  // noted, since people expect it to count.
  if (const Value* ref = keyword_of(place, "$ref");
      ref != nullptr && reference_stands_alone(place.dialect)) {
    for (const value::Member& member : schema.members()) {
      if (member.key != "$ref" && member.key != "description" && member.key != "title" &&
          !member.key.starts_with("x-")) {
        note(place, member.key, fmt::format("ignored beside $ref in {}", to_string(place.dialect)));
      }
    }
    return read_reference(node, place);
  }
  node.default_value = keyword_of(place, "default");
  if (place.vocabulary.validation) {
    STRAKE_CHECK(read_types(node, place));
    STRAKE_CHECK(read_values(node, place));
    STRAKE_CHECK(read_bounds(node, place));
  }
  STRAKE_CHECK(read_text(node, place));
  STRAKE_CHECK(read_array(node, place));
  STRAKE_CHECK(read_object(node, place));
  STRAKE_CHECK(read_reference(node, place));
  STRAKE_CHECK(read_in_place(node, place));
  STRAKE_CHECK(read_discriminator(node, place));
  report_ignored(place);
  node.needs_digest = node.values != nullptr || node.constant != nullptr;
  // A trivial node takes any value, and the engine starts no run for it.
  node.trivial = !node.has_type && !node.needs_digest && node.bounds == nullptr &&
                 node.text == nullptr && node.array == nullptr && node.object == nullptr &&
                 node.in_place.empty() && node.format == StringFormat::kNone &&
                 node.number_format == Format::kNone && !node.int_or_string &&
                 !node.embedded_resource;
  return {};
}

void Importer::report_ignored(const Place& place) {
  for (const value::Member& member : place.schema->members()) {
    if (member.key.starts_with("x-") ||
        std::ranges::find(kPassedOver, member.key) != kPassedOver.end())
      continue;
    note(place, member.key, "unknown keyword, ignored");
  }
}

Result<> Importer::read_types(LooseNode& node, const Place& place) {
  const auto add = [&](const Value& name) -> Result<> {
    const std::uint8_t bit = name.is_string() ? type_bit(name.as_string()) : 0;
    if (bit == 0) {
      if (place.dialect == Dialect::kSwagger2 && name.is_string() && name.as_string() == "file")
        return {};
      return wrong(place, "type", fmt::format("{} is no type", value::to_json(name)));
    }
    node.type_set |= bit;
    return {};
  };
  if (const Value* type = keyword_of(place, "type")) {
    node.has_type = true;
    if (type->is_array()) {
      for (const Value& name : type->items()) STRAKE_CHECK(add(name));
    } else {
      STRAKE_CHECK(add(*type));
      if (node.type_set == 0) node.has_type = false;
    }
  }
  const Value* nullable = keyword_of(place, "nullable");
  if (is_true(nullable)) {
    if (place.dialect == Dialect::kOpenApi30 || place.dialect == Dialect::kSwagger2) {
      if (node.has_type) node.type_set |= types::kNull;
    } else {
      note(place, "nullable",
           fmt::format("has no meaning in {}; write \"null\" into type", to_string(place.dialect)));
    }
  }
  if (is_true(keyword_of(place, "x-kubernetes-int-or-string"))) {
    node.int_or_string = true;
    node.type_set |= types::kInteger | types::kString;
    if (is_true(nullable)) node.type_set |= types::kNull;
    node.has_type = true;
  }
  node.embedded_resource = is_true(keyword_of(place, "x-kubernetes-embedded-resource"));
  if (!options_.rules_run && keyword_of(place, "x-kubernetes-validations") != nullptr)
    note(place, "x-kubernetes-validations", "its rules are not run");
  return {};
}

Result<> Importer::read_values(LooseNode& node, const Place& place) {
  if (const Value* allowed = keyword_of(place, "enum")) {
    if (!allowed->is_array()) return wrong(place, "enum", "must be an array");
    auto rules = std::make_unique<ValueRules>();
    for (const Value& v : allowed->items()) {
      rules->allowed.push_back(digest_of(v, EqualMode::kStructural));
      rules->rounded.push_back(digest_rounded(v));
    }
    std::ranges::sort(rules->allowed);
    std::ranges::sort(rules->rounded);
    rules->allowed_text = value::to_json(*allowed);
    node.values = std::move(rules);
  }
  if (const Value* constant = keyword_of(place, "const")) {
    auto rules = std::make_unique<ValueRules>();
    rules->allowed.push_back(digest_of(*constant, EqualMode::kStructural));
    rules->rounded.push_back(digest_rounded(*constant));
    rules->allowed_text = fmt::format("[{}]", value::to_json(*constant));
    rules->is_const = true;
    node.constant = std::move(rules);
  }
  return {};
}

Result<> Importer::read_bounds(LooseNode& node, const Place& place) {
  BoundRules rules;
  bool any = false;
  const auto number = [&](std::string_view keyword, std::optional<Number>& out) -> Result<> {
    const Value* v = keyword_of(place, keyword);
    if (v == nullptr) return {};
    if (!v->is_number()) return wrong(place, keyword, "must be a number");
    out = Number::of(*v);
    any = true;
    return {};
  };
  STRAKE_CHECK(number("minimum", rules.minimum));
  STRAKE_CHECK(number("maximum", rules.maximum));
  STRAKE_CHECK(number("multipleOf", rules.multiple_of));
  if (rules.multiple_of &&
      (rules.multiple_of->exact.is_zero() || rules.multiple_of->exact.negative())) {
    return wrong(place, "multipleOf", "must be above 0");
  }
  // A boolean makes the plain bound exclusive; a number is a bound of its own.
  const auto exclusive = [&](std::string_view keyword, std::optional<Number>& plain,
                             std::optional<Number>& own) -> Result<> {
    const Value* v = keyword_of(place, keyword);
    if (v == nullptr) return {};
    if (!v->is_bool()) return number(keyword, own);
    if (v->as_bool() && plain) {
      own = std::exchange(plain, std::nullopt);
    }
    return {};
  };
  STRAKE_CHECK(exclusive("exclusiveMinimum", rules.minimum, rules.exclusive_minimum));
  STRAKE_CHECK(exclusive("exclusiveMaximum", rules.maximum, rules.exclusive_maximum));
  if (any) node.bounds = std::make_unique<const BoundRules>(std::move(rules));
  return {};
}

Result<> Importer::read_count(const Place& place, std::string_view keyword,
                              std::optional<std::uint64_t>& out) {
  const Value* v = keyword_of(place, keyword);
  if (v == nullptr) return {};
  const Decimal exact = v->is_number() ? Decimal::of(*v) : Decimal();
  if (!v->is_number() || !exact.is_integer() || exact.negative())
    return wrong(place, keyword, "must be a whole number from 0");
  // Larger than any value can be is as good as the largest.
  const auto integer = exact.to_int64();
  out = integer ? static_cast<std::uint64_t>(*integer) : UINT64_MAX;
  return {};
}

// JSON Schema has ECMA-262 patterns; matching is by RE2, whose time is linear. What can be
// translated is. What cannot (back references, look-around) is not checked, with a note, rather
// than refused.
Result<PatternPtr> Importer::read_pattern(const Place& place, std::string_view keyword,
                                          std::string_view text) {
  auto translated = go_from_ecma(text);
  if (translated) return intern_pattern(*translated);
  if (check_pattern(text)) {
    note(place, keyword, fmt::format("`{}` is read in RE2 syntax, not in that of ECMA-262", text));
    return intern_pattern(text);
  }
  if (translated.error().code() == Code::kInvalid)
    return wrong(place, keyword, translated.error().message());
  note(place, keyword, translated.error().message() + "; not checked");
  return PatternPtr();
}

Result<> Importer::read_text(LooseNode& node, const Place& place) {
  StringRules rules;
  bool any = false;
  if (place.vocabulary.validation) {
    STRAKE_CHECK(read_count(place, "minLength", rules.min_length));
    STRAKE_CHECK(read_count(place, "maxLength", rules.max_length));
    if (const Value* pattern = keyword_of(place, "pattern")) {
      if (!pattern->is_string()) return wrong(place, "pattern", "must be a string");
      STRAKE_TRY(rules.pattern, read_pattern(place, "pattern", pattern->as_string()));
      rules.pattern_text = pattern->as_string();
      any = any || rules.pattern != nullptr;
    }
  }
  any = any || rules.min_length || rules.max_length;
  if (any) node.text = std::make_unique<const StringRules>(std::move(rules));
  if (const Value* format = keyword_of(place, "format")) {
    if (!format->is_string()) return wrong(place, "format", "must be a string");
    const std::string_view name = format->as_string();
    node.format_text = name;
    node.format = find_string_format(name);
    node.number_format =
        integer_format(name) != Format::kNone ? integer_format(name) : number_format(name);
    node.format_asserted = place.vocabulary.format_assertion;
    if (node.format == StringFormat::kNone && node.number_format == Format::kNone &&
        name != "binary") {
      note(place, "format", fmt::format("unknown format \"{}\", not checked", name));
    }
  }
  return {};
}

}  // namespace strake::schema::loose
