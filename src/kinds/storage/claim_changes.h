#pragma once
// What may change of a PersistentVolumeClaim.
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// By an update of the claim. The spec of the new claim has been prepared.
void check_claim_changes(const value::Value& claim, const value::Value& old,
                         value::FieldErrors& errors);
// By a write of its status.
void check_claim_status(const value::Value& claim, value::FieldErrors& errors);

}  // namespace strake::kinds
