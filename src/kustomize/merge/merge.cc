#include "kustomize/merge/merge.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kustomize/merge/merge_list.h"
#include "kustomize/tree/node_value.h"
#include "kustomize/tree/resource.h"

// The strategic merge of kustomize 5.5 (merge2 of kyaml), on trees that keep comments and style. It
// is not the one of patch/strategic_merge.h: it merges two YAML trees that may both be partial,
// takes its schema from comments, layers and built-in kinds, and keeps how things were written
// (docs/adr/0007-two-strategic-merges.md).
//
// The walk goes over both trees at once; base, patch or both are there. Members are visited in the
// order of their keys, as kyaml visits them, since the order decides which error comes first and
// where new members go. The base is edited in place and gives the result, but for parts that are
// taken over from the patch. Long maps get an index by key, so that a merge takes n log n; short
// ones, nearly all, are searched.

namespace strake::kustomize {
namespace {

constexpr std::string_view kDirectiveKey = "$patch";

enum class Directive : std::uint8_t { kMerge, kReplace, kDelete };

std::optional<Directive> directive_named(std::string_view text) {
  if (text == "merge") return Directive::kMerge;
  if (text == "replace") return Directive::kReplace;
  if (text == "delete") return Directive::kDelete;
  return std::nullopt;
}

std::unexpected<Error> unknown_directive(std::string_view text) {
  return fail(Code::kInvalid, "unknown patch strategy '{}'", text);
}

std::string_view kind_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::kMap: return "MappingNode";
    case NodeKind::kList: return "SequenceNode";
    case NodeKind::kScalar: break;
  }
  return "ScalarNode";
}

class Merger final : public ItemMerger {
 public:
  Merger(const MergeSchemas& schemas, const MergeOptions& options, NodeArena& arena)
      : schemas_(schemas), options_(options), arena_(arena) {}

  // Null when nothing is left.
  Result<Node*> walk(Node* base, Node* patch, SchemaAt at) {
    at = schema_for(base, patch, std::move(at));
    // The kind of a place is that of the first of the two that is not null; the other must agree or
    // be null. Where both are missing or null the walk goes on as for a map, which removes blank
    // values.
    const Node* first = !missing_or_null(base) ? base : !missing_or_null(patch) ? patch : nullptr;
    const NodeKind kind = first == nullptr ? NodeKind::kMap : first->kind;
    if (!missing_or_null(patch) && patch->kind != kind) return wrong_kind(kind, *patch);
    // Nothing between braces says nothing about how to write what comes to stand there.
    if (first != nullptr && first == base && patch != nullptr && !base->is_scalar() &&
        base->count == 0)
      base->flow = !patch->is_scalar() && patch->flow;
    switch (kind) {
      case NodeKind::kMap: return walk_map(base, patch, at);
      case NodeKind::kList: {
        const MergeRule rule = schemas_.rule(at);
        if (!rule.merges) return patch != nullptr ? patch : base;
        return walk_list(base, patch, at, rule);
      }
      case NodeKind::kScalar: break;
    }
    return patch != nullptr ? patch : base;
  }

  Result<Node*> merge_items(Node* base, Node* patch, const SchemaAt& at) override {
    return walk(base, patch, at);
  }
  bool keep_order() const override { return options_.keep_order; }
  bool replace_items() const override { return options_.replace_items; }

 private:
  static std::unexpected<Error> wrong_kind(NodeKind expected, const Node& node) {
    Error error(Code::kInvalid,
                fmt::format("wrong node kind: expected {} but got {}: node contents:\n{}",
                            kind_name(expected), kind_name(node.kind), to_text(node)));
    if (node.line > 0) error = std::move(error).at(Position{.line = node.line});
    return std::unexpected(std::move(error));
  }

  // A comment's schema comes first, then what the place implies, then what an object says it is.
  SchemaAt schema_for(const Node* base, const Node* patch, SchemaAt at) const {
    for (const Node* node : {base, patch}) {
      if (missing_or_null(node) || node->comment == 0) continue;
      SchemaAt from_comment = schemas_.from_comment(arena_.comment_of(*node));
      if (from_comment.known()) return from_comment;
    }
    if (at.known()) return at;
    for (const Node* node : {base, patch}) {
      if (missing_or_null(node) || !node->is_map()) continue;
      const std::string_view kind = node->text_of("kind");
      const std::string_view api_version = node->text_of("apiVersion");
      if (kind.empty() || api_version.empty()) continue;
      SchemaAt own = schemas_.for_kind(api_version, kind);
      if (own.known()) return own;
    }
    return at;
  }

  // The directive of a map; it is used up by reading it.
  static Result<Directive> take_directive(Node* patch) {
    if (patch == nullptr) return Directive::kMerge;
    const Node* found = patch->find(kDirectiveKey);
    if (found == nullptr) return Directive::kMerge;
    const auto directive = directive_named(found->text);
    if (!directive) return unknown_directive(found->text);
    NodeArena::remove(*patch, kDirectiveKey);
    return *directive;
  }

  // The directive of a list: an item that has nothing else.
  static Result<Directive> take_list_directive(Node* patch) {
    if (patch == nullptr) return Directive::kMerge;
    for (std::uint32_t i = 0; i < patch->count; ++i) {
      const Node* found = patch->items[i]->find(kDirectiveKey);
      if (found == nullptr) continue;
      if (patch->items[i]->count > 1) return Directive::kMerge;
      const std::string_view text = found->text;
      const auto directive = directive_named(text);
      if (!directive) return unknown_directive(text);
      set_item(*patch, {kDirectiveKey}, {text}, nullptr);
      return *directive;
    }
    return Directive::kMerge;
  }

  // What the walk goes on with: null to remove, else base or patch.
  Result<Node*> choose_map(Node* base, Node* patch) {
    if (missing_or_null(base)) {
      if (patch != nullptr && patch->is_map()) {
        // Only `delete` matters here: a part that is new is taken whole, and the walk below
        // resolves the directives inside of it. An unknown directive stays as an ordinary member.
        const auto directive = take_directive(patch);
        if (directive && *directive == Directive::kDelete) return nullptr;
      }
      if (patch == nullptr && base != nullptr && !base->text.empty()) {
        // An explicit null of the base that the patch does not mention survives; an empty value
        // (`key:`) does not.
        base->keep_null = true;
        return base;
      }
      return patch;
    }
    if (patch != nullptr && patch->is_null()) return nullptr;
    STRAKE_TRY(const Directive directive, take_directive(patch));
    if (directive == Directive::kDelete) return nullptr;
    return directive == Directive::kReplace ? patch : base;
  }

  Result<Node*> walk_map(Node* base, Node* patch, const SchemaAt& at) {
    STRAKE_TRY(Node * result, choose_map(base, patch));
    if (result == nullptr) return nullptr;
    const MemberIndex of_result(result, patch);
    const MemberIndex of_patch(patch, result);
    std::unordered_set<std::string_view> gone;
    // The whole base is visited, also what the patch does not name: associative lists in it are
    // folded and old words quoted even there.
    for (const std::string_view key : keys_of(result, patch)) {
      Entry* entry = of_result.find(result, key);
      Node* ours = entry == nullptr ? nullptr : entry->value;
      Entry* given = of_patch.find(patch, key);
      Node* theirs = given == nullptr ? nullptr : given->value;
      // Removals are gathered and done once: removing from the middle of a long map for each key
      // would be quadratic.
      // Most of a base is untouched scalars.
      if (theirs == nullptr && ours != nullptr && ours->is_scalar() && !ours->is_null()) {
        quote_old_words(*ours);
        continue;
      }
      STRAKE_TRY(Node * merged, walk(ours, theirs, schemas_.field(at, key)));
      entry = of_result.find(result, key);
      if (merged != nullptr && (!merged->is_null() || merged->keep_null)) {
        put(*result, key, merged, entry);
      } else if (entry != nullptr) {
        gone.insert(key);
      }
    }
    NodeArena::remove_all(*result, std::move(gone));
    return result;
  }

  // Where the members of a long map stand, so that each is found without looking at all of them.
  class MemberIndex {
   public:
    MemberIndex(const Node* map, const Node* looked_up) {
      const auto size = [](const Node* one) { return one == nullptr ? 0 : one->members().size(); };
      hashed_ = map != nullptr && size(map) + size(looked_up) > kFew;
      if (!hashed_) return;
      std::uint32_t place = 0;
      for (const Entry& entry : map->members()) places_.try_emplace(entry.key, place++);
    }
    // Of the map that it was made of, which may have lost members and got others since.
    Entry* find(Node* map, std::string_view key) const {
      if (map == nullptr) return nullptr;
      if (!hashed_) return map->find_entry(key);
      const auto found = places_.find(key);
      if (found == places_.end()) return nullptr;  // each key is looked for before it is added
      const std::span<Entry> members = map->members();
      if (found->second < members.size() && members[found->second].key == key)
        return &members[found->second];
      return map->find_entry(key);
    }

   private:
    static constexpr std::size_t kFew = 32;
    bool hashed_ = false;
    std::unordered_map<std::string_view, std::uint32_t> places_;
  };

  static std::vector<std::string_view> keys_of(const Node* a, const Node* b) {
    std::vector<std::string_view> keys;
    for (const Entry& entry : a->members()) keys.push_back(entry.key);
    if (b != nullptr && b != a) {
      for (const Entry& entry : b->members()) keys.push_back(entry.key);
    }
    std::ranges::sort(keys);
    const auto repeated = std::ranges::unique(keys);
    keys.erase(repeated.begin(), repeated.end());
    return keys;
  }

  // The style of what was there stays.
  void put(Node& map, std::string_view key, Node* value, Entry* entry) {
    quote_old_words(*value);
    if (entry == nullptr) {
      append_field(map, key, value, arena_);
      return;
    }
    if (entry->value == value) return;
    // The same again is not a change: who set it first still did.
    if (value->is_scalar() && entry->value->is_scalar() && value->text == entry->value->text &&
        value->tag == entry->value->tag)
      return;
    value->take_style(*entry->value);
    if (value->is_scalar()) value->tagged = entry->value->is_scalar() && entry->value->tagged;
    const std::uint32_t comment = entry->value->comment;
    *entry->value = *value;
    if (value->comment == 0) entry->value->comment = comment;
  }

  Result<Node*> walk_list(Node* base, Node* patch, const SchemaAt& at, const MergeRule& rule) {
    Node* result = base;
    if (missing_or_null(base)) {
      result = patch;
    } else if (patch != nullptr && patch->is_null()) {
      return nullptr;
    } else {
      STRAKE_TRY(const Directive directive, take_list_directive(patch));
      if (directive == Directive::kDelete) return nullptr;
      if (directive == Directive::kReplace) result = patch;
    }
    if (result == nullptr) return nullptr;
    return merge_list(result, patch, schemas_.items(at), rule.keys, *this, arena_);
  }

  const MergeSchemas& schemas_;
  const MergeOptions& options_;
  NodeArena& arena_;
};

}  // namespace

Result<Node*> strategic_merge(Node* base, Node* patch, MergeSchemas schemas,
                              const MergeOptions& options, NodeArena& arena) {
  return Merger(schemas, options, arena).walk(base, patch, {});
}

}  // namespace strake::kustomize
