// Faults as they are printed. Each case of testdata/refusals.txt is an expression, "----", and the
// text; cases are separated by "====".
#include <gtest/gtest.h>

#include <filesystem>

#include "cel/compile.h"
#include "cel/lib/library.h"
#include "support/vectors.h"

namespace strake::cel {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at != std::string_view::npos;) {
    const std::size_t end = text.find(separator, at);
    out.emplace_back(text.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : end + separator.size();
  }
  return out;
}

std::string refusal(std::string_view expression) {
  static const Library* const kLibraries[] = {&standard_library(),     &optionals_library(),
                                              &strings_library(),      &lists_library(),
                                              &two_variable_library(), &math_library()};
  static const Environment environment(kLibraries, {.homogeneous_literals = true});
  static const DocumentField kFields[] = {{"a", "a", &kDynShape}};
  static const DocumentShape shape{.kind = DocumentShape::Kind::kObject, .fields = kFields};
  static const Type object{TypeKind::kObject, false, "object", {}, &shape};
  const Variable variables[] = {
      {"self", &object}, {"n", &types::integer}, {"s", &types::string}, {"d", &types::dyn}};
  const Scope scope{.environment = &environment, .variables = variables};
  const auto compiled = compile(expression, scope);
  return compiled ? "accepted" : compiled.error().to_string();
}

TEST(CelRefusals, AreWordedAsTheReferenceWordsThem) {
  const std::string text =
      testing::read_file(std::filesystem::path(STRAKE_TESTDATA_DIR) / "refusals.txt");
  const std::vector<std::string> cases = split(text, "\n====\n");
  EXPECT_GT(cases.size(), 30u);
  for (const std::string& c : cases) {
    const std::vector<std::string> parts = split(c, "\n----\n");
    ASSERT_EQ(parts.size(), 2u) << c;
    std::string wanted = parts[1];
    while (wanted.ends_with('\n')) wanted.pop_back();
    EXPECT_EQ(refusal(parts[0]), wanted) << parts[0];
  }
}

}  // namespace
}  // namespace strake::cel
