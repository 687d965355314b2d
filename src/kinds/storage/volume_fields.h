#pragma once
// Fields that volumes and claims on them share.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

inline constexpr std::string_view kStorage = "storage";
inline constexpr std::string_view kFilesystem = "Filesystem";
// The annotation that named the class before there was a field for it.
inline constexpr std::string_view kBetaClassAnnotation = "volume.beta.kubernetes.io/storage-class";

// accessModes: at least one, all of them known. `missing` says what is wrong without one.
void check_access_modes(const value::Value& spec, std::string missing, const FieldPath& at,
                        value::FieldErrors& errors);
// volumeMode, where it is given.
void check_volume_mode(const value::Value& spec, const FieldPath& at, value::FieldErrors& errors);
// The name of a class.
void check_class_name(std::string_view name, const FieldPath& at, value::FieldErrors& errors);
// The name of a CSI driver. False when it is refused.
bool check_driver_name(std::string_view name, const FieldPath& at, value::FieldErrors& errors);

// The class of a volume or claim, which an annotation may name. Null when it has none.
const value::Value* storage_class_of(const value::Value& object);
// What is said of the annotation.
void warn_of_class_annotation(const value::Value& object, std::vector<std::string>& warnings);

// "RWO,ROX": each mode once.
std::string short_access_modes(std::span<const value::Value> modes);

}  // namespace strake::kinds
