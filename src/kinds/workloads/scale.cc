#include "kinds/workloads/scale.h"

#include <algorithm>

#include "kinds/fields.h"
#include "kinds/workloads/selectors.h"

namespace strake::kinds {

using value::Member;
using value::Value;

std::string selector_shown_by_scale(const Value& object) {
  const Value* selector = member(object, {"spec", "selector"});
  if (selector == nullptr) return {};
  // The oldest of these kinds has plain labels for a selector.
  const bool plain = std::ranges::all_of(selector->members(),
                                         [](const Member& one) { return one.value.is_string(); });
  return plain ? labels_text(selector->members()) : selector_text(selector).value_or(std::string());
}

}  // namespace strake::kinds
