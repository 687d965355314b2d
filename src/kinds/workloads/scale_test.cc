#include "kinds/workloads/scale.h"

#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::kinds {
namespace {

std::string shown(std::string_view json) {
  return selector_shown_by_scale(value::read_json(json)->root());
}

TEST(Scale, ShowsTheSelectorAsText) {
  EXPECT_EQ(
      shown(
          R"({"spec":{"selector":{"matchLabels":{"app":"a"},"matchExpressions":[{"key":"b","operator":"NotIn","values":["x"]}]}}})"),
      "app=a,b notin (x)");
  EXPECT_EQ(shown(R"({"spec":{"selector":{"b":"x","a":"y"}}})"), "a=y,b=x");
  EXPECT_EQ(shown("{}"), "");
  EXPECT_EQ(shown(R"({"spec":{"selector":{"matchExpressions":[{"key":"b","operator":"X"}]}}})"),
            "");
}

}  // namespace
}  // namespace strake::kinds
