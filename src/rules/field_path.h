#pragma once
// The fieldPath of a rule: where below the rule's node a failure is reported.
#include <optional>
#include <string_view>

#include "base/field_path.h"
#include "schema/node.h"

namespace strake::rules {

// Reads .name and ['name'] steps; nothing when the text is no path or leads nowhere in the schema.
std::optional<FieldPath> resolve_field_path(std::string_view text, const schema::Node& node);

}  // namespace strake::rules
