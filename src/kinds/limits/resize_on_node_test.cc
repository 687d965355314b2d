#include "kinds/limits/resize_on_node.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::kinds {
namespace {

std::string lacks(std::string_view spec, std::string_view node) {
  const auto pod = value::read_json(fmt::format(R"({{"spec":{}}})", spec));
  const auto on = value::read_json(node);
  return lacks_on_node(pod->root(), on->root());
}

constexpr std::string_view kNode = R"({"status":{"allocatable":{"cpu":"2","memory":"1Gi"}}})";

TEST(ResizeOnNode, FitsWhatTheNodeCanAllocate) {
  EXPECT_EQ(
      lacks(R"({"containers":[{"resources":{"requests":{"cpu":"2","memory":"1Gi"}}}]})", kNode),
      "");
  EXPECT_EQ(lacks(R"({"containers":[{"resources":{"limits":{"cpu":"9"}}}]})", kNode), "");
}

TEST(ResizeOnNode, IsRefusedWithAllThatTheNodeLacks) {
  EXPECT_EQ(lacks(R"({"containers":[{"resources":{"requests":{"cpu":"1500m"}}},)"
                  R"({"resources":{"requests":{"cpu":"600m","memory":"1025Mi"}}}]})",
                  kNode),
            "node didn't have enough allocatable resources: cpu, requested: 2100, "
            "allocatable: 2000; memory, requested: 1074790400, allocatable: 1073741824");
  EXPECT_EQ(lacks(R"({"containers":[{"resources":{"requests":{"cpu":"1m"}}}]})", "{}"),
            "node didn't have enough allocatable resources: cpu, requested: 1, "
            "allocatable: 0");
}

TEST(ResizeOnNode, CountsTheOverhead) {
  EXPECT_EQ(lacks(R"({"overhead":{"cpu":"1m"},)"
                  R"("containers":[{"resources":{"requests":{"cpu":"2"}}}]})",
                  kNode),
            "node didn't have enough allocatable resources: cpu, requested: 2001, "
            "allocatable: 2000");
}

}  // namespace
}  // namespace strake::kinds
