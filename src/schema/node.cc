#include "schema/node.h"

#include <algorithm>

namespace strake::schema {

const Node* Node::property(std::string_view name) const {
  const auto found = std::lower_bound(
      properties.begin(), properties.end(), name,
      [](const Property& p, std::string_view n) { return value::compare_keys(p.name, n) < 0; });
  return found != properties.end() && found->name == name ? found->node.get() : nullptr;
}

const Node* Node::member(std::string_view name) const {
  const Node* named = property(name);
  return named != nullptr ? named : additional_schema.get();
}

}  // namespace strake::schema
