#include "ops/compose/interpolate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::ops::compose {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const Environment kEnvironment = {
    {"NAME", "value"}, {"EMPTY", ""}, {"_x1", "under"}, {"DOLLARS", "$NAME ${NAME} $$"}};

TEST(Interpolation, ReplacesVariablesAsComposeDoes) {
  struct Case {
    std::string_view text;
    std::string_view want;
  };
  constexpr Case kCases[] = {
      {"plain", "plain"},
      {"$NAME", "value"},
      {"${NAME}", "value"},
      {"a${NAME}b$_x1.c", "avaluebunder.c"},
      {"$$NAME $${NAME}", "$NAME ${NAME}"},
      {"$$$NAME", "$value"},
      {"${DOLLARS}", "$NAME ${NAME} $$"},  // once
      {"${NAME:-d}", "value"},
      {"${EMPTY:-d}", "d"},
      {"${EMPTY-d}", ""},
      {"${GONE:-d}", "d"},
      {"${GONE-d}", "d"},
      {"${GONE:-}", ""},
      {"${GONE:-a:b-c}", "a:b-c"},
      {"${GONE:-${NAME}}", "value"},
      {"${GONE:-${LOST:-${NAME}-x}}", "value-x"},
      {"${GONE:-$$}", "$"},
      {R"(${GONE:-{"a": {"b": 1}}})", R"({"a": {"b": 1}})"},
      {"${NAME:+other}", "other"},
      {"${EMPTY:+other}", ""},
      {"${EMPTY+other}", "other"},
      {"${GONE+other}", ""},
      {"${NAME:+<${EMPTY:-x}>}", "<x>"},
      {"${NAME:?must be}", "value"},
      {"${EMPTY?must be}", ""},
  };
  for (const Case& one : kCases) {
    Interpolation variables(kEnvironment);
    const auto got = variables.apply(one.text);
    ASSERT_TRUE(got.has_value()) << one.text << ": " << got.error().to_string();
    EXPECT_EQ(*got, one.want) << one.text;
  }
}

TEST(Interpolation, RefusesWhatIsNoVariableOrIsMissing) {
  struct Case {
    std::string_view text;
    std::string_view want;
  };
  constexpr Case kCases[] = {
      {"$", "a dollar sign must start a variable: write $$ for the sign itself"},
      {"cost: $5", "a dollar sign must start a variable: write $$ for the sign itself"},
      {"${NAME", "a variable that starts with ${ has no end"},
      {"${}", "the name of a variable was expected behind ${"},
      {"${1}", "the name of a variable was expected behind ${"},
      {"${NAME!}", "after the variable NAME, one of :- - :? ? :+ + was expected"},
      {"${NAME:}", "after the variable NAME, one of :- - :? ? :+ + was expected"},
      {"${GONE:?}", "required variable GONE is missing a value"},
      {"${GONE?set it}", "required variable GONE is missing a value: set it"},
      {"${EMPTY:?set it}", "required variable EMPTY is missing a value: set it"},
      {"${GONE:-${LOST:?now}}", "required variable LOST is missing a value: now"},
  };
  for (const Case& one : kCases) {
    Interpolation variables(kEnvironment);
    const auto got = variables.apply(one.text);
    ASSERT_FALSE(got.has_value()) << one.text;
    EXPECT_EQ(got.error().message(), one.want) << one.text;
    EXPECT_EQ(got.error().code(), Code::kInvalid);
  }
}

TEST(Interpolation, TellsWhatWasMissingAndNoValues) {
  Interpolation variables(kEnvironment);
  EXPECT_EQ(*variables.apply("$GONE ${LOST} ${GONE} ${DEFAULT:-x} $NAME"), "   x value");
  EXPECT_THAT(variables.missing(), ElementsAre("GONE", "LOST"));
  const auto refused = variables.apply("${GONE:?needs ${NAME}}");
  EXPECT_THAT(refused.error().message(), Not(HasSubstr("value value")));
  EXPECT_THAT(refused.error().message(), HasSubstr("needs ${NAME}"));
}

TEST(Interpolation, HasLimits) {
  const Environment large = {{"A", std::string(1 << 20, 'a')}};
  Interpolation variables(large);
  std::string text;
  for (int i = 0; i < 8; ++i) text += "$A";
  EXPECT_TRUE(variables.apply(text).has_value());
  EXPECT_EQ(variables.apply("b").error().code(), Code::kLimit);

  const auto nested = [](int depth) {
    std::string out = "x";
    for (int i = 0; i < depth; ++i) out = "${GONE:-" + out + "}";
    return out;
  };
  Interpolation few(kEnvironment);
  EXPECT_EQ(*few.apply(nested(Interpolation::kMaxDepth)), "x");
  EXPECT_EQ(few.apply(nested(Interpolation::kMaxDepth + 1)).error().code(), Code::kLimit);
}

TEST(Interpolation, GivesBackWhatWasEscaped) {
  for (const std::string_view text : {"", "$", "$$", "a$NAME", "${NAME:-x}", "$1 ${", "no"}) {
    Interpolation variables(kEnvironment);
    EXPECT_EQ(variables.apply(escape_dollars(text)).value(), text);
  }
}

}  // namespace
}  // namespace strake::ops::compose
