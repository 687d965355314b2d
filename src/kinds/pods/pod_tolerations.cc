#include "kinds/pods/pod_tolerations.h"

#include <algorithm>

#include "kinds/fields.h"

namespace strake::kinds {
namespace {

using value::Value;

constexpr std::int64_t kSeconds = 300;
constexpr std::string_view kNoExecute = "NoExecute";

// Whether the pod says how it bears that taint. An empty key or effect stands for all.
bool says_how(const Value& spec, std::string_view taint) {
  return std::ranges::any_of(items(spec, "tolerations"), [&](const Value& one) {
    const std::string_view key = value::text_of(one, "key");
    const std::string_view effect = value::text_of(one, "effect");
    return (key.empty() || key == taint) && (effect.empty() || effect == kNoExecute);
  });
}

Value toleration_of(std::string_view taint, Arena& arena) {
  Value out = Value::object({});
  out.set("effect", Value::string(kNoExecute), arena);
  out.set("key", Value::string(taint), arena);
  out.set("operator", Value::string("Exists"), arena);
  out.set("tolerationSeconds", Value::integer(kSeconds), arena);
  return out;
}

}  // namespace

void add_default_tolerations(Value& pod, Arena& arena) {
  Value& spec = pod.object_at("spec", arena);
  for (const std::string_view taint :
       {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    if (says_how(spec, taint)) continue;
    Value* list = spec.find("tolerations");
    if (list == nullptr || !list->is_array())
      list = &spec.set("tolerations", Value::array({}), arena);
    list->append(toleration_of(taint, arena), arena);
  }
}

}  // namespace strake::kinds
