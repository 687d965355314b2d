#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/rfc3339.h"
#include "kinds/fields.h"
#include "kinds/limits/pod_amounts.h"
#include "kinds/limits/quota_evaluators.h"
#include "kinds/resource_names.h"
#include "meta/object_meta.h"
#include "value/field_error.h"

namespace strake::kinds {
namespace {

using value::Value;

constexpr std::string_view kRequests = "requests.";
constexpr std::string_view kLimits = "limits.";
constexpr std::string_view kDeviceClass = "deviceclass.resource.kubernetes.io/";
constexpr std::string_view kComputeNames[] = {"cpu", "memory", "ephemeral-storage"};
// Every container has to say these when a quota counts them. No others were added since.
constexpr std::string_view kRequiredNames[] = {"cpu",    "limits.cpu",   "limits.memory",
                                               "memory", "requests.cpu", "requests.memory"};

bool is_compute(std::string_view name) {
  return std::ranges::find(kComputeNames, name) != std::end(kComputeNames);
}

const Quantity& one_object() {
  static const Quantity one(1);
  return one;
}

// Requests of devices and the like, which quotas count as requests only.
bool is_extended(std::string_view name) {
  return is_extended_resource(name) || name.starts_with(kDeviceClass);
}

// The amounts of a pod, or of a container, by the names that quotas have for them.
Amounts by_quota_names(const Amounts& requests, const Amounts& limits) {
  Amounts out{{"pods", one_object()}};
  for (const auto& [name, amount] : requests) {
    const bool compute = is_compute(name);
    const bool huge = name.starts_with(kHugePages);
    if (compute || huge) out.insert_or_assign(name, amount);
    if (compute || huge || is_extended(name))
      out.insert_or_assign(fmt::format("{}{}", kRequests, name), amount);
  }
  for (const std::string_view name : kComputeNames) {
    if (const auto limit = limits.find(name); limit != limits.end())
      out.insert_or_assign(fmt::format("{}{}", kLimits, name), limit->second);
  }
  return out;
}

// From then on the kubelet has had the time it was given to end the pod.
std::optional<Instant> overdue_at(const Value& pod) {
  const meta::ObjectMeta metadata = meta::ObjectMeta::of(pod);
  const auto grace = metadata.deletion_grace_period_seconds();
  const auto deleted = parse_rfc3339(metadata.deletion_timestamp());
  if (!grace || !deleted) return std::nullopt;
  std::int64_t seconds = 0;
  if (__builtin_add_overflow(deleted->seconds, *grace, &seconds) ||
      __builtin_add_overflow(seconds, 1, &seconds))
    return std::nullopt;
  return Instant{.seconds = seconds};
}

bool has_ended(const Value& pod) {
  const std::string_view phase = text_of(pod, {"status", "phase"});
  return phase == "Failed" || phase == "Succeeded";
}

// A pod that has ended runs no more, and one that should have ended holds up no others.
bool is_running(const Value& pod, WallTime now) {
  if (has_ended(pod)) return false;
  const std::optional<Instant> overdue = overdue_at(pod);
  return !overdue || Instant::from(now) < *overdue;
}

class PodEvaluator final : public QuotaEvaluator {
 public:
  bool handles(std::string_view subresource, const Value& object, const Value* old) const override {
    if (subresource.empty())
      return old == nullptr || is_terminating(*old) != is_terminating(object);
    return subresource == "resize" && old != nullptr;
  }

  bool counts(std::string_view name) const override {
    if (name == "pods" || name == "count/pods" || name.starts_with(kHugePages)) return true;
    if (is_compute(name)) return true;
    if (name.starts_with(kLimits)) return is_compute(name.substr(kLimits.size()));
    if (!name.starts_with(kRequests)) return false;
    const std::string_view what = name.substr(kRequests.size());
    return is_compute(what) || what.starts_with(kHugePages) || what.starts_with(kDeviceClass) ||
           !is_native_resource(name);
  }

  bool is_in(const Value& object, const QuotaScope& scope) const override {
    return is_pod_in(object, scope);
  }

  Amounts usage(const Value& object, WallTime now) const override {
    Amounts out;
    if (is_running(object, now)) {
      out = by_quota_names(pod_requests(object, PodAmountsFor::kQuotas),
                           pod_limits(object, PodAmountsFor::kQuotas));
    }
    out.emplace("count/pods", one_object());
    return out;
  }

  std::optional<Instant> changes_at(const Value& object) const override {
    return has_ended(object) ? std::nullopt : overdue_at(object);
  }

  std::optional<std::string> fault(const std::set<std::string_view>& names,
                                   const Value& object) const override {
    // With requests of the whole pod its containers may go without.
    if (has_pod_resources(object)) return std::nullopt;
    std::vector<std::string_view> required;
    for (const std::string_view name : kRequiredNames) {
      if (names.contains(name)) required.push_back(name);
    }
    std::map<std::string_view, std::set<std::string_view>> lacking;
    for (const std::string_view list : {"containers", "initContainers"}) {
      for (const Value& container : items(object.get("spec"), list)) {
        const Value& resources = container.get("resources");
        const Amounts has = by_quota_names(read_amounts(resources.get("requests")),
                                           read_amounts(resources.get("limits")));
        for (const std::string_view name : required) {
          if (!has.contains(name)) lacking[name].insert(text_of(container, "name"));
        }
      }
    }
    if (lacking.empty()) return std::nullopt;
    std::vector<std::string> parts;
    for (const auto& [name, containers] : lacking)
      parts.push_back(fmt::format("{} for: {}", name, fmt::join(containers, ",")));
    std::string out = fmt::format("must specify {}", fmt::join(parts, "; "));
    value::cut_text(out, value::kMostShownBytes);
    return out;
  }
};

}  // namespace

const QuotaEvaluator& pod_quota_evaluator() {
  static const PodEvaluator& evaluator = *new PodEvaluator();
  return evaluator;
}

}  // namespace strake::kinds
