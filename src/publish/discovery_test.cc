#include "publish/discovery.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "publish/test_resources.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::publish {
namespace {

using kinds::Resource;
using kinds::ResourcePtr;
using kinds::Verb;
using testing::installed;
using testing::widgets_crd;
using value::Value;

// The same JSON with its keys sorted.
std::string canonical(std::string_view json) {
  const auto document = value::read_json(json);
  return document ? value::to_json(document->root()) : "not JSON: " + std::string(json);
}

struct Counts {
  int passed = 0;
  int failed = 0;
  void check(const std::string& got, const Value& want, const std::string& what) {
    const bool same = canonical(got) == value::to_json(want);
    EXPECT_TRUE(same) << what << "\n  got  " << canonical(got) << "\n  want "
                      << value::to_json(want);
    ++(same ? passed : failed);
  }
};

TEST(DiscoveryRecordings, AreReproduced) {
  STRAKE_REQUIRE_VECTORS(folder, "openapi");
  Counts counts;
  for (const auto& path : strake::testing::files_in(folder, ".json")) {
    const auto recording = value::read_json(strake::testing::read_file(path));
    ASSERT_TRUE(recording) << path;
    const ResourcePtr resource = installed(*recording->root().find("crd"));
    const std::span<const ResourcePtr> all(&resource, 1);
    const std::string file = path.filename().string();
    for (const value::Member& one : recording->root().find("discovery")->members()) {
      counts.check(one.key == "group" ? api_group(all, resource->group)
                                      : api_resource_list(all, resource->group, one.key),
                   one.value, file + " discovery " + std::string(one.key));
    }
    const auto aggregated = value::read_json(aggregated_discovery(all, false));
    ASSERT_TRUE(aggregated);
    counts.check(value::to_json(*aggregated->root().find("items")),
                 *recording->root().find("aggregated"), file + " aggregated");
  }
  std::cout << "discovery: " << counts.passed << " documents passed, " << counts.failed
            << " failed\n";
  EXPECT_GE(counts.passed, strake::testing::count_in(folder, 19, 4));
}

std::shared_ptr<Resource> builtin(std::string_view group, std::string_view plural,
                                  std::string_view kind) {
  auto out = std::make_shared<Resource>();
  out->group = group;
  out->plural = plural;
  out->singular = std::string(plural.substr(0, plural.size() - 1));
  out->kind = kind;
  out->verbs = {Verb::kCreate, Verb::kGet};
  out->versions.emplace_back().name = "v1";
  return out;
}

TEST(Discovery, NamesTheVersionsOfTheCoreGroup) {
  EXPECT_EQ(canonical(api_versions("192.0.2.2:16443")),
            R"({"kind":"APIVersions","serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0",)"
            R"("serverAddress":"192.0.2.2:16443"}],"versions":["v1"]})");
}

TEST(Discovery, ListsTheCoreGroupApartAndWithoutApiVersion) {
  auto accounts = builtin("", "serviceaccounts", "ServiceAccount");
  accounts->short_names = {"sa"};
  accounts->versions[0].subresources.push_back(
      {.name = "token",
       .kind = {"authentication.k8s.io", "v1", "TokenRequest"},
       .verbs = {Verb::kCreate}});
  const std::vector<ResourcePtr> all = {accounts, builtin("a.b", "cs", "C")};
  EXPECT_EQ(
      api_resource_list(all, "", "v1"),
      R"({"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"serviceaccounts",)"
      R"("singularName":"serviceaccount","namespaced":true,"kind":"ServiceAccount",)"
      R"("verbs":["create","get"],"shortNames":["sa"],"storageVersionHash":"pbx9ZvyFpBE="},)"
      R"({"name":"serviceaccounts/token","singularName":"","namespaced":true,)"
      R"("group":"authentication.k8s.io","version":"v1","kind":"TokenRequest","verbs":["create"]}]})");
  EXPECT_EQ(api_group_list(all).find("serviceaccounts"), std::string::npos);
  EXPECT_NE(aggregated_discovery(all, true).find("serviceaccounts"), std::string::npos);
  EXPECT_EQ(aggregated_discovery(all, true).find("\"cs\""), std::string::npos);
  EXPECT_EQ(aggregated_discovery(all, false).find("serviceaccounts"), std::string::npos);
}

TEST(Discovery, OrdersGroupsByPriorityThenName) {
  auto late = builtin("a.io", "as", "A");
  late->group_priority = 10;
  auto early = builtin("z.io", "zs", "Z");
  early->group_priority = 17000;
  const std::vector<ResourcePtr> all = {late, builtin("m.io", "ms", "M"),
                                        builtin("b.io", "bs", "B"), early};
  const std::string list = api_group_list(all);
  const std::vector<std::size_t> places = {list.find("z.io"), list.find("b.io"), list.find("m.io"),
                                           list.find("a.io")};
  EXPECT_TRUE(std::ranges::is_sorted(places)) << list;
}

TEST(Discovery, PrefersVersionsAsTheApiDoes) {
  auto resource = builtin("a.io", "as", "A");
  resource->versions.clear();
  for (const char* name : {"v1alpha1", "other", "v1", "v2beta1", "v10", "v3"}) {
    resource->versions.emplace_back().name = name;
    resource->versions.back().storage = false;
    resource->versions.back().served = std::string_view(name) != "v3";
  }
  const std::vector<ResourcePtr> all = {resource};
  std::string versions;
  const auto group = value::read_json(api_group(all, "a.io"));
  for (const Value& one : group->root().find("versions")->items())
    versions += std::string(one.find("version")->as_string()) + " ";
  EXPECT_EQ(versions, "v10 v1 v2beta1 v1alpha1 other ");
  EXPECT_EQ(group->root().find("preferredVersion")->find("version")->as_string(), "v10");
  EXPECT_EQ(api_resource_list(all, "a.io", "v3"), "");
}

TEST(Discovery, HidesWhatIsNotEstablished) {
  const std::vector<ResourcePtr> all = {installed(widgets_crd("a.io"), {"NamesAccepted"})};
  EXPECT_EQ(api_group(all, "a.io"), "");
  EXPECT_EQ(api_resource_list(all, "a.io", "v1"), "");
  EXPECT_EQ(canonical(api_group_list(all)),
            R"({"apiVersion":"v1","groups":[],"kind":"APIGroupList"})");
}

TEST(Discovery, ShowsOnlyWhatATerminatingKindStillTakes) {
  const std::vector<ResourcePtr> all = {
      installed(widgets_crd("a.io"), {"Established", "Terminating"})};
  EXPECT_NE(api_resource_list(all, "a.io", "v1")
                .find(R"("verbs":["delete","deletecollection","get","list","watch"])"),
            std::string::npos);
}

TEST(Discovery, KnowsNoOtherGroups) {
  const std::vector<ResourcePtr> all = {builtin("", "configmaps", "ConfigMap")};
  EXPECT_EQ(api_group(all, "b.io"), "");
  EXPECT_EQ(api_group(all, ""), "");
  EXPECT_EQ(api_resource_list(all, "", "v2"), "");
}

TEST(StorageVersionHash, IsThatOfTheStoredKind) {
  EXPECT_EQ(storage_version_hash(*builtin("", "configmaps", "ConfigMap")), "qFsyl6wFWjQ=");
  auto event = builtin("events.k8s.io", "events", "Event");
  event->stored_as = meta::GroupVersionKind{"", "v1", "Event"};
  EXPECT_EQ(storage_version_hash(*event), "r2yiGXH7wu8=");
  auto review = builtin("authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview");
  review->review = kinds::Review::kSelf;
  EXPECT_EQ(storage_version_hash(*review), "");
}

TEST(StorageVersionHash, IsLeftOutWhenTheStorageVersionIsNotServed) {
  auto resource = builtin("a.io", "as", "A");
  resource->versions[0].served = false;
  resource->versions.emplace_back().name = "v2";
  resource->versions.back().storage = false;
  EXPECT_EQ(storage_version_hash(*resource), "");
}

}  // namespace
}  // namespace strake::publish
