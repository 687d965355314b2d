#include "meta/gvk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace strake::meta {
namespace {

TEST(GroupVersion, ReadsAndPrintsApiVersions) {
  EXPECT_EQ(*parse_group_version("apps/v1"), (GroupVersion{"apps", "v1"}));
  EXPECT_EQ(*parse_group_version("v1"), (GroupVersion{"", "v1"}));
  EXPECT_TRUE(parse_group_version("")->empty());
  EXPECT_TRUE(parse_group_version("/")->empty());
  EXPECT_EQ(parse_group_version("apps/v1")->to_string(), "apps/v1");
  EXPECT_EQ(parse_group_version("v1")->to_string(), "v1");
}

TEST(GroupVersion, RefusesTwoSlashes) {
  const auto gv = parse_group_version("a/b/c");
  ASSERT_FALSE(gv);
  EXPECT_EQ(gv.error().message(), "unexpected GroupVersion string: a/b/c");
  EXPECT_EQ(gv.error().code(), Code::kBadRequest);
}

TEST(Kinds, PrintAsTheServerDoes) {
  EXPECT_EQ((GroupKind{"apps", "Deployment"}).to_string(), "Deployment.apps");
  EXPECT_EQ((GroupKind{"", "Pod"}).to_string(), "Pod");
  EXPECT_EQ((GroupResource{"apps", "deployments"}).to_string(), "deployments.apps");
  EXPECT_EQ((GroupVersionKind{"apps", "v1", "Deployment"}).to_string(), "apps/v1, Kind=Deployment");
  EXPECT_EQ((GroupVersionKind{"", "v1", "Pod"}).to_string(), "/v1, Kind=Pod");
  EXPECT_EQ((GroupVersionResource{"apps", "v1", "deployments"}).to_string(),
            "apps/v1, Resource=deployments");
}

TEST(Kinds, DivideAtTheFirstDot) {
  EXPECT_EQ(parse_group_kind("Foo.a.example.com"), (GroupKind{"a.example.com", "Foo"}));
  EXPECT_EQ(parse_group_resource("pods"), (GroupResource{"", "pods"}));
}

TEST(Kinds, HaveNoVersionWhenTheApiVersionIsNone) {
  EXPECT_EQ(from_api_version_and_kind("a/b/c", "Foo"), (GroupVersionKind{"", "", "Foo"}));
  EXPECT_EQ(from_api_version_and_kind("apps/v1", "Foo"), (GroupVersionKind{"apps", "v1", "Foo"}));
}

TEST(Versions, AreOrderedByStabilityThenNumber) {
  std::vector<std::string> versions = {"foo1", "v1alpha1", "v1",      "v10beta3", "v2",
                                       "v11",  "foo10",    "v3beta1", "v1beta2"};
  std::sort(versions.begin(), versions.end(), version_precedes);
  EXPECT_EQ(versions, (std::vector<std::string>{"v11", "v2", "v1", "v10beta3", "v3beta1", "v1beta2",
                                                "v1alpha1", "foo1", "foo10"}));
}

}  // namespace
}  // namespace strake::meta
