#include <fmt/format.h>

#include <algorithm>

#include "schema/loose/engine.h"

// How a run takes up the results of the schemas that apply to the same value. Runs are finished in
// the order of done_, linked ones first, so that their verdicts are known here.
//
// Whether an issue is already in the report depends on the link: a schema that surely applies
// ($ref, allOf) reports by itself as it goes, a branch only keeps its issues until it is known to
// count.

namespace strake::schema::loose {

// The part failed, so the whole does. What it found is already in the report when both are sure.
void StreamEvaluator::Engine::take_over(Run& run, const Run& part, bool already_reported) {
  run.failed = true;
  run.violations += part.violations;
  if (run.sure && !already_reported) {
    for (const PendingIssue& pending : part.pending.sorted(kNestedIssues)) emit(pending);
  }
  if (run.kept) run.pending.add_all(part.pending, kNestedIssues);
}

void StreamEvaluator::Engine::merge_marks(Run& run, std::uint32_t part) {
  if (!run.wants || part == kNoRun || run.state == kNoRun || runs_[part].state == kNoRun) return;
  state_of(run).marks.merge(state_of(runs_[part]).marks);
}

void StreamEvaluator::Engine::combine(Run& run, Location& location, const Frame* frame) {
  const std::vector<InPlace>& edges = run.node->in_place;
  const auto failed = [&](std::size_t i) {
    return links_[run.links + i] != kNoRun && runs_[links_[run.links + i]].failed;
  };
  // A schema that certainly applies.
  const auto apply = [&](std::size_t i, bool already_reported) {
    const std::uint32_t part = links_[run.links + i];
    if (part == kNoRun) return;
    run.examined += runs_[part].examined;
    run.mistyped = run.mistyped || runs_[part].mistyped;
    run.mistyped_members.insert(run.mistyped_members.end(), runs_[part].mistyped_members.begin(),
                                runs_[part].mistyped_members.end());
    if (runs_[part].failed) {
      take_over(run, runs_[part], already_reported);
    } else {
      merge_marks(run, part);
    }
  };
  bool condition = false;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    switch (edges[i].edge) {
      case Edge::kRef:
      case Edge::kDynamicRef:
      case Edge::kAllOf: apply(i, true); break;
      case Edge::kAnyOf:
      case Edge::kOneOf: {
        std::size_t to = i + 1;
        while (to < edges.size() && edges[to].edge == edges[i].edge) ++to;
        combine_union(run, location, i, to, frame);
        i = to - 1;
        break;
      }
      case Edge::kNot:
        ++run.examined;
        if (!failed(i)) report(run, location, IssueCode::kNotAllowed, "not");
        break;
      // Importing puts `if` before its `then` and `else`.
      case Edge::kIf:
        ++run.examined;
        condition = !failed(i);
        if (condition) merge_marks(run, links_[run.links + i]);
        break;
      case Edge::kThen:
        if (condition) apply(i, false);
        break;
      case Edge::kElse:
        if (!condition) apply(i, false);
        break;
      case Edge::kDependent:
        if (frame != nullptr && frame->object && run.state != kNoRun &&
            state_of(run).seen[edges[i].index])
          apply(i, false);
        break;
    }
  }
  if (frame != nullptr && run.wants && run.state != kNoRun)
    check_unevaluated(run, location, *frame);
}

// anyOf and oneOf: branches [from, to) of the node's in-place schemas.
void StreamEvaluator::Engine::combine_union(Run& run, Location& location, std::size_t from,
                                            std::size_t to, const Frame* frame) {
  const bool one = run.node->in_place[from].edge == Edge::kOneOf;
  ++run.examined;
  if (run.node->discriminator != nullptr &&
      run.node->discriminator->edge == run.node->in_place[from].edge && frame != nullptr &&
      frame->object) {
    if (combine_discriminated(run, location, from, to)) return;
  }
  const auto part_of = [&](std::size_t i) { return links_[run.links + i]; };
  const auto examined = [&](std::size_t i) {
    return part_of(i) == kNoRun ? 0u : runs_[part_of(i)].examined;
  };
  std::vector<std::size_t> matched;
  for (std::size_t i = from; i < to; ++i) {
    if (part_of(i) == kNoRun || !runs_[part_of(i)].failed) matched.push_back(i);
  }
  if (matched.empty()) {
    // The branch that came closest tells what was wrong with it.
    std::size_t best = from;
    bool all_mistyped = true;
    for (std::size_t i = from; i < to; ++i)
      all_mistyped = all_mistyped && runs_[part_of(i)].mistyped;
    run.mistyped = run.mistyped || all_mistyped;
    for (std::size_t i = from + 1; i < to; ++i) {
      const Run& a = runs_[part_of(i)];
      const Run& b = runs_[part_of(best)];
      // Fewest violations, then most keywords looked at: of two branches with one fault each the
      // one that says more about the value is likely meant.
      if (a.violations < b.violations || (a.violations == b.violations && a.examined > b.examined))
        best = i;
    }
    run.failed = true;
    ++run.violations;
    run.examined += examined(best);
    if (!run.sure && !run.kept) return;
    PendingIssue pending{IssueCode::kNoMatch,
                         Severity::kError,
                         run.node,
                         one ? "oneOf" : "anyOf",
                         path_of(location),
                         0,
                         0,
                         "",
                         nullptr};
    pending.branch = std::make_shared<const std::vector<PendingIssue>>(
        runs_[part_of(best)].pending.sorted(kNestedIssues));
    record(run, std::move(pending));
    return;
  }
  std::size_t winner = matched.front();
  if (one && matched.size() > 1) {
    if (options_.ambiguity == Ambiguity::kError) {
      std::vector<std::size_t> indices;
      for (const std::size_t i : matched) indices.push_back(i - from);
      report(run, location, IssueCode::kUnionAmbiguous, "oneOf", matched.size(), 0,
             fmt::format("[{}]", fmt::join(indices, ",")));
      return;
    }
    if (options_.ambiguity == Ambiguity::kScoreBest) {
      for (const std::size_t i : matched) {
        if (examined(i) > examined(winner)) winner = i;
      }
    }
    matched = {winner};
  }
  run.examined += examined(winner);
  for (const std::size_t i : matched) merge_marks(run, part_of(i));
}

// The member that names the branch. False when the value has nothing to do with it.
bool StreamEvaluator::Engine::combine_discriminated(Run& run, Location& location, std::size_t from,
                                                    std::size_t to) {
  const Discriminator& rules = *run.node->discriminator;
  const ContainerState& state = state_of(run);
  if (!state.tag_seen) {
    report(run, location, IssueCode::kDiscriminatorMissing, "discriminator");
    return true;
  }
  const auto it = std::ranges::lower_bound(rules.branches, state.tag, {},
                                           [](const auto& entry) { return entry.first; });
  if (it == rules.branches.end() || it->first != state.tag || from + it->second >= to) {
    report(run, location, IssueCode::kDiscriminatorUnknown, "discriminator", 0, 0, state.tag);
    return true;
  }
  const std::uint32_t part = links_[run.links + from + it->second];
  if (part == kNoRun) return true;
  run.examined += runs_[part].examined;
  if (runs_[part].failed) {
    take_over(run, runs_[part], false);
  } else {
    merge_marks(run, part);
  }
  return true;
}

// Keeps a failing part until it is known whether anything else looked at it.
void StreamEvaluator::Engine::hold(Run& run, HeldPart part) {
  ContainerState& state = state_of(run);
  if (state.gave_up) return;
  const std::size_t bytes =
      sizeof(HeldPart) + part.key.size() + part.pending.total() * sizeof(PendingIssue);
  state.held_bytes += bytes;
  held_bytes_ += bytes;
  const bool over =
      state.held_bytes > options_.max_buffer || held_bytes_ > options_.max_buffer_total;
  if (!over || options_.strategy == Strategy::kFullBuffer) {
    state.held.push_back(std::move(part));
    return;
  }
  // Past the limit the check is given up for this container, and the verdict becomes unknown: a
  // wrong answer would be worse than none.
  state.gave_up = true;
  state.held.clear();
  held_bytes_ -= state.held_bytes;
  state.held_bytes = 0;
}

void StreamEvaluator::Engine::check_unevaluated(Run& run, Location& location, const Frame& frame) {
  const LooseNode& node = *run.node;
  const LooseNode* rest = frame.object
                              ? (node.object == nullptr ? nullptr : node.object->unevaluated)
                              : (node.array == nullptr ? nullptr : node.array->unevaluated);
  if (rest == nullptr) return;
  ContainerState& state = state_of(run);
  ++run.examined;
  const std::string_view keyword = frame.object ? "unevaluatedProperties" : "unevaluatedItems";
  if (state.gave_up) {
    unknown_ = true;
    emit({options_.strategy == Strategy::kFailFast ? IssueCode::kTruncated
                                                   : IssueCode::kBufferExceeded,
          Severity::kWarning, &node, keyword, path_of(location), options_.max_buffer, 0, "buffer",
          nullptr});
    if (options_.strategy == Strategy::kFailFast) stopped_ = true;
  }
  held_bytes_ -= state.held_bytes;
  // Elements of `unevaluatedItems: false` are not held at all: the marks say which were looked at.
  if (!frame.object && rest->never) {
    for (std::uint64_t i = 0; i < frame.count && !stopped_; ++i) {
      if (state.marks.has(i)) continue;
      const bool spoken = run.sure || run.kept;
      PathPtr at = spoken ? below(path_of(location),
                                  {FieldPath::Kind::kIndex, static_cast<std::size_t>(i), {}})
                          : nullptr;
      report_at(run, std::move(at), IssueCode::kNotAllowed, keyword, i, 0, {});
    }
  }
  for (const HeldPart& part : state.held) {
    if (state.marks.has(part.index)) continue;
    if (rest->never) {
      const bool spoken = run.sure || run.kept;
      PathPtr at =
          spoken ? below(path_of(location), {FieldPath::Kind::kKey, 0, part.key}) : nullptr;
      report_at(run, std::move(at), IssueCode::kUnknownKey, keyword, 0, 0, part.key);
      continue;
    }
    run.failed = true;
    run.violations += part.violations;
    for (const PendingIssue& pending : part.pending.sorted(kNestedIssues)) record(run, pending);
  }
  state.held.clear();
  // unevaluated* itself looks at all that is left, which outer schemas must see.
  state.marks.mark_all();
}

}  // namespace strake::schema::loose
