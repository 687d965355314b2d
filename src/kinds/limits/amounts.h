#pragma once
// Amounts by the name of what they are of, as limits and quotas compare them.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "value/value.h"

namespace strake::kinds {

using Amounts = std::map<std::string, Quantity, std::less<>>;

// A list of a decoded object, such as spec.hard. What is no amount is left out.
Amounts read_amounts(const value::Value& list);

// Adds `more` to the amount of that name, and gives the sum.
const Quantity& add_amount(Amounts& amounts, std::string_view name, const Quantity& more);
// Makes the amount of that name at least so much.
void raise_amount(Amounts& amounts, std::string_view name, const Quantity& least);

// The names of those that are less than nothing.
std::vector<std::string> negative_amounts(const Amounts& amounts);
// What is used more than before: never less than nothing, and without what did not change.
Amounts increase(const Amounts& now, const Amounts& before);

}  // namespace strake::kinds
