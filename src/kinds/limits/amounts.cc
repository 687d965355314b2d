#include "kinds/limits/amounts.h"

#include "kinds/fields.h"
#include "value/fields.h"

namespace strake::kinds {

using value::Member;
using value::Value;

Amounts read_amounts(const Value& list) {
  Amounts out;
  for (const Member& one : list.members()) {
    if (const auto amount = Quantity::parse(value::text_of(one.value)))
      out.emplace(one.key, *amount);
  }
  return out;
}

const Quantity& add_amount(Amounts& amounts, std::string_view name, const Quantity& more) {
  const auto found = amounts.find(name);
  if (found == amounts.end()) return amounts.emplace(std::string(name), more).first->second;
  // Only a sum of thousands of digits fails: then it stays as it was.
  static_cast<void>(found->second.add(more));
  return found->second;
}

void raise_amount(Amounts& amounts, std::string_view name, const Quantity& least) {
  const auto found = amounts.find(name);
  if (found == amounts.end()) {
    amounts.emplace(std::string(name), least);
  } else if (found->second < least) {
    found->second = least;
  }
}

std::vector<std::string> negative_amounts(const Amounts& amounts) {
  std::vector<std::string> out;
  for (const auto& [name, amount] : amounts) {
    if (amount.sign() < 0) out.push_back(name);
  }
  return out;
}

Amounts increase(const Amounts& now, const Amounts& before) {
  Amounts out;
  for (const auto& [name, amount] : now) {
    Quantity more = amount;
    if (const auto was = before.find(name); was != before.end())
      static_cast<void>(more.subtract(was->second));
    if (more.sign() > 0) out.emplace(name, std::move(more));
  }
  return out;
}

}  // namespace strake::kinds
