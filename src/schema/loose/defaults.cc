#include "schema/loose/defaults.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <vector>

#include "schema/loose/evaluate.h"
#include "value/members.h"

// Top down over a value in memory. At each part: the schemas that apply (references and allOf
// always, branches when the value as it is matches them), then their defaults for missing members,
// then the parts below, defaults included. A work list instead of recursion. A default that
// contains itself would never end, so depth and number are limited.

namespace strake::schema::loose {
namespace {

using value::Member;
using value::Value;

constexpr std::size_t kMostDefaults = 100'000;

class Defaulter {
 public:
  Defaulter(const Schema& schema, const Options& options, Arena& arena)
      : schema_(schema), options_(options), arena_(arena) {
    // Only the verdict of a branch counts.
    options_.strategy = Strategy::kFailFast;
  }

  Result<> run(Value& root, std::vector<const LooseNode*> nodes, std::size_t depth) {
    open_.push_back({&root, depth, std::move(nodes)});
    while (!open_.empty()) {
      Part part = std::move(open_.back());
      open_.pop_back();
      if (part.depth > options_.max_depth)
        return fail(Code::kLimit, "defaults are nested deeper than {}", options_.max_depth);
      spread(*part.value, part.nodes);
      if (part.value->is_object()) STRAKE_CHECK(fill(*part.value, part.nodes));
      push_parts(part);
    }
    return {};
  }

 private:
  struct Part {
    Value* value;
    std::size_t depth;
    std::vector<const LooseNode*> nodes;
  };

  bool matches(const Value& v, const LooseNode& node) const {
    return evaluate(v, schema_, node, options_).verdict == Verdict::kValid;
  }

  // Adds the schemas that apply to the same value, each once.
  void spread(const Value& v, std::vector<const LooseNode*>& nodes) const {
    constexpr std::size_t kFew = 16;  // up to here a look at all of them is faster
    std::unordered_set<const LooseNode*> seen;
    const auto is_new = [&](const LooseNode* next) {
      if (nodes.size() <= kFew) return std::ranges::find(nodes, next) == nodes.end();
      if (seen.empty()) seen.insert(nodes.begin(), nodes.end());
      return seen.insert(next).second;
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const LooseNode& node = *nodes[i];
      const auto add = [&](const LooseNode* next) {
        if (is_new(next)) nodes.push_back(next);
      };
      bool holds = false;  // `if`
      std::vector<const LooseNode*> chosen;
      for (const InPlace& edge : node.in_place) {
        switch (edge.edge) {
          case Edge::kRef:
          case Edge::kDynamicRef:
          case Edge::kAllOf: add(edge.node); break;
          case Edge::kAnyOf:
            if (matches(v, *edge.node)) add(edge.node);
            break;
          case Edge::kOneOf:
            if (matches(v, *edge.node)) chosen.push_back(edge.node);
            break;
          case Edge::kIf: holds = matches(v, *edge.node); break;
          case Edge::kThen:
            if (holds) add(edge.node);
            break;
          case Edge::kElse:
            if (!holds) add(edge.node);
            break;
          case Edge::kDependent:
            if (node.object && v.find(node.object->watched[edge.index]) != nullptr) add(edge.node);
            break;
          case Edge::kNot: break;
        }
      }
      // An ambiguous oneOf fills in nothing when ambiguity is an error: the evaluation will report
      // it.
      const bool clear = chosen.size() == 1 || options_.ambiguity != Ambiguity::kError;
      if (!chosen.empty() && clear) add(chosen.front());
    }
  }

  Result<> fill(Value& v, const std::vector<const LooseNode*>& nodes) {
    std::map<std::string_view, Value> filled;
    for (const LooseNode* node : nodes) {
      if (!node->object) continue;
      for (const KeyRule& rule : node->object->keys) {
        if (rule.property == nullptr) continue;
        const Value* wanted = default_of(*rule.property);
        if (wanted == nullptr) continue;
        const auto known = filled.find(rule.name);
        const Value* there = known != filled.end() ? &known->second : v.find(rule.name);
        if (there != nullptr && !(there->is_null() && !admits_null(*rule.property))) continue;
        if (++count_ > kMostDefaults)
          return fail(Code::kLimit, "defaults bring in more than {} values", kMostDefaults);
        filled.insert_or_assign(rule.name, value::deep_copy(*wanted, arena_));
      }
    }
    std::vector<Member> members;
    for (const auto& [key, made] : filled) members.push_back({key, made});
    value::set_members(v, members, arena_);
    return {};
  }

  void push_parts(const Part& part) {
    Value& v = *part.value;
    if (v.is_array()) {
      for (std::size_t i = 0; i < v.size(); ++i) {
        Part next{&v.mutable_items()[i], part.depth + 1, {}};
        for (const LooseNode* node : part.nodes) {
          if (!node->array) continue;
          const LooseNode* item = element_schema(*node->array, i);
          if (item != nullptr) next.nodes.push_back(item);
        }
        push(std::move(next));
      }
      return;
    }
    if (!v.is_object()) return;
    for (Member& member : v.mutable_members()) {
      Part next{&member.value, part.depth + 1, {}};
      for (const LooseNode* node : part.nodes) {
        if (node->object) add_member_schemas(*node->object, member.key, next.nodes);
      }
      push(std::move(next));
    }
  }

  void push(Part part) {
    const bool container = part.value->is_array() || part.value->is_object();
    if (container && !part.nodes.empty()) open_.push_back(std::move(part));
  }

  const Schema& schema_;
  Options options_;
  Arena& arena_;
  std::vector<Part> open_;
  std::size_t count_ = 0;
};

const Value* find_default(const LooseNode& node, std::size_t depth) {
  if (node.default_value != nullptr) return node.default_value;
  constexpr std::size_t kDeepest = 100;
  if (depth > kDeepest) return nullptr;
  for (const InPlace& edge : node.in_place) {
    if (edge.edge != Edge::kRef && edge.edge != Edge::kAllOf) continue;
    if (const Value* found = find_default(*edge.node, depth + 1)) return found;
  }
  return nullptr;
}

}  // namespace

const Value* default_of(const LooseNode& node) { return find_default(node, 0); }

bool admits_null(const LooseNode& node) {
  return !node.has_type || (node.type_set & types::kNull) != 0;
}

void add_member_schemas(const ObjectRules& rules, std::string_view key,
                        std::vector<const LooseNode*>& out) {
  const std::size_t before = out.size();
  if (const KeyRule* rule = rules.find(key); rule != nullptr && rule->property != nullptr)
    out.push_back(rule->property);
  for (const PatternRule& pattern : rules.patterns) {
    if (pattern.pattern && pattern.pattern->search(key)) out.push_back(pattern.node);
  }
  if (out.size() == before && rules.additional != nullptr) out.push_back(rules.additional);
}

const LooseNode* element_schema(const ArrayRules& rules, std::size_t index) {
  return index < rules.prefix.size() ? rules.prefix[index] : rules.items;
}

Result<> apply_defaults(Value& v, const Schema& schema, const LooseNode& root,
                        const Options& options, Arena& arena) {
  return Defaulter(schema, options, arena).run(v, {&root}, 0);
}

Result<> apply_defaults(Value& v, const Schema& schema, std::vector<const LooseNode*> nodes,
                        std::size_t depth, const Options& options, Arena& arena) {
  return Defaulter(schema, options, arena).run(v, std::move(nodes), depth);
}

}  // namespace strake::schema::loose
