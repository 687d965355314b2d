#include <array>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/fields.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

class LeaseStrategy final : public BuiltinStrategy {
 public:
  LeaseStrategy() : BuiltinStrategy("io.k8s.api.coordination.v1.Lease") {
    set_columns({name_column(),
                 {.name = "Holder", .type = "string", .description = "Who holds the lease."},
                 age_column()});
  }

  // Leader election is not coordinated here, as it is not by default in kube-apiserver 1.36: what
  // belongs to it is dropped unless it is there already.
  void prepare_create(Value& object, Arena&, const WriteRequest&) const override {
    if (Value* spec = object.find("spec"); spec != nullptr && spec->is_object()) {
      spec->remove("strategy");
      spec->remove("preferredHolder");
    }
  }
  void prepare_update(Value& object, const Value& old, Arena&, const WriteRequest&) const override {
    Value* spec = object.find("spec");
    if (spec == nullptr || !spec->is_object()) return;
    for (const std::string_view key : {"strategy", "preferredHolder"}) {
      if (member(old, {"spec", key}) == nullptr) spec->remove(key);
    }
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const Value* spec = member(object, "spec");
    if (spec == nullptr) return errors;
    const FieldPath at = FieldPath() / "spec";
    if (const Value* duration = member(*spec, "leaseDurationSeconds");
        duration != nullptr && duration->as_int() <= 0) {
      errors.push_back(
          FieldError::invalid(at / "leaseDurationSeconds", *duration, "must be greater than 0"));
    }
    if (const Value* transitions = member(*spec, "leaseTransitions");
        transitions != nullptr && transitions->as_int() < 0) {
      errors.push_back(FieldError::invalid(at / "leaseTransitions", *transitions,
                                           "must be greater than or equal to 0"));
    }
    check_strategy(*spec, at, errors);
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::string(text_of(object, {"spec", "holderIdentity"})),
           age_cell(object, now, arena)};
  }

 private:
  static void check_strategy(const Value& spec, const FieldPath& at, FieldErrors& errors) {
    const std::string_view strategy = text_of(spec, "strategy");
    if (const Value* given = member(spec, "strategy")) {
      // kube-apiserver 1.36 names the field twice.
      const FieldPath field = at / "strategy" / "strategy";
      if (strategy.find('/') == std::string_view::npos) {
        const std::array<std::string, 1> known = {"OldestEmulationVersion"};
        if (strategy != known[0]) errors.push_back(FieldError::not_supported(field, *given, known));
      } else {
        for (const std::string& message : meta::check_qualified_name(strategy))
          errors.push_back(FieldError::invalid(field, *given, message));
      }
    }
    if (!text_of(spec, "preferredHolder").empty() && strategy.empty()) {
      errors.push_back(FieldError::forbidden(at / "preferredHolder",
                                             "may only be specified if `strategy` is defined"));
    }
  }
};

}  // namespace

const BuiltinStrategy& lease_strategy() {
  static const LeaseStrategy& strategy = *new LeaseStrategy();
  return strategy;
}

}  // namespace strake::kinds
