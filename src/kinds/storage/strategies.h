#pragma once
// The strategies of the kinds of storage. Each is made once and kept for good.
#include "kinds/builtin_strategy.h"

namespace strake::kinds {

const BuiltinStrategy& persistent_volume_strategy();
const BuiltinStrategy& persistent_volume_claim_strategy();
const BuiltinStrategy& storage_class_strategy();
const BuiltinStrategy& volume_attributes_class_strategy();
const BuiltinStrategy& volume_attachment_strategy();
const BuiltinStrategy& csi_driver_strategy();
const BuiltinStrategy& csi_node_strategy();
const BuiltinStrategy& csi_storage_capacity_strategy();

}  // namespace strake::kinds
