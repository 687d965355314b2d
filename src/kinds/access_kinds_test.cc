// Roles and bindings, access and token reviews, and API services.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinds/builtins.h"
#include "kinds/test_requests.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using testing::row;
using testing::update;
using testing::update_status;

constexpr std::string_view kNow = "2024-01-02T00:00:00Z";
constexpr std::string_view kRbac = "rbac.authorization.k8s.io";
constexpr std::string_view kAuthorization = "authorization.k8s.io";

struct Case {
  std::string_view json;
  std::string_view want;
};

void expect_creates(const Resource& resource, std::initializer_list<Case> cases) {
  for (const Case& one : cases) EXPECT_EQ(create(resource, one.json), one.want) << one.json;
}

TEST(Role, AllowsVerbsOnResources) {
  expect_creates(
      builtin(kRbac, "roles"),
      {{R"({"metadata":{"name":"r:x"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]})",
        R"({"metadata":{"name":"r:x","namespace":"ns"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]})"},
       {R"({"metadata":{"name":"r"}})",
        R"({"metadata":{"name":"r","namespace":"ns"},"rules":null})"},
       {R"({"metadata":{"name":"r"},"rules":[{}]})",
        "422: rules[0].apiGroups: Required value: resource rules must supply at least one api "
        "group; rules[0].resources: Required value: resource rules must supply at least one "
        "resource; rules[0].verbs: Required value: verbs must contain at least one value"},
       {R"({"metadata":{"name":"r"},"rules":[{"nonResourceURLs":["/x"],"resources":["y"],"verbs":["get"]}]})",
        R"(422: rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs; rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs)"},
       {R"({"metadata":{"name":"a/b"},"rules":[]})",
        R"(422: metadata.name: Invalid value: "a/b": may not contain '/')"},
       {R"({"metadata":{"name":"r"},"rules":[{"verbs":"get"}]})",
        "400: json: cannot unmarshal string into Go struct field PolicyRule.rules.verbs of type "
        "[]string"}});
}

TEST(ClusterRole, MayGatherItsRules) {
  expect_creates(
      builtin(kRbac, "clusterroles"),
      {{R"({"metadata":{"name":"c"},"rules":[],"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"a":"b"}}]}})",
        R"({"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"a":"b"}}]},"metadata":{"name":"c"},"rules":[]})"},
       {R"({"metadata":{"name":"c"},"aggregationRule":{}})",
        "422: aggregationRule.clusterRoleSelectors: Required value: at least one "
        "clusterRoleSelector required if aggregationRule is non-nil"},
       {R"({"metadata":{"name":"c"},"aggregationRule":{"clusterRoleSelectors":[{"matchExpressions":[{"key":"a","operator":"Is","values":["b"]}]}]}})",
        R"(422: aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator; aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.)"}});
}

TEST(RoleBinding, KnowsWhomItIsFor) {
  expect_creates(
      builtin(kRbac, "rolebindings"),
      {{R"({"metadata":{"name":"b"},"roleRef":{"kind":"Role","name":"r"},"subjects":[{"kind":"User","name":"u"},{"kind":"ServiceAccount","name":"s"}]})",
        R"({"metadata":{"name":"b","namespace":"ns"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r"},"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"u"},{"kind":"ServiceAccount","name":"s"}]})"},
       {R"({"metadata":{"name":"b"},"roleRef":{"kind":"Pod"},"subjects":[{"kind":"Group","apiGroup":"x","name":"g"},{"kind":"ServiceAccount","apiGroup":"y","name":"A"}]})",
        R"(422: roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"; roleRef.name: Required value; subjects[0].apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"; subjects[1].apiGroup: Unsupported value: "y": supported values: ""; subjects[1].name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))"}});
}

TEST(RoleBinding, KeepsItsRole) {
  EXPECT_EQ(
      update(builtin(kRbac, "rolebindings"),
             R"({"metadata":{"name":"b"},"roleRef":{"kind":"Role","name":"r"}})",
             R"({"metadata":{"name":"b"},"roleRef":{"kind":"Role","name":"other"}})"),
      R"(422: roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: cannot change roleRef)");
}

TEST(RoleBinding, ShowsTheRoleAndItsSubjects) {
  EXPECT_EQ(
      row(builtin(kRbac, "clusterrolebindings"),
          R"({"metadata":{"name":"b","creationTimestamp":"2024-01-01T23:00:00Z"},"roleRef":{"kind":"ClusterRole","name":"r"},"subjects":[{"kind":"User","name":"u"},{"kind":"User","name":"v"},{"kind":"ServiceAccount","namespace":"n","name":"s"}]})",
          kNow),
      R"(["b","ClusterRole/r","60m","u, v","","n/s"])");
  EXPECT_EQ(builtin(kRbac, "clusterrolebindings").strategy->columns()[3].description,
            "Users in the clusterRoleBinding");
  EXPECT_TRUE(builtin(kRbac, "clusterroles").strategy->columns().empty());
}

TEST(Reviews, SayWhatTheyAsk) {
  const auto review = [](std::string_view group, std::string_view plural) {
    return builtin(group, plural).review;
  };
  EXPECT_EQ(review("authentication.k8s.io", "selfsubjectreviews"), Review::kSelf);
  EXPECT_EQ(review("authentication.k8s.io", "tokenreviews"), Review::kToken);
  EXPECT_EQ(review(kAuthorization, "selfsubjectaccessreviews"), Review::kOwnAccess);
  EXPECT_EQ(review(kAuthorization, "selfsubjectrulesreviews"), Review::kOwnRules);
  EXPECT_EQ(review(kAuthorization, "subjectaccessreviews"), Review::kAccess);
  EXPECT_EQ(review(kAuthorization, "localsubjectaccessreviews"), Review::kAccess);
  EXPECT_TRUE(builtin("", "configmaps").stored());
}

TEST(Namespaces, AreWhatOthersLiveIn) {
  EXPECT_EQ(namespace_resource().plural, "namespaces");
  EXPECT_EQ(namespace_resource().storage_prefix, "/registry/namespaces/");
}

TEST(AccessReview, AsksAboutOneThing) {
  const Resource& reviews = builtin(kAuthorization, "subjectaccessreviews");
  EXPECT_FALSE(reviews.stored());
  EXPECT_EQ(reviews.verbs, std::vector<Verb>{Verb::kCreate});
  expect_creates(
      reviews,
      {{R"({"spec":{"user":"u","resourceAttributes":{"verb":"get"}}})",
        R"({"metadata":{},"spec":{"resourceAttributes":{"verb":"get"},"user":"u"},"status":{"allowed":false}})"},
       {R"({"spec":{}})",
        R"(422: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified; spec.user: Invalid value: "": at least one of user or group must be specified)"},
       {R"({"spec":{"groups":["g"],"resourceAttributes":{},"nonResourceAttributes":{"path":"/x"}}})",
        R"(422: spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: cannot be specified in combination with resourceAttributes)"},
       {R"({"metadata":{"name":"x","labels":{"a":"b"}},"spec":{"user":"u","resourceAttributes":{}}})",
        R"(422: metadata: Invalid value: {"name":"x","labels":{"a":"b"}}: must be empty)"},
       {R"({"spec":{"user":"u","resourceAttributes":{"labelSelector":{},"fieldSelector":{"rawSelector":"a=b","requirements":[{"operator":"In"}]}}}})",
        R"(422: spec.resourceAttributes.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements; spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified; spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'; spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required)"}});
}

TEST(AccessReview, OfTheCallerNeedsNoUser) {
  EXPECT_EQ(
      create(builtin(kAuthorization, "selfsubjectaccessreviews"),
             R"({"spec":{"nonResourceAttributes":{"path":"/x","verb":"get"}}})"),
      R"({"metadata":{},"spec":{"nonResourceAttributes":{"path":"/x","verb":"get"}},"status":{"allowed":false}})");
}

TEST(AccessReview, OfANamespaceStaysInIt) {
  expect_creates(
      builtin(kAuthorization, "localsubjectaccessreviews"),
      {{R"({"metadata":{"namespace":"ns"},"spec":{"user":"u","resourceAttributes":{"namespace":"other"}}})",
        R"(422: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace)"},
       {R"({"metadata":{"name":"x"},"spec":{"user":"u","nonResourceAttributes":{"path":"/"}}})",
        R"(422: metadata: Invalid value: {"name":"x","namespace":"ns"}: must be empty except for namespace; spec.nonResourceAttributes: Invalid value: {"Path":"/","Verb":""}: disallowed on this kind of request)"}});
}

TEST(TokenRequest, LastsAnHourUnlessSaid) {
  const BuiltinStrategy& strategy = token_request_strategy();
  const auto taken = [&](std::string_view json) {
    auto document = value::read_json(json);
    EXPECT_TRUE(meta::read_shape(document->root(), strategy.shape(), document->arena()));
    strategy.apply_defaults(document->root(), document->arena());
    const auto errors = strategy.validate_create(
        document->root(), {.resource = *builtin_resources().front(),
                           .version = builtin_resources().front()->versions.front()});
    return errors.empty() ? value::to_json(*document->root().find("spec"))
                          : value::aggregate(errors);
  };
  EXPECT_EQ(taken(R"({"spec":{"audiences":["a"]}})"),
            R"({"audiences":["a"],"boundObjectRef":null,"expirationSeconds":3600})");
  EXPECT_EQ(taken(R"({"spec":{"expirationSeconds":1}})"),
            "spec.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 "
            "minutes");
  EXPECT_EQ(taken(R"({"spec":{"expirationSeconds":5000000000}})"),
            "spec.expirationSeconds: Invalid value: 5000000000: may not specify a duration larger "
            "than 2^32 seconds");
}

constexpr std::string_view kApiRegistration = "apiregistration.k8s.io";

TEST(ApiService, IsNamedAfterWhatItServes) {
  expect_creates(
      builtin(kApiRegistration, "apiservices"),
      {{R"({"metadata":{"name":"v1.a.com"},"spec":{"group":"a.com","version":"v1","groupPriorityMinimum":1,"versionPriority":1,"service":{"namespace":"n","name":"s"}},"status":{"conditions":[]}})",
        R"({"metadata":{"name":"v1.a.com"},"spec":{"group":"a.com","groupPriorityMinimum":1,"service":{"name":"s","namespace":"n","port":443},"version":"v1","versionPriority":1},"status":{}})"},
       {R"({"metadata":{"name":"wrong"},"spec":{"group":"a.com","version":"v1","groupPriorityMinimum":20001,"versionPriority":1001}})",
        R"(422: metadata.name: Invalid value: "wrong": must be `spec.version+"."+spec.group`: "v1.a.com"; spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000; spec.versionPriority: Invalid value: 1001: must be positive and less than 1000)"},
       {R"({"metadata":{"name":"v2."},"spec":{"version":"v2","groupPriorityMinimum":1,"versionPriority":1,"caBundle":"Zm9v","insecureSkipTLSVerify":true}})",
        R"(422: spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle; spec.group: Required value: only v1 may have an empty group and it better be legacy kube; spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify)"},
       {R"({"metadata":{"name":"v1.a.com"},"spec":{"group":"a.com","version":"v1","groupPriorityMinimum":1,"versionPriority":1,"service":{"port":70000}}})",
        "422: spec.service.name: Required value; spec.service.namespace: Required value; "
        "spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, "
        "inclusive"}});
}

TEST(ApiService, IsAvailableAtOnceWhenLocal) {
  EXPECT_EQ(
      create(
          builtin(kApiRegistration, "apiservices"),
          R"({"metadata":{"name":"v1.a.com","creationTimestamp":"2024-01-01T00:00:00Z"},"spec":{"group":"a.com","version":"v1","groupPriorityMinimum":1,"versionPriority":1}})"),
      R"({"metadata":{"creationTimestamp":"2024-01-01T00:00:00Z","name":"v1.a.com"},"spec":{"group":"a.com","groupPriorityMinimum":1,"version":"v1","versionPriority":1},"status":{"conditions":[{"lastTransitionTime":"2024-01-01T00:00:00Z","message":"Local APIServices are always available","reason":"Local","status":"True","type":"Available"}]}})");
}

TEST(ApiService, TakesOnlyItsStatusThroughStatus) {
  const Resource& services = builtin(kApiRegistration, "apiservices");
  constexpr std::string_view kStored =
      R"({"metadata":{"name":"v1.a.com","labels":{"a":"b"}},"spec":{"group":"a.com","version":"v1","groupPriorityMinimum":1,"versionPriority":1}})";
  EXPECT_EQ(
      update_status(
          services, "status", kStored,
          R"({"metadata":{"name":"v1.a.com"},"spec":{},"status":{"conditions":[{"type":"Available","status":"True"}]}})"),
      R"({"metadata":{"labels":{"a":"b"},"name":"v1.a.com"},"spec":{"group":"a.com","groupPriorityMinimum":1,"version":"v1","versionPriority":1},"status":{"conditions":[{"lastTransitionTime":null,"status":"True","type":"Available"}]}})");
  EXPECT_EQ(
      update_status(
          services, "status", kStored,
          R"({"metadata":{"name":"v1.a.com"},"status":{"conditions":[{"type":"Available","status":"Maybe"}]}})"),
      R"(422: status.conditions[0].status: Unsupported value: "Maybe": supported values: "True", "False", "Unknown")");
}

TEST(ApiService, ShowsItsServiceAndWhetherItAnswers) {
  const Resource& services = builtin(kApiRegistration, "apiservices");
  EXPECT_EQ(row(services, R"({"metadata":{"name":"v1.a.com"},"spec":{}})", kNow),
            R"(["v1.a.com","Local","Unknown","\u003cunknown\u003e"])");
  EXPECT_EQ(
      row(services,
          R"({"metadata":{"name":"a","creationTimestamp":"2024-01-02T00:00:00Z"},"spec":{"service":{"namespace":"n","name":"s"}},"status":{"conditions":[{"type":"Available","status":"False","reason":"ServiceNotFound"}]}})",
          kNow),
      R"json(["a","n/s","False (ServiceNotFound)","0s"])json");
}

}  // namespace
}  // namespace strake::kinds
