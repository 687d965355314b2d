#pragma once
// What a whole pod requests, and what it is limited to: containers run side by side, and those of
// initContainers one after the other before them, but for the ones that stay.
#include "kinds/limits/amounts.h"
#include "value/value.h"

namespace strake::kinds {

inline constexpr std::string_view kHugePages = "hugepages-";  // names of such resources begin so

// Limit ranges look at the containers of the spec alone. Nodes have to carry the overhead too, and
// quotas count what the kubelet has given beside that.
enum class PodAmountsFor { kLimitRanges, kNodes, kQuotas };

Amounts pod_requests(const value::Value& pod, PodAmountsFor what);
Amounts pod_limits(const value::Value& pod, PodAmountsFor what);
// What the containers of a spec say together under `key`, "requests" or "limits", whatever the pod
// says as a whole.
Amounts total_of_containers(const value::Value& spec, std::string_view key);

// Whether spec.resources says what the pod needs as a whole.
bool has_pod_resources(const value::Value& pod);

}  // namespace strake::kinds
