#include "admission/quota/standing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace strake::admission {
namespace {

using api::Answer;
using meta::Status;

// "count/a=1,count/b=2"
std::string show(const Amounts& amounts) {
  std::string out;
  for (const auto& [name, amount] : amounts)
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", name, amount.to_string());
  return out;
}

bool same_amounts(const Amounts& a, const Amounts& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.first == other.first && one.second == other.second;
  });
}

Amounts only(const Amounts& amounts, const auto& names) {
  Amounts out;
  for (const auto& name : names) {
    if (const auto found = amounts.find(name); found != amounts.end()) out.insert(*found);
  }
  return out;
}

// Those of the limits that would be passed. What cannot be added is too much.
std::vector<std::string> passed(const Standing& quota, const Amounts& more) {
  std::vector<std::string> out;
  for (const auto& [name, amount] : more) {
    Quantity sum;
    if (const auto used = quota.used.find(name); used != quota.used.end()) sum = used->second;
    if (!sum.add(amount) || sum > quota.limits().at(name)) out.push_back(name);
  }
  return out;
}

std::unexpected<Status> forbidden(const Demand& demand, const std::string& why) {
  return api::refuse(Status::forbidden(demand.resource, demand.name, why));
}

// Whether the quota is about the object: then it has to say what the quota counts.
Answer<bool> is_about(const Demand& demand, const Standing& quota) {
  const std::set<std::string_view> names = demand.counted(quota.limits());
  if (names.empty() || !demand.is_in(quota.facts->scopes)) return false;
  if (demand.evaluator != nullptr) {
    if (const auto fault = demand.evaluator->fault(names, *demand.object))
      return forbidden(demand, fmt::format("failed quota: {}: {}", quota.facts->name, *fault));
  }
  if (std::ranges::all_of(names, [&](std::string_view one) { return quota.used.contains(one); }))
    return true;
  return forbidden(demand, fmt::format("status unknown for quota: {}, resources: {}",
                                       quota.facts->name, fmt::join(names, ",")));
}

}  // namespace

bool Standing::differs() const {
  return (kept && !same_amounts(facts->limits, facts->told_limits)) ||
         !same_amounts(used, facts->told_used);
}

void Standing::add(const Amounts& amounts) {
  for (const auto& [name, amount] : amounts) kinds::add_amount(used, name, amount);
}

Answer<std::vector<Amounts>> judge(const Demand& demand, const Needs& needs,
                                   std::span<Standing> quotas,
                                   const std::function<void(Standing&)>& count_anew) {
  std::vector<Amounts> out(quotas.size());
  for (std::size_t i = 0; i < quotas.size(); ++i) {
    STRAKE_TRY(const bool about, is_about(demand, quotas[i]));
    if (!about) continue;
    const Amounts& more = needs.within(demand, quotas[i].facts->scopes);
    out[i] = only(more, demand.counted(quotas[i].limits()));
  }
  if (const auto negative = kinds::negative_amounts(needs.all); !negative.empty()) {
    return forbidden(demand, fmt::format("quota usage is negative for resource(s): {}",
                                         fmt::join(negative, ",")));
  }
  if (demand.may_exceed) return out;
  for (std::size_t i = 0; i < quotas.size(); ++i) {
    Standing& quota = quotas[i];
    std::vector<std::string> names = passed(quota, out[i]);
    // The status may tell of objects that are gone, or that never came to be.
    if (!names.empty() && !quota.exact) {
      count_anew(quota);
      names = passed(quota, out[i]);
    }
    if (names.empty()) continue;
    Amounts used = only(quota.used, names);
    return forbidden(demand, fmt::format("exceeded quota: {}, requested: {}, used: {}, limited: {}",
                                         quota.facts->name, show(only(out[i], names)), show(used),
                                         show(only(quota.limits(), names))));
  }
  return out;
}

}  // namespace strake::admission
