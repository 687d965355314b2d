#pragma once
// Columns that many tables have, and what fills them.
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/time.h"
#include "kinds/strategy.h"
#include "value/value.h"

namespace strake::kinds {

Column name_column();
// The age as text, as the tables of built-in kinds have it.
Column age_column();
// The age by JSONPath: what a custom resource has that names no columns.
Column creation_column();

value::Value name_cell(const value::Value& object);
value::Value age_cell(const value::Value& object, WallTime now, Arena& arena);

}  // namespace strake::kinds
