#pragma once
// Rules for nodes that an update is judged by as well as a new node.
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// What annotations said before there were fields for it.
void check_node_annotations(const value::Value& node, value::FieldErrors& errors);
// status.capacity and status.allocatable.
void check_node_amounts(const value::Value& node, value::FieldErrors& errors);
// status.declaredFeatures: names in order.
void check_declared_features(const value::Value& node, value::FieldErrors& errors);
// spec.podCIDRs: at most one of each family.
void check_pod_networks(const value::Value& node, value::FieldErrors& errors);
// status.addresses: each once.
void check_addresses(const value::Value& node, value::FieldErrors& errors);

}  // namespace strake::kinds
