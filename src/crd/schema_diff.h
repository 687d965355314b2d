#pragma once
// The part of diff.h that walks two schemas of a version side by side.
#include <string>
#include <vector>

#include "base/field_path.h"
#include "crd/diff.h"
#include "crd/schema_view.h"

namespace strake::crd {

struct SchemaPlaces {
  std::string version;
  FieldPath old_at;  // where the schemas stand in their CRDs
  FieldPath new_at;
};

// Appends what changed, from the outside in, properties sorted by name.
void diff_schemas(const SchemaView& old, const SchemaView& next, const SchemaPlaces& places,
                  std::vector<Change>& out);

}  // namespace strake::crd
