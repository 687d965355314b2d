#pragma once
// The defaults of a loose schema, filled in top down and only where the parent object exists.
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "schema/loose/options.h"
#include "schema/loose/schema.h"
#include "value/value.h"

namespace strake::schema::loose {

// References and allOf always count; of anyOf every branch that the value matches; of oneOf the one
// that it matches: of several the first, and none when Options::ambiguity makes that an error; then
// or else by the value as it was sent. The first default of a member wins. A null takes a default
// where the type does not admit null. A dynamic reference counts as the reference that it is
// without its scope. Fails with kLimit when defaults bring in ever more defaults. The schema must
// outlive the value.
Result<> apply_defaults(value::Value& v, const Schema& schema, const LooseNode& root,
                        const Options& options, Arena& arena);

// The same for a part of a value, `depth` containers down, to which these schemas apply.
Result<> apply_defaults(value::Value& v, const Schema& schema, std::vector<const LooseNode*> nodes,
                        std::size_t depth, const Options& options, Arena& arena);

// The default of the schema itself, or of what it refers to; null when there is none.
const value::Value* default_of(const LooseNode& node);
bool admits_null(const LooseNode& node);
// Which schemas of an object apply to a member of that name.
void add_member_schemas(const ObjectRules& rules, std::string_view key,
                        std::vector<const LooseNode*>& out);
// Which schema of an array applies to an element; null when none does.
const LooseNode* element_schema(const ArrayRules& rules, std::size_t index);

}  // namespace strake::schema::loose
