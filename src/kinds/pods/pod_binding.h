#pragma once
// The subresource "binding" of pods, and the resource "bindings": a Binding {metadata, target}
// gives a pod to a node. For whoever serves them:
//
//   decode the body by the declared type io.k8s.api.core.v1.Binding; metadata.name must be the name
//   in the path (400 "name in URL does not match name in Binding object"); check_binding() finds
//   what is wrong (kube-apiserver 1.36 answers 500 with the aggregate of it, not 422); then in the
//   same way as an update, with metadata.uid and metadata.resourceVersion as preconditions:
//   why_not_bound() is the reason of a 409 Conflict on "pods/binding", else apply_binding() and
//   store. The answer is 201 and Status Success.
#include <string>
#include <string_view>

#include "base/arena.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

value::FieldErrors check_binding(const value::Value& binding);

// Empty when the pod can be given to a node.
std::string why_not_bound(const value::Value& pod);

// Gives the pod to the node, with the annotations and labels of the binding. Who owns the fields of
// the pod does not change, and neither does its generation. `now` is RFC 3339, in whole seconds.
void apply_binding(value::Value& pod, const value::Value& binding, std::string_view now,
                   Arena& arena);

}  // namespace strake::kinds
