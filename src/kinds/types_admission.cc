#include "kinds/types.h"

namespace strake::kinds {

// clang-format off
constinit const std::string_view kAdmissionTypes = R"(
package io.k8s.api.admissionregistration.v1 group admissionregistration.k8s.io version v1
string ScopeType
string FailurePolicyType
string ParameterNotFoundActionType
string MatchPolicyType
string SideEffectClass
string ValidationAction
string ReinvocationPolicyType
string OperationType
struct RuleWithOperations | RuleWithOperations picks requests by what they do to which resources.
  operations? []OperationType atomic | CREATE, UPDATE, DELETE, CONNECT, or '*' for all of them.
  apiGroups? []string atomic in:Rule | The API groups; '*' is all of them and then stands alone.
  apiVersions? []string atomic in:Rule | The API versions; '*' is all of them and then stands alone.
  resources? []string atomic in:Rule | The resources: pods, pods/log, pods/*, '*' for all without subresources, '*/scale', '*/*' for everything.
  scope? *ScopeType in:Rule | Cluster, Namespaced, or '*' for both.
struct NamedRuleWithOperations atomic | NamedRuleWithOperations picks requests by what they do to which resources and objects.
  resourceNames? []string atomic | Names of single objects. None means every object.
  operations? []OperationType atomic in:RuleWithOperations | CREATE, UPDATE, DELETE, CONNECT, or '*' for all of them.
  apiGroups? []string atomic in:RuleWithOperations.Rule | The API groups; '*' is all of them and then stands alone.
  apiVersions? []string atomic in:RuleWithOperations.Rule | The API versions; '*' is all of them and then stands alone.
  resources? []string atomic in:RuleWithOperations.Rule | The resources: pods, pods/log, pods/*, '*' for all without subresources, '*/scale', '*/*' for everything.
  scope? *ScopeType in:RuleWithOperations.Rule | Cluster, Namespaced, or '*' for both.
struct WebhookClientConfig | WebhookClientConfig says where a webhook is: by url or by service.
  url? *string | The place as an https URL, without user, query or fragment.
  service? *ServiceReference | The place as a service of the cluster.
  caBundle? bytes | The certificates, in PEM, that the webhook's own is checked against.
struct ServiceReference | ServiceReference points to a service.
  namespace string | The namespace of the service.
  name string | The name of the service.
  path? *string | The path of the URL.
  port? *int32 | The port; 443 unless given.
struct MatchCondition | MatchCondition is an expression that a request must meet to be sent on.
  name string | A name for the condition, unique among those beside it.
  expression string | The expression in CEL: true for requests that are sent on.
kind ValidatingWebhookConfiguration | ValidatingWebhookConfiguration names webhooks that may refuse objects.
  webhooks? []ValidatingWebhook map:name merge:name | The webhooks, asked all at once.
struct ValidatingWebhook | ValidatingWebhook is a webhook that may refuse objects.
  name string | A domain name of its own, of three parts at least.
  clientConfig WebhookClientConfig | Where the webhook is.
  rules? []RuleWithOperations atomic | The requests it is asked about: those that any of these pick.
  failurePolicy? *FailurePolicyType | What a failing webhook means: Fail or Ignore.
  matchPolicy? *MatchPolicyType | Whether other versions of a resource count too: Equivalent or Exact.
  namespaceSelector? *meta.LabelSelector | Limits it to objects in namespaces with such labels.
  objectSelector? *meta.LabelSelector | Limits it to objects with such labels.
  sideEffects *SideEffectClass | What else the webhook does: None or NoneOnDryRun.
  timeoutSeconds? *int32 | How long it may take, 1 to 30.
  admissionReviewVersions []string atomic | The versions of AdmissionReview that it understands; the first that the server knows is sent.
  matchConditions? []MatchCondition map:name merge:name | Conditions that a request must all meet.
kind MutatingWebhookConfiguration | MutatingWebhookConfiguration names webhooks that may change objects.
  webhooks? []MutatingWebhook map:name merge:name | The webhooks, asked one after the other.
struct MutatingWebhook | MutatingWebhook is a webhook that may change objects.
  name string | A domain name of its own, of three parts at least.
  clientConfig WebhookClientConfig | Where the webhook is.
  rules? []RuleWithOperations atomic | The requests it is asked about: those that any of these pick.
  failurePolicy? *FailurePolicyType | What a failing webhook means: Fail or Ignore.
  matchPolicy? *MatchPolicyType | Whether other versions of a resource count too: Equivalent or Exact.
  namespaceSelector? *meta.LabelSelector | Limits it to objects in namespaces with such labels.
  objectSelector? *meta.LabelSelector | Limits it to objects with such labels.
  sideEffects *SideEffectClass | What else the webhook does: None or NoneOnDryRun.
  timeoutSeconds? *int32 | How long it may take, 1 to 30.
  admissionReviewVersions []string atomic | The versions of AdmissionReview that it understands; the first that the server knows is sent.
  reinvocationPolicy? *ReinvocationPolicyType | Whether it is asked again when others changed the object: Never or IfNeeded.
  matchConditions? []MatchCondition map:name merge:name | Conditions that a request must all meet.
kind ValidatingAdmissionPolicy | ValidatingAdmissionPolicy refuses objects by expressions, where bindings put it into force.
  spec? ValidatingAdmissionPolicySpec | What is asked of which objects.
  status? ValidatingAdmissionPolicyStatus | What was found out about the policy. Set by the server.
struct ValidatingAdmissionPolicySpec | ValidatingAdmissionPolicySpec says what is asked of which objects.
  paramKind? *ParamKind | The kind of the objects that give the policy its parameters.
  matchConstraints? *MatchResources | The requests that the policy is about.
  validations? []Validation atomic | What must hold.
  failurePolicy? *FailurePolicyType | What a failing expression means: Fail or Ignore.
  auditAnnotations? []AuditAnnotation atomic | What is noted in the audit log.
  matchConditions? []MatchCondition map:name merge:name | Conditions that a request must all meet.
  variables? []Variable map:name merge:name | Expressions with names, for use in those that follow.
struct ParamKind atomic | ParamKind is a kind of objects that hold parameters.
  apiVersion? string | The group and version of the kind.
  kind? string | The kind.
struct Validation | Validation is one thing that must hold.
  expression string | The expression in CEL: true for objects that are good. It sees object, oldObject, request, params, namespaceObject, variables and authorizer.
  message? string | What is said when it does not hold.
  reason? *meta.StatusReason | The reason that machines read: Forbidden, Invalid or RequestEntityTooLarge.
  messageExpression? string | An expression that makes what is said.
struct Variable atomic | Variable is an expression with a name.
  name string | The name, by which it is used as variables.name.
  expression string | The expression in CEL.
struct AuditAnnotation | AuditAnnotation is something to be noted in the audit log.
  key string | The key, which is written behind the name of the policy.
  valueExpression string | The expression in CEL that makes the text; null makes none.
struct ValidatingAdmissionPolicyStatus | ValidatingAdmissionPolicyStatus says what was found out about a policy.
  observedGeneration? int64 | The generation that the status was made from.
  typeChecking? *TypeChecking | What checking the types of the expressions found.
  conditions? []meta.Condition map:type | How the policy stands.
struct TypeChecking | TypeChecking is what checking the types of expressions found.
  expressionWarnings? []ExpressionWarning atomic | A warning for each expression that has one.
struct ExpressionWarning | ExpressionWarning is a warning about one expression.
  fieldRef string | Where the expression stands.
  warning string | The warning.
kind ValidatingAdmissionPolicyBinding | ValidatingAdmissionPolicyBinding puts a policy into force, with its parameters.
  spec? ValidatingAdmissionPolicyBindingSpec required | Which policy, where, and with what effect.
struct ValidatingAdmissionPolicyBindingSpec | ValidatingAdmissionPolicyBindingSpec says which policy is in force, and where.
  policyName? string required | The name of the policy.
  paramRef? *ParamRef | The objects that give the policy its parameters.
  matchResources? *MatchResources | Limits the binding to some of the requests that the policy is about.
  validationActions? []ValidationAction required set | What happens when something does not hold: Deny, Warn, Audit.
struct ParamRef atomic | ParamRef points to objects that hold parameters.
  name? string | The name of one object. Not beside selector.
  namespace? string | The namespace of the objects. That of the request's object unless given.
  selector? *meta.LabelSelector | Picks the objects by labels. Not beside name.
  parameterNotFoundAction? *ParameterNotFoundActionType | What happens when there are none: Allow or Deny.
struct MatchResources atomic | MatchResources picks requests by what they do to which objects.
  namespaceSelector? *meta.LabelSelector | Limits it to objects in namespaces with such labels.
  objectSelector? *meta.LabelSelector | Limits it to objects with such labels.
  resourceRules? []NamedRuleWithOperations atomic | The requests: those that any of these pick.
  excludeResourceRules? []NamedRuleWithOperations atomic | Requests that are left out again.
  matchPolicy? *MatchPolicyType | Whether other versions of a resource count too: Equivalent or Exact.
)";

constinit const std::string_view kApiRegistrationTypes = R"(
package io.k8s.kube-aggregator.pkg.apis.apiregistration.v1 group apiregistration.k8s.io version v1
string APIServiceConditionType
string ConditionStatus
kind APIService | APIService says who serves a version of an API group. Its name is version.group.
  spec? APIServiceSpec | Who serves what.
  status? APIServiceStatus | How that stands. Set by the server.
struct ServiceReference | ServiceReference points to a service.
  namespace? string | The namespace of the service.
  name? string | The name of the service.
  port? *int32 | The port; 443 unless given.
struct APIServiceSpec | APIServiceSpec says who serves a version of a group.
  service? *ServiceReference | The service that serves it. None means this server itself.
  group? string | The API group.
  version? string | The API version.
  insecureSkipTLSVerify? bool | Whether the certificate of the service goes unchecked. Not to be used.
  caBundle? bytes atomic | The certificates, in PEM, that the service's own is checked against.
  groupPriorityMinimum int32 | The rank of the group among groups: high ones come first. The highest of its versions counts.
  versionPriority int32 | The rank of the version within its group: high ones come first.
struct APIServiceStatus | APIServiceStatus says how an API service stands.
  conditions? []APIServiceCondition map:type merge:type | How it stands at present.
struct APIServiceCondition | APIServiceCondition says how one side of an API service stands.
  type APIServiceConditionType | What it is about: Available.
  status ConditionStatus | True, False or Unknown.
  lastTransitionTime? time | When the status changed last.
  reason? string | Why it changed, in one word.
  message? string | The same for people to read.
)";
// clang-format on

}  // namespace strake::kinds
