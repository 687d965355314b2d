#pragma once
// Admission by StorageObjectInUseProtection: what is in use is not deleted before a controller
// takes a finalizer away.
#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// Of a new PersistentVolumeClaim, PersistentVolume or VolumeAttributesClass.
void admit_claim_protection(value::Value& claim, Arena& arena);
void admit_volume_protection(value::Value& volume, Arena& arena);
void admit_attributes_class_protection(value::Value& attributes_class, Arena& arena);

}  // namespace strake::kinds
