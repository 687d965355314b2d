#pragma once
// What pods get of the ServiceAccount that they run as (kube-apiserver's plugin ServiceAccount).
// Admission asks on a create of a pod, decoded: first give_service_account(), then, when the
// account was found, use_service_account(). Once all has changed the pod, service_account_fault()
// judges it, on a create and on an update of its ephemeral containers. A fault is the reason of a
// 403. Mirror pods show what a kubelet runs by itself: they have no account, and get nothing.
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

std::string_view service_account_of_pod(const value::Value& pod);
// The account that pods get which name none. In place.
void give_service_account(value::Value& pod, Arena& arena);
// The volume with a token, its mounts, and the secrets for pulling images. `volume_name` is that of
// the volume if one is made. In place.
void use_service_account(value::Value& pod, const value::Value& account,
                         std::string_view volume_name, Arena& arena);
// The name that such volumes are generated from.
inline constexpr std::string_view kTokenVolumePrefix = "kube-api-access-";

std::optional<std::string> mirror_pod_fault(const value::Value& pod);
// What the pod refers to, and its account may not. `is_create` is false for ephemeral containers.
std::optional<std::string> service_account_fault(const value::Value& pod,
                                                 const value::Value& account, bool is_create);

}  // namespace strake::kinds
