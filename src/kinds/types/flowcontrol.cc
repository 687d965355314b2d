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
struct ExemptPriorityLevelConfiguration | ExemptPriorityLevelConfiguration configures the priority level of requests that are never limited.
  nominalConcurrencyShares? *int32 | The share of the server that is counted for the level, of which the rest can be lent.
  lendablePercent? *int32 | How much of that others can borrow, 0 to 100.
struct FlowDistinguisherMethod | FlowDistinguisherMethod says how the requests of a flow schema fall into flows.
  type FlowDistinguisherMethodType | ByUser or ByNamespace.
kind FlowSchema since:1.29 | FlowSchema says which requests belong together, and to which priority level.
  spec? FlowSchemaSpec | Which requests, and where they go.
  status? FlowSchemaStatus | How the flow schema stands. Set by the server.
struct FlowSchemaCondition | FlowSchemaCondition says how one side of a flow schema stands.
  type? FlowSchemaConditionType | What it is about: Dangling.
  status? ConditionStatus | True, False or Unknown.
  lastTransitionTime? time | When the status changed last.
  reason? string | Why it changed, in one word.
  message? string | The same for people to read.
struct FlowSchemaSpec | FlowSchemaSpec says which requests belong together, and where they go.
  priorityLevelConfiguration PriorityLevelConfigurationReference | The priority level of the requests. Without it the flow schema has no effect.
  matchingPrecedence int32 optional | The place among the flow schemas: a request belongs to the one with the lowest number that matches. 1 to 10000.
  distinguisherMethod? *FlowDistinguisherMethod | How the requests fall into flows. Without it they are all one flow.
  rules? []PolicyRulesWithSubjects atomic | The requests: those that any of these pick.
struct FlowSchemaStatus | FlowSchemaStatus says how a flow schema stands.
  conditions? []FlowSchemaCondition map:type merge:type | How it stands at present.
struct GroupSubject | GroupSubject is a group of users.
  name string | The name of the group; '*' is every group.
struct LimitResponse | LimitResponse says what becomes of requests that cannot be served at once.
  type LimitResponseType | Queue or Reject.
  queuing? *QueuingConfiguration | How they wait. Only for Queue.
struct LimitedPriorityLevelConfiguration | LimitedPriorityLevelConfiguration says how much of the server a priority level can use.
  nominalConcurrencyShares *int32 optional | The share of the level: its seats are to those of the server as this is to the sum of all shares. 30 unless given.
  limitResponse? LimitResponse | What becomes of requests that cannot be served at once.
  lendablePercent? *int32 | How many of its seats others can borrow, in percent, 0 to 100.
  borrowingLimitPercent? *int32 | How many seats it can borrow, in percent of its own. No limit unless given.
struct NonResourcePolicyRule | NonResourcePolicyRule picks requests that are not about a resource.
  verbs []string set | The verbs; '*' is all of them and then stands alone.
  nonResourceURLs []string set | The paths, which may end in /*; '*' is all of them and then stands alone.
struct PolicyRulesWithSubjects | PolicyRulesWithSubjects picks requests by who asks and for what.
  subjects []Subject atomic | Who asks: any of these.
  resourceRules? []ResourcePolicyRule atomic | Requests about resources.
  nonResourceRules? []NonResourcePolicyRule atomic | Requests that are not about a resource.
kind PriorityLevelConfiguration since:1.29 | PriorityLevelConfiguration says how much of the server the requests of a priority level can use.
  spec? PriorityLevelConfigurationSpec | How much it is.
  status? PriorityLevelConfigurationStatus | How the priority level stands. Set by the server.
struct PriorityLevelConfigurationCondition | PriorityLevelConfigurationCondition says how one side of a priority level stands.
  type? PriorityLevelConfigurationConditionType | What it is about.
  status? ConditionStatus | True, False or Unknown.
  lastTransitionTime? time | When the status changed last.
  reason? string | Why it changed, in one word.
  message? string | The same for people to read.
struct PriorityLevelConfigurationReference | PriorityLevelConfigurationReference points to a priority level.
  name string | The name of the priority level.
struct PriorityLevelConfigurationSpec | PriorityLevelConfigurationSpec says whether and how requests are limited.
  type PriorityLevelEnablement | Limited or Exempt.
  limited? *LimitedPriorityLevelConfiguration | How they are limited. Only for Limited.
  exempt? *ExemptPriorityLevelConfiguration | What is counted for requests that are not. Only for Exempt.
struct PriorityLevelConfigurationStatus | PriorityLevelConfigurationStatus says how a priority level stands.
  conditions? []PriorityLevelConfigurationCondition map:type merge:type | How it stands at present.
struct QueuingConfiguration | QueuingConfiguration says how requests wait.
  queues int32 optional | The number of queues, 64 unless given. With 1 all flows share a queue.
  handSize int32 optional | The number of queues that one flow can use, 8 unless given.
  queueLengthLimit int32 optional | How many requests wait in one queue at most, 50 unless given.
struct ResourcePolicyRule | ResourcePolicyRule picks requests about resources.
  verbs []string set | The verbs; '*' is all of them and then stands alone.
  apiGroups []string set | The API groups; '*' is all of them and then stands alone.
  resources []string set | The resources with their subresources; '*' is all of them and then stands alone.
  clusterScope? bool | Whether requests without a namespace match.
  namespaces []string optional set | The namespaces of the requests; '*' is all of them and then stands alone.
struct ServiceAccountSubject | ServiceAccountSubject is a service account.
  namespace string | The namespace of the service account.
  name string | The name of the service account; '*' is all of the namespace.
struct Subject | Subject is who asks: a user, a group or a service account.
  kind SubjectKind | User, Group or ServiceAccount.
  user? *UserSubject | The user. Only for User.
  group? *GroupSubject | The group. Only for Group.
  serviceAccount? *ServiceAccountSubject | The service account. Only for ServiceAccount.
struct UserSubject | UserSubject is a user.
  name string | The name of the user; '*' is everyone.
)";
// clang-format on

}  // namespace strake::kinds::types
