#pragma once
// The spec of PersistentVolumes, where it stands in a volume and where a VolumeAttachment has it
// inline.
#include <string_view>

#include "base/arena.h"
#include "base/field_path.h"
#include "kinds/storage/node_selector.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

void apply_persistent_volume_spec_defaults(value::Value& spec, Arena& arena);

struct VolumeSpecOptions {
  std::string_view volume_name{};  // some sources make names of it
  LabelValues affinity_values = LabelValues::kChecked;
};
void check_persistent_volume_spec(const value::Value& spec, const VolumeSpecOptions& options,
                                  const FieldPath& at, value::FieldErrors& errors);
void check_inline_volume_spec(const value::Value& spec, const FieldPath& at,
                              value::FieldErrors& errors);

// What may not change, nor be set later, of the spec of a volume.
void check_volume_spec_stays(const value::Value& spec, const value::Value& old,
                             value::FieldErrors& errors);

}  // namespace strake::kinds
