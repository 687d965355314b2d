#include "cli/cel/cel_outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cel/compile.h"
#include "rules/environment.h"

namespace strake::cli {
namespace {

using ::testing::ElementsAre;

// The parts, each with as many dashes in front as it is deep.
std::vector<std::string> parts(std::string_view text) {
  const cel::Variable variables[] = {{"self", &cel::types::dyn}};
  const auto compiled =
      cel::compile(text, {.environment = &rules::new_rule_environment(), .variables = variables});
  if (!compiled) return {compiled.error().to_string()};
  std::vector<std::string> out;
  for (const CelPart& part : outline(compiled->ast)) {
    out.push_back(std::string(part.depth, '-') + part.text);
  }
  return out;
}

TEST(CelOutline, ShowsOperatorsWithTheirOperands) {
  EXPECT_THAT(parts("1 + self.a * -2 > 3"),
              ElementsAre("1 + self.a * -2 > 3", "-1 + self.a * -2", "--1", "--self.a * -2",
                          "---self.a", "----self", "----2", "-3"));
}

TEST(CelOutline, KeepsTheParenthesesThatBelong) {
  EXPECT_THAT(parts("(1 + 2) * (3 - (4))"),
              ElementsAre("(1 + 2) * (3 - (4))", "-1 + 2", "--1", "--2", "-3 - (4)", "--3", "--4"));
}

TEST(CelOutline, HidesWhatMacrosMake) {
  EXPECT_THAT(parts("self.items.all(i, i.n > 0)"),
              ElementsAre("self.items.all(i, i.n > 0)", "-self.items", "--self", "-i.n > 0",
                          "--i.n", "---i", "--0"));
  EXPECT_THAT(parts("has(self.a.b)"), ElementsAre("has(self.a.b)", "-self.a", "--self"));
  EXPECT_THAT(parts("[1].exists_one(x, x == 1)"),
              ElementsAre("[1].exists_one(x, x == 1)", "-[1]", "--1", "-x == 1", "--x", "--1"));
}

TEST(CelOutline, ShowsAPartThatAMacroUsesTwiceOnce) {
  EXPECT_THAT(parts("optional.of(1).optMap(x, x + 1)"),
              ElementsAre("optional.of(1).optMap(x, x + 1)", "-optional.of(1)", "--1", "-x + 1",
                          "--x", "--1"));
}

TEST(CelOutline, ShowsCallsIndexesAndLiterals) {
  EXPECT_THAT(parts("sets.contains([1, 2], [size('a')])"),
              ElementsAre("sets.contains([1, 2], [size('a')])", "-[1, 2]", "--1", "--2",
                          "-[size('a')]", "--size('a')", "---'a'"));
  EXPECT_THAT(parts("{'a': 1}['a']"),
              ElementsAre("{'a': 1}['a']", "-{'a': 1}", "--'a'", "--1", "-'a'"));
  EXPECT_THAT(parts("self.?a.orValue(1)"),
              ElementsAre("self.?a.orValue(1)", "-self.?a", "--self", "-1"));
  EXPECT_THAT(parts("true ? 1 : 2"), ElementsAre("true ? 1 : 2", "-true", "-1", "-2"));
}

TEST(CelOutline, PutsPartsOfSeveralLinesOnOne) {
  EXPECT_THAT(parts("1 ==\n    2"), ElementsAre("1 == 2", "-1", "-2"));
}

}  // namespace
}  // namespace strake::cli
