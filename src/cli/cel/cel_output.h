#pragma once
// What `strake cel` shows: values as documents, the types of sub-expressions, and why an expression
// came out false or failed.
#include <string>
#include <string_view>

#include "base/arena.h"
#include "cel/value/value.h"
#include "cli/cel/cel_session.h"
#include "value/value.h"

namespace strake::cli {

// The value as JSON and YAML can say it: bytes in base64, timestamps and durations as their text,
// types by name, none as null. Lives in the arena, or in the document it came from.
value::Value to_node(const cel::Value& v, Arena& arena);

// One line a sub-expression: its source, then its type.
std::string types_of(const CelExpression& expression);

// One line: what it may cost, what that is of the limit, or by how much it is over.
std::string cost_text(const CelExpression& expression);

// The source with the decisive part marked, and below it every sub-expression with its value; those
// that were passed over say so. Runs the expression again to see them.
std::string trace_of(const CelExpression& expression, bool color);

}  // namespace strake::cli
