#include "base/metrics_text.h"

#include <gtest/gtest.h>

namespace strake {
namespace {

TEST(MetricsText, WritesFamiliesWithTheirSamples) {
  std::string out = "before\n";
  MetricsText text(out);
  text.family("a_total", "counter", "How many.");
  text.sample(metric_labels({{"kind", "x"}, {"why", "y"}}), 3);
  text.sample("", 0.5);
  text.single("b", "gauge", "One.", 1e9);
  EXPECT_EQ(out,
            "before\n# HELP a_total How many.\n# TYPE a_total counter\n"
            "a_total{kind=\"x\",why=\"y\"} 3\na_total 0.5\n"
            "# HELP b One.\n# TYPE b gauge\nb 1000000000\n");
}

TEST(MetricsText, EscapesTheValuesOfLabels) {
  EXPECT_EQ(metric_labels({{"a", "x\"y\\z\n"}}), R"(a="x\"y\\z\n")");
  EXPECT_EQ(metric_labels({}), "");
}

}  // namespace
}  // namespace strake
