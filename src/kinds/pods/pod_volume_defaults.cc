#include "kinds/pods/pod_volume_defaults.h"

#include <algorithm>

#include "kinds/fields.h"
#include "kinds/pods/edit_members.h"
#include "kinds/pods/image_reference.h"
#include "kinds/storage/claim_spec.h"

namespace strake::kinds {
namespace {

using value::Member;
using value::Value;

constexpr std::int64_t kFileMode = 0644;
constexpr std::int64_t kTokenSeconds = 3600;

void default_file_refs(Value& holder, Arena& arena) {
  edit_each(holder, "items", [&](Value& file) { apply_field_ref_defaults(file, arena); });
}

void default_files(Value& volume, Arena& arena) {
  for (const std::string_view key : {"secret", "configMap", "downwardAPI", "projected"}) {
    if (Value* source = object_member(volume, key))
      set_if_absent(*source, "defaultMode", Value::integer(kFileMode), arena);
  }
  if (Value* source = object_member(volume, "downwardAPI")) default_file_refs(*source, arena);
  Value* projected = object_member(volume, "projected");
  if (projected == nullptr) return;
  edit_each(*projected, "sources", [&](Value& source) {
    // Both are behind feature gates that are off in kube-apiserver 1.36.
    source.remove("clusterTrustBundle");
    source.remove("podCertificate");
    if (Value* files = object_member(source, "downwardAPI")) default_file_refs(*files, arena);
    if (Value* token = object_member(source, "serviceAccountToken"))
      set_if_absent(*token, "expirationSeconds", Value::integer(kTokenSeconds), arena);
  });
}

void default_disks(Value& volume, Arena& arena) {
  if (Value* source = object_member(volume, "iscsi"))
    set_if_empty(*source, "iscsiInterface", "default", arena);
  if (Value* source = object_member(volume, "rbd")) {
    set_if_empty(*source, "pool", "rbd", arena);
    set_if_empty(*source, "user", "admin", arena);
    set_if_empty(*source, "keyring", "/etc/ceph/keyring", arena);
  }
  if (Value* source = object_member(volume, "azureDisk")) {
    set_if_absent(*source, "cachingMode", Value::string("ReadWrite"), arena);
    set_if_absent(*source, "fsType", Value::string("ext4"), arena);
    set_if_absent(*source, "readOnly", Value::boolean(false), arena);
    set_if_absent(*source, "kind", Value::string("Shared"), arena);
  }
  if (Value* source = object_member(volume, "scaleIO")) {
    set_if_empty(*source, "storageMode", "ThinProvisioned", arena);
    set_if_empty(*source, "fsType", "xfs", arena);
  }
}

}  // namespace

void apply_field_ref_defaults(Value& holder, Arena& arena) {
  if (Value* ref = object_member(holder, "fieldRef")) set_if_empty(*ref, "apiVersion", "v1", arena);
}

void apply_volume_defaults(Value& volume, Arena& arena) {
  const bool has_source = std::ranges::any_of(volume.members(), [](const Member& one) {
    return one.key != "name" && !one.value.is_null();
  });
  if (!has_source) volume.set("emptyDir", Value::object({}), arena);
  if (Value* source = object_member(volume, "hostPath"))
    set_if_absent(*source, "type", Value::string(""), arena);
  default_files(volume, arena);
  default_disks(volume, arena);
  if (Value* source = object_member(volume, "ephemeral")) {
    if (Value* claim = object_member(*source, "volumeClaimTemplate"))
      apply_claim_spec_defaults(claim->object_at("spec", arena), arena);
  }
  if (Value* source = object_member(volume, "image")) {
    const bool latest = is_latest_image(value::text_of(*source, "reference"));
    set_if_empty(*source, "pullPolicy", latest ? "Always" : "IfNotPresent", arena);
  }
}

}  // namespace strake::kinds
