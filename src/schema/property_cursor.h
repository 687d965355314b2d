#pragma once
// Finds the schema of each member of an object. Members and properties are both sorted, so one walk
// over the two serves all of them; ask in the order of the members.
#include <string_view>

#include "schema/node.h"
#include "value/value.h"

namespace strake::schema {

class PropertyCursor {
 public:
  explicit PropertyCursor(const Node& schema)
      : at_(schema.properties.data()), end_(at_ + schema.properties.size()) {}

  // The schema of a named property, or null.
  const Node* find(std::string_view key) {
    for (; at_ != end_; ++at_) {
      const int order = value::compare_keys(at_->name, key);
      if (order == 0) return at_->node.get();
      if (order > 0) break;
    }
    return nullptr;
  }

 private:
  const Property* at_;
  const Property* end_;
};

}  // namespace strake::schema
