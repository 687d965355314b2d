// StorageClasses and VolumeAttributesClasses.
#include <fmt/format.h>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/storage/class_parameters.h"
#include "kinds/storage/default_storage_class.h"
#include "kinds/storage/strategies.h"
#include "kinds/storage/table_cells.h"
#include "kinds/storage/topologies.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void default_text(Value& object, std::string_view key, std::string_view text, Arena& arena) {
  if (member(object, key) == nullptr) object.set(key, Value::string(text), arena);
}

class StorageClassStrategy final : public BuiltinStrategy {
 public:
  StorageClassStrategy() : BuiltinStrategy("io.k8s.api.storage.v1.StorageClass") {
    set_columns({name_column(), text_column("Provisioner", "The driver that makes the volumes."),
                 text_column("ReclaimPolicy", "What becomes of a volume without its claim."),
                 text_column("VolumeBindingMode", "When volumes are made and bound."),
                 text_column("AllowVolumeExpansion", "Whether claims may grow."), age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    default_text(object, "reclaimPolicy", "Delete", arena);
    default_text(object, "volumeBindingMode", "Immediate", arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_provisioner(object, "provisioner", errors);
    check_class_parameters(object, errors);
    if (!text_of(object, "reclaimPolicy").empty())
      check_one_of(object, "reclaimPolicy", {"Delete", "Retain"}, FieldPath(), errors);
    check_one_of(object, "volumeBindingMode", {"Immediate", "WaitForFirstConsumer"}, FieldPath(),
                 errors);
    check_allowed_topologies(object, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors = validate_create(object, request);
    for (const std::string_view key :
         {"parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"}) {
      if (!same_member(object, old, key)) {
        errors.push_back(
            FieldError::invalid(FieldPath() / key, object.get(key), "field is immutable"));
      }
    }
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    std::vector<std::string> out;
    warn_of_allowed_topologies(object, out);
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const std::string name = fmt::format("{}{}", meta::ObjectMeta::of(object).name(),
                                         is_default_storage_class(object) ? " (default)" : "");
    out = {Value::string(arena.copy(name)),
           Value::string(text_of(object, "provisioner")),
           Value::string(text_of(object, "reclaimPolicy")),
           Value::string(text_of(object, "volumeBindingMode")),
           Value::boolean(value::flag_of(object, "allowVolumeExpansion")),
           age_cell(object, now, arena)};
  }
};

class VolumeAttributesClassStrategy final : public BuiltinStrategy {
 public:
  VolumeAttributesClassStrategy() : BuiltinStrategy("io.k8s.api.storage.v1.VolumeAttributesClass") {
    set_columns(
        {name_column(), text_column("DriverName", "The driver of the volumes."), age_column()});
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_provisioner(object, "driverName", errors);
    check_class_parameters(object, errors);
    if (members(object, "parameters").empty()) {
      errors.push_back(FieldError::required(FieldPath() / "parameters",
                                            "must contain at least one key/value pair"));
    }
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors = validate_create(object, request);
    for (const std::string_view key : {"driverName", "parameters"}) {
      if (!same_member(object, old, key)) {
        errors.push_back(FieldError::forbidden(FieldPath() / key,
                                               fmt::format("updates to {} are forbidden.", key)));
      }
    }
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::string(text_of(object, "driverName")),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& storage_class_strategy() {
  static const StorageClassStrategy& strategy = *new StorageClassStrategy();
  return strategy;
}

const BuiltinStrategy& volume_attributes_class_strategy() {
  static const VolumeAttributesClassStrategy& strategy = *new VolumeAttributesClassStrategy();
  return strategy;
}

}  // namespace strake::kinds
