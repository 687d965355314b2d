#pragma once
// What StorageClasses and VolumeAttributesClasses tell a driver.
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// The driver at `key`: a qualified name, in capitals or not.
void check_provisioner(const value::Value& object, std::string_view key,
                       value::FieldErrors& errors);
// The member "parameters".
void check_class_parameters(const value::Value& object, value::FieldErrors& errors);

}  // namespace strake::kinds
