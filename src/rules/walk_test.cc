#include "rules/walk.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/engine.h"
#include "schema/compile.h"
#include "value/yaml_reader.h"

namespace strake::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

schema::NodePtr schema_of(std::string_view yaml) {
  return schema::compile(value::read_yaml(yaml).value().root()).value();
}

struct Said {
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
};

// What the rules say to an object, which may replace another.
Said run(const schema::NodePtr& schema, std::string_view now, std::string_view old = {}) {
  const value::Document object = value::read_yaml(now).value();
  value::Document stored;
  if (!old.empty()) stored = value::read_yaml(old).value();
  const Engine engine;
  resource::RuleOutcome outcome =
      engine.run(object.root(), schema, old.empty() ? nullptr : &stored.root());
  Said said;
  for (const value::FieldError& e : outcome.errors) said.errors.push_back(e.to_string());
  said.warnings = std::move(outcome.warnings);
  return said;
}

// An object whose field `a` is of that schema and has that rule.
schema::NodePtr ruled(std::string_view field_schema, std::string_view rule) {
  return schema_of(
      fmt::format("{{type: object, properties: {{a: {{{}, x-kubernetes-validations: [{{{}}}]}}}}}}",
                  field_schema, rule));
}

TEST(Rules, ReportWhereAndWhatFailed) {
  const auto scalar = ruled("type: integer", "rule: self > 1, message: ' too small '");
  EXPECT_THAT(run(scalar, "a: 1").errors, ElementsAre("a: Invalid value: 1: too small"));
  EXPECT_THAT(run(scalar, "a: 2").errors, IsEmpty());
  const auto object = ruled("type: object, properties: {b: {type: integer}}", "rule: self.b > 1");
  EXPECT_THAT(run(object, "a: {b: 1}").errors,
              ElementsAre("a: Invalid value: failed rule: self.b > 1"));
  const auto root = schema_of(
      "{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: self.a > "
      "1}]}");
  EXPECT_THAT(run(root, "a: 1").errors,
              ElementsAre("<nil>: Invalid value: failed rule: self.a > 1"));
}

TEST(Rules, AreNotRunOnWhatIsAbsentOrNull) {
  const auto schema = ruled("type: integer, nullable: true", "rule: self > 1");
  EXPECT_THAT(run(schema, "a: null").errors, IsEmpty());
  EXPECT_THAT(run(schema, "{}").errors, IsEmpty());
}

TEST(Rules, GiveTheReasonTheyAreAskedFor) {
  auto said = [](std::string_view reason) {
    return run(ruled("type: integer",
                     fmt::format("rule: self > 1, message: m, reason: {}", reason)),
               "a: 1")
        .errors;
  };
  EXPECT_THAT(said("FieldValueForbidden"), ElementsAre("a: Forbidden: m"));
  EXPECT_THAT(said("FieldValueRequired"), ElementsAre("a: Required value: m"));
  EXPECT_THAT(said("FieldValueDuplicate"), ElementsAre("a: Duplicate value: 1"));
}

TEST(Rules, PointAtTheFieldTheyName) {
  const auto schema = ruled("type: object, properties: {b: {type: integer}}",
                            "rule: self.b > 1, message: m, fieldPath: .b");
  EXPECT_THAT(run(schema, "a: {b: 1}").errors, ElementsAre("a.b: Invalid value: m"));
}

TEST(MessageExpressions, AreUsedWhenTheyGiveOneLine) {
  auto said = [](std::string_view expression) {
    return run(ruled("type: string",
                     fmt::format("rule: self == 'x', message: plain, messageExpression: {}",
                                 expression)),
               "a: why")
        .errors;
  };
  EXPECT_THAT(said("'\"  not \" + self'"), ElementsAre("a: Invalid value: \"why\": not why"));
  EXPECT_THAT(said("'\"  \"'"), ElementsAre("a: Invalid value: \"why\": plain"));
  EXPECT_THAT(said("'\"two\" + \"\\nlines\"'"), ElementsAre("a: Invalid value: \"why\": plain"));
  EXPECT_THAT(said("'[self][5]'"), ElementsAre("a: Invalid value: \"why\": plain"));
}

TEST(Rules, ThatFailToRunSaySo) {
  EXPECT_THAT(
      run(ruled("type: array, items: {type: integer}", "rule: 'self[3] > 1'"), "a: [1]").errors,
      ElementsAre("a: Invalid value: \"array\": index out of bounds: 3 evaluating rule: "
                  "self[3] > 1"));
  EXPECT_THAT(
      run(ruled("x-kubernetes-int-or-string: true", "rule: self + 1 > 2, message: m"), "a: x")
          .errors,
      ElementsAre("a: Invalid value: \"\": 'no such overload': call arguments did not match a "
                  "supported operator, function or macro signature for rule: m"));
}

TEST(Rules, ThatCostTooMuchEndEverything) {
  const auto schema = schema_of(
      "{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: "
      "'lists.range(2000).all(x, lists.range(1000).all(y, self > 0))'}, {rule: self > 5}]}, b: "
      "{type: integer, x-kubernetes-validations: [{rule: self > 5}]}}}");
  EXPECT_THAT(
      run(schema, "{a: 1, b: 1}").errors,
      ElementsAre("a: Invalid value: \"integer\": 'operation cancelled: actual cost limit "
                  "exceeded': no further validation rules will be run due to call cost "
                  "exceeds limit for rule: lists.range(2000).all(x, lists.range(1000).all(y, "
                  "self > 0))"));
}

TEST(Rules, ShareABudget) {
  const auto schema = schema_of(
      "{type: object, properties: {a: {type: array, items: {type: integer, "
      "x-kubernetes-validations: "
      "[{rule: 'lists.range(100000).all(x, self > 0)'}]}}}}");
  std::string many = "a: [1";
  for (int i = 0; i < 100; ++i) many += ", 1";
  const Said said = run(schema, many + "]");
  ASSERT_EQ(said.errors.size(), 1u);
  EXPECT_THAT(said.errors[0],
              ::testing::EndsWith("validation failed due to running out of cost "
                                  "budget, no further validation rules will be run"));
}

TEST(TransitionRules, CompareWithWhatWasStored) {
  const auto schema = ruled("type: integer", "rule: self >= oldSelf, message: shrank");
  EXPECT_THAT(run(schema, "a: 1").errors, IsEmpty());
  EXPECT_THAT(run(schema, "a: 1", "a: 2").errors, ElementsAre("a: Invalid value: 1: shrank"));
  EXPECT_THAT(run(schema, "a: 1", "a: null").errors, IsEmpty());
}

TEST(TransitionRules, MayRunWithoutAnOldValueWhenItIsOptional) {
  const auto schema = ruled(
      "type: integer", "rule: oldSelf.hasValue() || self == 0, message: m, optionalOldSelf: true");
  EXPECT_THAT(run(schema, "a: 1").errors, ElementsAre("a: Invalid value: 1: m"));
  EXPECT_THAT(run(schema, "a: 1", "a: 2").errors, IsEmpty());
}

TEST(TransitionRules, FindOldItemsByTheirKeys) {
  const auto schema = schema_of(
      "{type: object, properties: {l: {type: array, x-kubernetes-list-type: map, "
      "x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: "
      "{type: "
      "string}, v: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf}]}}}}}}");
  EXPECT_THAT(run(schema, "l: [{k: b, v: 1}, {k: a, v: 1}, {k: c, v: 0}]",
                  "l: [{k: a, v: 1}, {k: b, v: 2}]")
                  .errors,
              ElementsAre("l[0].v: Invalid value: 1: failed rule: self >= oldSelf"));
}

TEST(Ratcheting, WarnsAboutWhatDidNotChange) {
  const auto schema = ruled("type: integer", "rule: self > 5, message: small");
  const Said same = run(schema, "a: 1", "a: 1");
  EXPECT_THAT(same.errors, IsEmpty());
  EXPECT_THAT(same.warnings, ElementsAre("a: Invalid value: 1: small"));
  EXPECT_THAT(run(schema, "a: 2", "a: 1").errors, ElementsAre("a: Invalid value: 2: small"));
}

TEST(Ratcheting, LooksAtTheNearestPartThatCanBeCompared) {
  const auto schema = schema_of(
      "{type: object, properties: {l: {type: array, items: {type: integer, "
      "x-kubernetes-validations: "
      "[{rule: self > 5}]}}}}");
  EXPECT_THAT(run(schema, "l: [1, 9]", "l: [1, 9]").errors, IsEmpty());
  EXPECT_THAT(run(schema, "l: [1, 8]", "l: [1, 9]").errors,
              ElementsAre("l[0]: Invalid value: 1: failed rule: self > 5"));
}

TEST(Ratcheting, DoesNotForgiveRulesAboutChanges) {
  const auto schema = ruled("type: integer", "rule: self > oldSelf");
  EXPECT_THAT(run(schema, "a: 1", "a: 1").errors,
              ElementsAre("a: Invalid value: 1: failed rule: self > oldSelf"));
}

TEST(Rules, SeeKeyedListsAndSetsInAnyOrder) {
  const auto set = ruled("type: array, x-kubernetes-list-type: set, items: {type: string}",
                         "rule: self == oldSelf");
  EXPECT_THAT(run(set, "a: [x, y]", "a: [y, x]").errors, IsEmpty());
  EXPECT_THAT(run(set, "a: [x]", "a: [y]").errors.size(), 1u);
}

TEST(Rules, OfMapsReportTheKey) {
  const auto schema = schema_of(
      "{type: object, properties: {m: {type: object, additionalProperties: {type: integer, "
      "x-kubernetes-validations: [{rule: self > 1}]}}}}");
  EXPECT_THAT(run(schema, "m: {a.b: 1, c: 2}").errors,
              ElementsAre("m[a.b]: Invalid value: 1: failed rule: self > 1"));
}

TEST(Rules, ThatDoNotCompileAnyMoreAreReported) {
  EXPECT_THAT(run(ruled("type: integer", "rule: nothing > 1"), "a: 1").errors,
              ElementsAre(::testing::StartsWith(
                  "a: Invalid value: \"integer\": rule compile error: compilation failed: ERROR")));
}

}  // namespace
}  // namespace strake::rules
