#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kFlowcontrolV1 = R"(
package io.k8s.api.flowcontrol.v1 group flowcontrol.apiserver.k8s.io version v1
string ConditionStatus
string FlowDistinguisherMethodType
string FlowSchemaConditionType
string LimitResponseType
string PriorityLevelConfigurationConditionType
string PriorityLevelEnablement
string SubjectKind
struct ExemptPriorityLevelConfiguration
  nominalConcurrencyShares? *int32
  lendablePercent? *int32
struct FlowDistinguisherMethod
  type FlowDistinguisherMethodType
kind FlowSchema since:1.29
  spec? FlowSchemaSpec
  status? FlowSchemaStatus
struct FlowSchemaCondition
  type? FlowSchemaConditionType
  status? ConditionStatus
  lastTransitionTime? time
  reason? string
  message? string
struct FlowSchemaSpec
  priorityLevelConfiguration PriorityLevelConfigurationReference
  matchingPrecedence int32 optional
  distinguisherMethod? *FlowDistinguisherMethod
  rules? []PolicyRulesWithSubjects atomic
struct FlowSchemaStatus
  conditions? []FlowSchemaCondition map:type merge:type
struct GroupSubject
  name string
struct LimitResponse
  type LimitResponseType
  queuing? *QueuingConfiguration
struct LimitedPriorityLevelConfiguration
  nominalConcurrencyShares *int32 optional
  limitResponse? LimitResponse
  lendablePercent? *int32
  borrowingLimitPercent? *int32
struct NonResourcePolicyRule
  verbs []string set
  nonResourceURLs []string set
struct PolicyRulesWithSubjects
  subjects []Subject atomic
  resourceRules? []ResourcePolicyRule atomic
  nonResourceRules? []NonResourcePolicyRule atomic
kind PriorityLevelConfiguration since:1.29
  spec? PriorityLevelConfigurationSpec
  status? PriorityLevelConfigurationStatus
struct PriorityLevelConfigurationCondition
  type? PriorityLevelConfigurationConditionType
  status? ConditionStatus
  lastTransitionTime? time
  reason? string
  message? string
struct PriorityLevelConfigurationReference
  name string
struct PriorityLevelConfigurationSpec
  type PriorityLevelEnablement
  limited? *LimitedPriorityLevelConfiguration
  exempt? *ExemptPriorityLevelConfiguration
struct PriorityLevelConfigurationStatus
  conditions? []PriorityLevelConfigurationCondition map:type merge:type
struct QueuingConfiguration
  queues int32 optional
  handSize int32 optional
  queueLengthLimit int32 optional
struct ResourcePolicyRule
  verbs []string set
  apiGroups []string set
  resources []string set
  clusterScope? bool
  namespaces []string optional set
struct ServiceAccountSubject
  namespace string
  name string
struct Subject
  kind SubjectKind
  user? *UserSubject
  group? *GroupSubject
  serviceAccount? *ServiceAccountSubject
struct UserSubject
  name string
)";
// clang-format on

}  // namespace strake::kinds::types
