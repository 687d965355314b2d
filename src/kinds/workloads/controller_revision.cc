#include <fmt/format.h>

#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/workload_checks.h"
#include "kinds/workloads/workload_strategy.h"
#include "meta/gvk.h"
#include "meta/names.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// "daemonset.apps/a"
std::string controller_of(const Value& object) {
  for (const meta::OwnerReference& owner : meta::ObjectMeta::of(object).owner_references()) {
    if (!owner.controller.value_or(false)) continue;
    const std::size_t slash = owner.api_version.find('/');
    const std::string_view group =
        slash == std::string_view::npos ? "" : owner.api_version.substr(0, slash);
    const std::string kind =
        group.empty() ? std::string(owner.kind) : fmt::format("{}.{}", owner.kind, group);
    if (kind.empty()) return std::string(owner.name);
    return fmt::format("{}/{}", meta::to_lower_ascii(kind), owner.name);
  }
  return "<none>";
}

class ControllerRevisionStrategy final : public BuiltinStrategy {
 public:
  ControllerRevisionStrategy() : BuiltinStrategy("io.k8s.api.apps.v1.ControllerRevision") {
    set_columns({name_column(), text_column("Controller", "Whose state this is."),
                 text_column("Revision", "The number of the state."), age_column()});
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_not_negative(object, {"revision"}, FieldPath(), errors);
    const Value* data = member(object, "data");
    if (data == nullptr) {
      errors.push_back(FieldError::required(FieldPath() / "data", "data is mandatory"));
    } else if (!data->is_object()) {
      errors.push_back(
          FieldError::required(FieldPath() / "data", "data must be a valid JSON object"));
    }
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_not_negative(object, {"revision"}, FieldPath(), errors);
    check_unchanged(object, old, "data", FieldPath(), errors);
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), text_cell(controller_of(object), arena),
           number_cell(object, "revision"), age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& controller_revision_strategy() {
  static const ControllerRevisionStrategy& strategy = *new ControllerRevisionStrategy();
  return strategy;
}

}  // namespace strake::kinds
