#include "kinds/limits/pod_amounts.h"

#include <algorithm>
#include <unordered_map>

#include "kinds/fields.h"

namespace strake::kinds {

using value::Member;
using value::Value;

namespace {

// What spec.resources may say.
bool is_of_pod(std::string_view name, bool with_huge_pages) {
  return name == "cpu" || name == "memory" || (with_huge_pages && name.starts_with(kHugePages));
}

bool stays(const Value& container) { return text_of(container, "restartPolicy") == "Always"; }

class PodSum {
 public:
  // `key` is "requests" or "limits".
  PodSum(const Value& spec, std::string_view key) : spec_(spec), key_(key) {}

  Amounts of_containers() && {
    add_containers();
    return std::move(sum_);
  }

  Amounts of_pod(const Value& status, PodAmountsFor what) && {
    if (what == PodAmountsFor::kQuotas) read_statuses(status);
    add_containers();
    const bool whole = what != PodAmountsFor::kLimitRanges;
    take_pod_resources(whole);
    if (whole) add_overhead();
    return std::move(sum_);
  }

 private:
  void add_containers() {
    for (const Value& one : items(spec_, "containers")) {
      for (const auto& [name, amount] : amounts_of(one, true)) add_amount(sum_, name, amount);
    }
    for (const Value& one : items(spec_, "initContainers")) add_init_container(one);
    for (const auto& [name, amount] : most_) raise_amount(sum_, name, amount);
  }

  void read_statuses(const Value& status) {
    for (const std::string_view list : {"containerStatuses", "initContainerStatuses"}) {
      for (const Value& one : items(status, list))
        statuses_.insert_or_assign(text_of(one, "name"), &one);
    }
    for (const Value& one : items(status, "conditions")) {
      if (text_of(one, "type") != "PodResizePending") continue;
      resize_fails_ = text_of(one, "reason") == "Infeasible";
      break;
    }
  }

  // While a pod is resized, the most of what it should have, what it was promised and what it has.
  Amounts amounts_of(const Value& container, bool with_status) const {
    Amounts out = read_amounts(container.get("resources").get(key_));
    if (!with_status) return out;
    const auto found = statuses_.find(text_of(container, "name"));
    if (found == statuses_.end()) return out;
    const Value& status = *found->second;
    const Value* given = member(status, "resources");
    if (given == nullptr) return out;
    if (resize_fails_) out.clear();
    for (const auto& [name, amount] : read_amounts(given->get(key_)))
      raise_amount(out, name, amount);
    if (key_ == "requests") {
      for (const auto& [name, amount] : read_amounts(status.get("allocatedResources")))
        raise_amount(out, name, amount);
    }
    return out;
  }

  // Those that stay run beside all that come after them. Only what the container names can become
  // more by it, so the others need no look.
  void add_init_container(const Value& container) {
    const bool remains = stays(container);
    for (const auto& [name, amount] : amounts_of(container, remains)) {
      if (remains) {
        add_amount(sum_, name, amount);
        raise_amount(most_, name, add_amount(staying_, name, amount));
        continue;
      }
      Quantity together = amount;
      if (const auto beside = staying_.find(name); beside != staying_.end())
        static_cast<void>(together.add(beside->second));
      raise_amount(most_, name, together);
    }
  }

  void take_pod_resources(bool with_huge_pages) {
    for (auto& [name, amount] : read_amounts(spec_.get("resources").get(key_))) {
      if (is_of_pod(name, with_huge_pages)) sum_.insert_or_assign(name, amount);
    }
  }

  // A limit that is none stays none.
  void add_overhead() {
    for (const auto& [name, amount] : read_amounts(spec_.get("overhead"))) {
      const auto limit = sum_.find(name);
      if (key_ == "limits" && (limit == sum_.end() || limit->second.is_zero())) continue;
      add_amount(sum_, name, amount);
    }
  }

  const Value& spec_;
  std::string_view key_;
  bool resize_fails_ = false;
  std::unordered_map<std::string_view, const Value*> statuses_;
  Amounts sum_;
  Amounts staying_;  // of initContainers that stay, up to here
  Amounts most_;     // while any of initContainers starts
};

}  // namespace

Amounts pod_requests(const Value& pod, PodAmountsFor what) {
  return PodSum(pod.get("spec"), "requests").of_pod(pod.get("status"), what);
}

Amounts pod_limits(const Value& pod, PodAmountsFor what) {
  return PodSum(pod.get("spec"), "limits").of_pod(pod.get("status"), what);
}

Amounts total_of_containers(const Value& spec, std::string_view key) {
  return PodSum(spec, key).of_containers();
}

bool has_pod_resources(const Value& pod) {
  const Value& resources = pod.get("spec").get("resources");
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"requests", "limits"}, [&](std::string_view key) {
        return std::ranges::any_of(members(resources, key),
                                   [](const Member& one) { return is_of_pod(one.key, true); });
      });
}

}  // namespace strake::kinds
