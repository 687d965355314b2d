#include "kinds/nodes/topology_labels.h"

#include "kinds/fields.h"
#include "meta/object_meta.h"

namespace strake::kinds {

using value::Value;

std::string_view node_of_pod(const Value& pod) { return text_of(pod, {"spec", "nodeName"}); }

std::string_view node_of_binding(const Value& binding) {
  const Value& target = binding.get("target");
  return text_of(target, "kind") == "Node" ? text_of(target, "name") : std::string_view();
}

void copy_topology_labels(Value& object, const Value& node, Arena& arena) {
  const Value* labels = meta::ObjectMeta::of(node).labels();
  if (labels == nullptr) return;
  for (const std::string_view key :
       {"topology.kubernetes.io/region", "topology.kubernetes.io/zone"}) {
    const Value* label = labels->find(key);
    if (label == nullptr) continue;
    object.object_at("metadata", arena)
        .object_at("labels", arena)
        .set(key, Value::string(arena.copy(value::text_of(*label))), arena);
  }
}

}  // namespace strake::kinds
