// CSIStorageCapacities.
#include <fmt/format.h>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/node_labels.h"
#include "kinds/resource_names.h"
#include "kinds/storage/node_selector.h"
#include "kinds/storage/strategies.h"
#include "kinds/storage/table_cells.h"
#include "kinds/storage/volume_fields.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

FieldPath at_topology() { return FieldPath() / "nodeTopology"; }

void check_storage_capacity(const Value& object, bool allow_invalid_values, FieldErrors& errors) {
  if (const Value* topology = member(object, "nodeTopology")) {
    check_label_selector(*topology, {.allow_invalid_values = allow_invalid_values}, at_topology(),
                         errors);
  }
  check_class_name(text_of(object, "storageClassName"), FieldPath() / "storageClassName", errors);
  const Value* capacity = member(object, "capacity");
  if (capacity != nullptr && amount_of(*capacity).sign() < 0) {
    errors.push_back(FieldError::invalid(FieldPath() / "capacity", *capacity,
                                         "must be greater than or equal to 0"));
  }
}

bool has_invalid_topology(const Value& object) {
  const Value* topology = member(object, "nodeTopology");
  if (topology == nullptr) return false;
  FieldErrors wrong;
  check_label_selector(*topology, {}, at_topology(), wrong);
  return !wrong.empty();
}

class CsiStorageCapacityStrategy final : public BuiltinStrategy {
 public:
  CsiStorageCapacityStrategy() : BuiltinStrategy("io.k8s.api.storage.v1.CSIStorageCapacity") {
    set_columns({name_column(),
                 text_column("StorageClassName", "The class that the capacity is for."),
                 text_column("Capacity", "How much there is where the topology says.")});
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_storage_capacity(object, false, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_storage_capacity(object, has_invalid_topology(old), errors);
    for (const std::string_view key : {"nodeTopology", "storageClassName"}) {
      if (!same_member(object, old, key)) {
        errors.push_back(
            FieldError::invalid(FieldPath() / key, object.get(key), "field is immutable"));
      }
    }
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    const Value* topology = member(object, "nodeTopology");
    if (topology == nullptr) return {};
    WarningsList said;
    // Its expressions are those of a term.
    warn_of_node_selector_term(*topology, false, at_topology(), said);
    std::vector<std::string> out = said.take();
    for (const value::Member& label : members(*topology, "matchLabels")) {
      const std::string_view message = deprecated_node_label(label.key);
      if (message.empty()) continue;
      out.push_back(
          fmt::format("{}: {}", (at_topology() / "matchLabels" / label.key).to_k8s(), message));
    }
    return out;
  }

  void cells(const Value& object, WallTime, std::vector<Value>& out, Arena&) const override {
    const Value* capacity = member(object, "capacity");
    out = {name_cell(object), Value::string(text_of(object, "storageClassName")),
           capacity != nullptr ? *capacity : Value::string("<unset>")};
  }
};

}  // namespace

const BuiltinStrategy& csi_storage_capacity_strategy() {
  static const CsiStorageCapacityStrategy& strategy = *new CsiStorageCapacityStrategy();
  return strategy;
}

}  // namespace strake::kinds
