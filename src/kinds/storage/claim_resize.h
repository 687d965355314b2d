#pragma once
// Admission by PersistentVolumeClaimResize: which claims may grow.
#include <functional>
#include <string>
#include <string_view>

#include "value/value.h"

namespace strake::kinds {

// Whether the class of that name is there and lets volumes grow.
using AllowsExpansion = std::function<bool(std::string_view class_name)>;
// allowVolumeExpansion of a StorageClass.
bool allows_expansion(const value::Value& storage_class);

// Why an update of a claim is forbidden; empty when it may pass.
std::string refused_resize(const value::Value& claim, const value::Value& old,
                           const AllowsExpansion& class_allows);

}  // namespace strake::kinds
