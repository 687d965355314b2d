#include "validate/schema_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/trim.h"
#include "base/utf8.h"

// Validation reports faults with the path in the object, as the API server does, and not the
// keyword that failed. The keyword follows from the kind of fault, and its place is found by
// walking the schema along the path again. A path can be followed through several branches of
// allOf, anyOf and oneOf, so this is a search, bounded by kMostTries. The first hit counts: a wrong
// pointer misleads a reader at worst, and no verdict depends on it.

namespace strake::validate {
namespace {

using schema::Node;

constexpr std::size_t kHintLength = 80;

std::string_view param_of(const Fault& fault, std::string_view name) {
  for (const Param& param : fault.params) {
    if (param.name == name) return param.json;
  }
  return {};
}

std::string_view count_keyword(const Fault& fault, bool least) {
  const std::string_view unit = param_of(fault, "unit");
  if (unit == "\"items\"") return least ? "minItems" : "maxItems";
  if (unit == "\"properties\"") return least ? "minProperties" : "maxProperties";
  return least ? "minLength" : "maxLength";
}

bool says(const Fault& fault, std::string_view words) {
  return fault.message.find(words) != std::string::npos;
}

std::string_view union_keyword(const Fault& fault) {
  if (says(fault, "(anyOf)")) return "anyOf";
  return says(fault, "(allOf)") ? "allOf" : "oneOf";
}

// The keyword that such a fault is about; empty when none is.
std::string_view keyword_of(const Fault& fault) {
  switch (fault.issue) {
    case Issue::kInvalidType: {
      const std::string_view expected = param_of(fault, "expected");
      if (expected == "\"int32\"" || expected == "\"int64\"" || expected == "\"float\"" ||
          expected == "\"double\"" || says(fault, " with format "))
        return "format";
      return expected == "\"integer,string\"" ? "x-kubernetes-int-or-string" : "type";
    }
    case Issue::kRequired: return "required";
    case Issue::kDuplicateItem: return "x-kubernetes-list-type";
    case Issue::kTooSmall: return "minimum";
    case Issue::kTooBig: return "maximum";
    case Issue::kNotMultiple: return "multipleOf";
    case Issue::kTooShort: return count_keyword(fault, true);
    case Issue::kTooLong: return count_keyword(fault, false);
    case Issue::kPattern: return "pattern";
    case Issue::kInvalidEnum: return "enum";
    case Issue::kInvalidFormat: return "format";
    case Issue::kUnionAmbiguous:
    case Issue::kNoMatch: return union_keyword(fault);
    case Issue::kNotAllowed: return "not";
    default: return {};
  }
}

bool has_keyword(const Node& node, std::string_view keyword, std::string_view member) {
  if (keyword == "type") return node.type != schema::JsonType::kNone;
  if (keyword == "x-kubernetes-int-or-string") return node.int_or_string;
  if (keyword == "format") return !node.format_text.empty();
  if (keyword == "required") return std::ranges::find(node.required, member) != node.required.end();
  if (keyword == "x-kubernetes-list-type")
    return node.list_type == schema::ListType::kSet || node.list_type == schema::ListType::kMap;
  if (keyword == "minimum") return node.number && node.number->minimum;
  if (keyword == "maximum") return node.number && node.number->maximum;
  if (keyword == "multipleOf") return node.number && node.number->multiple_of;
  if (keyword == "minLength") return node.text && node.text->min_length;
  if (keyword == "maxLength") return node.text && node.text->max_length;
  if (keyword == "pattern") return node.text && node.text->pattern;
  if (keyword == "minItems") return node.min_items.has_value();
  if (keyword == "maxItems") return node.max_items.has_value();
  if (keyword == "minProperties") return node.min_properties.has_value();
  if (keyword == "maxProperties") return node.max_properties.has_value();
  if (keyword == "enum") return node.enumeration != nullptr;
  if (!node.composition) return false;
  if (keyword == "oneOf") return !node.composition->one_of.empty();
  if (keyword == "anyOf") return !node.composition->any_of.empty();
  if (keyword == "allOf") return !node.composition->all_of.empty();
  return keyword == "not" && node.composition->negated;
}

// The schema of a step, and its pointer from the schema around it.
const Node* step_into(const Node& node, const FieldPath::Step& step, std::string& pointer) {
  if (step.kind == FieldPath::Kind::kIndex) {
    pointer += "/items";
    return node.items.get();
  }
  if (const Node* named = node.property(step.name)) {
    pointer += (FieldPath() / "properties" / step.name).to_pointer();
    return named;
  }
  pointer += "/additionalProperties";
  return node.additional_schema.get();
}

// Looks for a node with the keyword at the end of the path. Parts of unions come after the schema
// they belong to.
class KeywordSearch {
 public:
  KeywordSearch(const FieldPath& path, std::size_t length, std::string_view keyword,
                std::string_view member)
      : path_(path), length_(length), keyword_(keyword), member_(member) {}

  const Node* run(const Node& node, std::size_t depth, std::string& pointer) {
    if (++tries_ > kMostTries) return nullptr;
    const std::size_t before = pointer.size();
    if (depth == length_) {
      if (has_keyword(node, keyword_, member_)) return &node;
    } else if (const Node* next = step_into(node, path_.steps()[depth], pointer)) {
      if (const Node* found = run(*next, depth + 1, pointer)) return found;
    }
    pointer.resize(before);
    return node.composition ? in_branches(*node.composition, depth, pointer) : nullptr;
  }

 private:
  static constexpr std::size_t kMostTries = 10'000;

  const Node* in_branches(const schema::Composition& parts, std::size_t depth,
                          std::string& pointer) {
    const std::size_t before = pointer.size();
    const auto branch = [&](const Node& node, std::string text) {
      pointer += text;
      const Node* found = run(node, depth, pointer);
      if (found == nullptr) pointer.resize(before);
      return found;
    };
    const std::pair<std::string_view, const std::vector<schema::NodePtr>&> lists[] = {
        {"allOf", parts.all_of}, {"anyOf", parts.any_of}, {"oneOf", parts.one_of}};
    for (const auto& [name, nodes] : lists) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (const Node* found = branch(*nodes[i], fmt::format("/{}/{}", name, i))) return found;
      }
    }
    return parts.negated ? branch(*parts.negated, "/not") : nullptr;
  }

  const FieldPath& path_;
  std::size_t length_;
  std::string_view keyword_;
  std::string_view member_;
  std::size_t tries_ = 0;
};

enum class Match : unsigned char { kNo, kMaybe, kYes };

// Whether a fault with these words may come from the rule: the server puts either the rule or its
// message into them, unless an expression made the message.
Match matches(const schema::Rule& rule, const Fault& fault) {
  const std::string_view text = trim_unicode(rule.rule);
  if (fault.message.ends_with(text)) return Match::kYes;
  const std::string_view message = trim_unicode(rule.message);
  if (!message.empty() && fault.message.ends_with(message)) return Match::kYes;
  // A duplicate loses its message, and an expression may have said anything.
  const bool wordless = rule.reason == "FieldValueDuplicate" || !rule.message_expression.empty() ||
                        fault.issue == Issue::kCelCompile;
  return wordless ? Match::kMaybe : Match::kNo;
}

struct FoundRule {
  const schema::Rule* rule = nullptr;
  std::string pointer;
};

// A rule stands at the place of its fault, or above it when its fieldPath leads there.
FoundRule find_rule(const Fault& fault, const Node& root) {
  FoundRule likely;
  std::size_t candidates = 0;
  const Node* node = &root;
  std::string pointer;
  const auto& steps = fault.path.steps();
  for (std::size_t depth = 0; node != nullptr; ++depth) {
    const bool here = depth == steps.size();
    for (std::size_t i = 0; i < node->rules.size(); ++i) {
      const schema::Rule& rule = node->rules[i];
      const bool reaches = here ? rule.field_path.empty()
                                : rule.field_path.find(steps.back().name) != std::string::npos;
      if (!reaches) continue;
      const Match match = matches(rule, fault);
      if (match == Match::kNo) continue;
      FoundRule found{&rule, fmt::format("{}/x-kubernetes-validations/{}", pointer, i)};
      if (match == Match::kYes) return found;
      ++candidates;
      likely = std::move(found);
    }
    if (here) break;
    node = step_into(*node, steps[depth], pointer);
  }
  return candidates == 1 ? likely : FoundRule{};
}

std::string shortened(std::string_view text) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kHintLength && bytes < text.size(); ++i)
    bytes += utf8::decode(text.substr(bytes)).width;
  return std::string(text.substr(0, bytes));
}

bool is_rule_issue(Issue issue) {
  return issue == Issue::kCelViolation || issue == Issue::kCelError || issue == Issue::kCelBudget ||
         issue == Issue::kCelCompile;
}

}  // namespace

std::string schema_place(const Node& root, const FieldPath& path) {
  const Node* node = &root;
  std::string pointer;
  for (const FieldPath::Step& step : path.steps()) {
    node = step_into(*node, step, pointer);
    if (node == nullptr) return {};
  }
  return pointer;
}

void add_schema_path(Fault& fault, const Node& root) {
  if (is_rule_issue(fault.issue)) {
    FoundRule found = find_rule(fault, root);
    if (found.rule == nullptr) return;
    fault.schema_path = std::move(found.pointer);
    fault.rule = found.rule->rule;
    if (fault.hint.empty()) fault.hint = shortened(trim_unicode(fault.rule));
    return;
  }
  std::size_t length = fault.path.steps().size();
  const bool of_parent = fault.issue == Issue::kRequired || fault.issue == Issue::kUnknownKey ||
                         fault.issue == Issue::kDuplicateItem;
  if (of_parent && length == 0) return;
  if (of_parent) --length;
  std::string pointer;
  if (fault.issue == Issue::kUnknownKey) {
    // No keyword covers the key: what is left is the schema that does not.
    FieldPath parent = fault.path;
    parent.pop();
    fault.schema_path = schema_place(root, parent);
    return;
  }
  const std::string_view keyword = keyword_of(fault);
  if (keyword.empty()) return;
  const std::string_view member =
      of_parent ? std::string_view(fault.path.steps().back().name) : std::string_view();
  const Node* found = KeywordSearch(fault.path, length, keyword, member).run(root, 0, pointer);
  if (found == nullptr) return;
  const bool keyed = keyword == "x-kubernetes-list-type" && !found->map_keys.empty();
  fault.schema_path = fmt::format("{}/{}", pointer, keyed ? "x-kubernetes-list-map-keys" : keyword);
}

}  // namespace strake::validate
