#include <algorithm>

#include "schema/loose/engine.h"

// Sets up the runs of a value that begins: the schemas that subscribe to it from the enclosing
// value, and in depth-first order all that these apply in place. Each schema gets one run per
// dynamic scope; a second path to it only raises what is wanted of the run. Equal work is thereby
// done once, and a value costs at most as many runs as there are nodes and scopes.

namespace strake::schema::loose {
namespace {

// In-place schemas are finitely deep but for $dynamicRef, whose target is known only here.
constexpr std::size_t kMaxInPlaceDepth = 4000;

}  // namespace

const Scope* StreamEvaluator::Engine::enter(const Scope* scope, const SchemaResource* resource) {
  if (!schema_.has_dynamic_refs()) return nullptr;
  for (const Scope* at = scope; at != nullptr; at = at->up) {
    if (at->resource == resource) return scope;  // an outer entry already decides
  }
  const auto [it, added] = scopes_.try_emplace({scope, resource}, Scope{resource, scope});
  return &it->second;
}

const LooseNode& StreamEvaluator::Engine::dynamic_target(const InPlace& edge,
                                                         const Scope* scope) const {
  const LooseNode* outermost = edge.node;
  for (const Scope* at = scope; at != nullptr; at = at->up) {
    const auto it = at->resource->dynamic_anchors.find(edge.dynamic_anchor);
    if (it != at->resource->dynamic_anchors.end()) outermost = it->second;
  }
  return *outermost;
}

// What a run needs of a schema that it applies to the same value.
StreamEvaluator::Engine::Wanted StreamEvaluator::Engine::for_edge(const Run& run, Edge edge) const {
  switch (edge) {
    case Edge::kRef:
    case Edge::kDynamicRef:
    case Edge::kAllOf: return {run.sure, run.kept, run.wants};
    case Edge::kAnyOf:
    case Edge::kOneOf:
    case Edge::kThen:
    case Edge::kElse:
    case Edge::kDependent: return {false, run.sure || run.kept, run.wants};
    case Edge::kIf: return {false, false, run.wants};
    case Edge::kNot: return {false, false, false};
  }
  return {};
}

// A run that is met again on a stronger path (first below anyOf, then below allOf) passes the
// stronger wish on to all that it links. Wishes only grow, so this ends.
void StreamEvaluator::Engine::raise(std::uint32_t index, Wanted wanted) {
  Run& run = runs_[index];
  const bool more =
      (wanted.sure && !run.sure) || (wanted.kept && !run.kept) || (wanted.wants && !run.wants);
  if (!more) return;
  run.sure = run.sure || wanted.sure;
  run.kept = run.kept || wanted.kept;
  run.wants = run.wants || wanted.wants;
  for (std::size_t i = 0; i < run.node->in_place.size(); ++i) {
    const std::uint32_t part = links_[run.links + i];
    if (part != kNoRun) raise(part, for_edge(run, run.node->in_place[i].edge));
  }
}

std::uint32_t StreamEvaluator::Engine::visit(const LooseNode& node, const Scope* scope,
                                             Wanted wanted, Location& location, std::size_t depth) {
  if (node.trivial) return kNoRun;
  scope = enter(scope, node.resource);
  // A table by node that needs no clearing: entries of other locations have another serial number.
  Seen& seen = seen_[node.id];
  std::uint32_t known = kNoRun;
  if (seen.location == location_serial_) {
    if (runs_[seen.run].scope == scope) {
      known = seen.run;
    } else {
      for (std::uint32_t i = location.first_run; i < live_runs_; ++i) {
        if (runs_[i].node == &node && runs_[i].scope == scope) known = i;
      }
    }
  }
  if (known != kNoRun && !runs_[known].open) {
    raise(known, wanted);
    return known;
  }
  // Met again while it is being set up: it refers to itself for the same value. Import finds such
  // loops except those through $dynamicRef.
  if (known != kNoRun || depth > kMaxInPlaceDepth) {
    emit({IssueCode::kSchemaInvalid, Severity::kError, &node, "", path_of(location), 0, 0, "",
          nullptr});
    stopped_ = true;
    return kNoRun;
  }
  const std::uint32_t index = live_runs_++;
  runs_.reach(index);
  seen = {location_serial_, index};
  Run& run = runs_[index];
  run.node = &node;
  run.scope = scope;
  run.sure = wanted.sure;
  run.kept = wanted.kept;
  run.wants = wanted.wants || (node.array != nullptr && node.array->unevaluated != nullptr) ||
              (node.object != nullptr && node.object->unevaluated != nullptr);
  run.open = true;
  run.failed = false;
  run.mistyped = false;
  run.mistyped_members.clear();
  run.state = kNoRun;
  run.examined = 0;
  run.violations = 0;
  run.pending.clear();
  run.subscriptions.clear();
  run.links = static_cast<std::uint32_t>(links_.size());
  links_.resize(links_.size() + node.in_place.size(), kNoRun);
  for (std::size_t i = 0; i < node.in_place.size(); ++i) {
    const InPlace& edge = node.in_place[i];
    const LooseNode& target =
        edge.edge == Edge::kDynamicRef ? dynamic_target(edge, scope) : *edge.node;
    links_[run.links + i] = visit(target, scope, for_edge(run, edge.edge), location, depth + 1);
  }
  run.open = false;
  // Post-order: linked runs come before it.
  done_.push_back(index);
  return index;
}

// Applies a schema to the part under way on behalf of a run of the whole.
void StreamEvaluator::Engine::schedule(std::uint32_t parent, const LooseNode& node, Use use,
                                       std::uint64_t index, Location& location) {
  const Run& whole = runs_[parent];
  Wanted wanted{whole.sure, whole.kept, options_.unknown == UnknownMode::kStrict};
  if (use == Use::kContains) wanted = {false, false, false};
  if (use == Use::kUnevaluated) wanted = {false, whole.sure || whole.kept, false};
  if (use == Use::kPart) ++runs_[parent].examined;
  const std::uint32_t run = visit(node, whole.scope, wanted, location, 0);
  if (run != kNoRun) {
    runs_[run].subscriptions.push_back({parent, use, index});
    return;
  }
  if (use != Use::kContains) return;
  // The schema `true` contains anything.
  Run nothing;
  nothing.subscriptions.push_back({parent, use, index});
  deliver(nothing);
}

void StreamEvaluator::Engine::schedule_member(std::uint32_t parent, Frame& frame,
                                              Location& location, const value::Value* scalar,
                                              bool object) {
  Run& run = runs_[parent];
  if (run.state == kNoRun) return;
  ContainerState& state = state_of(run);
  const std::uint64_t index = frame.count - 1;
  if (run.node->discriminator != nullptr && frame.key == run.node->discriminator->property) {
    state.tag_seen = scalar != nullptr && scalar->is_string();
    if (state.tag_seen) state.tag = scalar->as_string();
  }
  if (run.node->embedded_resource && options_.embedded_checks) {
    const bool text = scalar != nullptr && scalar->is_string() && scalar->size() > 0;
    if (frame.key == "apiVersion" && text) state.embedded |= 1;
    if (frame.key == "kind" && text) state.embedded |= 2;
    if (frame.key == "metadata" && scalar == nullptr && object) state.embedded |= 4;
  }
  const ObjectRules* rules = run.node->object.get();
  if (rules == nullptr) return;
  bool covered = false;
  if (const KeyRule* rule = rules->find(frame.key)) {
    if (rule->watched >= 0) state.seen[static_cast<std::size_t>(rule->watched)] = true;
    if (rule->property != nullptr) {
      covered = true;
      frame.key_named = true;
      schedule(parent, *rule->property, Use::kPart, index, location);
    }
  }
  for (const PatternRule& rule : rules->patterns) {
    if (rule.pattern == nullptr || !rule.pattern->search(frame.key)) continue;
    covered = true;
    schedule(parent, *rule.node, Use::kPart, index, location);
  }
  // What a node preserves it cannot refuse: the flag comes before `false` of either keyword. A
  // schema that such a keyword has instead still says what the values are.
  const bool forbids =
      rules->additional != nullptr && rules->additional->never && !rules->preserve_unknown;
  if (!covered && rules->additional != nullptr && (forbids || !rules->additional->never)) {
    covered = true;
    if (forbids) {
      ++run.examined;
      report(run, location, IssueCode::kUnknownKey, "additionalProperties", 0, 0, frame.key);
    } else {
      schedule(parent, *rules->additional, Use::kPart, index, location);
    }
  }
  if (covered) {
    if (run.wants) state.marks.mark(index);
  } else if (rules->unevaluated != nullptr && !rules->unevaluated->never) {
    schedule(parent, *rules->unevaluated, Use::kUnevaluated, index, location);
  } else if (rules->preserve_unknown) {
    if (run.wants) state.marks.mark(index);
  } else if (rules->unevaluated != nullptr) {
    hold(run, {index, frame.key, nullptr, {}, 1});
  }
}

void StreamEvaluator::Engine::schedule_element(std::uint32_t parent, Frame& frame,
                                               Location& location) {
  Run& run = runs_[parent];
  const ArrayRules* rules = run.node->array.get();
  if (rules == nullptr || run.state == kNoRun) return;
  const std::uint64_t index = frame.count - 1;
  bool covered = true;
  if (index < rules->prefix.size()) {
    schedule(parent, *rules->prefix[index], Use::kPart, index, location);
  } else if (rules->items != nullptr) {
    schedule(parent, *rules->items, Use::kPart, index, location);
  } else {
    covered = false;
  }
  if (rules->contains != nullptr)
    schedule(parent, *rules->contains, Use::kContains, index, location);
  if (covered) {
    if (run.wants) state_of(run).marks.mark(index);
  } else if (rules->unevaluated != nullptr && !rules->unevaluated->never) {
    schedule(parent, *rules->unevaluated, Use::kUnevaluated, index, location);
  }
}

}  // namespace strake::schema::loose
