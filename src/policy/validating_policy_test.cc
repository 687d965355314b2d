#include "policy/validating_policy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/check_expressions.h"
#include "value/yaml_reader.h"

namespace strake::policy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Asked {
  std::string policy;  // its spec
  std::string object = "{}";
  std::string params = {};
};

// What was denied and why, and the annotations.
std::vector<std::string> judge(const Asked& asked) {
  const value::Document policy = value::read_yaml("spec: " + asked.policy).value();
  const value::Document object = value::read_yaml(asked.object).value();
  const value::Document request =
      value::read_yaml("{operation: CREATE, userInfo: {username: ann}}").value();
  value::Document params;
  if (!asked.params.empty()) params = value::read_yaml(asked.params).value();
  const ValidatingPolicy compiled(policy.root());
  Arena arena;
  const Judgement judgement = compiled.judge(
      {.object = &object.root(), .request = &request.root(), .params = &params.root()}, arena);
  std::vector<std::string> out;
  for (const Decision& one : judgement.decisions) {
    if (one.denied) out.push_back(one.reason + ": " + one.message);
  }
  for (const Annotation& one : judgement.annotations) out.push_back(one.key + "=" + one.value);
  for (const std::string& one : judgement.failed_annotations) out.push_back("annotation: " + one);
  return out;
}

std::vector<std::string> faults(std::string_view spec) {
  const value::Document document = value::read_yaml(spec).value();
  value::FieldErrors errors;
  check_validating_expressions({.spec = document.root()}, FieldPath() / "spec", errors);
  std::vector<std::string> out;
  for (const value::FieldError& one : errors) out.push_back(one.to_string());
  return out;
}

TEST(ValidatingPolicy, SaysWhyItDenies) {
  EXPECT_THAT(judge({"{validations: [{expression: 'object.a > 1'}]}", "{a: 1}"}),
              ElementsAre("Invalid: failed expression: object.a > 1"));
  EXPECT_THAT(judge({"{validations: [{expression: 'object.a > 1', message: ' small ', "
                     "reason: Forbidden}]}",
                     "{a: 1}"}),
              ElementsAre("Forbidden: small"));
  EXPECT_THAT(judge({"{validations: [{expression: 'object.a > 1', message: nay, messageExpression: "
                     "'request.userInfo.username + string(object.a)'}]}",
                     "{a: 1}"}),
              ElementsAre("Invalid: ann1"));
  EXPECT_THAT(judge({"{validations: [{expression: 'object.a > 1'}]}", "{a: 2}"}), IsEmpty());
}

TEST(ValidatingPolicy, FallsBackToTheMessageWhenItsExpressionGivesNone) {
  for (const std::string_view expression : {"object.b", "' '", "'a\\\\nb'"}) {
    EXPECT_THAT(judge({fmt::format("{{validations: [{{expression: 'false', message: nay, "
                                   "messageExpression: \"'' + string({})\"}}]}}",
                                   expression)}),
                ElementsAre("Invalid: nay"))
        << expression;
  }
}

TEST(ValidatingPolicy, DeniesWhatItCannotEvaluateUnlessItIsToBeIgnored) {
  EXPECT_THAT(judge({"{validations: [{expression: 'object.b == 1'}]}"}),
              ElementsAre(": expression 'object.b == 1' resulted in error: no such key: b"));
  EXPECT_THAT(judge({"{failurePolicy: Ignore, validations: [{expression: 'object.b == 1'}, "
                     "{expression: 'false'}]}"}),
              ElementsAre("Invalid: failed expression: false"));
  EXPECT_THAT(judge({"{validations: [{expression: '1'}]}"}),
              ElementsAre(": compilation error: must evaluate to bool but got int"));
}

TEST(ValidatingPolicy, EvaluatesVariablesOnceAndOnlyWhenTheyAreNamed) {
  const std::string spec =
      "{variables: [{name: size, expression: 'has(object.a) ? object.a : 1'}, {name: twice, "
      "expression: 'variables.size * 2'}, {name: broken, expression: object.note}], validations: "
      "[{expression: variables.twice < 10, messageExpression: string(variables.twice)}, "
      "{expression: variables.size != 3 || variables.broken == 'x'}]}";
  EXPECT_THAT(judge({spec, "{a: 2}"}), IsEmpty());
  EXPECT_THAT(judge({spec, "{a: 7}"}), ElementsAre("Invalid: 14"));
  EXPECT_THAT(judge({spec, "{a: 3}"}),
              ElementsAre(": expression 'variables.size != 3 || variables.broken == 'x'' resulted "
                          "in error: composited variable \"broken\" fails to evaluate: no such "
                          "key: note"));
}

TEST(ValidatingPolicy, IsSkippedWhenAConditionIsFalse) {
  const std::string spec =
      "{matchConditions: [{name: a, expression: 'object.a == 1'}, {name: b, expression: 'object.b "
      "== 1'}], validations: [{expression: 'false'}]}";
  EXPECT_THAT(judge({spec, "{a: 2}"}), IsEmpty());
  EXPECT_THAT(judge({spec, "{a: 1, b: 1}"}), ElementsAre("Invalid: failed expression: false"));
  EXPECT_THAT(judge({spec, "{a: 1}"}),
              ElementsAre(": expression 'object.b == 1' resulted in error: no such key: b"));
  EXPECT_THAT(judge({spec, "{c: 1}"}),
              ElementsAre(": [expression 'object.a == 1' resulted in error: no such key: a, "
                          "expression 'object.b == 1' resulted in error: no such key: b]"));
}

TEST(ValidatingPolicy, StopsExpressionsAndPoliciesThatCostTooMuch) {
  // A search costs a tenth of one length times a tenth of the other.
  const auto texts = [](std::size_t count) {
    return fmt::format("{{long: {}, short: {}}}", std::string(count, 'a'),
                       std::string(count / 10, 'b'));
  };
  constexpr std::string_view kDear = "!object.long.contains(object.short)";
  EXPECT_THAT(judge({fmt::format("{{validations: [{{expression: '{}'}}]}}", kDear), texts(60'000)}),
              ElementsAre(fmt::format(": expression '{}' resulted in error: operation cancelled: "
                                      "actual cost limit exceeded",
                                      kDear)));
  std::string many = "{validations: [";
  for (int i = 0; i < 12; ++i) many += fmt::format("{{expression: '{}'}},", kDear);
  EXPECT_THAT(judge({many + "]}", texts(30'000)}),
              ElementsAre(": validation failed due to running out of cost budget, no further "
                          "validation rules will be run"));
}

TEST(ValidatingPolicy, PaysForAVariableOnceHoweverOftenItIsNamed) {
  // All of it together would cost more than there is.
  std::string spec =
      "{variables: [{name: found, expression: object.long.contains(object.short)}], validations: [";
  for (int i = 0; i < 12; ++i) spec += "{expression: '!variables.found'},";
  const std::string texts =
      fmt::format("{{long: {}, short: {}}}", std::string(30'000, 'a'), std::string(3'000, 'b'));
  EXPECT_THAT(judge({spec + "]}", texts}), IsEmpty());
}

TEST(ValidatingPolicy, AnnotatesTheAuditLog) {
  EXPECT_THAT(
      judge({"{auditAnnotations: [{key: a, valueExpression: \"'x' + object.text\"}, {key: b, "
             "valueExpression: 'null'}, {key: c, valueExpression: \"' '\"}]}",
             "{text: 'yes'}"}),
      ElementsAre("a=xyes"));
  EXPECT_THAT(
      judge({"{auditAnnotations: [{key: a, valueExpression: \"'x' + object.text\"}]}"}),
      ElementsAre(
          "annotation: expression ''x' + object.text' resulted in error: no such key: text"));
}

TEST(ValidatingPolicy, SeesItsParameters) {
  const std::string spec =
      "{paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression: 'params != null "
      "&& object.a < int(params.data.max)', messageExpression: \"'below ' + params.data.max\"}]}";
  EXPECT_THAT(judge({spec, "{a: 5}", "{data: {max: '5'}}"}), ElementsAre("Invalid: below 5"));
  EXPECT_THAT(judge({spec, "{a: 4}", "{data: {max: '5'}}"}), IsEmpty());
}

TEST(PolicyExpressions, AreRefusedInTheWordsOfTheServer) {
  EXPECT_THAT(faults("{validations: [{expression: '1'}]}"),
              ElementsAre("spec.validations[0].expression: Invalid value: \"1\": must evaluate to "
                          "bool but got int"));
  EXPECT_THAT(faults("{validations: [{expression: 'object.a'}]}"),
              ElementsAre("spec.validations[0].expression: Invalid value: \"object.a\": must "
                          "evaluate to bool but got dyn"));
  EXPECT_THAT(faults("{validations: [{expression: 'true', messageExpression: "
                     "authorizer.path('/x').check('get').reason()}]}"),
              ElementsAre("spec.validations[0].messageExpression: Invalid value: "
                          "\"authorizer.path('/x').check('get').reason()\": compilation failed: "
                          "ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container "
                          "'')\n | authorizer.path('/x').check('get').reason()\n | ^"));
  EXPECT_THAT(
      faults("{variables: [{name: a, expression: variables.b}, {name: b, expression: '1'}], "
             "validations: [{expression: 'variables.a == 1'}]}"),
      ElementsAre("spec.variables[0].expression: Invalid value: \"variables.b\": "
                  "compilation failed: ERROR: <input>:1:10: undefined field 'b'\n | "
                  "variables.b\n | .........^"));
  EXPECT_THAT(faults("{auditAnnotations: [{key: a, valueExpression: '1'}]}"),
              ElementsAre("spec.auditAnnotations[0].valueExpression: Invalid value: \"1\": must "
                          "evaluate to one of [string null_type] but got int"));
  EXPECT_THAT(faults("{validations: [{expression: params == null}]}"),
              ElementsAre(::testing::HasSubstr("undeclared reference to 'params'")));
  EXPECT_THAT(faults("{validations: [{expression: request.kind + 'a' == 'b'}]}"),
              ElementsAre(::testing::HasSubstr("found no matching overload for '_+_' applied to "
                                               "'(kubernetes.GroupVersionKind, string)'")));
}

}  // namespace
}  // namespace strake::policy
