#include "kinds/workloads/workload_strategy.h"

#include "kinds/fields.h"
#include "kinds/pods/pod_spec.h"

namespace strake::kinds {

using value::Value;

const FieldPath& WorkloadStrategy::at_spec() {
  static const FieldPath& path = *new FieldPath(FieldPath() / "spec");
  return path;
}

const FieldPath& WorkloadStrategy::at_status() {
  static const FieldPath& path = *new FieldPath(FieldPath() / "status");
  return path;
}

void WorkloadStrategy::set_default(Value& holder, std::string_view key, Value v, Arena& arena) {
  if (member(holder, key) == nullptr) holder.set(key, v, arena);
}

void WorkloadStrategy::set_default_text(Value& holder, std::string_view key, std::string_view text,
                                        Arena& arena) {
  if (text_of(holder, key).empty()) holder.set(key, Value::string(text), arena);
}

void WorkloadStrategy::default_template(Value& spec, Arena& arena) {
  Value* pod_template = spec.find("template");
  if (pod_template != nullptr && pod_template->is_object())
    apply_pod_template_defaults(*pod_template, arena);
}

}  // namespace strake::kinds
