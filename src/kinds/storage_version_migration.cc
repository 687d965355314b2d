// StorageVersionMigrations: which resource is to be rewritten is said once, how far that has come
// is the controller's. As kube-apiserver 1.36 has them in v1beta1.
#include <algorithm>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kSucceeded = "Succeeded";
constexpr std::string_view kFailed = "Failed";
constexpr std::string_view kRunning = "Running";

std::span<const Value> conditions_of(const Value& object) {
  const Value* status = member(object, "status");
  return status != nullptr ? items(*status, "conditions") : std::span<const Value>();
}

bool is_true(const Value& object, std::string_view type) {
  return std::ranges::any_of(conditions_of(object), [&](const Value& one) {
    return text_of(one, "type") == type && text_of(one, "status") == "True";
  });
}

// As its resource versions can be compared: a number without zeros in front, however long.
bool is_well_formed(std::string_view version) {
  return !version.empty() && version.front() != '0' &&
         std::ranges::all_of(version, [](char c) { return c >= '0' && c <= '9'; });
}

FieldErrors validate(const Value& object) {
  FieldErrors errors;
  const FieldPath at = FieldPath() / "spec" / "resource";
  const std::string_view resource = text_of(object, {"spec", "resource", "resource"});
  const std::string_view group = text_of(object, {"spec", "resource", "group"});
  if (resource.empty()) {
    errors.push_back(FieldError::required(at / "resource", "resource is required to be set"));
  } else if (const meta::Messages wrong = meta::check_dns1035_label(resource); !wrong.empty()) {
    errors.push_back(
        FieldError::invalid(at / "resource", Value::string(resource), meta::join(wrong)));
  }
  if (const meta::Messages wrong = meta::check_dns1123_subdomain(group);
      !group.empty() && !wrong.empty()) {
    errors.push_back(FieldError::invalid(at / "group", Value::string(group), meta::join(wrong)));
  }
  return errors;
}

// The internal type has no names for JSON.
std::string show_spec(const Value& object) {
  // metav1.GroupResource has the names of JSON in Go, too.
  static constexpr GoField kFields[] = {{"group", "group"}, {"resource", "resource"}};
  const Value* spec = member(object, "spec");
  const Value* resource = spec != nullptr ? member(*spec, "resource") : nullptr;
  return "{\"Resource\":" + show_go_struct(resource, kFields) + "}";
}

void check_status_fields(const Value& object, const Value& old, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "status";
  const std::string_view version = text_of(object, {"status", "resourceVersion"});
  const std::string_view before = text_of(old, {"status", "resourceVersion"});
  if (!is_well_formed(version)) {
    errors.push_back(
        FieldError::invalid(at / "resourceVersion", Value::string(version),
                            "resource version is not well formed: " + std::string(version)));
  }
  check_conditions(conditions_of(object), at / "conditions", errors);
  if (!before.empty() && before != version) {
    errors.push_back(
        FieldError::invalid(at / "resourceVersion", Value::string(version), "field is immutable"));
  }
}

// What conditions may not be true together, and what stays true.
void check_outcome(const Value& object, const Value& old, FieldErrors& errors) {
  const Value* status = member(object, "status");
  const Value* list = status != nullptr ? member(*status, "conditions") : nullptr;
  const Value shown = list != nullptr ? *list : Value();
  const auto refuse = [&](std::string_view why) {
    errors.push_back(
        FieldError::invalid(FieldPath() / "status" / "conditions", shown, std::string(why)));
  };
  const bool succeeded = is_true(object, kSucceeded);
  const bool failed = is_true(object, kFailed);
  const bool running = is_true(object, kRunning);
  if (succeeded && failed)
    refuse("Both success and failed conditions cannot be true at the same time");
  if (succeeded && running)
    refuse("Running condition cannot be true when success condition is true");
  if (failed && running) refuse("Running condition cannot be true when failed condition is true");
  if (is_true(old, kSucceeded) && !succeeded)
    refuse("Success condition cannot be set to false once it is true");
  if (is_true(old, kFailed) && !failed)
    refuse("Failed condition cannot be set to false once it is true");
}

class StorageVersionMigrationStrategy final : public StatusStrategy {
 public:
  StorageVersionMigrationStrategy()
      : StatusStrategy("io.k8s.api.storagemigration.v1beta1.StorageVersionMigration") {
    set_columns({name_column(),
                 {.name = "Resource",
                  .type = "string",
                  .description = "Fully qualified resource to migrate"}});
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return validate(object);
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors = validate(object);
    for (const std::string_view key : {"group", "resource"}) {
      if (text_of(object, {"spec", "resource", key}) == text_of(old, {"spec", "resource", key}))
        continue;
      errors.push_back({.type = FieldError::Type::kInvalid,
                        .path = FieldPath() / "spec",
                        .shown = show_spec(object),
                        .detail = "field is immutable"});
      break;
    }
    return errors;
  }

  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_status_fields(object, old, errors);
    check_outcome(object, old, errors);
    return errors;
  }

  void cells(const Value& object, WallTime, std::vector<Value>& out, Arena& arena) const override {
    std::string resource(text_of(object, {"spec", "resource", "resource"}));
    resource += ".";
    resource += text_of(object, {"spec", "resource", "group"});
    out = {name_cell(object), Value::string(arena.copy(resource))};
  }
};

}  // namespace

const BuiltinStrategy& storage_version_migration_strategy() {
  static const StorageVersionMigrationStrategy& strategy = *new StorageVersionMigrationStrategy();
  return strategy;
}

}  // namespace strake::kinds
