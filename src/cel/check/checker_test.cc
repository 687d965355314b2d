// The types that expressions are found to have.
#include <gtest/gtest.h>

#include "cel/compile.h"
#include "cel/lib/library.h"

namespace strake::cel {
namespace {

std::string type_of_expression(std::string_view text, EnvironmentOptions options = {}) {
  static const Library* const kLibraries[] = {&standard_library(), &optionals_library(),
                                              &strings_library(), &two_variable_library()};
  const Environment environment(kLibraries, options);
  Arena arena;
  TypeFactory make(arena);
  const Variable variables[] = {{"n", &types::integer},
                                {"w", &types::wrapped_int},
                                {"d", &types::dyn},
                                {"m", make.map(&types::string, make.list(&types::number))},
                                {"o", make.optional(make.map(&types::string, &types::boolean))}};
  const auto compiled = compile(text, {.environment = &environment, .variables = variables});
  return compiled ? to_string(*compiled->type) : compiled.error().to_string();
}

TEST(CelChecker, InfersTypesThroughParameters) {
  EXPECT_EQ(type_of_expression("m"), "map(string, list(double))");
  EXPECT_EQ(type_of_expression("m.a[0] + 1.0"), "double");
  EXPECT_EQ(type_of_expression("m.map(k, m[k].size())"), "list(int)");
  EXPECT_EQ(type_of_expression("[]"), "list(dyn)");
  EXPECT_EQ(type_of_expression("[] + [1]"), "list(int)");
  EXPECT_EQ(type_of_expression("[[], [1]]"), "list(list(int))");
  EXPECT_EQ(type_of_expression("true ? [] : ['a']"), "list(string)");
  EXPECT_EQ(type_of_expression("{'a': [n]}"), "map(string, list(int))");
  EXPECT_EQ(type_of_expression("m.transformMap(k, v, v.size())"), "map(string, int)");
  EXPECT_EQ(type_of_expression("type(n)"), "type(int)");
}

TEST(CelChecker, CarriesOptionalsThroughSelections) {
  EXPECT_EQ(type_of_expression("o.a"), "optional_type(bool)");
  EXPECT_EQ(type_of_expression("m.?a"), "optional_type(list(double))");
  EXPECT_EQ(type_of_expression("m[?'a'][?0].orValue(1.0)"), "double");
  EXPECT_EQ(type_of_expression("optional.none()"), "optional_type(dyn)");
  EXPECT_EQ(type_of_expression("o.optMap(x, x.size())"), "optional_type(int)");
}

TEST(CelChecker, LeavesToRunTimeWhatIsDynamic) {
  EXPECT_EQ(type_of_expression("d.a.b[0]"), "dyn");
  EXPECT_EQ(type_of_expression("d + 1"), "int");
  EXPECT_EQ(type_of_expression("d + d"), "dyn");
  EXPECT_EQ(type_of_expression("[1, 'a']"), "list(dyn)");
  EXPECT_EQ(type_of_expression("w == null ? 0 : w + 1"), "int");
  EXPECT_EQ(type_of_expression("[w, n]"), "list(wrapper(int))");
}

TEST(CelChecker, RefusesLiteralsThatWouldFailWhenAskedTo) {
  const EnvironmentOptions strict{.validate_literals = true};
  EXPECT_EQ(type_of_expression("duration('1 hour')"), "duration");
  EXPECT_EQ(type_of_expression("duration('1 hour')", strict),
            "ERROR: <input>:1:10: invalid duration argument\n | duration('1 hour')\n | .........^");
  EXPECT_EQ(
      type_of_expression("timestamp('today')", strict),
      "ERROR: <input>:1:11: invalid timestamp argument\n | timestamp('today')\n | ..........^");
  EXPECT_EQ(type_of_expression("['a'].all(s, s.matches('('))", strict),
            "ERROR: <input>:1:24: invalid matches argument\n | ['a'].all(s, s.matches('('))\n | "
            ".......................^");
  EXPECT_EQ(type_of_expression("duration('1h') > duration(string(n))", strict), "bool");
  EXPECT_EQ(type_of_expression("'%d %s'.format([n, 'a'])", strict), "string");
  EXPECT_EQ(type_of_expression("'%d'.format(['a'])", strict),
            "ERROR: <input>:1:14: error during formatting: decimal clause can only be used on "
            "integers, was given "
            "string\n | '%d'.format(['a'])\n | .............^");
}

TEST(CelChecker, RefusesMixedLiteralsWhenAskedToButNotInFormat) {
  const EnvironmentOptions homogeneous{.homogeneous_literals = true};
  EXPECT_EQ(type_of_expression("[1, 2, n]", homogeneous), "list(int)");
  EXPECT_EQ(type_of_expression("[n, w]", homogeneous), "list(wrapper(int))");
  EXPECT_EQ(type_of_expression("'%d %s'.format([n, 'a'])", homogeneous), "string");
  EXPECT_EQ(
      type_of_expression("[n, 'a', 1.0]", homogeneous),
      "ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [n, 'a', 1.0]\n | ....^");
  EXPECT_EQ(type_of_expression("{'a': n, 1: d}", homogeneous),
            "ERROR: <input>:1:10: expected type 'string' but found 'int'\n | {'a': n, 1: d}\n | "
            ".........^\n"
            "ERROR: <input>:1:13: expected type 'int' but found 'dyn'\n | {'a': n, 1: d}\n | "
            "............^");
}

}  // namespace
}  // namespace strake::cel
