#pragma once
// What the strategies of the kinds that make pods have in common, and the strategies.
#include <string>
#include <string_view>
#include <vector>

#include "kinds/builtin_strategy.h"
#include "kinds/workloads/scale.h"

namespace strake::kinds {

class WorkloadStrategy : public StatusStrategy {
 public:
  using StatusStrategy::StatusStrategy;

  // Nothing is said of the spec that a write of the status leaves alone.
  std::vector<std::string> status_warnings(const value::Value&,
                                           const value::Value&) const override {
    return {};
  }

  std::string scale_selector(const value::Value& object) const override {
    return selector_shown_by_scale(object);
  }

 protected:
  static const FieldPath& at_spec();
  static const FieldPath& at_status();
  // The spec as something that defaults can be put into.
  static value::Value& editable_spec(value::Value& object, Arena& arena) {
    return object.object_at("spec", arena);
  }
  // Fills in a member that is not there; where text is wanted, also one that is empty.
  static void set_default(value::Value& holder, std::string_view key, value::Value v, Arena& arena);
  static void set_default_text(value::Value& holder, std::string_view key, std::string_view text,
                               Arena& arena);
  // Applies the defaults of the template in `spec`, where there is one.
  static void default_template(value::Value& spec, Arena& arena);
};

const BuiltinStrategy& deployment_strategy();
const BuiltinStrategy& replica_set_strategy();
const BuiltinStrategy& stateful_set_strategy();
const BuiltinStrategy& daemon_set_strategy();
const BuiltinStrategy& controller_revision_strategy();
const BuiltinStrategy& replication_controller_strategy();
const BuiltinStrategy& job_strategy();
const BuiltinStrategy& cron_job_strategy();
const BuiltinStrategy& pod_disruption_budget_strategy();
const BuiltinStrategy& autoscaler_strategy();
// autoscaling/v1
const BuiltinStrategy& old_autoscaler_strategy();

}  // namespace strake::kinds
