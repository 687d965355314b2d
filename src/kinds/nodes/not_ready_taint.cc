#include "kinds/nodes/not_ready_taint.h"

#include <algorithm>

#include "kinds/fields.h"
#include "kinds/nodes/taints.h"

namespace strake::kinds {

using value::Value;

void add_not_ready_taint(Value& node, Arena& arena) {
  constexpr std::string_view kEffect = "NoSchedule";
  Value& spec = node.object_at("spec", arena);
  const bool there = std::ranges::any_of(items(spec, "taints"), [&](const Value& one) {
    return text_of(one, "key") == kNotReadyTaint && text_of(one, "effect") == kEffect;
  });
  if (there) return;
  Value taint = Value::object({});
  taint.set("effect", Value::string(kEffect), arena);
  taint.set("key", Value::string(kNotReadyTaint), arena);
  Value* taints = spec.find("taints");
  if (taints == nullptr || !taints->is_array())
    taints = &spec.set("taints", Value::array({}), arena);
  taints->append(taint, arena);
}

}  // namespace strake::kinds
