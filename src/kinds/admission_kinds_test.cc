// Webhook configurations and validating admission policies.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinds/test_requests.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using ::testing::ElementsAre;
using testing::row;
using testing::update;
using testing::update_status;

constexpr std::string_view kGroup = "admissionregistration.k8s.io";
constexpr std::string_view kNow = "2024-01-02T00:00:00Z";

std::string configuration(std::string_view hook) {
  return fmt::format(R"({{"metadata":{{"name":"c"}},"webhooks":[{}]}})", hook);
}

// A hook that is good but for the given member.
std::string hook_with(std::string_view member) {
  return configuration(fmt::format(
      R"({{"name":"a.b.c","clientConfig":{{"url":"https://h/p"}},"sideEffects":"None","admissionReviewVersions":["v1"],{}}})",
      member));
}

TEST(WebhookConfiguration, FillsInWhatIsUsual) {
  constexpr std::string_view kHook =
      R"({"name":"a.b.c","clientConfig":{"service":{"namespace":"n","name":"s"}},"sideEffects":"None","admissionReviewVersions":["v1"],"rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*"]}]})";
  EXPECT_EQ(
      create(builtin(kGroup, "validatingwebhookconfigurations"), configuration(kHook)),
      R"({"metadata":{"name":"c"},"webhooks":[{"admissionReviewVersions":["v1"],"clientConfig":{"service":{"name":"s","namespace":"n","port":443}},"failurePolicy":"Fail","matchPolicy":"Equivalent","name":"a.b.c","namespaceSelector":{},"objectSelector":{},"rules":[{"apiGroups":["*"],"apiVersions":["*"],"operations":["*"],"resources":["*"],"scope":"*"}],"sideEffects":"None","timeoutSeconds":10}]})");
  EXPECT_THAT(create(builtin(kGroup, "mutatingwebhookconfigurations"), configuration(kHook)),
              ::testing::HasSubstr(R"("reinvocationPolicy":"Never")"));
}

TEST(WebhookConfiguration, IsJudgedPartByPart) {
  const Resource& hooks = builtin(kGroup, "mutatingwebhookconfigurations");
  struct Case {
    std::string_view member;
    std::string_view want;
  };
  for (
      const Case& one : {
          Case{
              R"("failurePolicy":"X")",
              R"(422: webhooks[0].failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore")"},
          Case{
              R"("matchPolicy":"X")",
              R"(422: webhooks[0].matchPolicy: Unsupported value: "X": supported values: "Equivalent", "Exact")"},
          Case{
              R"("reinvocationPolicy":"X")",
              R"(422: webhooks[0].reinvocationPolicy: Unsupported value: "X": supported values: "IfNeeded", "Never")"},
          Case{R"("timeoutSeconds":0)",
               "422: webhooks[0].timeoutSeconds: Invalid value: 0: the timeout value must be "
               "between 1 and 30 seconds"},
          Case{
              R"("rules":[{"operations":["*","CREATE"],"apiGroups":["*","a"],"apiVersions":["","*"],"resources":["*","a"],"scope":"X"}])",
              R"(422: webhooks[0].rules[0].apiGroups: Invalid value: ["*","a"]: if '*' is present, must not specify other API groups; webhooks[0].rules[0].apiVersions: Invalid value: ["","*"]: if '*' is present, must not specify other API versions; webhooks[0].rules[0].apiVersions[0]: Required value; webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations; webhooks[0].rules[0].resources: Invalid value: ["*","a"]: if '*' is present, must not specify other resources without subresources; webhooks[0].rules[0].scope: Unsupported value: "X": supported values: "*", "Cluster", "Namespaced")"},
          Case{
              R"("rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["a/*","a/b","*/c","d/c","*/*",""]}])",
              R"(422: webhooks[0].rules[0].resources: Invalid value: ["a/*","a/b","*/c","d/c","*/*",""]: if '*/*' is present, must not specify other resources; webhooks[0].rules[0].resources[1]: Invalid value: "a/b": if 'a/*' is present, must not specify a/b; webhooks[0].rules[0].resources[3]: Invalid value: "d/c": if '*/c' is present, must not specify d/c; webhooks[0].rules[0].resources[5]: Required value)"},
          Case{
              R"("objectSelector":{"matchExpressions":[{"key":"a","operator":"Exists","values":["x"]}]})",
              "422: webhooks[0].objectSelector.matchExpressions[0].values: Forbidden: may not be "
              "specified when `operator` is 'Exists' or 'DoesNotExist'"},
          Case{
              R"("matchConditions":[{"name":"x","expression":" "},{"name":"x","expression":"true"},{"expression":"true"}])",
              R"(422: webhooks[0].matchConditions[0].expression: Required value; webhooks[0].matchConditions[1].name: Duplicate value: "x"; webhooks[0].matchConditions[2].name: Required value)"},
      }) {
    EXPECT_EQ(create(hooks, hook_with(one.member)), one.want) << one.member;
  }
}

TEST(WebhookConfiguration, MustSayWhoAndWhere) {
  const Resource& hooks = builtin(kGroup, "validatingwebhookconfigurations");
  EXPECT_EQ(
      create(hooks, configuration(R"({"clientConfig":{}})")),
      "422: webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1; "
      "webhooks[0].clientConfig: Required value: exactly one of url or service is required; "
      "webhooks[0].name: Required value; webhooks[0].sideEffects: Required value: must specify one "
      "of None, NoneOnDryRun");
  EXPECT_EQ(
      create(
          hooks,
          R"({"metadata":{"name":"c"},"webhooks":[{"name":"a.b.c","clientConfig":{"service":{"name":"s","namespace":"","path":"x"}},"sideEffects":"None","admissionReviewVersions":["v1","v1","V"]},{"name":"a.b.c","clientConfig":{"url":"https://u@h/?q#f"},"sideEffects":"None","admissionReviewVersions":["v1"]}]})"),
      R"(422: webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version; webhooks[0].admissionReviewVersions[2]: Invalid value: "V": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?'); webhooks[0].clientConfig.service.name: Required value; webhooks[0].clientConfig.service.path: Invalid value: "x": must start with a '/'; webhooks[0].clientConfig.service.path: Invalid value: "x": segment[0] may not be empty; webhooks[1].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL; webhooks[1].clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL; webhooks[1].clientConfig.url: Invalid value: "u": user information is not permitted in the URL; webhooks[1].name: Duplicate value: "a.b.c")");
}

TEST(WebhookConfiguration, MayKeepWhatWasWrongBefore) {
  const Resource& hooks = builtin(kGroup, "validatingwebhookconfigurations");
  const std::string stored = configuration(
      R"({"name":"a.b.c","clientConfig":{"url":"https://h"},"sideEffects":"Some","admissionReviewVersions":["v9"],"matchConditions":[{"name":"","expression":""}]})");
  EXPECT_TRUE(update(hooks, stored, stored).starts_with("{")) << update(hooks, stored, stored);
  EXPECT_EQ(
      update(hooks, hook_with(R"("timeoutSeconds":1)"), stored),
      R"(422: webhooks[0].admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1; webhooks[0].matchConditions[0].expression: Required value; webhooks[0].matchConditions[0].name: Required value; webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun")");
}

TEST(WebhookConfiguration, WarnsOfReservedNames) {
  const auto document = value::read_json(R"({"metadata":{"name":"a.static.k8s.io"}})");
  EXPECT_THAT(builtin(kGroup, "validatingwebhookconfigurations")
                  .strategy->warnings(document->root(), nullptr),
              ElementsAre("metadata.name: names ending with \".static.k8s.io\" are reserved for "
                          "static manifest-based configurations and cannot be managed via the "
                          "API"));
}

TEST(WebhookConfiguration, ShowsHowManyWebhooksItHas) {
  EXPECT_EQ(row(builtin(kGroup, "validatingwebhookconfigurations"),
                R"({"metadata":{"name":"c"},"webhooks":[{},{}]})", kNow),
            R"(["c",2,"\u003cunknown\u003e"])");
}

constexpr std::string_view kRules =
    R"("matchConstraints":{"resourceRules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*"]}]})";

std::string policy(std::string_view spec) {
  return fmt::format(R"({{"metadata":{{"name":"p"}},"spec":{{{},{}}}}})", kRules, spec);
}

TEST(AdmissionPolicy, FillsInWhatIsUsual) {
  EXPECT_EQ(
      create(builtin(kGroup, "validatingadmissionpolicies"),
             policy(R"("validations":[{"expression":"true"}])")),
      R"({"metadata":{"name":"p"},"spec":{"failurePolicy":"Fail","matchConstraints":{"matchPolicy":"Equivalent","namespaceSelector":{},"objectSelector":{},"resourceRules":[{"apiGroups":["*"],"apiVersions":["*"],"operations":["*"],"resources":["*"],"scope":"*"}]},"validations":[{"expression":"true"}]},"status":{}})");
}

TEST(AdmissionPolicy, IsJudgedPartByPart) {
  const Resource& policies = builtin(kGroup, "validatingadmissionpolicies");
  struct Case {
    std::string_view spec;
    std::string_view want;
  };
  for (
      const Case& one : {
          Case{
              R"("validations":[{"expression":" ","message":" ","messageExpression":" ","reason":"X"},{"expression":"true","message":"a\nb"}])",
              R"(422: spec.validations[0].expression: Required value: expression is not specified; spec.validations[0].message: Invalid value: " ": must be non-empty if specified; spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified; spec.validations[0].reason: Unsupported value: "X": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"; spec.validations[1].message: Invalid value: "a\nb": must not contain line breaks)"},
          Case{
              R"("validations":[{"expression":"true"}],"variables":[{"name":"for","expression":"1"},{"name":"","expression":""}])",
              R"(422: spec.variables[0].name: Invalid value: "for": must be a valid CEL identifier; spec.variables[1].expression: Required value: expression is not specified; spec.variables[1].name: Required value: name is not specified)"},
          Case{
              R"("validations":[{"expression":"true"}],"paramKind":{"apiVersion":"a/b/c","kind":"K_"})",
              R"(422: spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c; spec.paramKind.kind: Invalid value: "K_": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?'))"},
          Case{
              R"("auditAnnotations":[{"key":"k","valueExpression":"'x'"},{"key":"k","valueExpression":""}])",
              R"(422: spec.auditAnnotations[1].key: Duplicate value: "k"; spec.auditAnnotations[1].valueExpression: Required value: valueExpression is not specified)"},
          Case{
              R"("failurePolicy":"X","validations":[])",
              R"(422: spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item; spec.failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"; spec.validations: Required value: validations or auditAnnotations must contain at least one item)"},
      }) {
    EXPECT_EQ(create(policies, policy(one.spec)), one.want) << one.spec;
  }
  EXPECT_EQ(create(policies,
                   R"({"metadata":{"name":"p"},"spec":{"validations":[{"expression":"true"}]}})"),
            "422: spec.matchConstraints: Required value");
}

TEST(AdmissionPolicy, TakesOnlyItsStatusThroughStatus) {
  const Resource& policies = builtin(kGroup, "validatingadmissionpolicies");
  EXPECT_EQ(
      update_status(
          policies, "status", R"({"metadata":{"name":"p","labels":{"a":"b"}},"spec":{}})",
          R"({"metadata":{"name":"p"},"spec":{"failurePolicy":"Ignore"},"status":{"observedGeneration":1}})"),
      R"({"metadata":{"labels":{"a":"b"},"name":"p"},"spec":{"failurePolicy":"Fail"},"status":{"observedGeneration":1}})");
  EXPECT_EQ(
      update_status(
          policies, "status", R"({"metadata":{"name":"p"},"spec":{}})",
          R"({"metadata":{"name":"p"},"status":{"typeChecking":{"expressionWarnings":[{}]},"conditions":[{"type":"A","status":"Odd","reason":"1"},{"type":"A","status":"True","reason":"R","lastTransitionTime":"2024-01-01T00:00:00Z"}]}})"),
      R"(422: status.conditions[0].lastTransitionTime: Required value; status.conditions[0].reason: Invalid value: "1": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'); status.conditions[0].status: Unsupported value: "Odd": supported values: "False", "True", "Unknown"; status.conditions[1].type: Duplicate value: "A"; status.typeChecking.expressionWarnings[0].fieldRef: Required value; status.typeChecking.expressionWarnings[0].warning: Required value)");
}

TEST(AdmissionPolicyBinding, PutsAPolicyIntoForce) {
  const Resource& bindings = builtin(kGroup, "validatingadmissionpolicybindings");
  struct Case {
    std::string_view spec;
    std::string_view want;
  };
  for (
      const Case& one : {
          Case{
              R"({"policyName":"p","validationActions":["Deny","Audit"]})",
              R"({"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Deny","Audit"]}})"},
          Case{
              R"({"validationActions":["Deny","Deny","X"]})",
              R"(422: spec.policyName: Required value; spec.validationActions[1]: Duplicate value: "Deny"; spec.validationActions[2]: Unsupported value: "X": supported values: "Audit", "Deny", "Warn")"},
          Case{
              R"({"policyName":"p","validationActions":["Warn","Deny"]})",
              R"(422: spec.validationActions: Invalid value: ["Warn","Deny"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose))"},
          Case{
              R"({"policyName":"p","validationActions":["Deny"],"paramRef":{"name":"x","selector":{}}})",
              "422: spec.paramRef.name: Forbidden: name and selector are mutually exclusive; "
              "spec.paramRef.parameterNotFoundAction: Required value; spec.paramRef.selector: "
              "Forbidden: name and selector are mutually exclusive"},
          Case{
              R"({"policyName":"p","validationActions":["Deny"],"paramRef":{"parameterNotFoundAction":"X"}})",
              R"(422: spec.paramRef.parameterNotFoundAction: Unsupported value: "X": supported values: "Deny", "Allow"; spec.paramRef: Required value: one of name or selector must be specified)"},
          Case{
              R"({"policyName":"p","validationActions":["Deny"],"matchResources":{"resourceRules":[{"resourceNames":["a","a","b/c"],"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":["*"]}]}})",
              R"(422: spec.matchResources.resourceRules[0].resourceNames[1]: Duplicate value: "a"; spec.matchResources.resourceRules[0].resourceNames[2]: Invalid value: "b/c": may not contain '/')"},
      }) {
    EXPECT_EQ(create(bindings, fmt::format(R"({{"metadata":{{"name":"b"}},"spec":{}}})", one.spec)),
              one.want)
        << one.spec;
  }
}

TEST(AdmissionPolicyBinding, ShowsItsPolicyAndParameters) {
  const Resource& bindings = builtin(kGroup, "validatingadmissionpolicybindings");
  const auto cells = [&](std::string_view ref) {
    return row(
        bindings,
        fmt::format(
            R"({{"metadata":{{"name":"b","creationTimestamp":"2024-01-02T00:00:00Z"}},"spec":{{"policyName":"p"{}}}}})",
            ref),
        kNow);
  };
  EXPECT_EQ(cells(""), R"(["b","p","\u003cunset\u003e","0s"])");
  EXPECT_EQ(cells(R"(,"paramRef":{"name":"x"})"), R"(["b","p","*/x","0s"])");
  EXPECT_EQ(cells(R"(,"paramRef":{"name":"x","namespace":"n"})"), R"(["b","p","n/x","0s"])");
  EXPECT_EQ(
      cells(R"(,"paramRef":{"selector":{"matchLabels":{"a":"b"}}})"),
      R"(["b","p","\u0026LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}","0s"])");
}

}  // namespace
}  // namespace strake::kinds
