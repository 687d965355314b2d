#pragma once
// How pods are deleted, by the rules of kube-apiserver 1.36: they stay for a while after they are
// marked, so that what runs can end.
#include <cstdint>
#include <optional>

#include "base/arena.h"
#include "base/time.h"
#include "kinds/strategy.h"
#include "value/value.h"

namespace strake::kinds {

// Marks the pod in place: deletionTimestamp, when the grace period ends;
// deletionGracePeriodSeconds; and its generation, once. `asked` is gracePeriodSeconds of the
// options, where it is given.
GracefulDeletion begin_pod_deletion(value::Value& pod, std::optional<std::int64_t> asked,
                                    Instant now, Arena& arena);

// In seconds: what the client asks for, or else the pod's own. None for pods that are on no node,
// or have ended.
std::int64_t grace_period_of(const value::Value& pod, std::optional<std::int64_t> asked);

// Whether an update of a pod that stood as `old`, and that has left it without finalizers, removes
// it: a pod in its grace period stays.
bool goes_without_finalizers(const value::Value& old);

}  // namespace strake::kinds
