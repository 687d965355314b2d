// What can be said of the finished graph: references that run in circles, branches that nothing can
// reach, defaults that break their own schema.
#include <fmt/format.h>

#include "schema/loose/evaluate.h"
#include "schema/loose/importer.h"

namespace strake::schema::loose {

// A schema that comes back to itself for the same value would never be decided.
Result<> Importer::check_loops() {
  enum class Color : std::uint8_t { kNew, kOpen, kDone };
  struct Step {
    const LooseNode* node;
    std::size_t next = 0;
  };
  std::vector<Color> colors(schema_->nodes_.size(), Color::kNew);
  std::vector<std::size_t> heights(schema_->nodes_.size(), 0);
  std::vector<Step> open;
  for (const LooseNode& start : schema_->nodes_) {
    if (colors[start.id] != Color::kNew) continue;
    colors[start.id] = Color::kOpen;
    open.push_back({&start});
    while (!open.empty()) {
      Step& step = open.back();
      const LooseNode& node = *step.node;
      if (step.next < node.in_place.size()) {
        const InPlace& edge = node.in_place[step.next++];
        if (edge.edge == Edge::kDynamicRef)
          continue;  // where it leads is known only while evaluating
        if (colors[edge.node->id] == Color::kOpen) {
          return wrong(*node_places_.at(&node), "",
                       fmt::format("refers back to itself through {} for the same value",
                                   edge.node->path.empty() ? "#" : edge.node->path));
        }
        if (colors[edge.node->id] == Color::kNew) {
          colors[edge.node->id] = Color::kOpen;
          open.push_back({edge.node});
        }
        continue;
      }
      std::size_t height = 0;
      for (const InPlace& edge : node.in_place) {
        if (edge.edge != Edge::kDynamicRef) height = std::max(height, heights[edge.node->id] + 1);
      }
      if (height > options_.max_depth) {
        return fail(Code::kLimit, "{}: more than {} schemas apply to one value, one in the other",
                    node.path, options_.max_depth);
      }
      heights[node.id] = height;
      colors[node.id] = Color::kDone;
      open.pop_back();
    }
  }
  return {};
}

void Importer::check_branches() {
  for (const LooseNode& node : schema_->nodes_) {
    for (const InPlace& edge : node.in_place) {
      if (edge.edge != Edge::kAnyOf && edge.edge != Edge::kOneOf) continue;
      const std::string keyword =
          fmt::format("{}/{}", edge.edge == Edge::kAnyOf ? "anyOf" : "oneOf", edge.index);
      const auto widen = [](const LooseNode& n) {
        return static_cast<std::uint8_t>(n.type_set & types::kNumber ? n.type_set | types::kInteger
                                                                     : n.type_set);
      };
      const bool disjoint =
          node.has_type && edge.node->has_type && (widen(node) & widen(*edge.node)) == 0;
      if (!edge.node->never && !disjoint) continue;
      diagnostics_.push_back({fmt::format("{}/{}", node.path, keyword), keyword.substr(0, 5),
                              "no value can match this branch"});
    }
  }
}

void Importer::check_defaults() {
  for (const LooseNode& node : schema_->nodes_) {
    if (node.default_value == nullptr || node.trivial) continue;
    const Report report =
        evaluate(*node.default_value, *schema_, node, {.strategy = Strategy::kFailFast});
    if (report.verdict != Verdict::kInvalid || report.issues.empty()) continue;
    diagnostics_.push_back(
        {node.path + "/default", "default",
         fmt::format("breaks its own schema: {}", report.issues.front().message)});
  }
}

}  // namespace strake::schema::loose
