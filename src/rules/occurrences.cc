#include "rules/occurrences.h"

namespace strake::rules {

std::optional<std::uint64_t> max_children(const schema::Node& node) {
  const auto bounded = [](const std::optional<std::int64_t>& n) -> std::optional<std::uint64_t> {
    if (!n) return std::nullopt;
    return *n < 0 ? 0 : static_cast<std::uint64_t>(*n);
  };
  if (node.type == schema::JsonType::kArray) return bounded(node.max_items);
  const bool map =
      node.type == schema::JsonType::kObject && node.additional != schema::Additional::kAbsent;
  return map ? bounded(node.max_properties) : 1;
}

}  // namespace strake::rules
