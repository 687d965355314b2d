#pragma once
// The hooks of each built-in kind. Each is made once and kept for good.
#include "kinds/hooks.h"

namespace strake::kinds {

const Hooks& namespace_hooks();
const Hooks& config_map_hooks();
const Hooks& secret_hooks();
const Hooks& service_account_hooks();
const Hooks& core_event_hooks();  // v1
const Hooks& event_hooks();       // events.k8s.io/v1
const Hooks& lease_hooks();

}  // namespace strake::kinds
