// Whether a schema is structural: every value has a type that is found without looking into allOf,
// anyOf, oneOf or not.
#include <algorithm>

#include "crd/check_parts.h"
#include "crd/check_words.h"
#include "schema/pattern/pattern.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

enum class Level : std::uint8_t { kRoot, kItem, kField };

// Exactly `anyOf: [{type: integer}, {type: string}]`.
bool is_int_or_string(std::span<const Value> branches) {
  const auto is_only = [](const Value& branch, std::string_view type) {
    return branch.is_object() && branch.size() == 1 && SchemaView(branch).type() == type;
  };
  return branches.size() == 2 && is_only(branches[0], "integer") && is_only(branches[1], "string");
}

class StructuralWalk {
 public:
  FieldErrors take() {
    std::vector<std::pair<std::string, FieldError>> keyed;
    keyed.reserve(errors_.size());
    for (FieldError& error : errors_) {
      std::string text = error.to_string();
      keyed.emplace_back(std::move(text), std::move(error));
    }
    // Sorted by their text, as the server lists them.
    std::sort(keyed.begin(), keyed.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    FieldErrors out;
    for (auto& [text, error] : keyed) out.push_back(std::move(error));
    out.omit(errors_.omitted());
    return out;
  }

  void walk(const SchemaView& schema, Level level, const SchemaTrail& at) {
    // One pass over the members tells which keywords are there. Most nodes have two or three of the
    // twenty that are asked for.
    const Words words = Words::of(schema.value());
    const std::string_view type = words.has(Word::kType) ? schema.type() : std::string_view();
    const auto items = words.has(Word::kItems) ? schema.items() : std::nullopt;
    if (type == "array" && !items) required(at / "items", "must be specified");
    if (items) walk(*items, Level::kItem, at.field("items"));
    if (words.has(Word::kProperties)) {
      for (const Member& property : schema.members("properties")) {
        walk(SchemaView(property.value), Level::kField, at.key("properties", property.key));
      }
    }
    if (words.has(Word::kAdditionalProperties)) {
      const Value* more = schema.get("additionalProperties");
      if (level == Level::kRoot)
        forbidden(at / "additionalProperties", "must not be used at the root");
      if (more->is_object())
        walk(SchemaView(*more), Level::kField, at.field("additionalProperties"));
    }
    if (words.has(Word::kIntOrString)) check_extensions(schema, at);
    if (words.any(kJunctors | Word::kPattern)) {
      const auto all_of = schema.list("allOf");
      const bool first_all_of =
          !all_of.empty() && is_int_or_string(SchemaView(all_of[0]).list("anyOf"));
      walk_junctors(schema, is_int_or_string(schema.list("anyOf")), first_all_of, at);
    }
    const bool embedded =
        words.has(Word::kEmbeddedResource) && schema.flag("x-kubernetes-embedded-resource");
    if (embedded || level == Level::kRoot || type.empty()) {
      check_type(schema, type, embedded, level, at);
    }
    if (embedded || level == Level::kRoot) check_metadata(schema, level, at);
  }

  // Whatever a branch names must stand in the schema proper. Only the branches at the root are held
  // to this.
  void complete_junctors(const SchemaView& branch, const Value* main, const SchemaTrail& main_at,
                         const SchemaTrail& at) {
    if (!Words::of(branch.value()).any(kJunctors)) return;
    if (const auto negated = branch.schema("not"))
      complete(*negated, main, main_at, at.field("not"));
    for (const std::string_view junctor : {"allOf", "anyOf", "oneOf"}) {
      const auto branches = branch.list(junctor);
      for (std::size_t i = 0; i < branches.size(); ++i) {
        complete(SchemaView(branches[i]), main, main_at, at.index(junctor, i));
      }
    }
  }

 private:
  void required(const FieldPath& at, std::string_view detail) {
    errors_.push_back(FieldError::required(at, std::string(detail)));
  }
  void forbidden(const FieldPath& at, std::string_view detail) {
    errors_.push_back(FieldError::forbidden(at, std::string(detail)));
  }
  void invalid(const FieldPath& at, const Value& v, std::string_view detail) {
    errors_.push_back(FieldError::invalid(at, v, std::string(detail)));
  }

  void check_extensions(const SchemaView& schema, const SchemaTrail& at) {
    if (!schema.flag("x-kubernetes-int-or-string")) return;
    constexpr std::string_view kFalse = "must be false if x-kubernetes-int-or-string is true";
    if (schema.preserves_unknown()) {
      invalid(at / "x-kubernetes-preserve-unknown-fields", Value::boolean(true), kFalse);
    }
    if (schema.flag("x-kubernetes-embedded-resource")) {
      invalid(at / "x-kubernetes-embedded-resource", Value::boolean(true), kFalse);
    }
  }

  void check_type(const SchemaView& schema, std::string_view type, bool embedded, Level level,
                  const SchemaTrail& at) {
    if (embedded && type != "object") {
      constexpr std::string_view kObject =
          "must be object if x-kubernetes-embedded-resource is true";
      if (type.empty()) {
        required(at / "type", kObject);
      } else {
        invalid(at / "type", Value::string(type), kObject);
      }
    } else if (type.empty() && !schema.flag("x-kubernetes-int-or-string") &&
               !schema.preserves_unknown()) {
      switch (level) {
        case Level::kRoot: required(at / "type", "must not be empty at the root"); break;
        case Level::kItem:
          required(at / "type", "must not be empty for specified array items");
          break;
        case Level::kField:
          required(at / "type", "must not be empty for specified object fields");
          break;
      }
    }
    if (embedded && schema.has("additionalProperties")) {
      forbidden(at / "additionalProperties",
                "must not be used if x-kubernetes-embedded-resource is set");
    }
    if (level == Level::kRoot && !type.empty() && type != "object") {
      invalid(at / "type", Value::string(type), "must be object at the root");
    }
    if (embedded && !schema.preserves_unknown() && schema.members("properties").empty()) {
      required(at / "properties",
               "must not be empty if x-kubernetes-embedded-resource is true without "
               "x-kubernetes-preserve-unknown-fields");
    }
  }

  // Of the root and of embedded resources.
  void check_metadata(const SchemaView& schema, Level level, const SchemaTrail& at) {
    for (const std::string_view name : {"kind", "apiVersion"}) {
      const auto property = schema.property(name);
      if (property && property->type() != "string") {
        invalid(at.key("properties", name) / "type", Value::string(property->type()),
                "must be string");
      }
    }
    const auto metadata = schema.property("metadata");
    if (!metadata) return;
    const SchemaTrail here = at.key("properties", "metadata");
    if (metadata->type() != "object") {
      invalid(here / "type", Value::string(metadata->type()), "must be object");
    }
    if (level == Level::kRoot && !restricts_only_names(*metadata)) {
      forbidden(here.path(),
                "must not specify anything other than name and generateName, but metadata is "
                "implicitly specified");
    }
  }

  static bool restricts_only_names(const SchemaView& metadata) {
    for (const Member& member : metadata.value().members()) {
      if (member.key == "type" || member.key == "default") continue;
      if (member.key != "properties") return false;
      for (const Member& property : member.value.members()) {
        if (property.key != "name" && property.key != "generateName") return false;
      }
    }
    return true;
  }

  // The junctors and the pattern, of the schema proper or of a branch.
  void walk_junctors(const SchemaView& schema, bool skip_any_of, bool skip_first_all_of,
                     const SchemaTrail& at) {
    const auto walk_list = [&](std::string_view junctor, bool skip_first) {
      const auto branches = schema.list(junctor);
      for (std::size_t i = 0; i < branches.size(); ++i) {
        walk_branch(SchemaView(branches[i]), skip_first && i == 0, at.index(junctor, i));
      }
    };
    if (!skip_any_of) walk_list("anyOf", false);
    walk_list("allOf", skip_first_all_of);
    walk_list("oneOf", false);
    if (const auto negated = schema.schema("not")) walk_branch(*negated, false, at.field("not"));
    const std::string_view pattern = schema.text("pattern");
    if (pattern.empty()) return;
    if (const auto valid = schema::check_pattern(pattern); !valid) {
      invalid(at / "pattern", Value::string(pattern),
              "must be a valid regular expression, but isn't: " + valid.error().message());
    }
  }

  void walk_branch(const SchemaView& branch, bool skip_any_of, const SchemaTrail& at) {
    walk_junctors(branch, skip_any_of, false, at);
    if (const auto items = branch.items()) walk_branch(*items, false, at.field("items"));
    for (const Member& property : branch.members("properties")) {
      walk_branch(SchemaView(property.value), false, at.key("properties", property.key));
    }
    check_branch(branch, at);
  }

  void check_branch(const SchemaView& branch, const SchemaTrail& at) {
    for (const std::string_view key : {"type", "title", "description"}) {
      if (!branch.text(key).empty()) forbidden(at / key, "must be empty to be structural");
    }
    for (const std::string_view key : {"x-kubernetes-list-map-keys", "x-kubernetes-validations"}) {
      if (!branch.list(key).empty()) forbidden(at / key, "must be empty to be structural");
    }
    const Value* more = branch.get("additionalProperties");
    if (more != nullptr && !(more->is_bool() && !more->as_bool())) {
      forbidden(at / "additionalProperties", "must be undefined to be structural");
    }
    for (const std::string_view key :
         {"default", "x-kubernetes-list-type", "x-kubernetes-map-type"}) {
      if (branch.has(key)) forbidden(at / key, "must be undefined to be structural");
    }
    for (const std::string_view key :
         {"nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource",
          "x-kubernetes-int-or-string"}) {
      if (branch.flag(key)) forbidden(at / key, "must be false to be structural");
    }
    if (branch.property("metadata")) {
      forbidden(at.key("properties", "metadata").path(),
                "must not be specified in a nested context");
    }
  }

  void complete(const SchemaView& branch, const Value* main, const SchemaTrail& main_at,
                const SchemaTrail& at) {
    if (main == nullptr)
      return required(main_at.path(), "because it is defined in " + at.path().to_k8s());
    complete_junctors(branch, main, main_at, at);
    const SchemaView schema(*main);
    if (const auto items = branch.items()) {
      const auto main_items = schema.items();
      complete(*items, main_items ? &main_items->value() : nullptr, main_at.field("items"),
               at.field("items"));
    }
    for (const Member& property : branch.members("properties")) {
      const SchemaTrail here = at.key("properties", property.key);
      const SchemaTrail there = main_at.key("properties", property.key);
      const auto main_property = schema.property(property.key);
      complete(SchemaView(property.value), main_property ? &main_property->value() : nullptr, there,
               here);
    }
  }

  FieldErrors errors_;
};

}  // namespace

FieldErrors check_structural(const SchemaView& schema, const FieldPath& at) {
  StructuralWalk walk;
  const SchemaTrail start(at);
  walk.walk(schema, Level::kRoot, start);
  walk.complete_junctors(schema, &schema.value(), start, start);
  return walk.take();
}

}  // namespace strake::crd
