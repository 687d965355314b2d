#pragma once
// What the LimitRanges of a namespace give to pods, and what they refuse of pods and claims
// (kube-apiserver's plugin LimitRanger). Admission asks with each decoded LimitRange of the
// namespace, in the order of their names:
//
//   on a create of a pod, before other plugins change it:  set_limit_defaults(pod, range, arena)
//   on a create of a pod, or an update through "resize":   pod_limit_fault(pod, range)
//   on a create or an update of a claim:                   claim_limit_fault(claim, range)
//
// Objects that are being deleted are not asked about. A fault is the reason of a 403; the first
// range that has one answers.
#include <optional>
#include <string>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// Gives containers the requests and limits that they do not have, and notes in an annotation what
// was given. In place. The fault is that of a pod of so many containers that their defaults are
// more than any object could hold.
[[nodiscard]] std::optional<std::string> set_limit_defaults(value::Value& pod,
                                                            const value::Value& limit_range,
                                                            Arena& arena);

// "maximum cpu usage per Container is 2, but limit is 3", or several faults as "[a, b]".
std::optional<std::string> pod_limit_fault(const value::Value& pod,
                                           const value::Value& limit_range);
std::optional<std::string> claim_limit_fault(const value::Value& claim,
                                             const value::Value& limit_range);

}  // namespace strake::kinds
