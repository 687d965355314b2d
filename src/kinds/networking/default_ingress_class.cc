#include "kinds/networking/default_ingress_class.h"

#include <algorithm>

#include "kinds/fields.h"
#include "kinds/networking/ingress_checks.h"
#include "meta/object_meta.h"

namespace strake::kinds {

using value::Value;

bool is_default_ingress_class(const Value& ingress_class) {
  return meta::ObjectMeta::of(ingress_class)
             .annotation("ingressclass.kubernetes.io/is-default-class") == "true";
}

void set_default_ingress_class(Value& ingress, std::span<const DefaultIngressClass> defaults,
                               Arena& arena) {
  if (defaults.empty() || has_class_annotation(ingress) ||
      member(ingress, {"spec", "ingressClassName"}) != nullptr) {
    return;
  }
  // Times in whole seconds of UTC are in the order of their texts.
  const auto best = std::ranges::min_element(defaults, [](const auto& a, const auto& b) {
    return a.created != b.created ? a.created > b.created : a.name < b.name;
  });
  ingress.object_at("spec", arena)
      .set("ingressClassName", Value::string(arena.copy(best->name)), arena);
}

}  // namespace strake::kinds
