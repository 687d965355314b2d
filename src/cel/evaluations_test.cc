// What expressions give, from testdata/evaluations.txt.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "cel/compile.h"
#include "cel/lib/library.h"
#include "cel/value/format_value.h"
#include "support/vectors.h"

namespace strake::cel {
namespace {

std::string outcome(const std::string& expression) {
  static const Library* const kLibraries[] = {
      &standard_library(),     &optionals_library(), &latest_strings_library(),
      &lists_library(),        &sets_library(),      &math_library(),
      &two_variable_library(), &encoders_library(),  &bindings_library()};
  static const Environment environment(kLibraries);
  const auto compiled = compile(expression, {.environment = &environment});
  if (!compiled) return compiled.error().to_string();
  Arena arena;
  return to_literal(compiled->program.evaluate({}, arena), arena);
}

TEST(CelEvaluations, GiveWhatTheFileSays) {
  std::istringstream file(
      testing::read_file(std::filesystem::path(STRAKE_TESTDATA_DIR) / "evaluations.txt"));
  std::string expression;
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    if (!line.starts_with("  = ")) {
      expression = line;
      continue;
    }
    EXPECT_EQ(outcome(expression), line.substr(4)) << expression;
    ++cases;
  }
  EXPECT_GT(cases, 100u);
}

}  // namespace
}  // namespace strake::cel
