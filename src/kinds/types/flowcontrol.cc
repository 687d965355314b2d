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
  nominalConcurrencyShares? *int32 #1 | The share of the server that is counted for the level, of which the rest can be lent.
  lendablePercent? *int32 #2 | How much of that others can borrow, 0 to 100.
struct FlowDistinguisherMethod | FlowDistinguisherMethod says how the requests of a flow schema fall into flows.
  type FlowDistinguisherMethodType #1 | ByUser or ByNamespace.
kind FlowSchema since:1.29 | FlowSchema says which requests belong together, and to which priority level.
  spec? FlowSchemaSpec #2 | Which requests, and where they go.
  status? FlowSchemaStatus #3 | How the flow schema stands. Set by the server.
struct FlowSchemaCondition | FlowSchemaCondition says how one side of a flow schema stands.
  type? FlowSchemaConditionType #1 | What it is about: Dangling.
  status? ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #3 | When the status changed last.
  reason? string #4 | Why it changed, in one word.
  message? string #5 | The same for people to read.
struct FlowSchemaSpec | FlowSchemaSpec says which requests belong together, and where they go.
  priorityLevelConfiguration PriorityLevelConfigurationReference #1 | The priority level of the requests. Without it the flow schema has no effect.
  matchingPrecedence int32 #2 optional | The place among the flow schemas: a request belongs to the one with the lowest number that matches. 1 to 10000.
  distinguisherMethod? *FlowDistinguisherMethod #3 | How the requests fall into flows. Without it they are all one flow.
  rules? []PolicyRulesWithSubjects #4 atomic | The requests: those that any of these pick.
struct FlowSchemaStatus | FlowSchemaStatus says how a flow schema stands.
  conditions? []FlowSchemaCondition #1 map:type merge:type | How it stands at present.
struct GroupSubject | GroupSubject is a group of users.
  name string #1 | The name of the group; '*' is every group.
struct LimitResponse | LimitResponse says what becomes of requests that cannot be served at once.
  type LimitResponseType #1 | Queue or Reject.
  queuing? *QueuingConfiguration #2 | How they wait. Only for Queue.
struct LimitedPriorityLevelConfiguration | LimitedPriorityLevelConfiguration says how much of the server a priority level can use.
  nominalConcurrencyShares *int32 #1 optional | The share of the level: its seats are to those of the server as this is to the sum of all shares. 30 unless given.
  limitResponse? LimitResponse #2 | What becomes of requests that cannot be served at once.
  lendablePercent? *int32 #3 | How many of its seats others can borrow, in percent, 0 to 100.
  borrowingLimitPercent? *int32 #4 | How many seats it can borrow, in percent of its own. No limit unless given.
struct NonResourcePolicyRule | NonResourcePolicyRule picks requests that are not about a resource.
  verbs []string #1 set | The verbs; '*' is all of them and then stands alone.
  nonResourceURLs []string #6 set | The paths, which may end in /*; '*' is all of them and then stands alone.
struct PolicyRulesWithSubjects | PolicyRulesWithSubjects picks requests by who asks and for what.
  subjects []Subject #1 atomic | Who asks: any of these.
  resourceRules? []ResourcePolicyRule #2 atomic | Requests about resources.
  nonResourceRules? []NonResourcePolicyRule #3 atomic | Requests that are not about a resource.
kind PriorityLevelConfiguration since:1.29 | PriorityLevelConfiguration says how much of the server the requests of a priority level can use.
  spec? PriorityLevelConfigurationSpec #2 | How much it is.
  status? PriorityLevelConfigurationStatus #3 | How the priority level stands. Set by the server.
struct PriorityLevelConfigurationCondition | PriorityLevelConfigurationCondition says how one side of a priority level stands.
  type? PriorityLevelConfigurationConditionType #1 | What it is about.
  status? ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #3 | When the status changed last.
  reason? string #4 | Why it changed, in one word.
  message? string #5 | The same for people to read.
struct PriorityLevelConfigurationReference | PriorityLevelConfigurationReference points to a priority level.
  name string #1 | The name of the priority level.
struct PriorityLevelConfigurationSpec | PriorityLevelConfigurationSpec says whether and how requests are limited.
  type PriorityLevelEnablement #1 | Limited or Exempt.
  limited? *LimitedPriorityLevelConfiguration #2 | How they are limited. Only for Limited.
  exempt? *ExemptPriorityLevelConfiguration #3 | What is counted for requests that are not. Only for Exempt.
struct PriorityLevelConfigurationStatus | PriorityLevelConfigurationStatus says how a priority level stands.
  conditions? []PriorityLevelConfigurationCondition #1 map:type merge:type | How it stands at present.
struct QueuingConfiguration | QueuingConfiguration says how requests wait.
  queues int32 #1 optional | The number of queues, 64 unless given. With 1 all flows share a queue.
  handSize int32 #2 optional | The number of queues that one flow can use, 8 unless given.
  queueLengthLimit int32 #3 optional | How many requests wait in one queue at most, 50 unless given.
struct ResourcePolicyRule | ResourcePolicyRule picks requests about resources.
  verbs []string #1 set | The verbs; '*' is all of them and then stands alone.
  apiGroups []string #2 set | The API groups; '*' is all of them and then stands alone.
  resources []string #3 set | The resources with their subresources; '*' is all of them and then stands alone.
  clusterScope? bool #4 | Whether requests without a namespace match.
  namespaces []string #5 optional set | The namespaces of the requests; '*' is all of them and then stands alone.
struct ServiceAccountSubject | ServiceAccountSubject is a service account.
  namespace string #1 | The namespace of the service account.
  name string #2 | The name of the service account; '*' is all of the namespace.
struct Subject | Subject is who asks: a user, a group or a service account.
  kind SubjectKind #1 | User, Group or ServiceAccount.
  user? *UserSubject #2 | The user. Only for User.
  group? *GroupSubject #3 | The group. Only for Group.
  serviceAccount? *ServiceAccountSubject #4 | The service account. Only for ServiceAccount.
struct UserSubject | UserSubject is a user.
  name string #1 | The name of the user; '*' is everyone.
)";
// clang-format on

}  // namespace strake::kinds::types
