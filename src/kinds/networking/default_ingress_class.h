#pragma once
// The class of ingresses that name none (kube-apiserver's plugin DefaultIngressClass). Admission
// asks on a create of an ingress, once it has been decoded, with all classes there are.
#include <span>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// By its annotation.
bool is_default_ingress_class(const value::Value& ingress_class);

// What is known of a class that is the default.
struct DefaultIngressClass {
  std::string_view name;
  std::string_view created;  // metadata.creationTimestamp
};

// Gives the ingress the newest of the default classes, or the first by name of those, unless it
// names a class itself. In place.
void set_default_ingress_class(value::Value& ingress, std::span<const DefaultIngressClass> defaults,
                               Arena& arena);

}  // namespace strake::kinds
