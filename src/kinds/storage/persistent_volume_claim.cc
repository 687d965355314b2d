// PersistentVolumeClaims.
#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/storage/claim_changes.h"
#include "kinds/storage/claim_sources.h"
#include "kinds/storage/claim_spec.h"
#include "kinds/storage/strategies.h"
#include "kinds/storage/table_cells.h"
#include "kinds/storage/volume_fields.h"

namespace strake::kinds {
namespace {

using value::FieldErrors;
using value::Value;

const FieldPath& at_claim_spec() {
  static const FieldPath path = FieldPath() / "spec";
  return path;
}

class PersistentVolumeClaimStrategy final : public StatusStrategy {
 public:
  PersistentVolumeClaimStrategy() : StatusStrategy("io.k8s.api.core.v1.PersistentVolumeClaim") {
    set_columns(
        {name_column(), text_column("Status", "Whether the claim is pending, bound or lost."),
         text_column("Volume", "The volume that the claim is bound to."),
         text_column("Capacity", "How much the volume behind the claim holds."),
         text_column("Access Modes", "The ways in which that volume can be mounted."),
         text_column("StorageClass", "StorageClass of the pvc"),
         text_column("VolumeAttributesClass", "VolumeAttributesClass of the pvc"), age_column(),
         text_column("VolumeMode", "Whether the volume is to have a file system.", 1)});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    apply_claim_defaults(object, arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    Value status = Value::object({});
    status.set("phase", Value::string("Pending"), arena);
    object.set("status", status, arena);
    Value& spec = object.object_at("spec", arena);
    drop_ignored_sources(spec, nullptr);
    match_sources(spec, arena);
  }
  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest& request) const override {
    StatusStrategy::prepare_update(object, old, arena, request);
    Value& spec = object.object_at("spec", arena);
    drop_ignored_sources(spec, &old.get("spec"));
    match_sources(spec, arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_claim_spec(object.get("spec"), at_claim_spec(), errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_claim_spec(object.get("spec"), at_claim_spec(), errors,
                     stored_claim_options(old.get("spec")));
    check_claim_changes(object, old, errors);
    return errors;
  }
  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_claim_status(object, errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    std::vector<std::string> out;
    warn_of_class_annotation(object, out);
    warn_of_claim_spec(object.get("spec"), at_claim_spec(), out);
    return out;
  }
  std::vector<std::string> status_warnings(const Value&, const Value&) const override { return {}; }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const std::string_view volume = text_of(object, {"spec", "volumeName"});
    std::string_view capacity;
    std::string modes;
    if (!volume.empty()) {
      capacity = text_of(object, {"status", "capacity", kStorage});
      if (capacity.empty()) capacity = "0";
      modes = short_access_modes(items(object.get("status"), "accessModes"));
    }
    out = {name_cell(object),
           phase_cell(object),
           Value::string(volume),
           Value::string(capacity),
           Value::string(arena.copy(modes)),
           class_cell(object),
           text_or_unset_cell(object, "volumeAttributesClassName"),
           age_cell(object, now, arena),
           text_or_unset_cell(object, "volumeMode")};
  }
};

}  // namespace

const BuiltinStrategy& persistent_volume_claim_strategy() {
  static const PersistentVolumeClaimStrategy& strategy = *new PersistentVolumeClaimStrategy();
  return strategy;
}

}  // namespace strake::kinds
