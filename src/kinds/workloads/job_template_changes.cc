#include "kinds/workloads/job_template_changes.h"

#include "kinds/fields.h"
#include "kinds/workloads/job_status.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

bool is_suspended(const Value& job) { return value::flag_of(job.get("spec"), "suspend"); }

// Nothing of it runs, and nothing has, unless it has been noted that it stopped.
bool has_stopped(const Value& job) {
  const Value& status = job.get("status");
  return (member(status, "startTime") == nullptr || job_has_condition(job, "Suspended")) &&
         integer(status, "active") == 0;
}

// The affinity to nodes is free; the old one gets that of the new spec.
void take_node_affinity(Value& old_spec, const Value& spec, Arena& arena) {
  const Value* now = member(spec, "affinity");
  if (now == nullptr && member(old_spec, "affinity") == nullptr) return;
  Value& affinity = old_spec.object_at("affinity", arena);
  const Value* nodes = now != nullptr ? member(*now, "nodeAffinity") : nullptr;
  if (nodes != nullptr) {
    affinity.set("nodeAffinity", *nodes, arena);
  } else {
    affinity.remove("nodeAffinity");
  }
  if (now == nullptr && affinity.size() == 0) old_spec.remove("affinity");
}

void take_resources(Value& old_spec, const Value& spec, std::string_view key, Arena& arena) {
  const auto now = items(spec, key);
  Value* old = old_spec.find(key);
  if (old == nullptr || old->items().size() != now.size()) return;
  std::size_t i = 0;
  for (Value& container : old->mutable_items()) {
    const Value& one = now[i++];
    if (!container.is_object() || text_of(container, "name") != text_of(one, "name")) continue;
    keep_member(container, one, "resources", arena);
  }
}

}  // namespace

void check_job_template_changes(const Value& job, const Value& old, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "spec" / "template";
  const Value& now = job.get("spec").get("template");
  const Value& before = old.get("spec").get("template");
  const auto refuse_unless_same = [&](const Value& a, const Value& b, const FieldPath& path) {
    if (!value::identical(a, b))
      errors.push_back(FieldError::invalid(path, a, "field is immutable"));
  };
  if (!is_suspended(old) || !has_stopped(old)) return refuse_unless_same(now, before, at);
  Arena arena;
  const Value& spec = now.get("spec");
  Value old_spec = value::deep_copy(before.get("spec"), arena);
  if (!old_spec.is_object()) return refuse_unless_same(spec, old_spec, at / "spec");
  take_node_affinity(old_spec, spec, arena);
  for (const std::string_view key : {"nodeSelector", "tolerations", "schedulingGates"})
    keep_member(old_spec, spec, key, arena);
  for (const std::string_view key : {"containers", "initContainers"})
    take_resources(old_spec, spec, key, arena);
  refuse_unless_same(spec, old_spec, at / "spec");
}

}  // namespace strake::kinds
