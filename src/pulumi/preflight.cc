#include "pulumi/preflight.h"

#include <algorithm>
#include <deque>
#include <ranges>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/quote.h"

namespace strake::pulumi {
namespace {

using value::Member;
using value::Value;

// A way into the document, told only when something is wrong there.
struct Trail {
  const Trail* parent = nullptr;
  std::string_view step;
};

std::string trail_text(const Trail* trail) {
  std::vector<std::string_view> steps;
  for (; trail != nullptr; trail = trail->parent) steps.push_back(trail->step);
  std::string out;
  for (const std::string_view step : std::views::reverse(steps)) {
    if (!out.empty()) out += '.';
    out += step;
  }
  return out;
}

// Depth first, on a list of its own: a chain of references may be as long as the document.
class Preflight {
 public:
  Preflight(const Package& package, std::string_view component)
      : package_(package), component_(component) {}

  Result<> run(std::string_view holder_name) {
    const Value* resource = package_.resource(component_);
    if (resource == nullptr) return {};
    const Trail* at = step(step(nullptr, "resources"), component_);
    STRAKE_CHECK(push_properties(*resource, holder_name, at));
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      STRAKE_CHECK(visit(next));
    }
    return {};
  }

 private:
  struct Pending {
    const Value* node;
    const Trail* at;
    bool target;    // of a reference: looked at once
    bool resource;  // its inputs count, not itself
  };

  const Trail* step(const Trail* parent, std::string_view name) {
    return &trails_.emplace_back(parent, name);
  }

  std::unexpected<Error> defect(const Trail* at, std::string_view what) const {
    return fail(Code::kInvalid, "schema preflight {}: schema preflight path {}: {}",
                component_words(component_), quote(trail_text(at)), what);
  }

  Result<> push_properties(const Value& holder, std::string_view name, const Trail* at) {
    const Value* properties = holder.find(name);
    if (properties == nullptr || properties->is_null()) return {};
    at = step(at, name);
    if (!properties->is_object()) return defect(at, "must be an object");
    // The first one has to end on top.
    for (const Member& member : std::views::reverse(properties->members())) {
      pending_.push_back({&member.value, step(at, member.key), false, false});
    }
    return {};
  }

  void push_child(const Value& node, std::string_view name, const Trail* at) {
    if (const Value* child = node.find(name)) {
      pending_.push_back({child, step(at, name), false, false});
    }
  }

  Result<> visit(const Pending& pending) {
    const Value& node = *pending.node;
    if (pending.target && !seen_.insert(&node).second) return {};
    if (!node.is_object()) return defect(pending.at, "must be an object");
    if (pending.resource) return push_properties(node, "inputProperties", pending.at);
    // Pushed last to first: the reference is followed first, then items, properties and so on, in
    // the order of their names.
    const Value* ref = node.find("$ref");
    if (ref != nullptr && !ref->is_string()) {
      return defect(step(pending.at, "$ref"), "must be a string");
    }
    STRAKE_CHECK(push_properties(node, "properties", pending.at));
    push_child(node, "items", pending.at);
    push_child(node, "additionalProperties", pending.at);
    if (ref == nullptr) return {};
    const auto local = package_.local(ref->as_string());
    if (!local) return {};
    if (local->target == nullptr) {
      return defect(step(pending.at, "$ref"),
                    fmt::format("unresolved local ref {}", quote(ref->as_string())));
    }
    const Trail* section = step(nullptr, local->resource ? "resources" : "types");
    pending_.push_back({local->target, step(section, local->token), true, local->resource});
    return {};
  }

  const Package& package_;
  std::string_view component_;
  std::deque<Trail> trails_;
  std::vector<Pending> pending_;
  std::unordered_set<const Value*> seen_;
};

}  // namespace

Result<> preflight(const Package& package, std::string_view component, bool outputs) {
  Preflight walk(package, component);
  STRAKE_CHECK(walk.run("inputProperties"));
  if (outputs) STRAKE_CHECK(walk.run("properties"));
  return {};
}

}  // namespace strake::pulumi
