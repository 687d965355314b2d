#include "base/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace strake {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string page() {
  std::string out;
  write_metric_families(out);
  return out;
}

TEST(Metrics, AreWrittenByName) {
  CounterFamily second("test_b_total", "B.", {"kind", "why"});
  GaugeFamily first("test_a", "A.");
  EXPECT_EQ(page(),
            "# HELP test_a A.\n# TYPE test_a gauge\n# HELP test_b_total B.\n"
            "# TYPE test_b_total counter\n")
      << "known before anything is counted";
  second.at({"x", "2"}).add();
  second.at({"x", "1"}).add(2);
  second.at({"x", "2"}).add();
  first.at({}).set(0.5);
  EXPECT_EQ(page(),
            "# HELP test_a A.\n# TYPE test_a gauge\ntest_a 0.5\n# HELP test_b_total B.\n"
            "# TYPE test_b_total counter\ntest_b_total{kind=\"x\",why=\"1\"} 2\n"
            "test_b_total{kind=\"x\",why=\"2\"} 2\n");
}

TEST(Metrics, PutValuesIntoTheirBuckets) {
  HistogramFamily family("test_seconds", "S.", {"kind"}, {0.5, 1, 10});
  for (const double value : {0.25, 0.5, 0.75, 10.5}) family.observe({"x"}, value);
  EXPECT_EQ(page(),
            "# HELP test_seconds S.\n# TYPE test_seconds histogram\n"
            "test_seconds_bucket{kind=\"x\",le=\"0.5\"} 2\n"
            "test_seconds_bucket{kind=\"x\",le=\"1\"} 3\n"
            "test_seconds_bucket{kind=\"x\",le=\"10\"} 3\n"
            "test_seconds_bucket{kind=\"x\",le=\"+Inf\"} 4\n"
            "test_seconds_sum{kind=\"x\"} 12\ntest_seconds_count{kind=\"x\"} 4\n");
}

TEST(Metrics, DoNotGrowWithoutEnd) {
  CounterFamily family("test_total", "T.", {"name"});
  for (std::size_t i = 0; i < 2 * kMostSeries; ++i) family.at({std::to_string(i)}).add();
  const std::string text = page();
  EXPECT_THAT(text, HasSubstr("test_total{name=\"999\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("{name=\"1000\"}")));
  EXPECT_THAT(text, HasSubstr("test_total{name=\"other\"} 1000\n"));
}

TEST(Metrics, CountWhatManyThreadsDo) {
  CounterFamily family("test_total", "T.", {"name"});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 1000; ++j) family.at({std::to_string(j % 3)}).add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(page(), HasSubstr("{name=\"0\"} 1336\n"));
}

}  // namespace
}  // namespace strake
