#pragma once
// iSCSI volumes, and the names of initiators and targets.
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// "iqn.2001-04.com.example:storage", "eui." or "naa." with digits.
bool is_iscsi_name(std::string_view name);

// Of a PersistentVolume of that name; empty in an inline volume.
void check_iscsi_source(const value::Value& source, std::string_view volume_name,
                        const FieldPath& at, value::FieldErrors& errors);

}  // namespace strake::kinds
