#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "schema/compile.h"
#include "value/yaml_reader.h"

namespace strake::rules {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

schema::NodePtr with_rule(std::string_view rule) {
  const std::string yaml = fmt::format(
      "{{type: object, properties: {{num: {{type: integer}}, s: {{type: string}}}}, "
      "x-kubernetes-validations: [{}]}}",
      rule);
  return schema::compile(value::read_yaml(yaml).value().root()).value();
}

std::vector<std::string> run(const Engine& engine, const schema::NodePtr& schema,
                             std::string_view object) {
  const value::Document read = value::read_yaml(object).value();
  std::vector<std::string> out;
  for (const value::FieldError& e : engine.run(read.root(), schema, nullptr).errors)
    out.push_back(e.to_string());
  return out;
}

// A second goes by whenever someone looks.
class HastyClock final : public Clock {
 public:
  WallTime now() const override { return {}; }
  SteadyTime steady_now() const override { return SteadyTime(std::chrono::seconds(++looks_)); }

 private:
  mutable std::atomic<int> looks_ = 0;
};

constexpr std::string_view kLong =
    "{rule: 'lists.range(300).all(x, lists.range(300).all(y, self.num >= 0))'}";

TEST(RuleTimeout, EndsTheRulesOfAnObject) {
  const HastyClock clock;
  const Engine engine({.timeout = std::chrono::seconds(2), .clock = &clock});
  const auto schema = with_rule(fmt::format("{}, {{rule: 'self.num > 5'}}", kLong));
  EXPECT_THAT(run(engine, schema, "num: 1"),
              ElementsAre(HasSubstr("validation failed due to running out of time, no further "
                                    "validation rules will be run")));
  // Each object has its own time.
  EXPECT_EQ(run(engine, schema, "num: 1").size(), 1u);
}

TEST(RuleTimeout, EndsMessagesToo) {
  const HastyClock clock;
  const Engine engine({.timeout = std::chrono::seconds(2), .clock = &clock});
  const auto schema = with_rule(
      "{rule: 'self.num > 5', messageExpression: "
      "'lists.range(300).all(x, lists.range(300).all(y, self.num >= 0)) ? \"a\" : \"b\"'}");
  EXPECT_THAT(run(engine, schema, "num: 1"),
              ElementsAre(HasSubstr("messageExpression evaluation failed due to running out of "
                                    "time")));
}

TEST(RuleTimeout, LeavesRulesAloneThatAreInTime) {
  const FakeClock still;
  const Engine engine({.timeout = std::chrono::nanoseconds(1), .clock = &still});
  EXPECT_THAT(run(engine, with_rule("{rule: 'lists.range(300).all(x, self.num >= 0)'}"), "num: 1"),
              IsEmpty());
}

AllowedFunctions only(std::vector<std::string> names) {
  auto allowed = AllowedFunctions::only(names);
  EXPECT_TRUE(allowed.has_value());
  return allowed.value_or(AllowedFunctions());
}

TEST(AllowedFunctions, AreTheOnlyOnesThatRulesMayCall) {
  const Engine engine({.functions = only({"size", "sets.contains"})});
  const char* object = "{num: 1, s: abc}";
  EXPECT_THAT(run(engine, with_rule("{rule: 'self.s.size() == 3'}"), object), IsEmpty());
  EXPECT_THAT(
      run(engine, with_rule("{rule: 'size(self.s) > 2 && sets.contains([1], [1])'}"), object),
      IsEmpty());
  // The language itself is no function.
  EXPECT_THAT(run(engine,
                  with_rule("{rule: '[1, 2].all(x, x > 0 && !(x in [3]) && -x < 0) && "
                            "(has(self.num) ? self.num + 1 == 2 : false)'}"),
                  object),
              IsEmpty());
  EXPECT_THAT(run(engine, with_rule("{rule: 'self.s.startsWith(\"a\")'}"), object),
              ElementsAre(AllOf(HasSubstr("rule compile error: compilation failed"),
                                HasSubstr("the function 'startsWith' is not allowed here"))));
  EXPECT_THAT(run(engine, with_rule("{rule: '[1].all(x, sets.intersects([x], [1]))'}"), object),
              ElementsAre(HasSubstr("the function 'sets.intersects' is not allowed here")));
}

TEST(AllowedFunctions, AreAskedForWhenADefinitionIsChecked) {
  const FieldPath path = FieldPath() / "S";
  const auto faults = [&](std::string_view rule) {
    const auto schema = with_rule(rule);
    CrdRules rules(only({"size"}));
    const auto check = rules.begin(schema, {});
    std::vector<std::string> out;
    for (const auto& e : check->check({.node = schema.get(), .at = &path}))
      out.push_back(e.to_string());
    return out;
  };
  EXPECT_THAT(faults("{rule: 'size(self.s) > 1'}"), IsEmpty());
  EXPECT_THAT(faults("{rule: 'self.s.matches(\"a\")'}"),
              ElementsAre(HasSubstr("the function 'matches' is not allowed here")));
  EXPECT_THAT(faults("{rule: 'size(self.s) > 1', messageExpression: 'self.s.lowerAscii()'}"),
              ElementsAre(HasSubstr("the function 'lowerAscii' is not allowed here")));
}

TEST(AllowedFunctions, MustExist) {
  for (const char* name : {"sise", "_+_", "", "all"}) {
    const std::vector<std::string> names{name};
    const auto allowed = AllowedFunctions::only(names);
    ASSERT_FALSE(allowed.has_value()) << name;
    EXPECT_EQ(allowed.error().code(), Code::kUsage);
  }
}

}  // namespace
}  // namespace strake::rules
