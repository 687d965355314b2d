#include "kinds/protobuf_tables.h"

namespace strake::kinds {
namespace {

using Form = ProtoField::Form;

// Metadata and options.
constexpr ProtoField kLabelSelectorRequirementFields[] = {
    {1, "key"}, {2, "operator"}, {3, "values", Form::kTexts}};
constexpr ProtoMessage kLabelSelectorRequirement{"LabelSelectorRequirement",
                                                 kLabelSelectorRequirementFields};
constexpr ProtoField kLabelSelectorFields[] = {
    {1, "matchLabels", Form::kTextMap},
    {2, "matchExpressions", Form::kMessages, &kLabelSelectorRequirement}};
constexpr ProtoMessage kLabelSelector{"LabelSelector", kLabelSelectorFields};
constexpr ProtoField kFieldSelectorRequirementFields[] = {
    {1, "key"}, {2, "operator"}, {3, "values", Form::kTexts}};
constexpr ProtoMessage kFieldSelectorRequirement{"FieldSelectorRequirement",
                                                 kFieldSelectorRequirementFields};
constexpr ProtoField kOwnerReferenceFields[] = {{1, "kind"},
                                                {3, "name"},
                                                {4, "uid"},
                                                {5, "apiVersion"},
                                                {6, "controller", Form::kBool},
                                                {7, "blockOwnerDeletion", Form::kBool}};
constexpr ProtoMessage kOwnerReference{"OwnerReference", kOwnerReferenceFields};
constexpr ProtoField kManagedFieldsEntryFields[] = {{1, "manager"},    {2, "operation"},
                                                    {3, "apiVersion"}, {4, "time", Form::kTime},
                                                    {6, "fieldsType"}, {7, "fieldsV1", Form::kJson},
                                                    {8, "subresource"}};
constexpr ProtoMessage kManagedFieldsEntry{"ManagedFieldsEntry", kManagedFieldsEntryFields};
constexpr ProtoField kObjectMetaFields[] = {
    {1, "name"},
    {2, "generateName"},
    {3, "namespace"},
    {4, "selfLink"},
    {5, "uid"},
    {6, "resourceVersion"},
    {7, "generation", Form::kInt64},
    {8, "creationTimestamp", Form::kTime},
    {9, "deletionTimestamp", Form::kTime},
    {10, "deletionGracePeriodSeconds", Form::kInt64},
    {11, "labels", Form::kTextMap},
    {12, "annotations", Form::kTextMap},
    {13, "ownerReferences", Form::kMessages, &kOwnerReference},
    {14, "finalizers", Form::kTexts},
    {17, "managedFields", Form::kMessages, &kManagedFieldsEntry}};
constexpr ProtoMessage kObjectMeta{"ObjectMeta", kObjectMetaFields};
constexpr ProtoField kPreconditionsFields[] = {{1, "uid"}, {2, "resourceVersion"}};
constexpr ProtoMessage kPreconditions{"Preconditions", kPreconditionsFields};
constexpr ProtoField kDeleteOptionsFields[] = {
    {1, "gracePeriodSeconds", Form::kInt64},
    {2, "preconditions", Form::kMessage, &kPreconditions},
    {3, "orphanDependents", Form::kBool},
    {4, "propagationPolicy"},
    {5, "dryRun", Form::kTexts},
    {6, "ignoreStoreReadErrorWithClusterBreakingPotential", Form::kBool}};
constexpr ProtoMessage kDeleteOptions{"DeleteOptions", kDeleteOptionsFields};

// The core group, events and leases.
constexpr ProtoField kObjectReferenceFields[] = {
    {1, "kind"},       {2, "namespace"},       {3, "name"},     {4, "uid"},
    {5, "apiVersion"}, {6, "resourceVersion"}, {7, "fieldPath"}};
constexpr ProtoMessage kObjectReference{"ObjectReference", kObjectReferenceFields};
constexpr ProtoField kLocalObjectReferenceFields[] = {{1, "name"}};
constexpr ProtoMessage kLocalObjectReference{"LocalObjectReference", kLocalObjectReferenceFields};
constexpr ProtoField kConfigMapFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                           {2, "data", Form::kTextMap},
                                           {3, "binaryData", Form::kBytesMap},
                                           {4, "immutable", Form::kBool}};
constexpr ProtoMessage kConfigMap{"ConfigMap", kConfigMapFields};
constexpr ProtoField kSecretFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                        {2, "data", Form::kBytesMap},
                                        {3, "type"},
                                        {4, "stringData", Form::kTextMap},
                                        {5, "immutable", Form::kBool}};
constexpr ProtoMessage kSecret{"Secret", kSecretFields};
constexpr ProtoField kNamespaceSpecFields[] = {{1, "finalizers", Form::kTexts}};
constexpr ProtoMessage kNamespaceSpec{"NamespaceSpec", kNamespaceSpecFields};
constexpr ProtoField kNamespaceConditionFields[] = {{1, "type"},
                                                    {2, "status"},
                                                    {4, "lastTransitionTime", Form::kTime},
                                                    {5, "reason"},
                                                    {6, "message"}};
constexpr ProtoMessage kNamespaceCondition{"NamespaceCondition", kNamespaceConditionFields};
constexpr ProtoField kNamespaceStatusFields[] = {
    {1, "phase"}, {2, "conditions", Form::kMessages, &kNamespaceCondition}};
constexpr ProtoMessage kNamespaceStatus{"NamespaceStatus", kNamespaceStatusFields};
constexpr ProtoField kNamespaceFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                           {2, "spec", Form::kMessage, &kNamespaceSpec},
                                           {3, "status", Form::kMessage, &kNamespaceStatus}};
constexpr ProtoMessage kNamespace{"Namespace", kNamespaceFields};
constexpr ProtoField kServiceAccountFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "secrets", Form::kMessages, &kObjectReference},
    {3, "imagePullSecrets", Form::kMessages, &kLocalObjectReference},
    {4, "automountServiceAccountToken", Form::kBool}};
constexpr ProtoMessage kServiceAccount{"ServiceAccount", kServiceAccountFields};
constexpr ProtoField kEventSourceFields[] = {{1, "component"}, {2, "host"}};
constexpr ProtoMessage kEventSource{"EventSource", kEventSourceFields};
constexpr ProtoField kEventSeriesFields[] = {{1, "count", Form::kInt32},
                                             {2, "lastObservedTime", Form::kMicroTime}};
constexpr ProtoMessage kEventSeries{"EventSeries", kEventSeriesFields};
constexpr ProtoField kCoreEventFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                           {2, "involvedObject", Form::kMessage, &kObjectReference},
                                           {3, "reason"},
                                           {4, "message"},
                                           {5, "source", Form::kMessage, &kEventSource},
                                           {6, "firstTimestamp", Form::kTime},
                                           {7, "lastTimestamp", Form::kTime},
                                           {8, "count", Form::kInt32},
                                           {9, "type"},
                                           {10, "eventTime", Form::kMicroTime},
                                           {11, "series", Form::kMessage, &kEventSeries},
                                           {12, "action"},
                                           {13, "related", Form::kMessage, &kObjectReference},
                                           {14, "reportingComponent"},
                                           {15, "reportingInstance"}};
constexpr ProtoMessage kCoreEvent{"Event", kCoreEventFields};
constexpr ProtoField kEventFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                       {2, "eventTime", Form::kMicroTime},
                                       {3, "series", Form::kMessage, &kEventSeries},
                                       {4, "reportingController"},
                                       {5, "reportingInstance"},
                                       {6, "action"},
                                       {7, "reason"},
                                       {8, "regarding", Form::kMessage, &kObjectReference},
                                       {9, "related", Form::kMessage, &kObjectReference},
                                       {10, "note"},
                                       {11, "type"},
                                       {12, "deprecatedSource", Form::kMessage, &kEventSource},
                                       {13, "deprecatedFirstTimestamp", Form::kTime},
                                       {14, "deprecatedLastTimestamp", Form::kTime},
                                       {15, "deprecatedCount", Form::kInt32}};
constexpr ProtoMessage kEvent{"Event", kEventFields};
constexpr ProtoField kLeaseSpecFields[] = {{1, "holderIdentity"},
                                           {2, "leaseDurationSeconds", Form::kInt32},
                                           {3, "acquireTime", Form::kMicroTime},
                                           {4, "renewTime", Form::kMicroTime},
                                           {5, "leaseTransitions", Form::kInt32},
                                           {6, "strategy"},
                                           {7, "preferredHolder"}};
constexpr ProtoMessage kLeaseSpec{"LeaseSpec", kLeaseSpecFields};
constexpr ProtoField kLeaseFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                       {2, "spec", Form::kMessage, &kLeaseSpec}};
constexpr ProtoMessage kLease{"Lease", kLeaseFields};

// Quotas and limits.
constexpr ProtoField kScopedSelectorFields[] = {
    {1, "scopeName"}, {2, "operator"}, {3, "values", Form::kTexts}};
constexpr ProtoMessage kScopedSelector{"ScopedResourceSelectorRequirement", kScopedSelectorFields};
constexpr ProtoField kScopeSelectorFields[] = {
    {1, "matchExpressions", Form::kMessages, &kScopedSelector}};
constexpr ProtoMessage kScopeSelector{"ScopeSelector", kScopeSelectorFields};
constexpr ProtoField kQuotaSpecFields[] = {{1, "hard", Form::kQuantityMap},
                                           {2, "scopes", Form::kTexts},
                                           {3, "scopeSelector", Form::kMessage, &kScopeSelector}};
constexpr ProtoMessage kQuotaSpec{"ResourceQuotaSpec", kQuotaSpecFields};
constexpr ProtoField kQuotaStatusFields[] = {{1, "hard", Form::kQuantityMap},
                                             {2, "used", Form::kQuantityMap}};
constexpr ProtoMessage kQuotaStatus{"ResourceQuotaStatus", kQuotaStatusFields};
constexpr ProtoField kQuotaFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                       {2, "spec", Form::kMessage, &kQuotaSpec},
                                       {3, "status", Form::kMessage, &kQuotaStatus}};
constexpr ProtoMessage kQuota{"ResourceQuota", kQuotaFields};
constexpr ProtoField kLimitItemFields[] = {{1, "type"},
                                           {2, "max", Form::kQuantityMap},
                                           {3, "min", Form::kQuantityMap},
                                           {4, "default", Form::kQuantityMap},
                                           {5, "defaultRequest", Form::kQuantityMap},
                                           {6, "maxLimitRequestRatio", Form::kQuantityMap}};
constexpr ProtoMessage kLimitItem{"LimitRangeItem", kLimitItemFields};
constexpr ProtoField kLimitSpecFields[] = {{1, "limits", Form::kMessages, &kLimitItem}};
constexpr ProtoMessage kLimitSpec{"LimitRangeSpec", kLimitSpecFields};
constexpr ProtoField kLimitRangeFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                            {2, "spec", Form::kMessage, &kLimitSpec}};
constexpr ProtoMessage kLimitRange{"LimitRange", kLimitRangeFields};

constexpr ProtoField kSigningConditionFields[] = {{1, "type"},
                                                  {2, "reason"},
                                                  {3, "message"},
                                                  {4, "lastUpdateTime", Form::kTime},
                                                  {5, "lastTransitionTime", Form::kTime},
                                                  {6, "status"}};
constexpr ProtoMessage kSigningCondition{"CertificateSigningRequestCondition",
                                         kSigningConditionFields};
constexpr ProtoField kSigningSpecFields[] = {{1, "request", Form::kBytes},
                                             {2, "username"},
                                             {3, "uid"},
                                             {4, "groups", Form::kTexts},
                                             {5, "usages", Form::kTexts},
                                             {6, "extra", Form::kTextsMap},
                                             {7, "signerName"},
                                             {8, "expirationSeconds", Form::kInt32}};
constexpr ProtoMessage kSigningSpec{"CertificateSigningRequestSpec", kSigningSpecFields};
constexpr ProtoField kSigningStatusFields[] = {
    {1, "conditions", Form::kMessages, &kSigningCondition}, {2, "certificate", Form::kBytes}};
constexpr ProtoMessage kSigningStatus{"CertificateSigningRequestStatus", kSigningStatusFields};
constexpr ProtoField kSigningFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                         {2, "spec", Form::kMessage, &kSigningSpec},
                                         {3, "status", Form::kMessage, &kSigningStatus}};
constexpr ProtoMessage kSigning{"CertificateSigningRequest", kSigningFields};

// Access rules.
constexpr ProtoField kPolicyRuleFields[] = {{1, "verbs", Form::kTexts},
                                            {2, "apiGroups", Form::kTexts},
                                            {3, "resources", Form::kTexts},
                                            {4, "resourceNames", Form::kTexts},
                                            {5, "nonResourceURLs", Form::kTexts}};
constexpr ProtoMessage kPolicyRule{"PolicyRule", kPolicyRuleFields};
constexpr ProtoField kSubjectFields[] = {
    {1, "kind"}, {2, "apiGroup"}, {3, "name"}, {4, "namespace"}};
constexpr ProtoMessage kSubject{"Subject", kSubjectFields};
constexpr ProtoField kRoleRefFields[] = {{1, "apiGroup"}, {2, "kind"}, {3, "name"}};
constexpr ProtoMessage kRoleRef{"RoleRef", kRoleRefFields};
constexpr ProtoField kAggregationRuleFields[] = {
    {1, "clusterRoleSelectors", Form::kMessages, &kLabelSelector}};
constexpr ProtoMessage kAggregationRule{"AggregationRule", kAggregationRuleFields};
constexpr ProtoField kRoleFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                      {2, "rules", Form::kMessages, &kPolicyRule}};
constexpr ProtoMessage kRole{"Role", kRoleFields};
constexpr ProtoField kClusterRoleFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "rules", Form::kMessages, &kPolicyRule},
    {3, "aggregationRule", Form::kMessage, &kAggregationRule}};
constexpr ProtoMessage kClusterRole{"ClusterRole", kClusterRoleFields};
constexpr ProtoField kRoleBindingFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                             {2, "subjects", Form::kMessages, &kSubject},
                                             {3, "roleRef", Form::kMessage, &kRoleRef}};
constexpr ProtoMessage kRoleBinding{"RoleBinding", kRoleBindingFields};
constexpr ProtoField kClusterRoleBindingFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                                    {2, "subjects", Form::kMessages, &kSubject},
                                                    {3, "roleRef", Form::kMessage, &kRoleRef}};
constexpr ProtoMessage kClusterRoleBinding{"ClusterRoleBinding", kClusterRoleBindingFields};

// Who is asking.
constexpr ProtoField kUserInfoFields[] = {
    {1, "username"}, {2, "uid"}, {3, "groups", Form::kTexts}, {4, "extra", Form::kTextsMap}};
constexpr ProtoMessage kUserInfo{"UserInfo", kUserInfoFields};
constexpr ProtoField kBoundObjectReferenceFields[] = {
    {1, "kind"}, {2, "apiVersion"}, {3, "name"}, {4, "uid"}};
constexpr ProtoMessage kBoundObjectReference{"BoundObjectReference", kBoundObjectReferenceFields};
constexpr ProtoField kTokenRequestSpecFields[] = {
    {1, "audiences", Form::kTexts},
    {3, "boundObjectRef", Form::kMessage, &kBoundObjectReference},
    {4, "expirationSeconds", Form::kInt64}};
constexpr ProtoMessage kTokenRequestSpec{"TokenRequestSpec", kTokenRequestSpecFields};
constexpr ProtoField kTokenRequestStatusFields[] = {{1, "token"},
                                                    {2, "expirationTimestamp", Form::kTime}};
constexpr ProtoMessage kTokenRequestStatus{"TokenRequestStatus", kTokenRequestStatusFields};
constexpr ProtoField kTokenRequestFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                              {2, "spec", Form::kMessage, &kTokenRequestSpec},
                                              {3, "status", Form::kMessage, &kTokenRequestStatus}};
constexpr ProtoMessage kTokenRequest{"TokenRequest", kTokenRequestFields};
constexpr ProtoField kTokenReviewSpecFields[] = {{1, "token"}, {2, "audiences", Form::kTexts}};
constexpr ProtoMessage kTokenReviewSpec{"TokenReviewSpec", kTokenReviewSpecFields};
constexpr ProtoField kTokenReviewStatusFields[] = {{1, "authenticated", Form::kBool},
                                                   {2, "user", Form::kMessage, &kUserInfo},
                                                   {3, "error"},
                                                   {4, "audiences", Form::kTexts}};
constexpr ProtoMessage kTokenReviewStatus{"TokenReviewStatus", kTokenReviewStatusFields};
constexpr ProtoField kTokenReviewFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                             {2, "spec", Form::kMessage, &kTokenReviewSpec},
                                             {3, "status", Form::kMessage, &kTokenReviewStatus}};
constexpr ProtoMessage kTokenReview{"TokenReview", kTokenReviewFields};
constexpr ProtoField kSelfSubjectReviewStatusFields[] = {
    {1, "userInfo", Form::kMessage, &kUserInfo}};
constexpr ProtoMessage kSelfSubjectReviewStatus{"SelfSubjectReviewStatus",
                                                kSelfSubjectReviewStatusFields};
constexpr ProtoField kSelfSubjectReviewFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "status", Form::kMessage, &kSelfSubjectReviewStatus}};
constexpr ProtoMessage kSelfSubjectReview{"SelfSubjectReview", kSelfSubjectReviewFields};

// May they.
constexpr ProtoField kFieldSelectorAttributesFields[] = {
    {1, "rawSelector"}, {2, "requirements", Form::kMessages, &kFieldSelectorRequirement}};
constexpr ProtoMessage kFieldSelectorAttributes{"FieldSelectorAttributes",
                                                kFieldSelectorAttributesFields};
constexpr ProtoField kLabelSelectorAttributesFields[] = {
    {1, "rawSelector"}, {2, "requirements", Form::kMessages, &kLabelSelectorRequirement}};
constexpr ProtoMessage kLabelSelectorAttributes{"LabelSelectorAttributes",
                                                kLabelSelectorAttributesFields};
constexpr ProtoField kResourceAttributesFields[] = {
    {1, "namespace"},
    {2, "verb"},
    {3, "group"},
    {4, "version"},
    {5, "resource"},
    {6, "subresource"},
    {7, "name"},
    {8, "fieldSelector", Form::kMessage, &kFieldSelectorAttributes},
    {9, "labelSelector", Form::kMessage, &kLabelSelectorAttributes}};
constexpr ProtoMessage kResourceAttributes{"ResourceAttributes", kResourceAttributesFields};
constexpr ProtoField kNonResourceAttributesFields[] = {{1, "path"}, {2, "verb"}};
constexpr ProtoMessage kNonResourceAttributes{"NonResourceAttributes",
                                              kNonResourceAttributesFields};
constexpr ProtoField kSubjectAccessReviewStatusFields[] = {
    {1, "allowed", Form::kBool}, {2, "reason"}, {3, "evaluationError"}, {4, "denied", Form::kBool}};
constexpr ProtoMessage kSubjectAccessReviewStatus{"SubjectAccessReviewStatus",
                                                  kSubjectAccessReviewStatusFields};
constexpr ProtoField kSubjectAccessReviewSpecFields[] = {
    {1, "resourceAttributes", Form::kMessage, &kResourceAttributes},
    {2, "nonResourceAttributes", Form::kMessage, &kNonResourceAttributes},
    {3, "user"},
    {4, "groups", Form::kTexts},
    {5, "extra", Form::kTextsMap},
    {6, "uid"}};
constexpr ProtoMessage kSubjectAccessReviewSpec{"SubjectAccessReviewSpec",
                                                kSubjectAccessReviewSpecFields};
constexpr ProtoField kSubjectAccessReviewFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "spec", Form::kMessage, &kSubjectAccessReviewSpec},
    {3, "status", Form::kMessage, &kSubjectAccessReviewStatus}};
constexpr ProtoMessage kSubjectAccessReview{"SubjectAccessReview", kSubjectAccessReviewFields};
constexpr ProtoField kLocalSubjectAccessReviewFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "spec", Form::kMessage, &kSubjectAccessReviewSpec},
    {3, "status", Form::kMessage, &kSubjectAccessReviewStatus}};
constexpr ProtoMessage kLocalSubjectAccessReview{"LocalSubjectAccessReview",
                                                 kLocalSubjectAccessReviewFields};
constexpr ProtoField kSelfSubjectAccessReviewSpecFields[] = {
    {1, "resourceAttributes", Form::kMessage, &kResourceAttributes},
    {2, "nonResourceAttributes", Form::kMessage, &kNonResourceAttributes}};
constexpr ProtoMessage kSelfSubjectAccessReviewSpec{"SelfSubjectAccessReviewSpec",
                                                    kSelfSubjectAccessReviewSpecFields};
constexpr ProtoField kSelfSubjectAccessReviewFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "spec", Form::kMessage, &kSelfSubjectAccessReviewSpec},
    {3, "status", Form::kMessage, &kSubjectAccessReviewStatus}};
constexpr ProtoMessage kSelfSubjectAccessReview{"SelfSubjectAccessReview",
                                                kSelfSubjectAccessReviewFields};
constexpr ProtoField kSelfSubjectRulesReviewSpecFields[] = {{1, "namespace"}};
constexpr ProtoMessage kSelfSubjectRulesReviewSpec{"SelfSubjectRulesReviewSpec",
                                                   kSelfSubjectRulesReviewSpecFields};
constexpr ProtoField kResourceRuleFields[] = {{1, "verbs", Form::kTexts},
                                              {2, "apiGroups", Form::kTexts},
                                              {3, "resources", Form::kTexts},
                                              {4, "resourceNames", Form::kTexts}};
constexpr ProtoMessage kResourceRule{"ResourceRule", kResourceRuleFields};
constexpr ProtoField kNonResourceRuleFields[] = {{1, "verbs", Form::kTexts},
                                                 {2, "nonResourceURLs", Form::kTexts}};
constexpr ProtoMessage kNonResourceRule{"NonResourceRule", kNonResourceRuleFields};
constexpr ProtoField kSubjectRulesReviewStatusFields[] = {
    {1, "resourceRules", Form::kMessages, &kResourceRule},
    {2, "nonResourceRules", Form::kMessages, &kNonResourceRule},
    {3, "incomplete", Form::kBool},
    {4, "evaluationError"}};
constexpr ProtoMessage kSubjectRulesReviewStatus{"SubjectRulesReviewStatus",
                                                 kSubjectRulesReviewStatusFields};
constexpr ProtoField kSelfSubjectRulesReviewFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "spec", Form::kMessage, &kSelfSubjectRulesReviewSpec},
    {3, "status", Form::kMessage, &kSubjectRulesReviewStatus}};
constexpr ProtoMessage kSelfSubjectRulesReview{"SelfSubjectRulesReview",
                                               kSelfSubjectRulesReviewFields};

// Admission and aggregation.
constexpr ProtoField kConditionFields[] = {{1, "type"},
                                           {2, "status"},
                                           {3, "observedGeneration", Form::kInt64},
                                           {4, "lastTransitionTime", Form::kTime},
                                           {5, "reason"},
                                           {6, "message"}};
constexpr ProtoMessage kCondition{"Condition", kConditionFields};
constexpr ProtoField kRuleFields[] = {{1, "apiGroups", Form::kTexts},
                                      {2, "apiVersions", Form::kTexts},
                                      {3, "resources", Form::kTexts},
                                      {4, "scope"}};
constexpr ProtoMessage kRule{"Rule", kRuleFields};
constexpr ProtoField kRuleWithOperationsFields[] = {{1, "operations", Form::kTexts},
                                                    {2, "rule", Form::kInline, &kRule}};
constexpr ProtoMessage kRuleWithOperations{"RuleWithOperations", kRuleWithOperationsFields};
constexpr ProtoField kNamedRuleWithOperationsFields[] = {
    {1, "resourceNames", Form::kTexts},
    {2, "ruleWithOperations", Form::kInline, &kRuleWithOperations}};
constexpr ProtoMessage kNamedRuleWithOperations{"NamedRuleWithOperations",
                                                kNamedRuleWithOperationsFields};
constexpr ProtoField kGroupResourceFields[] = {{1, "group"}, {2, "resource"}};
constexpr ProtoMessage kGroupResource{"GroupResource", kGroupResourceFields};
constexpr ProtoField kMigrationSpecFields[] = {{1, "resource", Form::kMessage, &kGroupResource}};
constexpr ProtoMessage kMigrationSpec{"StorageVersionMigrationSpec", kMigrationSpecFields};
constexpr ProtoField kMigrationStatusFields[] = {{1, "conditions", Form::kMessages, &kCondition},
                                                 {2, "resourceVersion"}};
constexpr ProtoMessage kMigrationStatus{"StorageVersionMigrationStatus", kMigrationStatusFields};
constexpr ProtoField kMigrationFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                           {2, "spec", Form::kMessage, &kMigrationSpec},
                                           {3, "status", Form::kMessage, &kMigrationStatus}};
constexpr ProtoMessage kMigration{"StorageVersionMigration", kMigrationFields};

constexpr ProtoField kMatchConditionFields[] = {{1, "name"}, {2, "expression"}};
constexpr ProtoMessage kMatchCondition{"MatchCondition", kMatchConditionFields};
constexpr ProtoField kMatchResourcesFields[] = {
    {1, "namespaceSelector", Form::kMessage, &kLabelSelector},
    {2, "objectSelector", Form::kMessage, &kLabelSelector},
    {3, "resourceRules", Form::kMessages, &kNamedRuleWithOperations},
    {4, "excludeResourceRules", Form::kMessages, &kNamedRuleWithOperations},
    {7, "matchPolicy"}};
constexpr ProtoMessage kMatchResources{"MatchResources", kMatchResourcesFields};
constexpr ProtoField kServiceReferenceFields[] = {
    {1, "namespace"}, {2, "name"}, {3, "path"}, {4, "port", Form::kInt32}};
constexpr ProtoMessage kServiceReference{"ServiceReference", kServiceReferenceFields};
constexpr ProtoField kWebhookClientConfigFields[] = {
    {1, "service", Form::kMessage, &kServiceReference}, {2, "caBundle", Form::kBytes}, {3, "url"}};
constexpr ProtoMessage kWebhookClientConfig{"WebhookClientConfig", kWebhookClientConfigFields};
constexpr ProtoField kValidatingWebhookFields[] = {
    {1, "name"},
    {2, "clientConfig", Form::kMessage, &kWebhookClientConfig},
    {3, "rules", Form::kMessages, &kRuleWithOperations},
    {4, "failurePolicy"},
    {5, "namespaceSelector", Form::kMessage, &kLabelSelector},
    {6, "sideEffects"},
    {7, "timeoutSeconds", Form::kInt32},
    {8, "admissionReviewVersions", Form::kTexts},
    {9, "matchPolicy"},
    {10, "objectSelector", Form::kMessage, &kLabelSelector},
    {11, "matchConditions", Form::kMessages, &kMatchCondition}};
constexpr ProtoMessage kValidatingWebhook{"ValidatingWebhook", kValidatingWebhookFields};
constexpr ProtoField kMutatingWebhookFields[] = {
    {1, "name"},
    {2, "clientConfig", Form::kMessage, &kWebhookClientConfig},
    {3, "rules", Form::kMessages, &kRuleWithOperations},
    {4, "failurePolicy"},
    {5, "namespaceSelector", Form::kMessage, &kLabelSelector},
    {6, "sideEffects"},
    {7, "timeoutSeconds", Form::kInt32},
    {8, "admissionReviewVersions", Form::kTexts},
    {9, "matchPolicy"},
    {10, "reinvocationPolicy"},
    {11, "objectSelector", Form::kMessage, &kLabelSelector},
    {12, "matchConditions", Form::kMessages, &kMatchCondition}};
constexpr ProtoMessage kMutatingWebhook{"MutatingWebhook", kMutatingWebhookFields};
constexpr ProtoField kValidatingWebhookConfigurationFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "webhooks", Form::kMessages, &kValidatingWebhook}};
constexpr ProtoMessage kValidatingWebhookConfiguration{"ValidatingWebhookConfiguration",
                                                       kValidatingWebhookConfigurationFields};
constexpr ProtoField kMutatingWebhookConfigurationFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "webhooks", Form::kMessages, &kMutatingWebhook}};
constexpr ProtoMessage kMutatingWebhookConfiguration{"MutatingWebhookConfiguration",
                                                     kMutatingWebhookConfigurationFields};
constexpr ProtoField kParamKindFields[] = {{1, "apiVersion"}, {2, "kind"}};
constexpr ProtoMessage kParamKind{"ParamKind", kParamKindFields};
constexpr ProtoField kParamRefFields[] = {{1, "name"},
                                          {2, "namespace"},
                                          {3, "selector", Form::kMessage, &kLabelSelector},
                                          {4, "parameterNotFoundAction"}};
constexpr ProtoMessage kParamRef{"ParamRef", kParamRefFields};
constexpr ProtoField kValidationFields[] = {
    {1, "expression"}, {2, "message"}, {3, "reason"}, {4, "messageExpression"}};
constexpr ProtoMessage kValidation{"Validation", kValidationFields};
constexpr ProtoField kAuditAnnotationFields[] = {{1, "key"}, {2, "valueExpression"}};
constexpr ProtoMessage kAuditAnnotation{"AuditAnnotation", kAuditAnnotationFields};
constexpr ProtoField kVariableFields[] = {{1, "name"}, {2, "expression"}};
constexpr ProtoMessage kVariable{"Variable", kVariableFields};
constexpr ProtoField kExpressionWarningFields[] = {{2, "fieldRef"}, {3, "warning"}};
constexpr ProtoMessage kExpressionWarning{"ExpressionWarning", kExpressionWarningFields};
constexpr ProtoField kTypeCheckingFields[] = {
    {1, "expressionWarnings", Form::kMessages, &kExpressionWarning}};
constexpr ProtoMessage kTypeChecking{"TypeChecking", kTypeCheckingFields};
constexpr ProtoField kValidatingAdmissionPolicySpecFields[] = {
    {1, "paramKind", Form::kMessage, &kParamKind},
    {2, "matchConstraints", Form::kMessage, &kMatchResources},
    {3, "validations", Form::kMessages, &kValidation},
    {4, "failurePolicy"},
    {5, "auditAnnotations", Form::kMessages, &kAuditAnnotation},
    {6, "matchConditions", Form::kMessages, &kMatchCondition},
    {7, "variables", Form::kMessages, &kVariable}};
constexpr ProtoMessage kValidatingAdmissionPolicySpec{"ValidatingAdmissionPolicySpec",
                                                      kValidatingAdmissionPolicySpecFields};
constexpr ProtoField kValidatingAdmissionPolicyStatusFields[] = {
    {1, "observedGeneration", Form::kInt64},
    {2, "typeChecking", Form::kMessage, &kTypeChecking},
    {3, "conditions", Form::kMessages, &kCondition}};
constexpr ProtoMessage kValidatingAdmissionPolicyStatus{"ValidatingAdmissionPolicyStatus",
                                                        kValidatingAdmissionPolicyStatusFields};
constexpr ProtoField kValidatingAdmissionPolicyFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "spec", Form::kMessage, &kValidatingAdmissionPolicySpec},
    {3, "status", Form::kMessage, &kValidatingAdmissionPolicyStatus}};
constexpr ProtoMessage kValidatingAdmissionPolicy{"ValidatingAdmissionPolicy",
                                                  kValidatingAdmissionPolicyFields};
constexpr ProtoField kValidatingAdmissionPolicyBindingSpecFields[] = {
    {1, "policyName"},
    {2, "paramRef", Form::kMessage, &kParamRef},
    {3, "matchResources", Form::kMessage, &kMatchResources},
    {4, "validationActions", Form::kTexts}};
constexpr ProtoMessage kValidatingAdmissionPolicyBindingSpec{
    "ValidatingAdmissionPolicyBindingSpec", kValidatingAdmissionPolicyBindingSpecFields};
constexpr ProtoField kValidatingAdmissionPolicyBindingFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "spec", Form::kMessage, &kValidatingAdmissionPolicyBindingSpec}};
constexpr ProtoMessage kValidatingAdmissionPolicyBinding{"ValidatingAdmissionPolicyBinding",
                                                         kValidatingAdmissionPolicyBindingFields};
constexpr ProtoField kPatchExpressionFields[] = {{1, "expression"}};
constexpr ProtoMessage kApplyConfiguration{"ApplyConfiguration", kPatchExpressionFields};
constexpr ProtoMessage kJsonPatch{"JSONPatch", kPatchExpressionFields};
constexpr ProtoField kMutationFields[] = {
    {2, "patchType"},
    {3, "applyConfiguration", Form::kMessage, &kApplyConfiguration},
    {4, "jsonPatch", Form::kMessage, &kJsonPatch}};
constexpr ProtoMessage kMutation{"Mutation", kMutationFields};
constexpr ProtoField kMutatingAdmissionPolicySpecFields[] = {
    {1, "paramKind", Form::kMessage, &kParamKind},
    {2, "matchConstraints", Form::kMessage, &kMatchResources},
    {3, "variables", Form::kMessages, &kVariable},
    {4, "mutations", Form::kMessages, &kMutation},
    {5, "failurePolicy"},
    {6, "matchConditions", Form::kMessages, &kMatchCondition},
    {7, "reinvocationPolicy"}};
constexpr ProtoMessage kMutatingAdmissionPolicySpec{"MutatingAdmissionPolicySpec",
                                                    kMutatingAdmissionPolicySpecFields};
constexpr ProtoField kMutatingAdmissionPolicyFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "spec", Form::kMessage, &kMutatingAdmissionPolicySpec}};
constexpr ProtoMessage kMutatingAdmissionPolicy{"MutatingAdmissionPolicy",
                                                kMutatingAdmissionPolicyFields};
constexpr ProtoField kMutatingAdmissionPolicyBindingSpecFields[] = {
    {1, "policyName"},
    {2, "paramRef", Form::kMessage, &kParamRef},
    {3, "matchResources", Form::kMessage, &kMatchResources}};
constexpr ProtoMessage kMutatingAdmissionPolicyBindingSpec{
    "MutatingAdmissionPolicyBindingSpec", kMutatingAdmissionPolicyBindingSpecFields};
constexpr ProtoField kMutatingAdmissionPolicyBindingFields[] = {
    {1, "metadata", Form::kMessage, &kObjectMeta},
    {2, "spec", Form::kMessage, &kMutatingAdmissionPolicyBindingSpec}};
constexpr ProtoMessage kMutatingAdmissionPolicyBinding{"MutatingAdmissionPolicyBinding",
                                                       kMutatingAdmissionPolicyBindingFields};
constexpr ProtoField kApiServiceReferenceFields[] = {
    {1, "namespace"}, {2, "name"}, {3, "port", Form::kInt32}};
constexpr ProtoMessage kApiServiceReference{"ServiceReference", kApiServiceReferenceFields};
constexpr ProtoField kAPIServiceSpecFields[] = {
    {1, "service", Form::kMessage, &kApiServiceReference},
    {2, "group"},
    {3, "version"},
    {4, "insecureSkipTLSVerify", Form::kBool},
    {5, "caBundle", Form::kBytes},
    {7, "groupPriorityMinimum", Form::kInt32},
    {8, "versionPriority", Form::kInt32}};
constexpr ProtoMessage kAPIServiceSpec{"APIServiceSpec", kAPIServiceSpecFields};
constexpr ProtoField kAPIServiceConditionFields[] = {{1, "type"},
                                                     {2, "status"},
                                                     {3, "lastTransitionTime", Form::kTime},
                                                     {4, "reason"},
                                                     {5, "message"}};
constexpr ProtoMessage kAPIServiceCondition{"APIServiceCondition", kAPIServiceConditionFields};
constexpr ProtoField kAPIServiceStatusFields[] = {
    {1, "conditions", Form::kMessages, &kAPIServiceCondition}};
constexpr ProtoMessage kAPIServiceStatus{"APIServiceStatus", kAPIServiceStatusFields};
constexpr ProtoField kAPIServiceFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                            {2, "spec", Form::kMessage, &kAPIServiceSpec},
                                            {3, "status", Form::kMessage, &kAPIServiceStatus}};
constexpr ProtoMessage kAPIService{"APIService", kAPIServiceFields};

// Services and where they are reached.
constexpr ProtoField kServicePortFields[] = {{1, "name"},
                                             {2, "protocol"},
                                             {3, "port", Form::kInt32},
                                             {4, "targetPort", Form::kIntOrString},
                                             {5, "nodePort", Form::kInt32},
                                             {6, "appProtocol"}};
constexpr ProtoMessage kServicePort{"ServicePort", kServicePortFields};
constexpr ProtoField kClientIPConfigFields[] = {{1, "timeoutSeconds", Form::kInt32}};
constexpr ProtoMessage kClientIPConfig{"ClientIPConfig", kClientIPConfigFields};
constexpr ProtoField kSessionAffinityConfigFields[] = {
    {1, "clientIP", Form::kMessage, &kClientIPConfig}};
constexpr ProtoMessage kSessionAffinityConfig{"SessionAffinityConfig",
                                              kSessionAffinityConfigFields};
constexpr ProtoField kServiceSpecFields[] = {
    {1, "ports", Form::kMessages, &kServicePort},
    {2, "selector", Form::kTextMap},
    {3, "clusterIP"},
    {4, "type"},
    {5, "externalIPs", Form::kTexts},
    {7, "sessionAffinity"},
    {8, "loadBalancerIP"},
    {9, "loadBalancerSourceRanges", Form::kTexts},
    {10, "externalName"},
    {11, "externalTrafficPolicy"},
    {12, "healthCheckNodePort", Form::kInt32},
    {13, "publishNotReadyAddresses", Form::kBool},
    {14, "sessionAffinityConfig", Form::kMessage, &kSessionAffinityConfig},
    {17, "ipFamilyPolicy"},
    {18, "clusterIPs", Form::kTexts},
    {19, "ipFamilies", Form::kTexts},
    {20, "allocateLoadBalancerNodePorts", Form::kBool},
    {21, "loadBalancerClass"},
    {22, "internalTrafficPolicy"},
    {23, "trafficDistribution"}};
constexpr ProtoMessage kServiceSpec{"ServiceSpec", kServiceSpecFields};
constexpr ProtoField kPortStatusFields[] = {
    {1, "port", Form::kInt32}, {2, "protocol"}, {3, "error"}};
constexpr ProtoMessage kPortStatus{"PortStatus", kPortStatusFields};
constexpr ProtoField kLoadBalancerIngressFields[] = {
    {1, "ip"}, {2, "hostname"}, {3, "ipMode"}, {4, "ports", Form::kMessages, &kPortStatus}};
constexpr ProtoMessage kLoadBalancerIngress{"LoadBalancerIngress", kLoadBalancerIngressFields};
constexpr ProtoField kLoadBalancerStatusFields[] = {
    {1, "ingress", Form::kMessages, &kLoadBalancerIngress}};
constexpr ProtoMessage kLoadBalancerStatus{"LoadBalancerStatus", kLoadBalancerStatusFields};
constexpr ProtoField kServiceStatusFields[] = {
    {1, "loadBalancer", Form::kMessage, &kLoadBalancerStatus},
    {2, "conditions", Form::kMessages, &kCondition}};
constexpr ProtoMessage kServiceStatus{"ServiceStatus", kServiceStatusFields};
constexpr ProtoField kServiceFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                         {2, "spec", Form::kMessage, &kServiceSpec},
                                         {3, "status", Form::kMessage, &kServiceStatus}};
constexpr ProtoMessage kService{"Service", kServiceFields};
constexpr ProtoField kEndpointAddressFields[] = {
    {1, "ip"},
    {2, "targetRef", Form::kMessage, &kObjectReference},
    {3, "hostname"},
    {4, "nodeName"}};
constexpr ProtoMessage kEndpointAddress{"EndpointAddress", kEndpointAddressFields};
constexpr ProtoField kCoreEndpointPortFields[] = {
    {1, "name"}, {2, "port", Form::kInt32}, {3, "protocol"}, {4, "appProtocol"}};
constexpr ProtoMessage kCoreEndpointPort{"EndpointPort", kCoreEndpointPortFields};
constexpr ProtoField kEndpointSubsetFields[] = {
    {1, "addresses", Form::kMessages, &kEndpointAddress},
    {2, "notReadyAddresses", Form::kMessages, &kEndpointAddress},
    {3, "ports", Form::kMessages, &kCoreEndpointPort}};
constexpr ProtoMessage kEndpointSubset{"EndpointSubset", kEndpointSubsetFields};
constexpr ProtoField kEndpointsFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                           {2, "subsets", Form::kMessages, &kEndpointSubset}};
constexpr ProtoMessage kEndpoints{"Endpoints", kEndpointsFields};
constexpr ProtoField kEndpointConditionsFields[] = {
    {1, "ready", Form::kBool}, {2, "serving", Form::kBool}, {3, "terminating", Form::kBool}};
constexpr ProtoMessage kEndpointConditions{"EndpointConditions", kEndpointConditionsFields};
constexpr ProtoField kEndpointHintFields[] = {{1, "name"}};
constexpr ProtoMessage kEndpointHint{"ForZone", kEndpointHintFields};
constexpr ProtoField kEndpointHintsFields[] = {{1, "forZones", Form::kMessages, &kEndpointHint},
                                               {2, "forNodes", Form::kMessages, &kEndpointHint}};
constexpr ProtoMessage kEndpointHints{"EndpointHints", kEndpointHintsFields};
constexpr ProtoField kEndpointFields[] = {{1, "addresses", Form::kTexts},
                                          {2, "conditions", Form::kMessage, &kEndpointConditions},
                                          {3, "hostname"},
                                          {4, "targetRef", Form::kMessage, &kObjectReference},
                                          {5, "deprecatedTopology", Form::kTextMap},
                                          {6, "nodeName"},
                                          {7, "zone"},
                                          {8, "hints", Form::kMessage, &kEndpointHints}};
constexpr ProtoMessage kEndpoint{"Endpoint", kEndpointFields};
constexpr ProtoField kEndpointPortFields[] = {
    {1, "name"}, {2, "protocol"}, {3, "port", Form::kInt32}, {4, "appProtocol"}};
constexpr ProtoMessage kEndpointPort{"EndpointPort", kEndpointPortFields};
constexpr ProtoField kEndpointSliceFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                               {2, "endpoints", Form::kMessages, &kEndpoint},
                                               {3, "ports", Form::kMessages, &kEndpointPort},
                                               {4, "addressType"}};
constexpr ProtoMessage kEndpointSlice{"EndpointSlice", kEndpointSliceFields};

// Fair use.
constexpr ProtoField kFlowNameFields[] = {{1, "name"}};
constexpr ProtoMessage kLevelReference{"PriorityLevelConfigurationReference", kFlowNameFields};
constexpr ProtoMessage kUserSubject{"UserSubject", kFlowNameFields};
constexpr ProtoMessage kGroupSubject{"GroupSubject", kFlowNameFields};
constexpr ProtoField kAccountSubjectFields[] = {{1, "namespace"}, {2, "name"}};
constexpr ProtoMessage kAccountSubject{"ServiceAccountSubject", kAccountSubjectFields};
constexpr ProtoField kFlowSubjectFields[] = {
    {1, "kind"},
    {2, "user", Form::kMessage, &kUserSubject},
    {3, "group", Form::kMessage, &kGroupSubject},
    {4, "serviceAccount", Form::kMessage, &kAccountSubject}};
constexpr ProtoMessage kFlowSubject{"Subject", kFlowSubjectFields};
constexpr ProtoField kFlowResourceRuleFields[] = {{1, "verbs", Form::kTexts},
                                                  {2, "apiGroups", Form::kTexts},
                                                  {3, "resources", Form::kTexts},
                                                  {4, "clusterScope", Form::kBool},
                                                  {5, "namespaces", Form::kTexts}};
constexpr ProtoMessage kFlowResourceRule{"ResourcePolicyRule", kFlowResourceRuleFields};
constexpr ProtoField kFlowUrlRuleFields[] = {{1, "verbs", Form::kTexts},
                                             {6, "nonResourceURLs", Form::kTexts}};
constexpr ProtoMessage kFlowUrlRule{"NonResourcePolicyRule", kFlowUrlRuleFields};
constexpr ProtoField kFlowRulesFields[] = {
    {1, "subjects", Form::kMessages, &kFlowSubject},
    {2, "resourceRules", Form::kMessages, &kFlowResourceRule},
    {3, "nonResourceRules", Form::kMessages, &kFlowUrlRule}};
constexpr ProtoMessage kFlowRules{"PolicyRulesWithSubjects", kFlowRulesFields};
constexpr ProtoField kDistinguisherFields[] = {{1, "type"}};
constexpr ProtoMessage kDistinguisher{"FlowDistinguisherMethod", kDistinguisherFields};
constexpr ProtoField kFlowSchemaSpecFields[] = {
    {1, "priorityLevelConfiguration", Form::kMessage, &kLevelReference},
    {2, "matchingPrecedence", Form::kInt32},
    {3, "distinguisherMethod", Form::kMessage, &kDistinguisher},
    {4, "rules", Form::kMessages, &kFlowRules}};
constexpr ProtoMessage kFlowSchemaSpec{"FlowSchemaSpec", kFlowSchemaSpecFields};
constexpr ProtoField kFlowConditionFields[] = {{1, "type"},
                                               {2, "status"},
                                               {3, "lastTransitionTime", Form::kTime},
                                               {4, "reason"},
                                               {5, "message"}};
constexpr ProtoMessage kFlowCondition{"FlowSchemaCondition", kFlowConditionFields};
constexpr ProtoField kFlowStatusFields[] = {{1, "conditions", Form::kMessages, &kFlowCondition}};
constexpr ProtoMessage kFlowStatus{"FlowSchemaStatus", kFlowStatusFields};
constexpr ProtoField kFlowSchemaFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                            {2, "spec", Form::kMessage, &kFlowSchemaSpec},
                                            {3, "status", Form::kMessage, &kFlowStatus}};
constexpr ProtoMessage kFlowSchema{"FlowSchema", kFlowSchemaFields};
constexpr ProtoField kQueuingFields[] = {{1, "queues", Form::kInt32},
                                         {2, "handSize", Form::kInt32},
                                         {3, "queueLengthLimit", Form::kInt32}};
constexpr ProtoMessage kQueuing{"QueuingConfiguration", kQueuingFields};
constexpr ProtoField kLimitResponseFields[] = {{1, "type"},
                                               {2, "queuing", Form::kMessage, &kQueuing}};
constexpr ProtoMessage kLimitResponse{"LimitResponse", kLimitResponseFields};
constexpr ProtoField kLimitedLevelFields[] = {{1, "nominalConcurrencyShares", Form::kInt32},
                                              {2, "limitResponse", Form::kMessage, &kLimitResponse},
                                              {3, "lendablePercent", Form::kInt32},
                                              {4, "borrowingLimitPercent", Form::kInt32}};
constexpr ProtoMessage kLimitedLevel{"LimitedPriorityLevelConfiguration", kLimitedLevelFields};
constexpr ProtoField kExemptLevelFields[] = {{1, "nominalConcurrencyShares", Form::kInt32},
                                             {2, "lendablePercent", Form::kInt32}};
constexpr ProtoMessage kExemptLevel{"ExemptPriorityLevelConfiguration", kExemptLevelFields};
constexpr ProtoField kLevelSpecFields[] = {{1, "type"},
                                           {2, "limited", Form::kMessage, &kLimitedLevel},
                                           {3, "exempt", Form::kMessage, &kExemptLevel}};
constexpr ProtoMessage kLevelSpec{"PriorityLevelConfigurationSpec", kLevelSpecFields};
constexpr ProtoField kLevelFields[] = {{1, "metadata", Form::kMessage, &kObjectMeta},
                                       {2, "spec", Form::kMessage, &kLevelSpec},
                                       {3, "status", Form::kMessage, &kFlowStatus}};
constexpr ProtoMessage kLevel{"PriorityLevelConfiguration", kLevelFields};

struct KindMessage {
  std::string_view api_version;
  const ProtoMessage* message;  // named after the kind
};
constexpr KindMessage kKinds[] = {
    {"v1", &kConfigMap},
    {"v1", &kSecret},
    {"v1", &kNamespace},
    {"v1", &kServiceAccount},
    {"v1", &kService},
    {"v1", &kEndpoints},
    {"discovery.k8s.io/v1", &kEndpointSlice},
    {"v1", &kQuota},
    {"v1", &kLimitRange},
    {"v1", &kCoreEvent},
    {"events.k8s.io/v1", &kEvent},
    {"coordination.k8s.io/v1", &kLease},
    {"flowcontrol.apiserver.k8s.io/v1", &kFlowSchema},
    {"flowcontrol.apiserver.k8s.io/v1", &kLevel},
    {"rbac.authorization.k8s.io/v1", &kRole},
    {"rbac.authorization.k8s.io/v1", &kClusterRole},
    {"rbac.authorization.k8s.io/v1", &kRoleBinding},
    {"rbac.authorization.k8s.io/v1", &kClusterRoleBinding},
    {"authentication.k8s.io/v1", &kTokenRequest},
    {"authentication.k8s.io/v1", &kTokenReview},
    {"certificates.k8s.io/v1", &kSigning},
    {"authentication.k8s.io/v1", &kSelfSubjectReview},
    {"authorization.k8s.io/v1", &kSubjectAccessReview},
    {"authorization.k8s.io/v1", &kLocalSubjectAccessReview},
    {"authorization.k8s.io/v1", &kSelfSubjectAccessReview},
    {"authorization.k8s.io/v1", &kSelfSubjectRulesReview},
    {"admissionregistration.k8s.io/v1", &kValidatingWebhookConfiguration},
    {"admissionregistration.k8s.io/v1", &kMutatingWebhookConfiguration},
    {"admissionregistration.k8s.io/v1", &kValidatingAdmissionPolicy},
    {"admissionregistration.k8s.io/v1", &kValidatingAdmissionPolicyBinding},
    {"admissionregistration.k8s.io/v1", &kMutatingAdmissionPolicy},
    {"admissionregistration.k8s.io/v1", &kMutatingAdmissionPolicyBinding},
    {"apiregistration.k8s.io/v1", &kAPIService},
    {"storagemigration.k8s.io/v1beta1", &kMigration},
};

}  // namespace

const ProtoMessage* find_message(std::string_view api_version, std::string_view kind) {
  // Clients send their options in the version of the group they talk to, whatever it is.
  if (kind == kDeleteOptions.name) return &kDeleteOptions;
  for (const KindMessage& entry : kKinds) {
    if (entry.message->name == kind && entry.api_version == api_version) return entry.message;
  }
  return nullptr;
}

}  // namespace strake::kinds
