#pragma once
// What is particular to the kinds of networking.k8s.io.
#include "kinds/builtin_strategy.h"

namespace strake::kinds {

const BuiltinStrategy& ingress_strategy();
const BuiltinStrategy& ingress_class_strategy();
const BuiltinStrategy& ip_address_strategy();
const BuiltinStrategy& network_policy_strategy();
const BuiltinStrategy& service_cidr_strategy();

}  // namespace strake::kinds
