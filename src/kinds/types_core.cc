#include "kinds/types.h"

namespace strake::kinds {

// clang-format off
constinit const std::string_view kMetaTypes = R"(
package io.k8s.apimachinery.pkg.apis.meta.v1 group "" version v1
string LabelSelectorOperator
string FieldSelectorOperator
string ConditionStatus
string StatusReason
struct LabelSelector atomic | LabelSelector picks objects by their labels. All of its parts must hold; an empty one picks everything.
  matchLabels? map[string]string #1 | Labels that an object must have, with these values.
  matchExpressions? []LabelSelectorRequirement #2 atomic | Requirements on labels, all of which must hold.
struct LabelSelectorRequirement | LabelSelectorRequirement asks something of one label.
  key string #1 | The key of the label.
  operator LabelSelectorOperator #2 | In, NotIn, Exists or DoesNotExist.
  values? []string #3 atomic | The values that In and NotIn compare with; empty for the others.
struct FieldSelectorRequirement | FieldSelectorRequirement asks something of one field.
  key string #1 | The name of the field.
  operator FieldSelectorOperator #2 | In, NotIn, Exists or DoesNotExist.
  values? []string #3 atomic | The values that In and NotIn compare with; empty for the others.
string DeletionPropagation
struct GroupResource | GroupResource names a resource without its version.
  group string #1 | The API group.
  resource string #2 | The resource, by its plural.
struct Preconditions | Preconditions must hold for a deletion to be done.
  uid? *uid #1 | The uid that the object must have.
  resourceVersion? *string #2 | The version that the object must have.
struct DeleteOptions | DeleteOptions says how an object is deleted.
  kind? string | The kind of these options.
  apiVersion? string | The version of these options.
  gracePeriodSeconds? *int64 #1 | How many seconds the object has to end; 0 ends it at once.
  preconditions? *Preconditions #2 | What must hold for the deletion to be done.
  orphanDependents? *bool #3 | Replaced by propagationPolicy.
  propagationPolicy? *DeletionPropagation #4 | What becomes of the objects that this one owns.
  dryRun? []string #5 atomic | All goes through every stage and deletes nothing.
  ignoreStoreReadErrorWithClusterBreakingPotential? *bool #6 | Whether an object that cannot be read may be deleted.
struct Condition | Condition says how one side of an object stands at present.
  type string #1 | What the condition is about, in CamelCase or as a domain with a path.
  status ConditionStatus #2 | True, False or Unknown.
  observedGeneration? int64 #3 | The generation of the object that the condition was judged by.
  lastTransitionTime time #4 | When the status changed last.
  reason string #5 | Why it changed, in one CamelCase word.
  message string #6 | The same for people to read. May be empty.
)";

constinit const std::string_view kRuntimeTypes = R"(
package io.k8s.apimachinery.pkg.runtime group "" version v1
any RawExtension | RawExtension is any JSON, kept as it is.
)";

constinit const std::string_view kCoreTypes = R"(
package io.k8s.api.core.v1 group "" version v1
string NamespacePhase
string NamespaceConditionType
string FinalizerName
string ConditionStatus
string SecretType
string LimitType
string ResourceQuotaScope
string ScopeSelectorOperator
map ResourceList map[string]quantity
struct ObjectReference atomic | ObjectReference points to an object, or to a part of one.
  kind? string #1 | The kind of the object.
  namespace? string #2 | The namespace of the object.
  name? string #3 | The name of the object.
  uid? uid #4 | The uid of the object.
  apiVersion? string #5 | The group and version of the object.
  resourceVersion? string #6 | The state of the object that is meant, if one is.
  fieldPath? string #7 | A part of the object in the form of a JSON path, such as spec.containers{name}.
struct LocalObjectReference atomic | LocalObjectReference points to an object in the same namespace.
  name? string #1 default:"" | The name of the object.
kind Namespace | Namespace is a space in which the names of objects are unique.
  spec? NamespaceSpec #2 | How the namespace behaves.
  status? NamespaceStatus #3 | How the namespace stands. Set by the server.
struct NamespaceSpec | NamespaceSpec says how a namespace behaves.
  finalizers? []FinalizerName #1 atomic | Who has work to do before the namespace may go. While there are any, it stays.
struct NamespaceStatus | NamespaceStatus says how a namespace stands.
  phase? NamespacePhase #1 | Active, or Terminating once its deletion has begun.
  conditions? []NamespaceCondition #2 map:type merge:type | What holds up the deletion of the namespace.
struct NamespaceCondition | NamespaceCondition tells of one step of a namespace's deletion.
  type NamespaceConditionType #1 | Which step this is about.
  status ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #4 | When the status changed last.
  reason? string #5 | Why it changed, in one word.
  message? string #6 | The same for people to read.
kind ConfigMap | ConfigMap holds settings for programs to read.
  immutable? *bool #4 | When true, data and binaryData can never be changed again, nor can this.
  data? map[string]string #2 | Settings as text. Keys are made of letters, digits, '-', '_' and '.', and are not repeated in binaryData.
  binaryData? map[string]bytes #3 | Settings as bytes, in base64. Keys are formed as in data.
kind Secret | Secret holds data that not everyone may see.
  immutable? *bool #5 | When true, data can never be changed again, nor can this.
  data? map[string]bytes #2 | The data as bytes, in base64. Keys are made of letters, digits, '-', '_' and '.'.
  stringData? map[string]string #4 | Data as plain text, to be written only: the server moves it into data, over what stands there.
  type? SecretType #3 | What the secret is for. Some types ask for certain keys. It cannot be changed.
kind ServiceAccount | ServiceAccount is an identity for programs, bound to a namespace.
  secrets? []ObjectReference #2 map:name merge:name | Secrets of the same namespace that pods of this account may use.
  imagePullSecrets? []LocalObjectReference #3 atomic | Secrets of the same namespace with which images are pulled.
  automountServiceAccountToken? *bool #4 | Whether pods of this account find a token of it in their file system.
kind ResourceQuota | ResourceQuota limits how much of each resource there may be in a namespace.
  spec? ResourceQuotaSpec #2 | The limits.
  status? ResourceQuotaStatus #3 | The limits in force and what is used of them. Set by the server.
struct ResourceQuotaSpec | ResourceQuotaSpec says how much there may be.
  hard? ResourceList #1 | The most that there may be of each resource, such as count/widgets.example.com.
  scopes? []ResourceQuotaScope #2 atomic | What an object must be to count; without any, all objects do.
  scopeSelector? *ScopeSelector #3 | The same with values. Both must hold.
struct ResourceQuotaStatus | ResourceQuotaStatus says what is used.
  hard? ResourceList #1 | The limits in force.
  used? ResourceList #2 | How much there is of each resource in the namespace.
struct ScopeSelector atomic | ScopeSelector picks objects by scopes and their values. All of its parts must hold.
  matchExpressions? []ScopedResourceSelectorRequirement #1 atomic | Requirements on scopes, all of which must hold.
struct ScopedResourceSelectorRequirement | ScopedResourceSelectorRequirement asks something of one scope.
  scopeName ResourceQuotaScope #1 | The scope.
  operator ScopeSelectorOperator #2 | In, NotIn, Exists or DoesNotExist.
  values? []string #3 atomic | The values that In and NotIn compare with; empty for the others.
kind LimitRange | LimitRange sets limits and defaults for the resources of single objects in a namespace.
  spec? LimitRangeSpec #2 | The limits.
struct LimitRangeSpec | LimitRangeSpec lists limits by the type of object.
  limits []LimitRangeItem #1 atomic | The limits, one for each type.
struct LimitRangeItem | LimitRangeItem sets limits for one type of object.
  type LimitType #1 | Pod, Container or PersistentVolumeClaim.
  max? ResourceList #2 | The most that one may use of a resource.
  min? ResourceList #3 | The least that one may use of a resource.
  default? ResourceList #4 | The limit of a container that names none.
  defaultRequest? ResourceList #5 | The request of a container that names none.
  maxLimitRequestRatio? ResourceList #6 | How many times its request the limit may be.
kind Event metadata-required | Event tells of something that happened to an object. Events are kept for a short time, and not each is sure to arrive.
  involvedObject ObjectReference #2 | The object that the event is about.
  reason? string #3 | Why it happened, in one word for machines.
  message? string #4 | What happened, for people.
  source? EventSource #5 | Who reports it. To be left empty by new clients.
  firstTimestamp? time #6 | When it happened first.
  lastTimestamp? time #7 | When it happened last.
  count? int32 #8 | How often it happened.
  type? string #9 | Normal or Warning; others may come.
  eventTime? microtime #10 | When the event was seen first.
  series? *EventSeries #11 | Set when the event repeats.
  action? string #12 | What was done or failed about the object.
  related? *ObjectReference #13 | A second object that takes part.
  reportingComponent string #14 optional | The controller that reports the event, such as kubernetes.io/kubelet.
  reportingInstance string #15 optional | The process of the controller that reports it.
struct EventSource | EventSource says who reports an event.
  component? string #1 | The component that reports it.
  host? string #2 | The node on which it was reported.
struct EventSeries | EventSeries tells of an event that repeats.
  count? int32 #1 | How often it has been seen so far.
  lastObservedTime? microtime #2 | When it was seen last.
)";

constinit const std::string_view kEventsTypes = R"(
package io.k8s.api.events.v1 group events.k8s.io version v1
kind Event | Event tells of something that happened to an object. Events are kept for a short time, and not each is sure to arrive.
  eventTime microtime #2 | When the event was seen first.
  series? *EventSeries #3 | Set when the event repeats.
  reportingController? string #4 | The controller that reports the event, such as kubernetes.io/kubelet.
  reportingInstance? string #5 | The process of the controller that reports it.
  action? string #6 | What was done or failed about the object.
  reason? string #7 | Why it was done, in one word for machines.
  regarding? core.ObjectReference #8 | The object that the event is about.
  related? *core.ObjectReference #9 | A second object that takes part.
  note? string #10 | What happened, for people.
  type? string #11 | Normal or Warning; others may come.
  deprecatedSource? core.EventSource #12 | The source of a core event.
  deprecatedFirstTimestamp? time #13 | The firstTimestamp of a core event.
  deprecatedLastTimestamp? time #14 | The lastTimestamp of a core event.
  deprecatedCount? int32 #15 | The count of a core event.
struct EventSeries | EventSeries tells of an event that repeats.
  count int32 #1 | How often it has been seen so far.
  lastObservedTime microtime #2 | When it was seen last.
)";

constinit const std::string_view kCoordinationTypes = R"(
package io.k8s.api.coordination.v1 group coordination.k8s.io version v1
string CoordinatedLeaseStrategy
kind Lease | Lease is a claim that one of several holds for a while.
  spec? LeaseSpec #2 | Who holds it, and for how long.
struct LeaseSpec | LeaseSpec says who holds a lease and for how long.
  holderIdentity? *string #1 | Who holds the lease.
  leaseDurationSeconds? *int32 #2 | How long others wait, counted from renewTime, before they take it.
  acquireTime? *microtime #3 | When the holder took it.
  renewTime? *microtime #4 | When the holder renewed it last.
  leaseTransitions? *int32 #5 | How often it has gone from one holder to another.
  strategy? *CoordinatedLeaseStrategy #6 since:1.31 | How a leader is chosen, where that is coordinated.
  preferredHolder? *string #7 since:1.31 | Who should take the lease from its holder.
)";
// clang-format on

}  // namespace strake::kinds
