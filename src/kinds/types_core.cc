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
  matchLabels? map[string]string | Labels that an object must have, with these values.
  matchExpressions? []LabelSelectorRequirement atomic | Requirements on labels, all of which must hold.
struct LabelSelectorRequirement | LabelSelectorRequirement asks something of one label.
  key string | The key of the label.
  operator LabelSelectorOperator | In, NotIn, Exists or DoesNotExist.
  values? []string atomic | The values that In and NotIn compare with; empty for the others.
struct FieldSelectorRequirement | FieldSelectorRequirement asks something of one field.
  key string | The name of the field.
  operator FieldSelectorOperator | In, NotIn, Exists or DoesNotExist.
  values? []string atomic | The values that In and NotIn compare with; empty for the others.
string DeletionPropagation
struct GroupResource | GroupResource names a resource without its version.
  group string | The API group.
  resource string | The resource, by its plural.
struct Preconditions | Preconditions must hold for a deletion to be done.
  uid? *uid | The uid that the object must have.
  resourceVersion? *string | The version that the object must have.
struct DeleteOptions | DeleteOptions says how an object is deleted.
  kind? string | The kind of these options.
  apiVersion? string | The version of these options.
  gracePeriodSeconds? *int64 | How many seconds the object has to end; 0 ends it at once.
  preconditions? *Preconditions | What must hold for the deletion to be done.
  orphanDependents? *bool | Replaced by propagationPolicy.
  propagationPolicy? *DeletionPropagation | What becomes of the objects that this one owns.
  dryRun? []string atomic | All goes through every stage and deletes nothing.
  ignoreStoreReadErrorWithClusterBreakingPotential? *bool | Whether an object that cannot be read may be deleted.
struct Condition | Condition says how one side of an object stands at present.
  type string | What the condition is about, in CamelCase or as a domain with a path.
  status ConditionStatus | True, False or Unknown.
  observedGeneration? int64 | The generation of the object that the condition was judged by.
  lastTransitionTime time | When the status changed last.
  reason string | Why it changed, in one CamelCase word.
  message string | The same for people to read. May be empty.
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
  kind? string | The kind of the object.
  namespace? string | The namespace of the object.
  name? string | The name of the object.
  uid? uid | The uid of the object.
  apiVersion? string | The group and version of the object.
  resourceVersion? string | The state of the object that is meant, if one is.
  fieldPath? string | A part of the object in the form of a JSON path, such as spec.containers{name}.
struct LocalObjectReference atomic | LocalObjectReference points to an object in the same namespace.
  name? string default:"" | The name of the object.
kind Namespace | Namespace is a space in which the names of objects are unique.
  spec? NamespaceSpec | How the namespace behaves.
  status? NamespaceStatus | How the namespace stands. Set by the server.
struct NamespaceSpec | NamespaceSpec says how a namespace behaves.
  finalizers? []FinalizerName atomic | Who has work to do before the namespace may go. While there are any, it stays.
struct NamespaceStatus | NamespaceStatus says how a namespace stands.
  phase? NamespacePhase | Active, or Terminating once its deletion has begun.
  conditions? []NamespaceCondition map:type merge:type | What holds up the deletion of the namespace.
struct NamespaceCondition | NamespaceCondition tells of one step of a namespace's deletion.
  type NamespaceConditionType | Which step this is about.
  status ConditionStatus | True, False or Unknown.
  lastTransitionTime? time | When the status changed last.
  reason? string | Why it changed, in one word.
  message? string | The same for people to read.
kind ConfigMap | ConfigMap holds settings for programs to read.
  immutable? *bool | When true, data and binaryData can never be changed again, nor can this.
  data? map[string]string | Settings as text. Keys are made of letters, digits, '-', '_' and '.', and are not repeated in binaryData.
  binaryData? map[string]bytes | Settings as bytes, in base64. Keys are formed as in data.
kind Secret | Secret holds data that not everyone may see.
  immutable? *bool | When true, data can never be changed again, nor can this.
  data? map[string]bytes | The data as bytes, in base64. Keys are made of letters, digits, '-', '_' and '.'.
  stringData? map[string]string | Data as plain text, to be written only: the server moves it into data, over what stands there.
  type? SecretType | What the secret is for. Some types ask for certain keys. It cannot be changed.
kind ServiceAccount | ServiceAccount is an identity for programs, bound to a namespace.
  secrets? []ObjectReference map:name merge:name | Secrets of the same namespace that pods of this account may use.
  imagePullSecrets? []LocalObjectReference atomic | Secrets of the same namespace with which images are pulled.
  automountServiceAccountToken? *bool | Whether pods of this account find a token of it in their file system.
kind ResourceQuota | ResourceQuota limits how much of each resource there may be in a namespace.
  spec? ResourceQuotaSpec | The limits.
  status? ResourceQuotaStatus | The limits in force and what is used of them. Set by the server.
struct ResourceQuotaSpec | ResourceQuotaSpec says how much there may be.
  hard? ResourceList | The most that there may be of each resource, such as count/widgets.example.com.
  scopes? []ResourceQuotaScope atomic | What an object must be to count; without any, all objects do.
  scopeSelector? *ScopeSelector | The same with values. Both must hold.
struct ResourceQuotaStatus | ResourceQuotaStatus says what is used.
  hard? ResourceList | The limits in force.
  used? ResourceList | How much there is of each resource in the namespace.
struct ScopeSelector atomic | ScopeSelector picks objects by scopes and their values. All of its parts must hold.
  matchExpressions? []ScopedResourceSelectorRequirement atomic | Requirements on scopes, all of which must hold.
struct ScopedResourceSelectorRequirement | ScopedResourceSelectorRequirement asks something of one scope.
  scopeName ResourceQuotaScope | The scope.
  operator ScopeSelectorOperator | In, NotIn, Exists or DoesNotExist.
  values? []string atomic | The values that In and NotIn compare with; empty for the others.
kind LimitRange | LimitRange sets limits and defaults for the resources of single objects in a namespace.
  spec? LimitRangeSpec | The limits.
struct LimitRangeSpec | LimitRangeSpec lists limits by the type of object.
  limits []LimitRangeItem atomic | The limits, one for each type.
struct LimitRangeItem | LimitRangeItem sets limits for one type of object.
  type LimitType | Pod, Container or PersistentVolumeClaim.
  max? ResourceList | The most that one may use of a resource.
  min? ResourceList | The least that one may use of a resource.
  default? ResourceList | The limit of a container that names none.
  defaultRequest? ResourceList | The request of a container that names none.
  maxLimitRequestRatio? ResourceList | How many times its request the limit may be.
kind Event metadata-required | Event tells of something that happened to an object. Events are kept for a short time, and not each is sure to arrive.
  involvedObject ObjectReference | The object that the event is about.
  reason? string | Why it happened, in one word for machines.
  message? string | What happened, for people.
  source? EventSource | Who reports it. To be left empty by new clients.
  firstTimestamp? time | When it happened first.
  lastTimestamp? time | When it happened last.
  count? int32 | How often it happened.
  type? string | Normal or Warning; others may come.
  eventTime? microtime | When the event was seen first.
  series? *EventSeries | Set when the event repeats.
  action? string | What was done or failed about the object.
  related? *ObjectReference | A second object that takes part.
  reportingComponent string optional | The controller that reports the event, such as kubernetes.io/kubelet.
  reportingInstance string optional | The process of the controller that reports it.
struct EventSource | EventSource says who reports an event.
  component? string | The component that reports it.
  host? string | The node on which it was reported.
struct EventSeries | EventSeries tells of an event that repeats.
  count? int32 | How often it has been seen so far.
  lastObservedTime? microtime | When it was seen last.
)";

constinit const std::string_view kEventsTypes = R"(
package io.k8s.api.events.v1 group events.k8s.io version v1
kind Event | Event tells of something that happened to an object. Events are kept for a short time, and not each is sure to arrive.
  eventTime microtime | When the event was seen first.
  series? *EventSeries | Set when the event repeats.
  reportingController? string | The controller that reports the event, such as kubernetes.io/kubelet.
  reportingInstance? string | The process of the controller that reports it.
  action? string | What was done or failed about the object.
  reason? string | Why it was done, in one word for machines.
  regarding? core.ObjectReference | The object that the event is about.
  related? *core.ObjectReference | A second object that takes part.
  note? string | What happened, for people.
  type? string | Normal or Warning; others may come.
  deprecatedSource? core.EventSource | The source of a core event.
  deprecatedFirstTimestamp? time | The firstTimestamp of a core event.
  deprecatedLastTimestamp? time | The lastTimestamp of a core event.
  deprecatedCount? int32 | The count of a core event.
struct EventSeries | EventSeries tells of an event that repeats.
  count int32 | How often it has been seen so far.
  lastObservedTime microtime | When it was seen last.
)";

constinit const std::string_view kCoordinationTypes = R"(
package io.k8s.api.coordination.v1 group coordination.k8s.io version v1
string CoordinatedLeaseStrategy
kind Lease | Lease is a claim that one of several holds for a while.
  spec? LeaseSpec | Who holds it, and for how long.
struct LeaseSpec | LeaseSpec says who holds a lease and for how long.
  holderIdentity? *string | Who holds the lease.
  leaseDurationSeconds? *int32 | How long others wait, counted from renewTime, before they take it.
  acquireTime? *microtime | When the holder took it.
  renewTime? *microtime | When the holder renewed it last.
  leaseTransitions? *int32 | How often it has gone from one holder to another.
  strategy? *CoordinatedLeaseStrategy | How a leader is chosen, where that is coordinated.
  preferredHolder? *string | Who should take the lease from its holder.
)";
// clang-format on

}  // namespace strake::kinds
