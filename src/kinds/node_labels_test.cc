#include "kinds/node_labels.h"

#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::kinds {
namespace {

std::vector<std::string> warnings_of(bool check_values) {
  const auto term = value::read_json(
      R"({"matchExpressions":[{"key":"beta.kubernetes.io/os","operator":"In","values":["-"]}]})");
  WarningsList out;
  warn_of_node_selector_term(term->root(), check_values, FieldPath() / "t", out);
  return out.take();
}

TEST(NodeLabels, WarnOfWhatIsDeprecatedAndOfValuesThatNoLabelHas) {
  const std::string deprecated =
      "t.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "
      R"("kubernetes.io/os" instead)";
  EXPECT_EQ(warnings_of(false), std::vector{deprecated});
  const std::vector<std::string> both = warnings_of(true);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0], deprecated);
  EXPECT_TRUE(both[1].starts_with("t.matchExpressions[0].values[0]: - is invalid, a valid "));
}

}  // namespace
}  // namespace strake::kinds
