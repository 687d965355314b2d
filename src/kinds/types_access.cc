#include "kinds/types.h"

namespace strake::kinds {

// clang-format off
constinit const std::string_view kRbacTypes = R"(
package io.k8s.api.rbac.v1 group rbac.authorization.k8s.io version v1
struct PolicyRule | PolicyRule allows some verbs on some resources or paths. Who may use it is said elsewhere.
  verbs []string atomic | The verbs that are allowed; '*' is all of them.
  apiGroups? []string atomic | The API groups of the resources; "" is the core group, '*' is all of them.
  resources? []string atomic | The resources, or resource/subresource; '*' is all of them.
  resourceNames? []string atomic | Names of single objects. None means every object.
  nonResourceURLs? []string atomic | Paths that are no resources. '*' may stand at the end. Only cluster roles have them.
struct Subject atomic | Subject is someone whom a role is given to.
  kind string | User, Group or ServiceAccount.
  apiGroup? string | The group of the subject: "" for service accounts, rbac.authorization.k8s.io for the others.
  name string | The name of the subject.
  namespace? string | The namespace of a service account; empty for the others.
struct RoleRef atomic | RoleRef points to the role that is given.
  apiGroup string optional | The group of the role.
  kind string | Role or ClusterRole.
  name string | The name of the role.
kind Role | Role is a set of rules for one namespace.
  rules []PolicyRule optional atomic | The rules.
kind RoleBinding | RoleBinding gives a role, or a cluster role, to subjects within one namespace.
  subjects? []Subject atomic | Whom the role is given to.
  roleRef RoleRef | The role. It cannot be changed.
kind ClusterRole | ClusterRole is a set of rules for the whole cluster, or to be given in any namespace.
  rules []PolicyRule optional atomic | The rules.
  aggregationRule? *AggregationRule | When set, the rules are gathered from other cluster roles, and kept so.
struct AggregationRule | AggregationRule says which cluster roles another is gathered from.
  clusterRoleSelectors? []meta.LabelSelector atomic | Picks cluster roles; one that any of these picks takes part.
kind ClusterRoleBinding | ClusterRoleBinding gives a cluster role to subjects in the whole cluster.
  subjects? []Subject atomic | Whom the role is given to.
  roleRef RoleRef | The cluster role. It cannot be changed.
)";

constinit const std::string_view kAuthenticationTypes = R"(
package io.k8s.api.authentication.v1 group authentication.k8s.io version v1
list ExtraValue []string
review TokenReview | TokenReview asks who a token belongs to.
  spec TokenReviewSpec | The token.
  status? TokenReviewStatus | Whose it is. Set by the server.
struct TokenReviewSpec | TokenReviewSpec is the token that is asked about.
  token? string required | The token itself.
  audiences? []string atomic | Whom the token should be meant for. The server itself unless given.
struct TokenReviewStatus | TokenReviewStatus says whose a token is.
  authenticated? bool | Whether the token is anyone's.
  user? UserInfo | Whose it is.
  audiences? []string atomic | Those of the asked audiences that the token is meant for.
  error? string | Why the token could not be judged.
struct UserInfo | UserInfo says who someone is.
  username? string | The name.
  uid? string | Tells this user from others of the same name at other times.
  groups? []string atomic | The groups that the user belongs to.
  extra? map[string]ExtraValue | What else is known.
review TokenRequest | TokenRequest asks for a token of a service account.
  spec TokenRequestSpec optional | What the token should be like.
  status? TokenRequestStatus | The token. Set by the server.
struct TokenRequestSpec | TokenRequestSpec says what a token should be like.
  audiences []string optional atomic | Whom the token is meant for.
  expirationSeconds *int64 optional | For how long it is wanted. The server may give another time.
  boundObjectRef *BoundObjectReference optional | An object without which the token is worth nothing.
struct TokenRequestStatus | TokenRequestStatus is the token that was asked for.
  token string optional | The token itself.
  expirationTimestamp time optional | When it ends.
struct BoundObjectReference | BoundObjectReference points to an object that a token is bound to.
  kind? string | Pod, Secret or Node.
  apiVersion? string | The group and version of the object.
  name? string | The name of the object.
  uid? uid | The uid of the object.
review SelfSubjectReview | SelfSubjectReview asks who the caller is.
  status? SelfSubjectReviewStatus | Who it is. Set by the server.
struct SelfSubjectReviewStatus | SelfSubjectReviewStatus says who the caller is.
  userInfo? UserInfo | What is known of the caller.
)";

constinit const std::string_view kAuthorizationTypes = R"(
package io.k8s.api.authorization.v1 group authorization.k8s.io version v1
list ExtraValue []string
review SubjectAccessReview | SubjectAccessReview asks whether someone may do something.
  spec SubjectAccessReviewSpec | Who and what.
  status? SubjectAccessReviewStatus | The answer. Set by the server.
review SelfSubjectAccessReview | SelfSubjectAccessReview asks whether the caller may do something.
  spec SelfSubjectAccessReviewSpec | What.
  status? SubjectAccessReviewStatus | The answer. Set by the server.
review LocalSubjectAccessReview | LocalSubjectAccessReview asks whether someone may do something in one namespace.
  spec SubjectAccessReviewSpec | Who and what. The namespace must be the one of the request.
  status? SubjectAccessReviewStatus | The answer. Set by the server.
review SelfSubjectRulesReview | SelfSubjectRulesReview asks what the caller may do in a namespace.
  spec SelfSubjectRulesReviewSpec | The namespace.
  status? SubjectRulesReviewStatus | The answer. Set by the server.
struct SubjectAccessReviewSpec | SubjectAccessReviewSpec says who would do what. Just one of the two kinds of attributes is given.
  resourceAttributes? *ResourceAttributes | What would be done with a resource.
  nonResourceAttributes? *NonResourceAttributes | What would be done with a path that is no resource.
  user? string | The name of the user.
  groups? []string atomic | The groups of the user.
  extra? map[string]ExtraValue | What else is known of the user.
  uid? string | The uid of the user.
struct SelfSubjectAccessReviewSpec | SelfSubjectAccessReviewSpec says what the caller would do. Just one of the two is given.
  resourceAttributes? *ResourceAttributes | What would be done with a resource.
  nonResourceAttributes? *NonResourceAttributes | What would be done with a path that is no resource.
struct SelfSubjectRulesReviewSpec | SelfSubjectRulesReviewSpec says in which namespace.
  namespace? string | The namespace.
struct ResourceAttributes | ResourceAttributes say what would be done with a resource.
  namespace? string | The namespace. Empty is the whole cluster, or no namespace at all.
  verb? string | The verb, such as get; '*' is all of them.
  group? string | The API group; '*' is all of them.
  version? string | The API version; '*' is all of them.
  resource? string | The resource; '*' is all of them.
  subresource? string | The subresource, or none.
  name? string | The name of the object. Empty is all of them.
  fieldSelector? *FieldSelectorAttributes | Limits what is asked for by fields.
  labelSelector? *LabelSelectorAttributes | Limits what is asked for by labels.
struct FieldSelectorAttributes | FieldSelectorAttributes limit a request by fields. Just one of the two is given.
  rawSelector? string | The selector as it stands in a query.
  requirements? []meta.FieldSelectorRequirement atomic | The selector in parts, all of which must hold.
struct LabelSelectorAttributes | LabelSelectorAttributes limit a request by labels. Just one of the two is given.
  rawSelector? string | The selector as it stands in a query.
  requirements? []meta.LabelSelectorRequirement atomic | The selector in parts, all of which must hold.
struct NonResourceAttributes | NonResourceAttributes say what would be done with a path.
  path? string | The path.
  verb? string | The verb.
struct SubjectAccessReviewStatus | SubjectAccessReviewStatus says whether it would be allowed.
  allowed bool | Whether it would.
  denied? bool | Whether it would be denied by someone. Neither means that no one has an opinion.
  reason? string | Why.
  evaluationError? string | What went wrong while judging. The answer may still be right.
struct SubjectRulesReviewStatus | SubjectRulesReviewStatus says what the caller may do. Order means nothing, and there may be repetitions.
  resourceRules []ResourceRule atomic | What may be done with resources.
  nonResourceRules []NonResourceRule atomic | What may be done with paths that are no resources.
  incomplete bool | Whether there may be more than is listed.
  evaluationError? string | What went wrong while gathering.
struct ResourceRule | ResourceRule allows some verbs on some resources.
  verbs []string atomic | The verbs; '*' is all of them.
  apiGroups? []string atomic | The API groups; '*' is all of them.
  resources? []string atomic | The resources; '*' is all of them.
  resourceNames? []string atomic | Names of single objects. None means every object.
struct NonResourceRule | NonResourceRule allows some verbs on some paths.
  verbs []string atomic | The verbs; '*' is all of them.
  nonResourceURLs? []string atomic | The paths. '*' may stand at the end.
)";
// clang-format on

}  // namespace strake::kinds
