#pragma once
// Admission by DefaultStorageClass: a new claim without a class gets the default one.
#include <span>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

bool is_default_storage_class(const value::Value& storage_class);
// The one that claims get: of those that are marked, the newest, and of these the first by name.
// Null when none is marked.
const value::Value* default_storage_class(std::span<const value::Value* const> classes);

// Gives a new claim that names no class the class of that name; empty for none.
void admit_default_storage_class(value::Value& claim, std::string_view default_class, Arena& arena);

}  // namespace strake::kinds
