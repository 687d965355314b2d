#pragma once
// From the places that checks of a CRD name to where they stand in the CRD as it was written.
#include "base/field_path.h"

namespace strake::crd {

// The server checks a form in which what all versions share stands once at the top
// (spec.validation.openAPIV3Schema, spec.subresources, ...). Such a path leads into the first
// version; every other path is as written.
FieldPath source_path(const FieldPath& checked);

}  // namespace strake::crd
