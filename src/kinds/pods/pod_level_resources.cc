#include "kinds/pods/pod_level_resources.h"

#include <vector>

#include "kinds/fields.h"
#include "kinds/limits/pod_amounts.h"
#include "kinds/pods/edit_members.h"
#include "kinds/resource_names.h"

namespace strake::kinds {
namespace {

using value::Member;
using value::Value;

void add_amounts(Amounts& total, const Amounts& more) {
  for (const auto& [name, amount] : more) add_amount(total, name, amount);
}

// Sets those that the list does not name.
void set_missing(Value& resources, std::string_view key, const Amounts& amounts, Arena& arena) {
  std::vector<Member> all;
  for (const auto& [name, amount] : amounts)
    all.push_back({arena.copy(name), Value::string(arena.copy(amount.to_string()))});
  add_missing(resources, key, all, arena);
}

void default_huge_page_limits(const Value& spec, Value& resources, Arena& arena) {
  const Value* requests = member(resources, "requests");
  Amounts missing;
  for (const auto& [name, amount] : total_of_containers(spec, "limits")) {
    // A request without a limit is for the checks to refuse.
    if (name.starts_with(kHugePages) && (requests == nullptr || requests->find(name) == nullptr))
      missing.emplace(name, amount);
  }
  set_missing(resources, "limits", missing, arena);
}

void default_requests(const Value& spec, Value& resources, Arena& arena) {
  Amounts asked;
  for (const auto& [name, amount] : total_of_containers(spec, "requests")) {
    if (is_pod_level_resource(name) && may_be_overcommitted(name)) asked.emplace(name, amount);
  }
  set_missing(resources, "requests", asked, arena);
  Amounts limits;
  for (const auto& [name, amount] : read_amounts(resources.get("limits"))) {
    if (is_pod_level_resource(name)) limits.emplace(name, amount);
  }
  set_missing(resources, "requests", limits, arena);
}

// CPU and memory alone decide the class, and only amounts above zero.
Amounts deciding(const Value& resources, std::string_view key) {
  Amounts out;
  for (const std::string_view name : {"cpu", "memory"}) {
    const Value* amount = member(resources, {key, name});
    if (amount != nullptr && amount_of(*amount).sign() > 0) out.emplace(name, amount_of(*amount));
  }
  return out;
}

// What counts towards the class of a pod.
struct AskedByPod {
  Amounts requests;
  Amounts limits;
  bool limits_all = true;  // CPU and memory, wherever there could be a limit

  void count(const Value& resources) {
    const Amounts more = deciding(resources, "limits");
    limits_all = limits_all && more.size() == 2;
    add_amounts(limits, more);
    add_amounts(requests, deciding(resources, "requests"));
  }
};

}  // namespace

bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with(kHugePages);
}

void apply_pod_level_defaults(Value& spec, Arena& arena) {
  Value* resources = object_member(spec, "resources");
  if (resources == nullptr) return;
  if (members(*resources, "limits").empty() && members(*resources, "requests").empty()) return;
  default_huge_page_limits(spec, *resources, arena);
  if (!members(*resources, "limits").empty()) default_requests(spec, *resources, arena);
}

std::string_view qos_class_of(const Value& spec) {
  AskedByPod asked;
  if (const Value* own = member(spec, "resources")) {
    asked.count(*own);
  } else {
    for (const std::string_view key : {"containers", "initContainers"}) {
      for (const Value& container : items(spec, key)) asked.count(container.get("resources"));
    }
  }
  if (asked.requests.empty() && asked.limits.empty()) return "BestEffort";
  const bool guaranteed = asked.limits_all && asked.requests == asked.limits;
  return guaranteed ? "Guaranteed" : "Burstable";
}

}  // namespace strake::kinds
