#include <fmt/format.h>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/nodes/strategies.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::int64_t kMostOfUsers = 1'000'000'000;
constexpr std::string_view kSystemPrefix = "system-";

// The classes of the system, which a server makes by itself.
struct SystemClass {
  std::string_view name;
  std::int64_t value;
  std::string_view description;
};
constexpr SystemClass kSystemClasses[] = {
    {"system-cluster-critical", 2 * kMostOfUsers,
     "Used for system critical pods that must run in the cluster, but can be moved to another node "
     "if necessary."},
    {"system-node-critical", 2 * kMostOfUsers + 1000,
     "Used for system critical pods that must not be moved from their current node."}};

const SystemClass* find_system_class(std::string_view name) {
  for (const SystemClass& one : kSystemClasses) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

// Why a class may not have such a name; empty when it is one of the system, as the system has it.
std::string system_name_fault(std::string_view name, const Value& object) {
  const SystemClass* found = find_system_class(name);
  if (found == nullptr) return fmt::format("{} is not a known system priority class", name);
  if (integer(object, "value") != found->value)
    return fmt::format("value of {} PriorityClass must be {}", name, found->value);
  if (value::flag_of(object, "globalDefault"))
    return fmt::format("globalDefault of {} PriorityClass must be false", name);
  return {};
}

void check_value(const Value& object, FieldErrors& errors) {
  const std::string_view name = meta::ObjectMeta::of(object).name();
  if (name.starts_with(kSystemPrefix)) {
    const std::string fault = system_name_fault(name, object);
    if (fault.empty()) return;
    errors.push_back(FieldError::forbidden(FieldPath() / "metadata" / "name",
                                           "priority class names with 'system-' prefix are "
                                           "reserved for system use only. error: " +
                                               fault));
  } else if (integer(object, "value") > kMostOfUsers) {
    errors.push_back(FieldError::forbidden(
        FieldPath() / "value",
        fmt::format("maximum allowed value of a user defined priority is {}", kMostOfUsers)));
  }
}

class PriorityClassStrategy final : public BuiltinStrategy {
 public:
  PriorityClassStrategy() : BuiltinStrategy("io.k8s.api.scheduling.v1.PriorityClass") {
    set_columns({name_column(),
                 {.name = "Value", .type = "integer", .description = "The priority of the pods."},
                 {.name = "Global-Default",
                  .type = "boolean",
                  .description = "Whether pods that name no class are of this one."},
                 age_column(),
                 {.name = "PreemptionPolicy",
                  .type = "string",
                  .description = "Whether pods of lower priority make room."}});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    if (member(object, "preemptionPolicy") == nullptr)
      object.set("preemptionPolicy", Value::string("PreemptLowerPriority"), arena);
  }

  // As in kube-apiserver 1.36 it starts to count changes, and never does.
  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    resource::set_meta(object, "generation", Value::integer(1), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_value(object, errors);
    if (const Value* policy = member(object, "preemptionPolicy")) {
      const FieldPath at = FieldPath() / "preemptionPolicy";
      if (value::text_of(*policy).empty()) {
        errors.push_back(FieldError::required(at));
      } else {
        check_text_is_one_of(value::text_of(*policy), {"PreemptLowerPriority", "Never"}, at,
                             errors);
      }
    }
    return errors;
  }

  // What an update may not change is not judged again.
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    if (integer(object, "value") != integer(old, "value")) {
      errors.push_back(
          FieldError::forbidden(FieldPath() / "value", "may not be changed in an update."));
    }
    if (!same_member(object, old, "preemptionPolicy")) {
      errors.push_back(FieldError::invalid(FieldPath() / "preemptionPolicy",
                                           object.get("preemptionPolicy"), "field is immutable"));
    }
    return errors;
  }

  Deletion prepare_delete(Value& object, bool, Arena&, const WriteRequest&) const override {
    if (find_system_class(meta::ObjectMeta::of(object).name()) == nullptr) return {};
    return {.held = false, .refused = "this is a system priority class and cannot be deleted"};
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::integer(integer(object, "value")),
           Value::boolean(value::flag_of(object, "globalDefault")), age_cell(object, now, arena),
           Value::string(text_of(object, "preemptionPolicy"))};
  }
};

}  // namespace

std::vector<std::string> system_priority_classes() {
  std::vector<std::string> out;
  for (const SystemClass& one : kSystemClasses) {
    out.push_back(fmt::format(
        R"({{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{{"name":"{}"}},)"
        R"("value":{},"preemptionPolicy":"PreemptLowerPriority","description":"{}"}})",
        one.name, one.value, one.description));
  }
  return out;
}

const BuiltinStrategy& priority_class_strategy() {
  static const PriorityClassStrategy& strategy = *new PriorityClassStrategy();
  return strategy;
}

}  // namespace strake::kinds
