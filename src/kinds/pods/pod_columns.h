#pragma once
// The printed table of pods.
#include <vector>

#include "base/arena.h"
#include "base/time.h"
#include "kinds/strategy.h"
#include "value/value.h"

namespace strake::kinds {

std::vector<Column> pod_columns();
std::vector<value::Value> pod_cells(const value::Value& pod, WallTime now, Arena& arena);

}  // namespace strake::kinds
