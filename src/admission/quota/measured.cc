#include "admission/quota/measured.h"

#include <fmt/format.h>

#include <algorithm>

namespace strake::admission {
namespace {

using value::Value;

// Amounts that come to nothing are left out: names of storage classes and devices come and go.
void add_all(Amounts& to, const Amounts& amounts) {
  for (const auto& [name, amount] : amounts) {
    if (kinds::add_amount(to, name, amount).is_zero()) to.erase(name);
  }
}

void subtract_all(Amounts& from, const Amounts& amounts) {
  for (const auto& [name, amount] : amounts) {
    Quantity less = amount;
    less.negate();
    if (kinds::add_amount(from, name, less).is_zero()) from.erase(name);
  }
}

// No two shapes have the same text, whatever somebody called a storage class.
std::string text_of(const Amounts& amounts, const std::vector<bool>& in) {
  std::string out;
  for (const bool one : in) out += one ? '1' : '0';
  for (const auto& [name, amount] : amounts)
    out += fmt::format(" {}:{}={}", name.size(), name, amount.to_string());
  return out;
}

value::Document copy_of(const Value& object) {
  value::Document out;
  out.root() = value::deep_copy(object, out.arena());
  return out;
}

bool same_scopes(const Scopes& a, const Scopes& b) {
  return std::ranges::equal(a, b, [](const kinds::QuotaScope& one, const kinds::QuotaScope& other) {
    return one.requirement == other.requirement;
  });
}

}  // namespace

bool has_scopes(const std::vector<Scopes>& sets, const Scopes& scopes) {
  return std::ranges::any_of(sets, [&](const Scopes& set) { return same_scopes(set, scopes); });
}

Measured::Pending::Pending(const Demand& demand)
    : object(copy_of(*demand.object)), now(demand.now) {
  if (demand.old != nullptr) old = copy_of(*demand.old);
}

Measured::Measured(const kinds::QuotaEvaluator& evaluator, std::vector<Scopes> sets)
    : evaluator_(evaluator), sets_(std::move(sets)), totals_(sets_.size()) {}

const Amounts& Measured::used(const Scopes& scopes) const {
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    if (same_scopes(sets_[i], scopes)) return totals_[i];
  }
  static const Amounts& none = *new Amounts();
  return none;
}

Measured::Measure Measured::measure(const Value& object, WallTime now) const {
  Measure out{.amounts = evaluator_.usage(object, now), .in = {}, .later = {}};
  for (const Scopes& set : sets_) out.in.push_back(kinds::is_in_all(evaluator_, object, set));
  if (const auto at = evaluator_.changes_at(object); at && *at > Instant::from(now))
    out.later = {.at = *at, .amounts = evaluator_.usage(object, at->to_wall())};
  return out;
}

void Measured::put(std::string_view name, Measure measure) {
  // Before what it was goes: mostly it is the same.
  Stored next{.now = hold(std::move(measure.amounts), measure.in)};
  if (measure.later) {
    next.later = hold(std::move(measure.later->amounts), measure.in);
    next.at = measure.later->at;
    later_.emplace(next.at, name);
  }
  const auto found = stored_.find(name);
  if (found == stored_.end()) {
    add(next.now->second);
    stored_.emplace(name, next);
    return;
  }
  Stored before = std::exchange(found->second, next);
  if (before.now != next.now) {
    take_away(before.now->second);
    add(next.now->second);
  }
  // The same moment again stays.
  if (before.later != nullptr && (next.later == nullptr || before.at != next.at))
    later_.erase({before.at, std::string(name)});
  let_go(before.now);
  let_go(before.later);
}

void Measured::remove(std::string_view name) {
  const auto found = stored_.find(name);
  if (found == stored_.end()) return;
  const Stored& stored = found->second;
  if (stored.later != nullptr) later_.erase({stored.at, found->first});
  take_away(stored.now->second);
  let_go(stored.now);
  let_go(stored.later);
  stored_.erase(found);
}

void Measured::pass_time(Instant now) {
  while (!later_.empty() && later_.begin()->first <= now) {
    Stored& stored = stored_.find(later_.begin()->second)->second;
    later_.erase(later_.begin());
    take_away(stored.now->second);
    let_go(stored.now);
    stored.now = std::exchange(stored.later, nullptr);
    add(stored.now->second);
  }
}

std::optional<Instant> Measured::next_change() const {
  return later_.empty() ? std::nullopt : std::optional(later_.begin()->first);
}

void Measured::charge(std::uint64_t id, std::shared_ptr<const Pending> pending) {
  Demand demand{.evaluator = &evaluator_,
                .object = &pending->object.root(),
                .old = pending->old ? &pending->old->root() : nullptr,
                .now = pending->now};
  const Needs needs(demand);
  std::vector<Amounts>& charged = charged_[id];
  for (std::size_t i = 0; i < sets_.size(); ++i)
    add_all(totals_[i], charged.emplace_back(needs.within(demand, sets_[i])));
  pendings_.emplace(id, std::move(pending));
}

void Measured::end_charge(std::uint64_t id) {
  const auto found = charged_.find(id);
  if (found == charged_.end()) return;
  for (std::size_t i = 0; i < sets_.size(); ++i) subtract_all(totals_[i], found->second[i]);
  charged_.erase(found);
  pendings_.erase(id);
}

Measured::Shapes::value_type* Measured::hold(Amounts amounts, const std::vector<bool>& in) {
  auto& shape = *shapes_.try_emplace(text_of(amounts, in)).first;
  if (shape.second.objects++ == 0) {
    shape.second.amounts = std::move(amounts);
    shape.second.in = in;
  }
  return &shape;
}

void Measured::let_go(Shapes::value_type* shape) {
  if (shape != nullptr && --shape->second.objects == 0) shapes_.erase(shapes_.find(shape->first));
}

void Measured::add(const Shape& shape) {
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    if (shape.in[i]) add_all(totals_[i], shape.amounts);
  }
}

void Measured::take_away(const Shape& shape) {
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    if (shape.in[i]) subtract_all(totals_[i], shape.amounts);
  }
}

}  // namespace strake::admission
