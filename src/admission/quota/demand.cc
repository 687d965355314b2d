#include "admission/quota/demand.h"

#include <algorithm>

namespace strake::admission {
namespace {

const Amounts& nothing() {
  static const Amounts& none = *new Amounts();
  return none;
}

bool is_in_all(const Demand& demand, const value::Value* object, const Scopes& scopes) {
  if (scopes.empty()) return true;
  return demand.evaluator != nullptr && kinds::is_in_all(*demand.evaluator, *object, scopes);
}

}  // namespace

bool Demand::counts(std::string_view amount_name) const {
  return evaluator != nullptr ? evaluator->counts(amount_name)
                              : std::ranges::find(count_names, amount_name) != count_names.end();
}

bool Demand::counts_any(const Amounts& limits) const {
  return std::ranges::any_of(limits, [&](const auto& limit) { return counts(limit.first); });
}

std::set<std::string_view> Demand::counted(const Amounts& limits) const {
  std::set<std::string_view> out;
  for (const auto& [limit, amount] : limits) {
    if (counts(limit)) out.emplace(limit);
  }
  return out;
}

bool Demand::is_in(const Scopes& scopes) const { return is_in_all(*this, object, scopes); }

Needs::Needs(const Demand& demand) {
  if (demand.evaluator == nullptr) {
    for (const std::string& name : demand.count_names) all.emplace(name, Quantity(1));
  } else {
    all = demand.evaluator->usage(*demand.object, demand.now);
    std::erase_if(all, [](const auto& one) { return one.second.is_zero(); });
  }
  more = demand.old == nullptr
             ? all
             : kinds::increase(all, demand.evaluator->usage(*demand.old, demand.now));
}

const Amounts& Needs::within(const Demand& demand, const Scopes& scopes) const {
  if (!demand.is_in(scopes)) return nothing();
  return demand.old != nullptr && is_in_all(demand, demand.old, scopes) ? more : all;
}

}  // namespace strake::admission
