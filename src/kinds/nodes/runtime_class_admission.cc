#include "kinds/nodes/runtime_class_admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/quote.h"
#include "kinds/fields.h"
#include "kinds/nodes/taints.h"
#include "kinds/resource_names.h"

namespace strake::kinds {

using value::Member;
using value::Value;

namespace {

constexpr std::string_view kOtherOverhead =
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

const Value* overhead_of(const Value* runtime_class) {
  return runtime_class != nullptr ? member(*runtime_class, "overhead") : nullptr;
}

bool same_amounts(std::span<const Member> a, std::span<const Member> b) {
  return std::ranges::equal(a, b, [](const Member& one, const Member& other) {
    return one.key == other.key && amount_of(one.value) == amount_of(other.value);
  });
}

bool has_overhead_of(const Value& spec, const Value& overhead) {
  return same_amounts(members(spec, "overhead"), members(overhead, "podFixed"));
}

std::optional<std::string> set_overhead(Value& spec, const Value& overhead, Arena& arena) {
  if (!members(spec, "overhead").empty() && !has_overhead_of(spec, overhead))
    return std::string(kOtherOverhead);
  if (members(overhead, "podFixed").empty()) {
    spec.remove("overhead");
  } else {
    spec.set("overhead", value::deep_copy(overhead.get("podFixed"), arena), arena);
  }
  return std::nullopt;
}

std::optional<std::string> add_node_selector(Value& spec, const Value& scheduling, Arena& arena) {
  const Value* wanted = member(scheduling, "nodeSelector");
  if (wanted == nullptr || wanted->members().empty()) return std::nullopt;
  for (const Member& one : wanted->members()) {
    const Value* has = member(spec, {"nodeSelector", one.key});
    if (has == nullptr || value::text_of(*has) == value::text_of(one.value)) continue;
    return fmt::format(
        "conflict: runtimeClass.scheduling.nodeSelector[{}] = {}; pod.spec.nodeSelector[{}] = {}",
        one.key, value::text_of(one.value), one.key, value::text_of(*has));
  }
  add_missing_members(spec.object_at("nodeSelector", arena),
                      value::deep_copy(*wanted, arena).members(), arena);
  return std::nullopt;
}

void add_tolerations(Value& spec, const Value& scheduling, Arena& arena) {
  const std::vector<Value> merged =
      merge_tolerations(items(spec, "tolerations"), items(scheduling, "tolerations"));
  if (merged.empty()) return;
  Value list = Value::array({});
  for (const Value& one : merged) list.append(value::deep_copy(one, arena), arena);
  spec.set("tolerations", list, arena);
}

}  // namespace

std::optional<std::string_view> runtime_class_of(const Value& pod) {
  const Value* name = member(pod, {"spec", "runtimeClassName"});
  return name != nullptr ? std::optional(value::text_of(*name)) : std::nullopt;
}

std::string no_runtime_class(std::string_view name) {
  return fmt::format("pod rejected: RuntimeClass {} not found", quote(name));
}

std::optional<std::string> apply_runtime_class(Value& pod, const Value* runtime_class,
                                               Arena& arena) {
  if (runtime_class == nullptr) return std::nullopt;
  Value& spec = pod.object_at("spec", arena);
  if (const Value* overhead = overhead_of(runtime_class)) {
    if (auto fault = set_overhead(spec, *overhead, arena)) return fault;
  }
  const Value* scheduling = member(*runtime_class, "scheduling");
  if (scheduling == nullptr) return std::nullopt;
  if (auto fault = add_node_selector(spec, *scheduling, arena)) return fault;
  add_tolerations(spec, *scheduling, arena);
  return std::nullopt;
}

std::optional<std::string> runtime_class_fault(const Value& pod, const Value* runtime_class) {
  const Value& spec = pod.get("spec");
  if (const Value* overhead = overhead_of(runtime_class)) {
    if (has_overhead_of(spec, *overhead)) return std::nullopt;
    return std::string(kOtherOverhead);
  }
  if (member(spec, "overhead") == nullptr) return std::nullopt;
  return "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
}

}  // namespace strake::kinds
