// CSINodes.
#include <unordered_map>
#include <unordered_set>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/storage/strategies.h"
#include "kinds/storage/table_cells.h"
#include "kinds/storage/volume_fields.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

FieldPath at_drivers() { return FieldPath() / "spec" / "drivers"; }

std::span<const Value> drivers_of(const Value& object) {
  return items(object.get("spec"), "drivers");
}

void check_topology_keys(const Value& driver, const FieldPath& at, FieldErrors& errors) {
  std::unordered_set<std::string_view> seen;
  for (const Value& one : items(driver, "topologyKeys")) {
    const std::string_view key = value::text_of(one);
    if (key.empty()) errors.push_back(FieldError::required(at));
    if (!seen.insert(key).second) errors.push_back(FieldError::duplicate(at, Value::string(key)));
    add_messages(meta::check_qualified_name(key), key, at, errors);
  }
}

void check_driver(const Value& driver, const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostIdBytes = 256;
  check_driver_name(text_of(driver, "name"), at / "name", errors);
  const std::string_view id = text_of(driver, "nodeID");
  if (id.empty()) errors.push_back(FieldError::required(at / "nodeID"));
  if (id.size() > kMostIdBytes) {
    errors.push_back(
        FieldError::invalid(at / "nodeID", Value::string(id), "must be 256 characters or less"));
  }
  const Value* count = member(driver, {"allocatable", "count"});
  if (count != nullptr && count->as_int() < 0) {
    errors.push_back(FieldError::invalid(at / "allocatable" / "count", *count,
                                         "must be greater than or equal to 0"));
  }
  check_topology_keys(driver, at, errors);
}

// Drivers as they are shown and compared: how many volumes a node can hold may change.
Value without_allocatable(const Value& driver, Arena& arena) {
  Value out = Value::object({});
  for (const std::string_view key : {"name", "nodeID"}) out.set(key, driver.get(key), arena);
  // None and an empty list are the same.
  if (!items(driver, "topologyKeys").empty())
    out.set("topologyKeys", driver.get("topologyKeys"), arena);
  return out;
}

void check_driver_stays(const Value& driver, const Value& old, FieldErrors& errors) {
  Arena arena;
  if (value::identical(without_allocatable(driver, arena), without_allocatable(old, arena))) return;
  Value shown = without_allocatable(driver, arena);
  if (member(driver, "topologyKeys") != nullptr)
    shown.set("topologyKeys", driver.get("topologyKeys"), arena);
  errors.push_back(
      {.type = FieldError::Type::kInvalid,
       .path = at_drivers(),
       .shown = show_go_struct(&shown, described_type("io.k8s.api.storage.v1.CSINodeDriver")),
       .detail = "field is immutable",
       .first = std::nullopt});
}

// Lists that are always written are null when they are empty: kube-apiserver 1.36 stores messages,
// which do not tell the two apart.
void clear_empty_list(Value& object, std::string_view key) {
  Value* list = object.find(key);
  if (list != nullptr && list->size() == 0) *list = Value();
}

class CsiNodeStrategy final : public BuiltinStrategy {
 public:
  CsiNodeStrategy() : BuiltinStrategy("io.k8s.api.storage.v1.CSINode") {
    Column drivers = text_column("Drivers",
                                 "Drivers indicates the number of CSI drivers registered on the "
                                 "node");
    drivers.type = "integer";
    set_columns({name_column(), std::move(drivers), age_column()});
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    std::unordered_set<std::string_view> names;
    const auto drivers = drivers_of(object);
    for (std::size_t i = 0; i < drivers.size(); ++i) {
      const FieldPath at = at_drivers() / i;
      check_driver(drivers[i], at, errors);
      const std::string_view name = text_of(drivers[i], "name");
      if (!names.insert(name).second)
        errors.push_back(FieldError::duplicate(at / "name", Value::string(name)));
    }
    return errors;
  }
  // Drivers come and go, but do not change.
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors = validate_create(object, request);
    std::unordered_map<std::string_view, const Value*> before;
    for (const Value& driver : drivers_of(old)) before.emplace(text_of(driver, "name"), &driver);
    for (const Value& driver : drivers_of(object)) {
      const auto found = before.find(text_of(driver, "name"));
      if (found != before.end()) check_driver_stays(driver, *found->second, errors);
    }
    return errors;
  }

  void after_accept(Value& object, Arena&) const override {
    Value* spec = object.find("spec");
    if (spec == nullptr) return;
    clear_empty_list(*spec, "drivers");
    if (Value* drivers = spec->find("drivers")) {
      for (Value& driver : drivers->mutable_items()) clear_empty_list(driver, "topologyKeys");
    }
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::integer(static_cast<std::int64_t>(drivers_of(object).size())),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& csi_node_strategy() {
  static const CsiNodeStrategy& strategy = *new CsiNodeStrategy();
  return strategy;
}

}  // namespace strake::kinds
