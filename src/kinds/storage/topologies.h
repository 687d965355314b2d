#pragma once
// The topologies that a StorageClass allows.
#include <string>
#include <vector>

#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

void check_allowed_topologies(const value::Value& storage_class, value::FieldErrors& errors);
void warn_of_allowed_topologies(const value::Value& storage_class,
                                std::vector<std::string>& warnings);

}  // namespace strake::kinds
