#pragma once
// The strategy of each built-in kind. Each is made once and kept for good.
#include "kinds/builtin_strategy.h"
#include "kinds/resource.h"

namespace strake::kinds {

const BuiltinStrategy& namespace_strategy();
const BuiltinStrategy& config_map_strategy();
const BuiltinStrategy& secret_strategy();
const BuiltinStrategy& service_account_strategy();
const BuiltinStrategy& service_strategy();
const BuiltinStrategy& endpoints_strategy();
const BuiltinStrategy& endpoint_slice_strategy();
const BuiltinStrategy& resource_quota_strategy();
const BuiltinStrategy& limit_range_strategy();
const BuiltinStrategy& core_event_strategy();  // v1
const BuiltinStrategy& event_strategy();       // events.k8s.io/v1
const BuiltinStrategy& lease_strategy();
const BuiltinStrategy& certificate_signing_request_strategy();
const BuiltinStrategy& storage_version_migration_strategy();

const BuiltinStrategy& flow_schema_strategy();
const BuiltinStrategy& priority_level_strategy();

const BuiltinStrategy& role_strategy();
const BuiltinStrategy& cluster_role_strategy();
const BuiltinStrategy& role_binding_strategy();
const BuiltinStrategy& cluster_role_binding_strategy();

const BuiltinStrategy& api_service_strategy();
const BuiltinStrategy& validating_webhook_configuration_strategy();
const BuiltinStrategy& mutating_webhook_configuration_strategy();
const BuiltinStrategy& validating_admission_policy_strategy();
const BuiltinStrategy& validating_admission_policy_binding_strategy();
const BuiltinStrategy& mutating_admission_policy_strategy();
const BuiltinStrategy& mutating_admission_policy_binding_strategy();

// Asked and answered, never stored.
const BuiltinStrategy& token_review_strategy();
const BuiltinStrategy& self_subject_review_strategy();
const BuiltinStrategy& subject_access_review_strategy();
const BuiltinStrategy& self_subject_access_review_strategy();
const BuiltinStrategy& local_subject_access_review_strategy();
const BuiltinStrategy& self_subject_rules_review_strategy();
const BuiltinStrategy& token_request_strategy();

// What the subresource "token" of service accounts takes. It has no path of its own.
const ResourcePtr& token_request_resource();

}  // namespace strake::kinds
