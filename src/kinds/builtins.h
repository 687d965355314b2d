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

const Hooks& role_hooks();
const Hooks& cluster_role_hooks();
const Hooks& role_binding_hooks();
const Hooks& cluster_role_binding_hooks();

const Hooks& api_service_hooks();
const Hooks& validating_webhook_configuration_hooks();
const Hooks& mutating_webhook_configuration_hooks();
const Hooks& validating_admission_policy_hooks();
const Hooks& validating_admission_policy_binding_hooks();

// Asked and answered, never stored.
const Hooks& token_review_hooks();
const Hooks& self_subject_review_hooks();
const Hooks& subject_access_review_hooks();
const Hooks& self_subject_access_review_hooks();
const Hooks& local_subject_access_review_hooks();
const Hooks& self_subject_rules_review_hooks();
const Hooks& token_request_hooks();  // the subresource "token" of service accounts

}  // namespace strake::kinds
