#include "kinds/nodes/default_priority_class.h"

#include <fmt/format.h>

#include "kinds/fields.h"
#include "meta/object_meta.h"

namespace strake::kinds {

std::optional<std::string> second_default_fault(const value::Value& priority_class,
                                                const value::Value* old, std::string_view current) {
  if (!value::flag_of(priority_class, "globalDefault") || current.empty()) return std::nullopt;
  if (old != nullptr && meta::ObjectMeta::of(priority_class).name() == current) return std::nullopt;
  return fmt::format("PriorityClass {} is already marked as default. Only one default can exist",
                     current);
}

}  // namespace strake::kinds
