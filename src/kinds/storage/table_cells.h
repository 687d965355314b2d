#pragma once
// Columns and cells that the tables of several kinds of storage have.
#include <cstdint>
#include <string>
#include <string_view>

#include "kinds/strategy.h"
#include "value/value.h"

namespace strake::kinds {

// The phase of the status, or that the object is being deleted.
value::Value phase_cell(const value::Value& object);
// The text at `key` of the spec; "<unset>" without one.
value::Value text_or_unset_cell(const value::Value& object, std::string_view key);
// The class of a volume or claim; empty without one.
value::Value class_cell(const value::Value& object);

}  // namespace strake::kinds
