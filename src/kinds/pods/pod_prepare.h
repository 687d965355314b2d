#pragma once
// What kube-apiserver 1.36 decides about a pod that is written, in place: the status of a new one,
// what follows from its other fields, and what a write of the status or of the ephemeral containers
// leaves alone.
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// `now` is RFC 3339, in whole seconds. `warnings` may be null.
void prepare_new_pod(value::Value& pod, std::string_view now, Arena& arena,
                     std::vector<std::string>* warnings);
void prepare_pod_status(value::Value& pod, const value::Value& old, Arena& arena);
void prepare_ephemeral_containers(value::Value& pod, const value::Value& old, Arena& arena);

// The pod becomes the old one but for spec.ephemeralContainers, or for other members of the spec:
// those of `kept` come from the write.
void keep_all_but(value::Value& pod, const value::Value& old,
                  std::initializer_list<std::string_view> kept, Arena& arena);
// Counts a change of the spec in metadata.generation: the server does so for writes of the pod
// itself alone.
void count_spec_change(value::Value& pod, const value::Value& old, Arena& arena);

}  // namespace strake::kinds
