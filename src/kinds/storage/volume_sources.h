#pragma once
// What each kind of volume needs to be told. Most are the same in pods and in PersistentVolumes:
// what only the one or the other has is not there in the other.
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

struct VolumeSource {
  std::string_view member;      // of the spec: "hostPath"
  std::string_view checked_at;  // how faults in it name the field
  std::string_view refused_at;  // how a second source is named
  // Checked even beside another source.
  bool may_be_second = false;
};
// Those of PersistentVolumes, in the order in which kube-apiserver 1.36 looks at them.
std::span<const VolumeSource> persistent_volume_sources();

// Of the source of that name, but for iSCSI (iscsi_source.h). `at` is where it stands.
void check_volume_source(std::string_view member, const value::Value& source, const FieldPath& at,
                         value::FieldErrors& errors);
// Of the sources that a spec has.
void apply_volume_source_defaults(value::Value& spec, Arena& arena);

}  // namespace strake::kinds
