#include "crd/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/number_format.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "crd/check.h"
#include "crd/hoisted.h"
#include "crd/pattern_reach.h"
#include "crd/schema_view.h"
#include "crd/source_path.h"
#include "schema/format/format.h"
#include "schema/pattern/pattern.h"
#include "value/json_writer.h"

// Remarks about CRDs that the server would accept. Each check sees one node and what is around it;
// a remark is made only when it is certain, since people run this in CI (docs/crd-lint.md).

namespace strake::crd {
namespace {

using value::Member;
using value::Value;

constexpr LintCode kLintCodes[] = {
    {.code = "bounds-unreachable", .summary = "bounds that no value can satisfy"},
    {.code = "crd-invalid", .refused = true, .summary = "the server would reject the CRD"},
    {.code = "default-on-required", .summary = "a required property that has a default"},
    {.code = "description-missing",
     .by_default = false,
     .summary = "a property without a description"},
    {.code = "duplicate-required", .summary = "a duplicate name in required"},
    {.code = "enum-unreachable", .summary = "an enum value that another keyword rejects"},
    {.code = "format-type-mismatch", .summary = "a format of another type, which is not enforced"},
    {.code = "format-unrecognized", .summary = "a format that the server does not know"},
    {.code = "list-type-missing", .summary = "a list of objects without x-kubernetes-list-type"},
    {.code = "no-status-subresource", .summary = "a status property without the subresource"},
    {.code = "pattern-unanchored", .summary = "a pattern without anchors"},
    {.code = "pattern-unreachable", .summary = "a pattern that no allowed string matches"},
    {.code = "preserve-unknown-root", .summary = "a root that preserves all unknown fields"},
    {.code = "required-undeclared", .summary = "a required property that is always pruned"},
    {.code = "unbounded-under-cel", .summary = "a costly rule over unbounded data"},
    {.code = "unknown-field", .summary = "an unknown field, which the server drops"},
};

// A rule is worth a remark from this part of what one expression may cost.
constexpr std::uint64_t kNoticeableShare = 10;
constexpr std::size_t kMostNamed = 3;

bool is_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end])))
      return true;
  }
  return false;
}

std::optional<double> number(const SchemaView& schema, std::string_view key) {
  const Value* v = schema.get(key);
  if (v == nullptr || !v->is_number()) return std::nullopt;
  return v->as_double();
}

std::string shown(double n) { return format_json_number(n); }

// Which keyword would give the node a bound, or nothing when it has one or needs none.
std::string_view missing_bound(const SchemaView& schema) {
  const std::string_view type = schema.type();
  if (type == "array" && !schema.has("maxItems")) return "maxItems";
  if (type == "object" && schema.has("additionalProperties") && !schema.has("maxProperties"))
    return "maxProperties";
  if (type == "string" && !schema.has("maxLength") && !schema.has("enum")) {
    const std::string_view format = schema.text("format");
    const bool short_format = format == "date" || format == "date-time" || format == "duration";
    if (!short_format) return "maxLength";
  }
  return {};
}

bool type_takes(std::string_view type, const Value& v) {
  if (type.empty()) return true;
  if (type == "integer") {
    return v.type() == value::Type::kInt || v.type() == value::Type::kUint ||
           (v.type() == value::Type::kDouble && v.as_double() == std::trunc(v.as_double()));
  }
  if (type == "number") return v.is_number();
  if (type == "string") return v.is_string();
  if (type == "boolean") return v.is_bool();
  if (type == "array") return v.is_array();
  return type != "object" || v.is_object();
}

class SchemaLint {
 public:
  SchemaLint(const LintOptions& options, std::vector<Lint>& out) : options_(options), out_(out) {
    if (options.compiler == nullptr) return;
    // Costs are those that the check of the CRD has computed; rules are not compiled a second time.
    for (const RuleCost& cost : options.compiler->costs())
      costs_[source_path(cost.at).to_k8s()] = &cost;
  }

  // `at` is where the root schema stands.
  void run(const SchemaView& schema, FieldPath at) {
    at_ = std::move(at);
    if (schema.preserves_unknown()) {
      add("preserve-unknown-root", at_ / "x-kubernetes-preserve-unknown-fields",
          "unknown fields are kept everywhere at the root: nothing that is mistyped is found",
          "declare the properties, and keep unknown fields only where they are meant");
    }
    walk(schema, true, false);
  }

  bool wants(std::string_view code) const {
    const LintCode& found = *find_lint_code(code);
    return options_.wanted ? options_.wanted(found) : found.by_default;
  }

  void add(std::string_view code, FieldPath path, std::string message, std::string hint = {}) {
    if (!wants(code)) return;
    out_.push_back({.code = find_lint_code(code),
                    .path = std::move(path),
                    .message = std::move(message),
                    .hint = std::move(hint)});
  }

 private:
  void walk(const SchemaView& schema, bool is_root, bool in_junctor) {
    check_bounds(schema);
    check_format(schema);
    check_pattern(schema);
    check_enum(schema);
    // Inside of allOf, anyOf, oneOf and not, types and lists are those of the schema around them,
    // and rules are not allowed.
    if (!in_junctor) {
      check_list_type(schema);
      check_required(schema, is_root);
      check_rules(schema);
    }
    way_.push_back(&schema);
    const bool want_descriptions = !in_junctor && wants("description-missing");
    const auto below = [&](const Value& v, bool junctor, auto... steps) {
      (push(steps), ...);
      walk(SchemaView(v), false, junctor);
      pop(sizeof...(steps));
    };
    for (const Member& property : schema.members("properties")) {
      // The server has its own idea of these, whatever the schema says.
      if (is_root && schema::is_type_meta(property.key)) continue;
      if (want_descriptions && SchemaView(property.value).text("description").empty()) {
        add("description-missing", (at_ / "properties").key(property.key),
            fmt::format("{} has no description", quote(property.key)));
      }
      names_.push_back(property.key);
      below(property.value, in_junctor, Field{"properties"}, Key{property.key});
      names_.pop_back();
    }
    names_.emplace_back();
    if (const auto items = schema.items()) below(items->value(), in_junctor, Field{"items"});
    if (const auto more = schema.schema("additionalProperties"))
      below(more->value(), in_junctor, Field{"additionalProperties"});
    for (const std::string_view junctor : {"allOf", "anyOf", "oneOf"}) {
      const auto branches = schema.list(junctor);
      for (std::size_t i = 0; i < branches.size(); ++i)
        below(branches[i], true, Field{junctor}, Index{i});
    }
    if (const auto negated = schema.schema("not")) below(negated->value(), true, Field{"not"});
    names_.pop_back();
    way_.pop_back();
  }

  struct Field {
    std::string_view name;
  };
  struct Key {
    std::string_view name;
  };
  struct Index {
    std::size_t number;
  };
  void push(Field step) { at_.push_field(step.name); }
  void push(Key step) { at_.push_key(step.name); }
  void push(Index step) { at_.push_index(step.number); }
  void pop(std::size_t count) {
    while (count-- > 0) at_.pop();
  }

  void check_bounds(const SchemaView& schema) {
    struct Pair {
      std::string_view least;
      std::string_view most;
    };
    for (const auto& [least, most] :
         {Pair{"minLength", "maxLength"}, Pair{"minItems", "maxItems"},
          Pair{"minProperties", "maxProperties"}, Pair{"minimum", "maximum"}}) {
      const auto low = number(schema, least);
      const auto high = number(schema, most);
      if (!low || !high) continue;
      const bool exclusive = least == "minimum" &&
                             (schema.flag("exclusiveMinimum") || schema.flag("exclusiveMaximum"));
      if (*low < *high || (*low == *high && !exclusive)) continue;
      add("bounds-unreachable", at_ / least,
          fmt::format("no value can be valid: {} is {} and {} is {}{}", least, shown(*low), most,
                      shown(*high), *low == *high ? ", one of them exclusive" : ""));
    }
    if (schema.type() != "integer" || schema.text("format") != "int32") return;
    for (const std::string_view key : {"minimum", "maximum"}) {
      const auto bound = number(schema, key);
      if (!bound || (*bound >= INT32_MIN && *bound <= INT32_MAX)) continue;
      add("bounds-unreachable", at_ / key,
          fmt::format("{} {} lies outside of format int32", key, shown(*bound)),
          "format int64 holds it");
    }
  }

  void check_format(const SchemaView& schema) {
    const std::string_view format = schema.text("format");
    if (format.empty()) return;
    const std::string_view type = schema.type();
    bool known = false;
    if (type.empty() || type == "string")
      known = schema::string_format(format) != schema::Format::kNone;
    if (type == "integer") known = schema::integer_format(format) != schema::Format::kNone;
    if (type == "number") known = schema::number_format(format) != schema::Format::kNone;
    if (known) return;
    if (schema::is_recognized_format(format)) {
      add("format-type-mismatch", at_ / "format",
          fmt::format("format {} says nothing about type {}: it is not enforced", quote(format),
                      type.empty() ? "unset" : type));
    } else {
      add("format-unrecognized", at_ / "format", "unrecognized format " + quote(format),
          "it is published, but not enforced; a pattern would be");
    }
  }

  void check_pattern(const SchemaView& schema) {
    const std::string_view pattern = schema.text("pattern");
    if (pattern.empty() || !schema::check_pattern(pattern)) return;
    const auto reach = pattern_reach(pattern);
    if (!reach) return;
    const auto unreachable = [&](std::string message) {
      add("pattern-unreachable", at_ / "pattern", std::move(message));
    };
    const auto longest = number(schema, "maxLength");
    const auto shortest = number(schema, "minLength");
    if (reach->never) {
      unreachable(
          "no text matches: characters are wanted before its begin or behind its end, or of a "
          "class "
          "that has none, or at the edge of a word that must be none");
    } else if (longest && static_cast<double>(reach->shortest) > *longest) {
      unreachable(
          fmt::format("no allowed text matches: the pattern needs {} characters, maxLength "
                      "is {}",
                      reach->shortest, shown(*longest)));
      // A match that need not span the text can be shorter than minLength, so both anchors are
      // needed here.
    } else if (shortest && reach->longest && reach->at_begin && reach->at_end &&
               static_cast<double>(*reach->longest) < *shortest) {
      unreachable(
          fmt::format("no allowed text matches: the pattern takes at most {} characters, "
                      "minLength is {}",
                      *reach->longest, shown(*shortest)));
    } else if (reach->split_anchors) {
      add("pattern-unanchored", at_ / "pattern",
          "^ holds for the first alternative only, and $ for the last only",
          "put the alternatives in parentheses: ^(a|b)$");
    } else if (!reach->has_anchor) {
      add("pattern-unanchored", at_ / "pattern",
          "without ^ and $, a match anywhere in the text is enough",
          "put ^ in front and $ behind when the whole text is meant");
    }
  }

  void check_enum(const SchemaView& schema) {
    const auto values = schema.list("enum");
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto why = refusal(schema, values[i]);
      if (!why) continue;
      add("enum-unreachable", at_ / "enum" / i,
          fmt::format("{} can never be used: {}", value::to_json(values[i], {.escape_html = false}),
                      *why));
    }
  }

  static std::optional<std::string> refusal(const SchemaView& schema, const Value& v) {
    if (v.is_null()) {
      if (schema.flag("nullable")) return std::nullopt;
      return "the field is not nullable";
    }
    if (schema.flag("x-kubernetes-int-or-string")) {
      if (type_takes("integer", v) || v.is_string()) return std::nullopt;
      return "it is neither an integer nor a string";
    }
    if (!type_takes(schema.type(), v)) return fmt::format("the type is {}", schema.type());
    if (v.is_string()) return text_refusal(schema, v.as_string());
    if (!v.is_number()) return std::nullopt;
    const double n = v.as_double();
    if (const auto low = number(schema, "minimum"); low && n < *low)
      return fmt::format("minimum is {}", shown(*low));
    if (const auto high = number(schema, "maximum"); high && n > *high)
      return fmt::format("maximum is {}", shown(*high));
    return std::nullopt;
  }

  static std::optional<std::string> text_refusal(const SchemaView& schema, std::string_view text) {
    const auto length = static_cast<double>(utf8::count(text));
    if (const auto low = number(schema, "minLength"); low && length < *low)
      return fmt::format("minLength is {}", shown(*low));
    if (const auto high = number(schema, "maxLength"); high && length > *high)
      return fmt::format("maxLength is {}", shown(*high));
    const std::string_view pattern = schema.text("pattern");
    if (!pattern.empty() && schema::check_pattern(pattern) &&
        !schema::intern_pattern(pattern)->search(text))
      return fmt::format("the pattern {} does not match", quote(pattern));
    const schema::Format format = schema::string_format(schema.text("format"));
    if (format != schema::Format::kNone && !schema::matches_format(format, text))
      return fmt::format("the format is {}", schema.text("format"));
    return std::nullopt;
  }

  void check_list_type(const SchemaView& schema) {
    if (schema.type() != "array" || schema.has("x-kubernetes-list-type")) return;
    const auto items = schema.items();
    if (!items || items->type() != "object") return;
    add("list-type-missing", at_,
        "the list is atomic: whoever applies one item takes over all of them",
        "x-kubernetes-list-type: map with its keys, or atomic when that is meant");
  }

  void check_required(const SchemaView& schema, bool is_root) {
    const auto names = schema.list("required");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!names[i].is_string()) continue;
      const std::string_view name = names[i].as_string();
      const auto is_same = [&](const Value& v) { return v.is_string() && v.as_string() == name; };
      if (std::ranges::any_of(names.first(i), is_same)) {
        add("duplicate-required", at_ / "required" / i,
            fmt::format("{} is required twice", quote(name)));
        continue;
      }
      if (is_root && schema::is_type_meta(name)) continue;
      const auto property = schema.property(name);
      if (property && property->has("default")) {
        add("default-on-required", at_ / "required" / i,
            fmt::format("{} is required and has a default: it can always be left out", quote(name)),
            "drop it from required, or drop the default");
      }
      const bool open = schema.preserves_unknown() || schema.has("additionalProperties") ||
                        schema.flag("x-kubernetes-embedded-resource");
      if (!property && !open && schema.type() == "object") {
        add("required-undeclared", at_ / "required" / i,
            fmt::format("{} is required, but it is not declared and always pruned: no object can "
                        "be valid",
                        quote(name)));
      }
    }
  }

  // --- rules that are dear because something has no bound

  void check_rules(const SchemaView& schema) {
    const auto rules = schema.list("x-kubernetes-validations");
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const FieldPath at = at_ / "x-kubernetes-validations" / i / "rule";
      const auto found = costs_.find(at.to_k8s());
      if (found == costs_.end()) continue;
      const RuleCost& cost = *found->second;
      if (cost.cost < cost.limit / kNoticeableShare) continue;
      const std::vector<std::string> unbounded =
          unbounded_under(schema, SchemaView(rules[i]).text("rule"));
      if (unbounded.empty()) continue;
      std::string named;
      for (std::size_t n = 0; n < std::min(unbounded.size(), kMostNamed); ++n)
        named += (n == 0 ? "" : ", ") + unbounded[n];
      if (unbounded.size() > kMostNamed)
        named += fmt::format(" and {} more", unbounded.size() - kMostNamed);
      const double share = 100.0 * static_cast<double>(cost.cost) / static_cast<double>(cost.limit);
      add("unbounded-under-cel", at,
          share > 1000 ? "the rule may cost more than ten times what is allowed"
                       : fmt::format("the rule may cost {:.0f}% of what is allowed", share),
          "no bound: " + named);
    }
  }

  // What the rule of this node meets that has no bound: the lists and maps around it, the node
  // itself, and below it the fields that the rule names.
  std::vector<std::string> unbounded_under(const SchemaView& schema, std::string_view rule) const {
    std::vector<std::string> out;
    const auto note = [&](std::string name, const SchemaView& one) {
      const std::string_view missing = missing_bound(one);
      if (!missing.empty()) out.push_back(fmt::format("{} ({})", name, missing));
    };
    std::string name;
    for (std::size_t i = 0; i < way_.size(); ++i) {
      if (way_[i]->type() != "string") note(name.empty() ? "the root" : name, *way_[i]);
      name += i < names_.size() && !names_[i].empty() ? "." + std::string(names_[i])
                                                      : (way_[i]->type() == "array" ? "[]" : "[*]");
    }
    note(name.empty() ? "the root" : name, schema);
    note_named(schema, name, rule, note);
    return out;
  }

  template <typename Note>
  // The rule is searched for words, not parsed: a name that occurs for another reason costs a
  // superfluous hint, and the remark itself comes from the computed cost.
  static void note_named(const SchemaView& schema, const std::string& name, std::string_view rule,
                         const Note& note) {
    for (const Member& property : schema.members("properties")) {
      if (!is_word(rule, property.key)) continue;
      const SchemaView child(property.value);
      const std::string here = name + "." + std::string(property.key);
      note(here, child);
      note_named(child, here, rule, note);
    }
    if (const auto items = schema.items()) {
      note(name + "[]", *items);
      note_named(*items, name + "[]", rule, note);
    }
    if (const auto more = schema.schema("additionalProperties")) {
      note(name + "[*]", *more);
      note_named(*more, name + "[*]", rule, note);
    }
  }

  const LintOptions& options_;
  std::vector<Lint>& out_;
  std::map<std::string, const RuleCost*> costs_;
  FieldPath at_;
  std::vector<const SchemaView*> way_;   // the schemas around the one that is looked at
  std::vector<std::string_view> names_;  // the property taken in each, empty for items and the rest
};

void lint_version(const Version& version, const Value* subresources, const Value& schema,
                  const FieldPath& at, SchemaLint& walk) {
  const SchemaView root(schema);
  const bool has_status = subresources != nullptr && subresources->find("status") != nullptr;
  if (root.property("status") && !has_status) {
    walk.add("no-status-subresource",
             (at / "schema" / "openAPIV3Schema" / "properties").key("status"),
             fmt::format("{} has a status, but no status subresource: whoever may write the object "
                         "may write its status, and the generation counts such writes",
                         version.name()),
             "subresources: {status: {}}");
  }
  walk.run(root, at / "schema" / "openAPIV3Schema");
}

constexpr std::string_view kListType = "list-type-missing";
constexpr std::size_t kMostPlaces = 3;

// Where a schema's objects have the field: "v1 spec.plants[].tools".
std::string field_of(const Crd& crd, const FieldPath& path) {
  const auto& steps = path.steps();
  std::string out;
  if (steps.size() > 2 && steps[2].kind == FieldPath::Kind::kIndex &&
      steps[2].index < crd.versions().size())
    out = fmt::format("{} ", crd.versions()[steps[2].index].name());
  const std::size_t front = out.size();
  for (std::size_t i = 3; i < steps.size(); ++i) {
    if (steps[i].name == "properties" && i + 1 < steps.size()) {
      if (out.size() > front) out += '.';
      out += steps[++i].name;
    } else if (steps[i].name == "items") {
      out += "[]";
    } else if (steps[i].name == "additionalProperties") {
      out += "[*]";
    }
  }
  return out;
}

// Most CRDs that lack one list type lack many: they are told once, at the first place.
void gather_list_types(const Crd& crd, std::vector<Lint>& lints) {
  const auto is_list_type = [](const Lint& one) { return one.code->code == kListType; };
  const auto first = std::find_if(lints.begin(), lints.end(), is_list_type);
  const auto count = static_cast<std::size_t>(std::count_if(first, lints.end(), is_list_type));
  if (count < 2) return;
  std::string places;
  std::size_t shown = 0;
  for (auto at = first; at != lints.end() && shown < kMostPlaces; ++at) {
    if (!is_list_type(*at)) continue;
    places += fmt::format("{}{}", shown++ == 0 ? "" : ", ", field_of(crd, at->path));
  }
  if (count > shown) places += fmt::format(" and {} more", count - shown);
  first->message = fmt::format(
      "{} lists of objects are atomic: whoever applies one item takes over the whole list: {}",
      count, places);
  lints.erase(std::remove_if(first + 1, lints.end(), is_list_type), lints.end());
}

}  // namespace

std::span<const LintCode> lint_codes() { return kLintCodes; }

const LintCode* find_lint_code(std::string_view code) {
  const auto found = std::ranges::lower_bound(kLintCodes, code, {}, &LintCode::code);
  return found != std::end(kLintCodes) && found->code == code ? found : nullptr;
}

std::vector<Lint> lint(const Crd& crd, std::span<const std::string> unknown,
                       const LintOptions& options) {
  std::vector<Lint> out;
  const value::FieldErrors errors = check_create(crd, options.compiler);
  SchemaLint walk(options, out);
  for (const value::FieldError& error : errors) {
    const FieldPath path = source_path(error.path);
    walk.add("crd-invalid", path, error.body(),
             path == error.path ? std::string() : "the server names it " + error.field());
  }
  for (const std::string& field : unknown) {
    FieldPath path;
    if (!FieldPath::parse_dotted(field, path)) path = FieldPath();
    walk.add("unknown-field", std::move(path), fmt::format("unknown field {}", quote(field)));
  }
  const FieldPath versions = FieldPath() / "spec" / "versions";
  const HoistedSpec spec = hoist(crd);
  for (std::size_t i = 0; i < spec.versions.size(); ++i) {
    const HoistedVersion& one = spec.versions[i];
    const Version& version = *one.version;
    // A schema that all versions share is looked at once, in the first of them.
    if (version.schema() == nullptr || (i > 0 && one.schema() == nullptr)) continue;
    lint_version(version, version.subresources(), *version.schema(), versions / i, walk);
  }
  gather_list_types(crd, out);
  return out;
}

}  // namespace strake::crd
