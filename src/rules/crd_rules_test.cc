#include "rules/crd_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/compile.h"
#include "value/yaml_reader.h"

namespace strake::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Checked {
  explicit Checked(std::string_view yaml, crd::RuleScope scope = {}) {
    root = schema::compile(value::read_yaml(yaml).value().root()).value();
    rules = CrdRules().begin(root, scope);
  }
  // The rules of the root, or of the items of its property l.
  std::vector<std::string> at_root() { return check({.node = root.get(), .at = &path}); }
  std::vector<std::string> at_items() {
    const schema::Node* list = root->property("l");
    const crd::RulePlace top{.node = root.get(), .at = &path};
    const crd::RulePlace middle{.node = list,
                                .parent = &top,
                                .step = crd::RulePlace::Step::kProperty,
                                .property = "l",
                                .at = &path};
    return check({.node = list->items.get(),
                  .parent = &middle,
                  .step = crd::RulePlace::Step::kItems,
                  .at = &path});
  }
  std::vector<std::string> check(const crd::RulePlace& place) { return texts(rules->check(place)); }
  static std::vector<std::string> texts(const value::FieldErrors& errors) {
    std::vector<std::string> out;
    for (const auto& e : errors) out.push_back(e.to_string());
    return out;
  }

  FieldPath path = FieldPath() / "S";
  schema::NodePtr root;
  std::unique_ptr<crd::SchemaRules> rules;
};

TEST(CrdRules, MustGiveABool) {
  Checked crd("{type: object, x-kubernetes-validations: [{rule: '1'}]}");
  EXPECT_THAT(crd.at_root(), ElementsAre(HasSubstr("cel expression must evaluate to a bool")));
}

TEST(CrdRules, MustNotMixTypesInLiterals) {
  Checked mixed("{type: object, x-kubernetes-validations: [{rule: \"[1, 'a'].size() == 2\"}]}");
  EXPECT_THAT(mixed.at_root(), ElementsAre(HasSubstr("expected type 'int' but found 'string'")));
  Checked formatted(
      "{type: object, x-kubernetes-validations: [{rule: \"'%d%s'.format([1, 'a']) == '1a'\"}]}");
  EXPECT_THAT(formatted.at_root(), IsEmpty());
}

TEST(CrdRules, MustHavePatternsThatAre) {
  Checked matches("{type: object, x-kubernetes-validations: [{rule: \"'a'.matches('(')\"}]}");
  EXPECT_THAT(matches.at_root(), ElementsAre(HasSubstr("invalid matches argument")));
  Checked find("{type: object, x-kubernetes-validations: [{rule: \"'a'.find('(') == ''\"}]}");
  EXPECT_THAT(find.at_root(),
              ElementsAre(HasSubstr("program instantiation failed: error parsing")));
}

TEST(CrdRules, TellObjectsOfDifferentFieldsApart) {
  Checked crd(
      "{type: object, properties: {a: {type: object, properties: {x: {type: string}}}, b: {type: "
      "object, properties: {x: {type: string}}}}, x-kubernetes-validations: [{rule: self.a == "
      "self.b}]}");
  EXPECT_THAT(crd.at_root(), ElementsAre(HasSubstr("found no matching overload for '_==_'")));
}

TEST(CrdRules, CostWhatTheirPlaceMultiplies) {
  constexpr std::string_view kBounded =
      "{type: object, properties: {l: {type: array, maxItems: 10, items: {type: string, maxLength: "
      "10, x-kubernetes-validations: [{rule: \"self != ''\"}]}}}}";
  EXPECT_THAT(Checked(kBounded).at_items(), IsEmpty());
  constexpr std::string_view kUnbounded =
      "{type: object, properties: {l: {type: array, items: {type: string, "
      "x-kubernetes-validations: [{rule: \"self.contains('abc')\"}]}}}}";
  EXPECT_THAT(
      Checked(kUnbounded).at_items(),
      ElementsAre(HasSubstr("estimated rule cost exceeds budget by factor of more than 100x")));
  EXPECT_THAT(Checked(kUnbounded, {.unchanged = true}).at_items(), IsEmpty());
}

TEST(CrdRules, AreSummedUpForTheSchema) {
  std::string rules;
  for (int i = 0; i < 6; ++i) rules += "{rule: \"self.l.all(x, x.contains('abc'))\"}, ";
  Checked crd(
      "{type: object, properties: {l: {type: array, maxItems: 100, items: {type: string, "
      "maxLength: 60000}}}, x-kubernetes-validations: [" +
      rules + "]}");
  // None is too dear by itself.
  for (int i = 0; i < 8; ++i) EXPECT_THAT(crd.at_root(), IsEmpty());
  const auto total = Checked::texts(crd.rules->check_total(crd.path));
  ASSERT_FALSE(total.empty());
  EXPECT_THAT(total.back(),
              HasSubstr("estimated rule cost total for entire OpenAPIv3 schema exceeds "
                        "budget by factor of"));
}

TEST(CrdRules, JudgeDefaults) {
  Checked crd(
      "{type: object, properties: {a: {type: integer, default: 1, x-kubernetes-validations: "
      "[{rule: "
      "self > 5}]}}}");
  std::int64_t budget = 10'000'000;
  const schema::Node& node = *crd.root->property("a");
  const auto errors = Checked::texts(crd.rules->run_on_default(
      node, false, node.default_value->root(), crd.path / "default", budget));
  EXPECT_THAT(errors, ElementsAre("S.default: Invalid value: 1: failed rule: self > 5"));
  EXPECT_LT(budget, 10'000'000);
}

}  // namespace
}  // namespace strake::rules
