#include "crd/schema_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/quote.h"
#include "schema/format/format.h"
#include "value/json_writer.h"

// Two schemas side by side, keyword by keyword, each difference rated by what it does to objects
// that are stored already (docs/crd-diff.md has the table). The rating asks one question per
// keyword: can a value that was valid become invalid, or mean something else? It is decided only
// where that is possible from the keyword alone. Patterns and compositions are not compared for
// inclusion, and any change of them but removal counts as tighter. Equal subtrees are left at once,
// so the cost is that of the difference.

namespace strake::crd {
namespace {

using value::Member;
using value::Value;

std::string json(const Value& v) { return value::to_json(v, {.escape_html = false}); }

// Values to be asked about one by one, however many there are.
class ValueSet {
 public:
  explicit ValueSet(std::span<const Value> values) {
    for (const Value& v : values) by_hash_.emplace(value::hash(v), &v);
  }
  bool contains(const Value& v) const {
    const auto [first, last] = by_hash_.equal_range(value::hash(v));
    return std::any_of(first, last, [&](const auto& one) { return value::equal(*one.second, v); });
  }

 private:
  std::unordered_multimap<std::uint64_t, const Value*> by_hash_;
};

// A bound that gets stricter as it rises, or as it falls.
struct Bound {
  std::string_view key;
  bool lower;
  std::string_view exclusive;
};
constexpr Bound kBounds[] = {
    {"minimum", true, "exclusiveMinimum"},
    {"maximum", false, "exclusiveMaximum"},
    {"minLength", true, ""},
    {"maxLength", false, ""},
    {"minItems", true, ""},
    {"maxItems", false, ""},
    {"minProperties", true, ""},
    {"maxProperties", false, ""},
};

class SchemaDiff {
 public:
  SchemaDiff(const SchemaPlaces& places, std::vector<Change>& out)
      : version_(places.version), old_at_(places.old_at), new_at_(places.new_at), out_(out) {}

  void walk(const SchemaView& old, const SchemaView& next, bool is_root) {
    if (value::identical(old.value(), next.value())) return;
    // Between unrelated types everything differs; one change says it.
    if (!compare_type(old, next)) return;
    compare_nullable(old, next);
    compare_enum(old, next);
    for (const Bound& bound : kBounds) compare_bound(bound, old, next);
    compare_multiple(old, next);
    compare_pattern(old, next);
    compare_format(old, next);
    compare_unknown_fields(old, next);
    compare_embedded(old, next);
    compare_list_type(old, next);
    compare_map_type(old, next);
    compare_default(old, next);
    compare_rules(old, next);
    compare_junctors(old, next);
    compare_required(old, next);
    compare_properties(old, next, is_root);
    compare_additional(old, next);
    if (old.items() && next.items()) descend(*old.items(), *next.items(), "items", "[]");
  }

 private:
  void add(Impact impact, std::string_view code, std::string message, std::string_view key,
           bool in_old = false) {
    const FieldPath& at = in_old ? old_at_ : new_at_;
    out_.push_back({.impact = impact,
                    .code = code,
                    .version = version_,
                    .field = field_.empty() ? "." : field_,
                    .message = std::move(message),
                    .path = key.empty() ? at : at / key,
                    .in_old = in_old});
  }

  void descend(const SchemaView& old, const SchemaView& next, std::string_view step,
               std::string_view field) {
    const std::size_t length = field_.size();
    field_ += field;
    old_at_.push_field(step);
    new_at_.push_field(step);
    walk(old, next, false);
    old_at_.pop();
    new_at_.pop();
    field_.resize(length);
  }

  static std::string type_name(const SchemaView& schema) {
    if (schema.flag("x-kubernetes-int-or-string")) return "integer or string";
    return schema.type().empty() ? "anything" : std::string(schema.type());
  }

  // False when the types have so little in common that comparing more would only repeat it.
  bool compare_type(const SchemaView& old, const SchemaView& next) {
    const std::string before = type_name(old);
    const std::string now = type_name(next);
    if (before == now) return true;
    const bool wider = now == "anything" || (before == "integer" && now == "number") ||
                       (now == "integer or string" && (before == "integer" || before == "string"));
    const bool narrower = before == "anything" || (before == "number" && now == "integer");
    const Impact impact =
        wider ? Impact::kSafe : (narrower ? Impact::kRatcheted : Impact::kBreaking);
    add(impact, wider ? "type-widened" : (narrower ? "type-narrowed" : "type-changed"),
        fmt::format("type changed from {} to {}", before, now), "type");
    return wider || narrower;
  }

  void compare_nullable(const SchemaView& old, const SchemaView& next) {
    if (old.flag("nullable") == next.flag("nullable")) return;
    const bool now = next.flag("nullable");
    add(now ? Impact::kSafe : Impact::kRatcheted, now ? "nullable-added" : "nullable-removed",
        now ? "may be null now" : "may not be null any more", "nullable", !now);
  }

  void compare_enum(const SchemaView& old, const SchemaView& next) {
    const auto before = old.list("enum");
    const auto now = next.list("enum");
    if (before.empty() && now.empty()) return;
    if (before.empty())
      return add(Impact::kRatcheted, "enum-added", "an enum lists the allowed values now", "enum");
    if (now.empty())
      return add(Impact::kSafe, "enum-removed", "any value is allowed now", "enum", true);
    const auto missing = [](std::span<const Value> from, std::span<const Value> in) {
      const ValueSet known(in);
      std::string out;
      for (const Value& v : from) {
        if (!known.contains(v)) out += (out.empty() ? "" : ", ") + json(v);
      }
      return out;
    };
    if (const std::string lost = missing(before, now); !lost.empty())
      add(Impact::kRatcheted, "enum-narrowed", fmt::format("no longer allowed: {}", lost), "enum");
    if (const std::string won = missing(now, before); !won.empty())
      add(Impact::kSafe, "enum-widened", fmt::format("newly allowed: {}", won), "enum");
  }

  static std::optional<double> number(const SchemaView& schema, std::string_view key) {
    const Value* v = schema.get(key);
    if (v == nullptr || !v->is_number()) return std::nullopt;
    return v->as_double();
  }

  void compare_bound(const Bound& bound, const SchemaView& old, const SchemaView& next) {
    const auto before = number(old, bound.key);
    const auto now = number(next, bound.key);
    const bool before_exclusive = !bound.exclusive.empty() && old.flag(bound.exclusive);
    const bool now_exclusive = !bound.exclusive.empty() && next.flag(bound.exclusive);
    if (!before && !now) return;
    const auto shown = [&](const SchemaView& schema, bool exclusive) {
      return json(*schema.get(bound.key)) + (exclusive ? " (exclusive)" : "");
    };
    if (!before) {
      return add(Impact::kRatcheted, "bound-tightened",
                 fmt::format("{} {} added", bound.key, shown(next, now_exclusive)), bound.key);
    }
    if (!now) {
      return add(Impact::kSafe, "bound-loosened",
                 fmt::format("{} {} removed", bound.key, shown(old, before_exclusive)), bound.key,
                 true);
    }
    if (*before == *now && before_exclusive == now_exclusive) return;
    // With equal bounds only exclusiveness can have changed, and exclusive is the stricter one.
    const bool rose = *now > *before;
    const bool tighter = *before == *now ? now_exclusive : rose == bound.lower;
    add(tighter ? Impact::kRatcheted : Impact::kSafe,
        tighter ? "bound-tightened" : "bound-loosened",
        fmt::format("{} changed from {} to {}", bound.key, shown(old, before_exclusive),
                    shown(next, now_exclusive)),
        bound.key);
  }

  void compare_multiple(const SchemaView& old, const SchemaView& next) {
    const auto before = number(old, "multipleOf");
    const auto now = number(next, "multipleOf");
    if (before == now) return;
    if (!now) {
      return add(Impact::kSafe, "bound-loosened",
                 fmt::format("multipleOf {} removed", json(*old.get("multipleOf"))), "multipleOf",
                 true);
    }
    // Multiples of 6 are multiples of 3.
    const bool looser = before && *now != 0 && std::fmod(*before, *now) == 0;
    add(looser ? Impact::kSafe : Impact::kRatcheted, looser ? "bound-loosened" : "bound-tightened",
        fmt::format("multipleOf {} {}", json(*next.get("multipleOf")),
                    before ? "replaces " + json(*old.get("multipleOf")) : std::string("added")),
        "multipleOf");
  }

  void compare_pattern(const SchemaView& old, const SchemaView& next) {
    const std::string_view before = old.text("pattern");
    const std::string_view now = next.text("pattern");
    if (before == now) return;
    if (now.empty()) {
      return add(Impact::kSafe, "pattern-removed", fmt::format("pattern {} removed", quote(before)),
                 "pattern", true);
    }
    add(Impact::kRatcheted, before.empty() ? "pattern-added" : "pattern-changed",
        before.empty() ? fmt::format("pattern {} added", quote(now))
                       : fmt::format("pattern changed from {} to {}", quote(before), quote(now)),
        "pattern");
  }

  static bool is_enforced(const SchemaView& schema) {
    const std::string_view format = schema.text("format");
    const std::string_view type = schema.type();
    if (type == "integer") return schema::integer_format(format) != schema::Format::kNone;
    if (type == "number") return schema::number_format(format) != schema::Format::kNone;
    return (type.empty() || type == "string") &&
           schema::string_format(format) != schema::Format::kNone;
  }

  void compare_format(const SchemaView& old, const SchemaView& next) {
    const std::string_view before = old.text("format");
    const std::string_view now = next.text("format");
    if (before == now) return;
    const bool wider = before == "int32" && now == "int64";
    const bool tighter = is_enforced(next) && !wider;
    const auto named = [](std::string_view format) {
      return format.empty() ? std::string("none") : quote(format);
    };
    add(tighter ? Impact::kRatcheted : Impact::kSafe,
        tighter ? "format-tightened" : "format-loosened",
        fmt::format("format changed from {} to {}", named(before), named(now)), "format",
        now.empty());
  }

  void compare_unknown_fields(const SchemaView& old, const SchemaView& next) {
    const bool before = old.preserves_unknown();
    const bool now = next.preserves_unknown();
    if (before == now) return;
    add(now ? Impact::kSafe : Impact::kBreaking,
        now ? "unknown-fields-kept" : "unknown-fields-pruned",
        now ? "unknown fields are kept now" : "unknown fields are pruned now: their data is lost",
        "x-kubernetes-preserve-unknown-fields", !now);
  }

  void compare_embedded(const SchemaView& old, const SchemaView& next) {
    constexpr std::string_view kKey = "x-kubernetes-embedded-resource";
    if (old.flag(kKey) == next.flag(kKey)) return;
    const bool now = next.flag(kKey);
    add(Impact::kBreaking, now ? "embedded-added" : "embedded-removed",
        now ? "must be a whole resource now, with apiVersion, kind and valid metadata"
            : "is no resource any more: apiVersion, kind and metadata may be pruned",
        kKey, !now);
  }

  void compare_list_type(const SchemaView& old, const SchemaView& next) {
    const auto type_of = [](const SchemaView& schema) {
      const std::string_view type = schema.text("x-kubernetes-list-type");
      return type.empty() ? std::string_view("atomic") : type;
    };
    if (old.type() != "array") return;
    const std::string_view before = type_of(old);
    const std::string_view now = type_of(next);
    if (before != now) {
      add(Impact::kBreaking, "list-type-changed",
          fmt::format("list type changed from {} to {}: {}", before, now,
                      now == "atomic" ? "whoever applies the list owns all of it"
                                      : "lists with equal items are refused, stored ones too"),
          "x-kubernetes-list-type", !next.has("x-kubernetes-list-type"));
      return;
    }
    constexpr std::string_view kKeys = "x-kubernetes-list-map-keys";
    const Value* keys_before = old.get(kKeys);
    const Value* keys_now = next.get(kKeys);
    if (keys_before == nullptr || keys_now == nullptr || value::identical(*keys_before, *keys_now))
      return;
    add(Impact::kBreaking, "map-keys-changed",
        fmt::format("the keys of items changed from {} to {}", json(*keys_before), json(*keys_now)),
        kKeys);
  }

  void compare_map_type(const SchemaView& old, const SchemaView& next) {
    constexpr std::string_view kKey = "x-kubernetes-map-type";
    const auto type_of = [&](const SchemaView& schema) {
      return schema.text(kKey).empty() ? std::string_view("granular") : schema.text(kKey);
    };
    if (type_of(old) == type_of(next)) return;
    add(Impact::kBreaking, "map-type-changed",
        fmt::format("map type changed from {} to {}: ownership of its fields is lost", type_of(old),
                    type_of(next)),
        kKey, !next.has(kKey));
  }

  void compare_default(const SchemaView& old, const SchemaView& next) {
    const Value* before = old.get("default");
    const Value* now = next.get("default");
    if (before == nullptr && now == nullptr) return;
    if (before == nullptr) {
      return add(Impact::kSafe, "default-added",
                 fmt::format("default {} added: objects without the field show it", json(*now)),
                 "default");
    }
    if (now == nullptr) {
      return add(Impact::kBreaking, "default-removed",
                 fmt::format("default {} removed", json(*before)), "default", true);
    }
    if (value::identical(*before, *now)) return;
    add(Impact::kBreaking, "default-changed",
        fmt::format("default changed from {} to {}: objects that left it out mean something else",
                    json(*before), json(*now)),
        "default");
  }

  void compare_rules(const SchemaView& old, const SchemaView& next) {
    constexpr std::string_view kKey = "x-kubernetes-validations";
    const auto before = old.list(kKey);
    const auto now = next.list(kKey);
    // Messages and reasons may change freely: a rule is its expression and how it treats a missing
    // oldSelf.
    using Rule = std::pair<std::string_view, bool>;
    const auto identity = [](const Value& v) {
      return Rule(SchemaView(v).text("rule"), SchemaView(v).flag("optionalOldSelf"));
    };
    const auto all_of = [&](std::span<const Value> rules) {
      std::set<Rule> out;
      for (const Value& rule : rules) out.insert(identity(rule));
      return out;
    };
    const std::set<Rule> known_before = all_of(before);
    const std::set<Rule> known_now = all_of(now);
    for (const Value& rule : now) {
      if (known_before.contains(identity(rule))) continue;
      const std::string_view text = SchemaView(rule).text("rule");
      // A rule about the change itself is run whether or not the value is another one.
      const bool transition = text.find("oldSelf") != std::string_view::npos;
      add(transition ? Impact::kBreaking : Impact::kRatcheted, "rule-added",
          fmt::format("rule added{}: {}", transition ? ", which ratcheting does not soften" : "",
                      text),
          kKey);
    }
    for (const Value& rule : before) {
      if (known_now.contains(identity(rule))) continue;
      add(Impact::kSafe, "rule-removed",
          fmt::format("rule removed: {}", SchemaView(rule).text("rule")), kKey, true);
    }
  }

  // Whether one composition allows what the other did is not decided: any difference counts.
  void compare_junctors(const SchemaView& old, const SchemaView& next) {
    for (const std::string_view key : {"allOf", "anyOf", "oneOf", "not"}) {
      const Value* before = old.get(key);
      const Value* now = next.get(key);
      if (before == nullptr && now == nullptr) continue;
      // An int-or-string may carry the anyOf that it stands for.
      if (key == "anyOf" && next.flag("x-kubernetes-int-or-string") &&
          (before == nullptr || now == nullptr))
        continue;
      if (now == nullptr) {
        add(Impact::kSafe, "composition-removed", fmt::format("{} removed", key), key, true);
      } else if (before == nullptr || !value::identical(*before, *now)) {
        add(Impact::kBreaking, before == nullptr ? "composition-added" : "composition-changed",
            fmt::format("{} {}", key, before == nullptr ? "added" : "changed"), key);
      }
    }
  }

  void compare_required(const SchemaView& old, const SchemaView& next) {
    const auto before = old.list("required");
    const auto now = next.list("required");
    const ValueSet required_before(before);
    const ValueSet required_now(now);
    for (const Value& name : now) {
      if (!name.is_string() || required_before.contains(name)) continue;
      const auto property = next.property(name.as_string());
      const bool filled = property && property->has("default");
      add(filled ? Impact::kSafe : Impact::kBreaking, "required-added",
          fmt::format("{} is required now{}", name.as_string(),
                      filled ? ", but its default fills it in" : ""),
          "required");
    }
    for (const Value& name : before) {
      if (!name.is_string() || required_now.contains(name)) continue;
      add(Impact::kSafe, "required-removed",
          fmt::format("{} is not required any more", name.as_string()), "required", true);
    }
  }

  static bool is_open(const SchemaView& schema) {
    return schema.preserves_unknown() || schema.has("additionalProperties");
  }

  void compare_properties(const SchemaView& old, const SchemaView& next, bool is_root) {
    for (const Member& property : old.members("properties")) {
      if (is_root && schema::is_type_meta(property.key)) continue;
      const std::string step = "." + std::string(property.key);
      field_ += step;
      old_at_.push_field("properties");
      old_at_.push_key(property.key);
      new_at_.push_field("properties");
      new_at_.push_key(property.key);
      if (const auto now = next.property(property.key)) {
        walk(SchemaView(property.value), *now, false);
      } else if (next.preserves_unknown() || next.has("additionalProperties")) {
        add(Impact::kSafe, "property-opened", "not declared any more, but kept", "", true);
      } else {
        add(Impact::kBreaking, "property-removed", "removed: its data is pruned", "", true);
      }
      leave(step);
    }
    for (const Member& property : next.members("properties")) {
      if (is_root && schema::is_type_meta(property.key)) continue;
      if (old.property(property.key)) continue;
      const std::string step = "." + std::string(property.key);
      field_ += step;
      old_at_.push_field("properties");
      old_at_.push_key(property.key);
      new_at_.push_field("properties");
      new_at_.push_key(property.key);
      // Where unknown fields were kept, objects may already hold any value under this name.
      const bool open = is_open(old);
      add(open ? Impact::kRatcheted : Impact::kSafe, "property-added",
          open ? "added where any value could stand" : "added", "");
      leave(step);
    }
  }

  void leave(const std::string& step) {
    for (int i = 0; i < 2; ++i) {
      old_at_.pop();
      new_at_.pop();
    }
    field_.resize(field_.size() - step.size());
  }

  void compare_additional(const SchemaView& old, const SchemaView& next) {
    constexpr std::string_view kKey = "additionalProperties";
    const auto is_allowed = [&](const SchemaView& schema) {
      const Value* v = schema.get(kKey);
      return v != nullptr && (!v->is_bool() || v->as_bool());
    };
    const bool before = is_allowed(old);
    const bool now = is_allowed(next);
    if (before && !now) {
      if (next.preserves_unknown()) {
        add(Impact::kSafe, "additional-opened", "any member is kept now", kKey, true);
      } else {
        add(Impact::kBreaking, "additional-removed", "undeclared members are pruned now", kKey,
            true);
      }
      return;
    }
    if (!before && now) {
      const bool checked = old.preserves_unknown() && next.schema(kKey);
      add(checked ? Impact::kRatcheted : Impact::kSafe, "additional-added",
          checked ? "members are held to a schema now" : "any member is allowed now", kKey);
      return;
    }
    if (!before) return;
    const auto from = old.schema(kKey);
    const auto to = next.schema(kKey);
    if (from && to) return descend(*from, *to, kKey, "[*]");
    if (from.has_value() == to.has_value()) return;
    add(to ? Impact::kRatcheted : Impact::kSafe, to ? "additional-narrowed" : "additional-widened",
        to ? "members are held to a schema now" : "members are not held to a schema any more",
        kKey);
  }

  std::string version_;
  FieldPath old_at_;
  FieldPath new_at_;
  std::string field_;
  std::vector<Change>& out_;
};

}  // namespace

void diff_schemas(const SchemaView& old, const SchemaView& next, const SchemaPlaces& places,
                  std::vector<Change>& out) {
  SchemaDiff(places, out).walk(old, next, true);
}

}  // namespace strake::crd
