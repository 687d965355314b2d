#pragma once
// Defaults that pods have beyond those of their spec (pod_spec.h): templates of pods have them not.
#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// All defaults of a pod, in place: those of its spec and status too.
void apply_pod_defaults(value::Value& pod, Arena& arena);

// What pods and templates share: `resources` of a container, of a pod, of a status, in whole
// thousandths; and the annotations that stood for init containers before there was a field, which
// kube-apiserver 1.36 drops.
void round_requirements(value::Value& holder, Arena& arena);
void drop_init_annotations(value::Value& object);

}  // namespace strake::kinds
