#include "kinds/pods/gated_pod_checks.h"

#include <algorithm>
#include <span>

#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/pods/edit_members.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

const FieldPath& at_node_terms() {
  static const FieldPath path = FieldPath() / "spec" / "affinity" / "nodeAffinity" /
                                "requiredDuringSchedulingIgnoredDuringExecution" /
                                "nodeSelectorTerms";
  return path;
}

void check_selector_narrows(const Value& spec, const Value& old_spec, FieldErrors& errors) {
  const Value& selector = spec.get("nodeSelector");
  for (const Member& one : members(old_spec, "nodeSelector")) {
    const Value* found = selector.find(one.key);
    if (found != nullptr && value::identical(*found, one.value)) continue;
    errors.push_back(FieldError::invalid(
        FieldPath() / "spec" / "nodeSelector", selector,
        "only additions to spec.nodeSelector are allowed (no mutations or deletions)"));
    return;
  }
}

std::span<const Value> node_terms(const Value& spec) {
  const Value* required =
      member(spec, {"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"});
  return required != nullptr ? items(*required, "nodeSelectorTerms") : std::span<const Value>();
}

// The list begins with all of the old one.
bool continues(const Value& term, const Value& old_term, std::string_view key) {
  const auto before = items(old_term, key);
  const auto now = items(term, key);
  return now.size() >= before.size() &&
         std::ranges::equal(before, now.first(before.size()), value::identical);
}

bool term_narrows(const Value& term, const Value& old_term) {
  // An empty term selects nothing: anything more would widen it.
  if (items(old_term, "matchExpressions").empty() && items(old_term, "matchFields").empty())
    return items(term, "matchExpressions").empty() && items(term, "matchFields").empty();
  return continues(term, old_term, "matchExpressions") && continues(term, old_term, "matchFields");
}

std::string show_terms(std::span<const Value> terms) {
  const Type& type = described_type("io.k8s.api.core.v1.NodeSelectorTerm");
  if (terms.empty()) return "null";
  std::string out;
  for (const Value& term : terms) {
    out += out.empty() ? "[" : ",";
    out += show_go_struct(&term, type);
  }
  return out + "]";
}

FieldError invalid_as(FieldPath at, std::string shown, std::string detail) {
  return {.type = FieldError::Type::kInvalid,
          .path = std::move(at),
          .shown = std::move(shown),
          .detail = std::move(detail)};
}

void check_affinity_narrows(const Value& spec, const Value& old_spec, FieldErrors& errors) {
  const auto before = node_terms(old_spec);
  const auto now = node_terms(spec);
  if (before.empty()) return;
  if (before.size() != now.size()) {
    errors.push_back(
        invalid_as(at_node_terms(), show_terms(now),
                   "no additions/deletions to non-empty NodeSelectorTerms list are allowed"));
    return;
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (term_narrows(now[i], before[i])) continue;
    errors.push_back(
        invalid_as(at_node_terms() / i,
                   show_go_struct(&now[i], described_type("io.k8s.api.core.v1.NodeSelectorTerm")),
                   "only additions are allowed (no mutations or deletions)"));
  }
}

// An affinity that has come with nodes alone goes again.
void level_affinity(Value& spec, const Value& old_spec, Arena& arena) {
  Value* affinity = object_member(spec, "affinity");
  const Value* before = member(old_spec, "affinity");
  const Value* old_nodes = before != nullptr ? member(*before, "nodeAffinity") : nullptr;
  if (affinity == nullptr) {
    if (old_nodes != nullptr)
      spec.object_at("affinity", arena).set("nodeAffinity", *old_nodes, arena);
    return;
  }
  keep_member(*affinity, before != nullptr ? *before : Value(), "nodeAffinity", arena);
  if (before == nullptr && affinity->size() == 0) spec.remove("affinity");
}

}  // namespace

void check_gated_pod_changes(Value& spec, const Value& old_spec, Arena& arena,
                             FieldErrors& errors) {
  if (!same_member(spec, old_spec, "nodeSelector")) {
    check_selector_narrows(spec, old_spec, errors);
    keep_member(spec, old_spec, "nodeSelector", arena);
  }
  const Value* nodes = member(spec, {"affinity", "nodeAffinity"});
  const Value* old_nodes = member(old_spec, {"affinity", "nodeAffinity"});
  const bool same = nodes == nullptr || old_nodes == nullptr ? nodes == old_nodes
                                                             : value::identical(*nodes, *old_nodes);
  if (same) return;
  check_affinity_narrows(spec, old_spec, errors);
  level_affinity(spec, old_spec, arena);
}

}  // namespace strake::kinds
