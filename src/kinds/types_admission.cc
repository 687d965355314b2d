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
  operations? []OperationType #1 atomic | CREATE, UPDATE, DELETE, CONNECT, or '*' for all of them.
  apiGroups? []string #2.1 atomic in:Rule | The API groups; '*' is all of them and then stands alone.
  apiVersions? []string #2.2 atomic in:Rule | The API versions; '*' is all of them and then stands alone.
  resources? []string #2.3 atomic in:Rule | The resources: pods, pods/log, pods/*, '*' for all without subresources, '*/scale', '*/*' for everything.
  scope? *ScopeType #2.4 in:Rule | Cluster, Namespaced, or '*' for both.
struct NamedRuleWithOperations atomic | NamedRuleWithOperations picks requests by what they do to which resources and objects.
  resourceNames? []string #1 atomic | Names of single objects. None means every object.
  operations? []OperationType #2.1 atomic in:RuleWithOperations | CREATE, UPDATE, DELETE, CONNECT, or '*' for all of them.
  apiGroups? []string #2.2.1 atomic in:RuleWithOperations.Rule | The API groups; '*' is all of them and then stands alone.
  apiVersions? []string #2.2.2 atomic in:RuleWithOperations.Rule | The API versions; '*' is all of them and then stands alone.
  resources? []string #2.2.3 atomic in:RuleWithOperations.Rule | The resources: pods, pods/log, pods/*, '*' for all without subresources, '*/scale', '*/*' for everything.
  scope? *ScopeType #2.2.4 in:RuleWithOperations.Rule | Cluster, Namespaced, or '*' for both.
struct WebhookClientConfig | WebhookClientConfig says where a webhook is: by url or by service.
  url? *string #3 | The place as an https URL, without user, query or fragment.
  service? *ServiceReference #1 | The place as a service of the cluster.
  caBundle? bytes #2 | The certificates, in PEM, that the webhook's own is checked against.
struct ServiceReference | ServiceReference points to a service.
  namespace string #1 | The namespace of the service.
  name string #2 | The name of the service.
  path? *string #3 | The path of the URL.
  port? *int32 #4 | The port; 443 unless given.
struct MatchCondition | MatchCondition is an expression that a request must meet to be sent on.
  name string #1 | A name for the condition, unique among those beside it.
  expression string #2 | The expression in CEL: true for requests that are sent on.
kind ValidatingWebhookConfiguration | ValidatingWebhookConfiguration names webhooks that may refuse objects.
  webhooks? []ValidatingWebhook #2 map:name merge:name | The webhooks, asked all at once.
struct ValidatingWebhook | ValidatingWebhook is a webhook that may refuse objects.
  name string #1 | A domain name of its own, of three parts at least.
  clientConfig WebhookClientConfig #2 | Where the webhook is.
  rules? []RuleWithOperations #3 atomic | The requests it is asked about: those that any of these pick.
  failurePolicy? *FailurePolicyType #4 | What a failing webhook means: Fail or Ignore.
  matchPolicy? *MatchPolicyType #9 | Whether other versions of a resource count too: Equivalent or Exact.
  namespaceSelector? *meta.LabelSelector #5 | Limits it to objects in namespaces with such labels.
  objectSelector? *meta.LabelSelector #10 | Limits it to objects with such labels.
  sideEffects *SideEffectClass #6 | What else the webhook does: None or NoneOnDryRun.
  timeoutSeconds? *int32 #7 | How long it may take, 1 to 30.
  admissionReviewVersions []string #8 atomic | The versions of AdmissionReview that it understands; the first that the server knows is sent.
  matchConditions? []MatchCondition #11 map:name merge:name since:1.27 | Conditions that a request must all meet.
kind MutatingWebhookConfiguration | MutatingWebhookConfiguration names webhooks that may change objects.
  webhooks? []MutatingWebhook #2 map:name merge:name | The webhooks, asked one after the other.
struct MutatingWebhook | MutatingWebhook is a webhook that may change objects.
  name string #1 | A domain name of its own, of three parts at least.
  clientConfig WebhookClientConfig #2 | Where the webhook is.
  rules? []RuleWithOperations #3 atomic | The requests it is asked about: those that any of these pick.
  failurePolicy? *FailurePolicyType #4 | What a failing webhook means: Fail or Ignore.
  matchPolicy? *MatchPolicyType #9 | Whether other versions of a resource count too: Equivalent or Exact.
  namespaceSelector? *meta.LabelSelector #5 | Limits it to objects in namespaces with such labels.
  objectSelector? *meta.LabelSelector #11 | Limits it to objects with such labels.
  sideEffects *SideEffectClass #6 | What else the webhook does: None or NoneOnDryRun.
  timeoutSeconds? *int32 #7 | How long it may take, 1 to 30.
  admissionReviewVersions []string #8 atomic | The versions of AdmissionReview that it understands; the first that the server knows is sent.
  reinvocationPolicy? *ReinvocationPolicyType #10 | Whether it is asked again when others changed the object: Never or IfNeeded.
  matchConditions? []MatchCondition #12 map:name merge:name since:1.27 | Conditions that a request must all meet.
kind ValidatingAdmissionPolicy since:1.30 | ValidatingAdmissionPolicy refuses objects by expressions, where bindings put it into force.
  spec? ValidatingAdmissionPolicySpec #2 | What is asked of which objects.
  status? ValidatingAdmissionPolicyStatus #3 | What was found out about the policy. Set by the server.
struct ValidatingAdmissionPolicySpec | ValidatingAdmissionPolicySpec says what is asked of which objects.
  paramKind? *ParamKind #1 | The kind of the objects that give the policy its parameters.
  matchConstraints? *MatchResources #2 | The requests that the policy is about.
  validations? []Validation #3 atomic | What must hold.
  failurePolicy? *FailurePolicyType #4 | What a failing expression means: Fail or Ignore.
  auditAnnotations? []AuditAnnotation #5 atomic | What is noted in the audit log.
  matchConditions? []MatchCondition #6 map:name merge:name | Conditions that a request must all meet.
  variables? []Variable #7 map:name merge:name | Expressions with names, for use in those that follow.
struct ParamKind atomic | ParamKind is a kind of objects that hold parameters.
  apiVersion? string #1 | The group and version of the kind.
  kind? string #2 | The kind.
struct Validation | Validation is one thing that must hold.
  expression string #1 | The expression in CEL: true for objects that are good. It sees object, oldObject, request, params, namespaceObject, variables and authorizer.
  message? string #2 | What is said when it does not hold.
  reason? *meta.StatusReason #3 | The reason that machines read: Forbidden, Invalid or RequestEntityTooLarge.
  messageExpression? string #4 | An expression that makes what is said.
struct Variable atomic | Variable is an expression with a name.
  name string #1 | The name, by which it is used as variables.name.
  expression string #2 | The expression in CEL.
struct AuditAnnotation | AuditAnnotation is something to be noted in the audit log.
  key string #1 | The key, which is written behind the name of the policy.
  valueExpression string #2 | The expression in CEL that makes the text; null makes none.
struct ValidatingAdmissionPolicyStatus | ValidatingAdmissionPolicyStatus says what was found out about a policy.
  observedGeneration? int64 #1 | The generation that the status was made from.
  typeChecking? *TypeChecking #2 | What checking the types of the expressions found.
  conditions? []meta.Condition #3 map:type | How the policy stands.
struct TypeChecking | TypeChecking is what checking the types of expressions found.
  expressionWarnings? []ExpressionWarning #1 atomic | A warning for each expression that has one.
struct ExpressionWarning | ExpressionWarning is a warning about one expression.
  fieldRef string #2 | Where the expression stands.
  warning string #3 | The warning.
kind ValidatingAdmissionPolicyBinding since:1.30 | ValidatingAdmissionPolicyBinding puts a policy into force, with its parameters.
  spec? ValidatingAdmissionPolicyBindingSpec #2 required | Which policy, where, and with what effect.
struct ValidatingAdmissionPolicyBindingSpec | ValidatingAdmissionPolicyBindingSpec says which policy is in force, and where.
  policyName? string #1 required | The name of the policy.
  paramRef? *ParamRef #2 | The objects that give the policy its parameters.
  matchResources? *MatchResources #3 | Limits the binding to some of the requests that the policy is about.
  validationActions? []ValidationAction #4 required set | What happens when something does not hold: Deny, Warn, Audit.
struct ParamRef atomic | ParamRef points to objects that hold parameters.
  name? string #1 | The name of one object. Not beside selector.
  namespace? string #2 | The namespace of the objects. That of the request's object unless given.
  selector? *meta.LabelSelector #3 | Picks the objects by labels. Not beside name.
  parameterNotFoundAction? *ParameterNotFoundActionType #4 | What happens when there are none: Allow or Deny.
struct MatchResources atomic | MatchResources picks requests by what they do to which objects.
  namespaceSelector? *meta.LabelSelector #1 | Limits it to objects in namespaces with such labels.
  objectSelector? *meta.LabelSelector #2 | Limits it to objects with such labels.
  resourceRules? []NamedRuleWithOperations #3 atomic | The requests: those that any of these pick.
  excludeResourceRules? []NamedRuleWithOperations #4 atomic | Requests that are left out again.
  matchPolicy? *MatchPolicyType #7 | Whether other versions of a resource count too: Equivalent or Exact.
)";

constinit const std::string_view kApiRegistrationTypes = R"(
package io.k8s.kube-aggregator.pkg.apis.apiregistration.v1 group apiregistration.k8s.io version v1
string APIServiceConditionType
string ConditionStatus
kind APIService | APIService says who serves a version of an API group. Its name is version.group.
  spec? APIServiceSpec #2 | Who serves what.
  status? APIServiceStatus #3 | How that stands. Set by the server.
struct ServiceReference | ServiceReference points to a service.
  namespace? string #1 | The namespace of the service.
  name? string #2 | The name of the service.
  port? *int32 #3 | The port; 443 unless given.
struct APIServiceSpec | APIServiceSpec says who serves a version of a group.
  service? *ServiceReference #1 | The service that serves it. None means this server itself.
  group? string #2 | The API group.
  version? string #3 | The API version.
  insecureSkipTLSVerify? bool #4 | Whether the certificate of the service goes unchecked. Not to be used.
  caBundle? bytes #5 atomic | The certificates, in PEM, that the service's own is checked against.
  groupPriorityMinimum int32 #7 | The rank of the group among groups: high ones come first. The highest of its versions counts.
  versionPriority int32 #8 | The rank of the version within its group: high ones come first.
struct APIServiceStatus | APIServiceStatus says how an API service stands.
  conditions? []APIServiceCondition #1 map:type merge:type | How it stands at present.
struct APIServiceCondition | APIServiceCondition says how one side of an API service stands.
  type APIServiceConditionType #1 | What it is about: Available.
  status ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #3 | When the status changed last.
  reason? string #4 | Why it changed, in one word.
  message? string #5 | The same for people to read.
)";
// clang-format on

}  // namespace strake::kinds
