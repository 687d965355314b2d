#include "kinds/types.h"

namespace strake::kinds {

// clang-format off
constinit const std::string_view kRbacTypes = R"(
package io.k8s.api.rbac.v1 group rbac.authorization.k8s.io version v1
struct PolicyRule | PolicyRule allows some verbs on some resources or paths. Who may use it is said elsewhere.
  verbs []string #1 atomic | The verbs that are allowed; '*' is all of them.
  apiGroups? []string #2 atomic | The API groups of the resources; "" is the core group, '*' is all of them.
  resources? []string #3 atomic | The resources, or resource/subresource; '*' is all of them.
  resourceNames? []string #4 atomic | Names of single objects. None means every object.
  nonResourceURLs? []string #5 atomic | Paths that are no resources. '*' may stand at the end. Only cluster roles have them.
struct Subject atomic | Subject is someone whom a role is given to.
  kind string #1 | User, Group or ServiceAccount.
  apiGroup? string #2 | The group of the subject: "" for service accounts, rbac.authorization.k8s.io for the others.
  name string #3 | The name of the subject.
  namespace? string #4 | The namespace of a service account; empty for the others.
struct RoleRef atomic | RoleRef points to the role that is given.
  apiGroup string #1 optional | The group of the role.
  kind string #2 | Role or ClusterRole.
  name string #3 | The name of the role.
kind Role | Role is a set of rules for one namespace.
  rules []PolicyRule #2 optional atomic | The rules.
kind RoleBinding | RoleBinding gives a role, or a cluster role, to subjects within one namespace.
  subjects? []Subject #2 atomic | Whom the role is given to.
  roleRef RoleRef #3 | The role. It cannot be changed.
kind ClusterRole | ClusterRole is a set of rules for the whole cluster, or to be given in any namespace.
  rules []PolicyRule #2 optional atomic | The rules.
  aggregationRule? *AggregationRule #3 | When set, the rules are gathered from other cluster roles, and kept so.
struct AggregationRule | AggregationRule says which cluster roles another is gathered from.
  clusterRoleSelectors? []meta.LabelSelector #1 atomic | Picks cluster roles; one that any of these picks takes part.
kind ClusterRoleBinding | ClusterRoleBinding gives a cluster role to subjects in the whole cluster.
  subjects? []Subject #2 atomic | Whom the role is given to.
  roleRef RoleRef #3 | The cluster role. It cannot be changed.
)";

constinit const std::string_view kAuthenticationTypes = R"(
package io.k8s.api.authentication.v1 group authentication.k8s.io version v1
list ExtraValue []string
review TokenReview | TokenReview asks who a token belongs to.
  spec TokenReviewSpec #2 | The token.
  status? TokenReviewStatus #3 | Whose it is. Set by the server.
struct TokenReviewSpec | TokenReviewSpec is the token that is asked about.
  token? string #1 required | The token itself.
  audiences? []string #2 atomic | Whom the token should be meant for. The server itself unless given.
struct TokenReviewStatus | TokenReviewStatus says whose a token is.
  authenticated? bool #1 | Whether the token is anyone's.
  user? UserInfo #2 | Whose it is.
  audiences? []string #4 atomic | Those of the asked audiences that the token is meant for.
  error? string #3 | Why the token could not be judged.
struct UserInfo | UserInfo says who someone is.
  username? string #1 | The name.
  uid? string #2 | Tells this user from others of the same name at other times.
  groups? []string #3 atomic | The groups that the user belongs to.
  extra? map[string]ExtraValue #4 | What else is known.
review TokenRequest | TokenRequest asks for a token of a service account.
  spec TokenRequestSpec #2 optional | What the token should be like.
  status? TokenRequestStatus #3 | The token. Set by the server.
struct TokenRequestSpec | TokenRequestSpec says what a token should be like.
  audiences []string #1 optional atomic | Whom the token is meant for.
  expirationSeconds *int64 #4 optional | For how long it is wanted. The server may give another time.
  boundObjectRef *BoundObjectReference #3 optional | An object without which the token is worth nothing.
struct TokenRequestStatus | TokenRequestStatus is the token that was asked for.
  token string #1 optional | The token itself.
  expirationTimestamp time #2 optional | When it ends.
struct BoundObjectReference | BoundObjectReference points to an object that a token is bound to.
  kind? string #1 | Pod, Secret or Node.
  apiVersion? string #2 | The group and version of the object.
  name? string #3 | The name of the object.
  uid? uid #4 | The uid of the object.
review SelfSubjectReview since:1.28 | SelfSubjectReview asks who the caller is.
  status? SelfSubjectReviewStatus #2 | Who it is. Set by the server.
struct SelfSubjectReviewStatus | SelfSubjectReviewStatus says who the caller is.
  userInfo? UserInfo #1 | What is known of the caller.
)";

constinit const std::string_view kAuthorizationTypes = R"(
package io.k8s.api.authorization.v1 group authorization.k8s.io version v1
list ExtraValue []string
review SubjectAccessReview | SubjectAccessReview asks whether someone may do something.
  spec SubjectAccessReviewSpec #2 | Who and what.
  status? SubjectAccessReviewStatus #3 | The answer. Set by the server.
review SelfSubjectAccessReview | SelfSubjectAccessReview asks whether the caller may do something.
  spec SelfSubjectAccessReviewSpec #2 | What.
  status? SubjectAccessReviewStatus #3 | The answer. Set by the server.
review LocalSubjectAccessReview | LocalSubjectAccessReview asks whether someone may do something in one namespace.
  spec SubjectAccessReviewSpec #2 | Who and what. The namespace must be the one of the request.
  status? SubjectAccessReviewStatus #3 | The answer. Set by the server.
review SelfSubjectRulesReview | SelfSubjectRulesReview asks what the caller may do in a namespace.
  spec SelfSubjectRulesReviewSpec #2 | The namespace.
  status? SubjectRulesReviewStatus #3 | The answer. Set by the server.
struct SubjectAccessReviewSpec | SubjectAccessReviewSpec says who would do what. Just one of the two kinds of attributes is given.
  resourceAttributes? *ResourceAttributes #1 | What would be done with a resource.
  nonResourceAttributes? *NonResourceAttributes #2 | What would be done with a path that is no resource.
  user? string #3 | The name of the user.
  groups? []string #4 atomic | The groups of the user.
  extra? map[string]ExtraValue #5 | What else is known of the user.
  uid? string #6 | The uid of the user.
struct SelfSubjectAccessReviewSpec | SelfSubjectAccessReviewSpec says what the caller would do. Just one of the two is given.
  resourceAttributes? *ResourceAttributes #1 | What would be done with a resource.
  nonResourceAttributes? *NonResourceAttributes #2 | What would be done with a path that is no resource.
struct SelfSubjectRulesReviewSpec | SelfSubjectRulesReviewSpec says in which namespace.
  namespace? string #1 | The namespace.
struct ResourceAttributes | ResourceAttributes say what would be done with a resource.
  namespace? string #1 | The namespace. Empty is the whole cluster, or no namespace at all.
  verb? string #2 | The verb, such as get; '*' is all of them.
  group? string #3 | The API group; '*' is all of them.
  version? string #4 | The API version; '*' is all of them.
  resource? string #5 | The resource; '*' is all of them.
  subresource? string #6 | The subresource, or none.
  name? string #7 | The name of the object. Empty is all of them.
  fieldSelector? *FieldSelectorAttributes #8 since:1.31 | Limits what is asked for by fields.
  labelSelector? *LabelSelectorAttributes #9 since:1.31 | Limits what is asked for by labels.
struct FieldSelectorAttributes | FieldSelectorAttributes limit a request by fields. Just one of the two is given.
  rawSelector? string #1 | The selector as it stands in a query.
  requirements? []meta.FieldSelectorRequirement #2 atomic | The selector in parts, all of which must hold.
struct LabelSelectorAttributes | LabelSelectorAttributes limit a request by labels. Just one of the two is given.
  rawSelector? string #1 | The selector as it stands in a query.
  requirements? []meta.LabelSelectorRequirement #2 atomic | The selector in parts, all of which must hold.
struct NonResourceAttributes | NonResourceAttributes say what would be done with a path.
  path? string #1 | The path.
  verb? string #2 | The verb.
struct SubjectAccessReviewStatus | SubjectAccessReviewStatus says whether it would be allowed.
  allowed bool #1 | Whether it would.
  denied? bool #4 | Whether it would be denied by someone. Neither means that no one has an opinion.
  reason? string #2 | Why.
  evaluationError? string #3 | What went wrong while judging. The answer may still be right.
struct SubjectRulesReviewStatus | SubjectRulesReviewStatus says what the caller may do. Order means nothing, and there may be repetitions.
  resourceRules []ResourceRule #1 atomic | What may be done with resources.
  nonResourceRules []NonResourceRule #2 atomic | What may be done with paths that are no resources.
  incomplete bool #3 | Whether there may be more than is listed.
  evaluationError? string #4 | What went wrong while gathering.
struct ResourceRule | ResourceRule allows some verbs on some resources.
  verbs []string #1 atomic | The verbs; '*' is all of them.
  apiGroups? []string #2 atomic | The API groups; '*' is all of them.
  resources? []string #3 atomic | The resources; '*' is all of them.
  resourceNames? []string #4 atomic | Names of single objects. None means every object.
struct NonResourceRule | NonResourceRule allows some verbs on some paths.
  verbs []string #1 atomic | The verbs; '*' is all of them.
  nonResourceURLs? []string #2 atomic | The paths. '*' may stand at the end.
)";
// clang-format on

}  // namespace strake::kinds
