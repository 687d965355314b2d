#include "kinds/pods/pod_binding.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "kinds/fields.h"
#include "kinds/pods/edit_members.h"
#include "kinds/pods/pod_conditions.h"
#include "meta/object_meta.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

FieldErrors check_binding(const Value& binding) {
  FieldErrors errors;
  const FieldPath at = FieldPath() / "target";
  const std::string_view kind = text_of(binding, {"target", "kind"});
  if (!kind.empty() && kind != "Node") {
    const std::string supported[] = {"Node", "<empty>"};
    errors.push_back(FieldError::not_supported(at / "kind", Value::string(kind), supported));
  }
  if (text_of(binding, {"target", "name"}).empty())
    errors.push_back(FieldError::required(at / "name"));
  return errors;
}

std::string why_not_bound(const Value& pod) {
  const meta::ObjectMeta metadata = meta::ObjectMeta::of(pod);
  const std::string_view node = text_of(pod, {"spec", "nodeName"});
  if (metadata.is_being_deleted()) {
    return fmt::format("pod {} is being deleted, cannot be assigned to a host", metadata.name());
  }
  if (!node.empty()) {
    return fmt::format("pod {} is already assigned to node {}", metadata.name(), quote(node));
  }
  if (!items(pod.get("spec"), "schedulingGates").empty())
    return fmt::format("pod {} has non-empty .spec.schedulingGates", metadata.name());
  return {};
}

void apply_binding(Value& pod, const Value& binding, std::string_view now, Arena& arena) {
  const Value& given = binding.get("metadata");
  Value& metadata = pod.object_at("metadata", arena);
  for (const std::string_view key : {"annotations", "labels"})
    override_members(metadata, key, members(given, key), arena);
  pod.object_at("spec", arena)
      .set("nodeName", Value::string(arena.copy(text_of(binding, {"target", "name"}))), arena);
  pod.object_at("status", arena).remove("nominatedNodeName");
  set_pod_condition(pod, {.type = "PodScheduled", .status = "True"}, now, arena);
}

}  // namespace strake::kinds
