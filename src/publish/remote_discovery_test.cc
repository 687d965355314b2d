#include "publish/remote_discovery.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "publish/discovery.h"
#include "publish/openapi.h"
#include "publish/test_resources.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::publish {
namespace {

using testing::installed;
using testing::widgets_crd;

std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

Result<std::optional<std::string>> read(std::string text, std::string_view group = "a.example",
                                        std::string_view version = "v1",
                                        const RemoteDiscoveryLimits& limits = {}) {
  STRAKE_TRY(const value::Document document, read_remote_json(std::move(text), limits));
  return resources_in_aggregated(document.root(), group, version, limits);
}

// A list of one group with one version with these resources.
std::string listed(std::string_view resources, std::string_view group = "a.example") {
  return fmt::format(
      R"({{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{{}},"items":[)"
      R"({{"metadata":{{"name":"{}"}},"versions":[{{"version":"v1","resources":[{}]}}]}}]}})",
      group, resources);
}

constexpr std::string_view kWidgets =
    R"({"resource":"widgets","responseKind":{"group":"a.example","version":"v1","kind":"Widget"},)"
    R"("scope":"Namespaced","singularResource":"widget","verbs":["get","list"],"shortNames":["w"]})";

RemoteVersion remote(std::string_view group, std::string_view version, int group_priority,
                     int version_priority) {
  RemoteVersion out;
  out.group = group;
  out.version = version;
  out.group_priority = group_priority;
  out.version_priority = version_priority;
  out.resources = shared("[" + std::string(kWidgets) + "]");
  return out;
}

// "group/version group/version ...", in the order of the document.
std::string order(const std::string& aggregated) {
  const auto document = value::read_json(aggregated);
  std::string out;
  for (const value::Value& group : document->root().get("items").items()) {
    for (const value::Value& version : group.get("versions").items()) {
      if (!out.empty()) out += ' ';
      out += group.get("metadata").get("name").as_string();
      out += '/';
      out += version.get("version").as_string();
    }
  }
  return out;
}

TEST(RemoteDiscovery, TakesOverWhatBelongsToAVersion) {
  const auto got = read(listed(kWidgets));
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(*got, "[" + std::string(kWidgets) + "]");
  EXPECT_EQ(*read(listed(kWidgets, "other.example")), std::nullopt);
  EXPECT_EQ(*read(listed("")), "[]");
}

TEST(RemoteDiscovery, ReadsSubresourcesInTheirOrder) {
  const auto got = read(listed(
      R"({"resource":"b","scope":"Cluster","verbs":["get"],"surprise":1,"subresources":[
          {"subresource":"status","responseKind":{"group":"","version":"v1","kind":"B"},"verbs":["get"]},
          {"subresource":"run","verbs":["create"],"acceptedTypes":[{"group":"g","version":"v","kind":"K"}]}]},
         {"resource":"a","scope":"Cluster","verbs":null})"));
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(
      **got,
      R"([{"resource":"a","responseKind":{"group":"","version":"","kind":""},"scope":"Cluster","singularResource":"","verbs":[]},)"
      R"({"resource":"b","responseKind":{"group":"","version":"","kind":""},"scope":"Cluster","singularResource":"","verbs":["get"],)"
      R"("subresources":[{"subresource":"run","responseKind":{"group":"","version":"","kind":""},)"
      R"("acceptedTypes":[{"group":"g","version":"v","kind":"K"}],"verbs":["create"]},)"
      R"({"subresource":"status","responseKind":{"group":"","version":"v1","kind":"B"},"verbs":["get"]}]}])");
}

TEST(RemoteDiscovery, ReadsPlainListsAsAggregatedOnes) {
  const auto document = read_remote_json(
      R"({"kind":"APIResourceList","groupVersion":"a.example/v1","resources":[
          {"name":"widgets/scale","namespaced":true,"kind":"Scale","group":"autoscaling","version":"v1","verbs":["get"]},
          {"name":"widgets","singularName":"widget","namespaced":true,"kind":"Widget","verbs":["get","list"],"shortNames":["w"]},
          {"name":"pods/cpu","namespaced":true,"kind":"MetricValueList","verbs":["get"]}]})");
  const auto got = resources_in_list(document->root(), "a.example", "v1");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(
      *got,
      R"([{"resource":"pods","responseKind":{"group":"","version":"","kind":""},"scope":"Namespaced","singularResource":"","verbs":[],)"
      R"("subresources":[{"subresource":"cpu","responseKind":{"group":"a.example","version":"v1","kind":"MetricValueList"},"verbs":["get"]}]},)"
      R"({"resource":"widgets","responseKind":{"group":"a.example","version":"v1","kind":"Widget"},"scope":"Namespaced",)"
      R"("singularResource":"widget","verbs":["get","list"],"shortNames":["w"],)"
      R"("subresources":[{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},"verbs":["get"]}]}])");
}

TEST(RemoteDiscovery, RefusesWhatCannotBeShown) {
  struct Case {
    std::string resources;
    std::string_view message;
  };
  const Case cases[] = {
      {R"("widgets")", "must be an object, got string"},
      {R"({"resource":5,"scope":"Cluster"})", "must be a string, got integer"},
      {R"({"resource":"","scope":"Cluster"})", "must have a name"},
      {R"({"resource":"a/b","scope":"Cluster"})", "must be a name without spaces and control"},
      {R"({"resource":"a b","scope":"Cluster"})", "must be a name without spaces and control"},
      {R"({"resource":"a\u001b[2J","scope":"Cluster"})", "must be a name without spaces"},
      {R"({"resource":"a\u202eb","scope":"Cluster"})", "must be a name without spaces"},
      {R"({"resource":"a"})", "must be Namespaced or Cluster"},
      {R"({"resource":"a","scope":"Cluster","verbs":{}})", "must be an array, got object"},
      {R"({"resource":"a","scope":"Cluster","verbs":[1]})", "must be a string, got integer"},
      {R"({"resource":"a","scope":"Cluster","responseKind":"A"})", "must be an object, got string"},
      {R"({"resource":"a","scope":"Cluster","subresources":[{}]})", "must be a string, got null"},
      {fmt::format(R"({{"resource":"{}","scope":"Cluster"}})", std::string(300, 'a')),
       "must have at most 253 bytes"},
  };
  for (const Case& one : cases) {
    const auto got = read(listed(one.resources));
    ASSERT_FALSE(got) << one.resources;
    EXPECT_NE(got.error().message().find(one.message), std::string::npos) << one.resources << "\n"
                                                                          << got.error().message();
  }
}

TEST(RemoteDiscovery, LooksAtNothingButItsOwnVersion) {
  const std::string document =
      R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[7,
          {"metadata":{"name":"bad.example"},"versions":[{"version":"v1","resources":"garbage"}]},
          {"metadata":{"name":"a.example"},"versions":[{"version":"v0","resources":5},{"version":"v1","resources":[)" +
      std::string(kWidgets) + "," + std::string(kWidgets) +
      R"(]},{"version":"v1","resources":7}]}]})";
  EXPECT_EQ(*read(document), "[" + std::string(kWidgets) + "]");
  EXPECT_FALSE(read(document, "bad.example"));
  EXPECT_FALSE(read(document, "a.example", "v0"));
}

TEST(RemoteDiscovery, HasLimits) {
  const RemoteDiscoveryLimits limits{.bytes = 1000, .nodes = 60, .depth = 12, .entries = 2};
  const auto entry = [](int i) {
    return fmt::format(R"({{"resource":"r{}","scope":"Cluster"}})", i);
  };
  EXPECT_TRUE(read(listed(entry(1) + "," + entry(2)), "a.example", "v1", limits));
  EXPECT_EQ(read(listed(entry(1) + "," + entry(2) + "," + entry(3)), "a.example", "v1", limits)
                .error()
                .code(),
            Code::kLimit);
  EXPECT_FALSE(read(std::string(1001, ' '), "a.example", "v1", limits));
  EXPECT_FALSE(read(std::string(13, '[') + std::string(13, ']'), "a.example", "v1", limits));
  std::string many = "[0";
  for (int i = 0; i < 70; ++i) many += ",0";
  EXPECT_FALSE(read(many + "]", "a.example", "v1", limits));
}

TEST(MergedDiscovery, OrdersGroupsAndVersionsByPriority) {
  const kinds::ResourcePtr local = installed(widgets_crd("m.example"));  // 1000 and 100
  const std::vector<RemoteVersion> remotes = {
      remote("z.example", "v1", 2000, 10), remote("a.example", "v1", 1000, 5),
      remote("a.example", "v2", 100, 5),   remote("a.example", "v1beta1", 100, 9),
      remote("n.example", "v1", 1000, 1),  remote("m.example", "v9", 10, 101),
  };
  EXPECT_EQ(order(aggregated_discovery({&local, 1}, false, remotes)),
            "z.example/v1 a.example/v1beta1 a.example/v2 a.example/v1 m.example/v9 m.example/v1 "
            "n.example/v1");
  const auto group = value::read_json(api_group({&local, 1}, "m.example", remotes));
  EXPECT_EQ(value::to_json(group->root()),
            R"({"apiVersion":"v1","kind":"APIGroup","name":"m.example","preferredVersion":)"
            R"({"groupVersion":"m.example/v9","version":"v9"},"versions":[{"groupVersion":)"
            R"("m.example/v9","version":"v9"},{"groupVersion":"m.example/v1","version":"v1"}]})");
  EXPECT_TRUE(aggregated_discovery({&local, 1}, true, remotes).ends_with(R"("items":[]})"));
}

TEST(MergedDiscovery, DoesNotDependOnTheOrderOfArrival) {
  std::mt19937 random(7);
  const std::vector<kinds::ResourcePtr> local = {installed(widgets_crd("m.example")),
                                                 installed(widgets_crd("a.example"))};
  std::vector<RemoteVersion> remotes;
  for (const std::string_view group : {"a.example", "b.example", "m.example", "z.example"}) {
    for (const std::string_view version : {"v1", "v2", "v1beta1", "v3alpha1"}) {
      if (random() % 3 != 0) {
        remotes.push_back(remote(group, version, static_cast<int>(random() % 3) * 500 + 1,
                                 static_cast<int>(random() % 2) + 1));
      }
    }
  }
  const std::string once = aggregated_discovery(local, false, remotes);
  const std::string groups = api_group_list(local, remotes);
  for (int i = 0; i < 50; ++i) {
    std::ranges::shuffle(remotes, random);
    EXPECT_EQ(aggregated_discovery(local, false, remotes), once);
    EXPECT_EQ(api_group_list(local, remotes), groups);
  }
}

TEST(MergedDiscovery, IsTheLocalOneWhenTheLastServerIsGone) {
  const kinds::ResourcePtr local = installed(widgets_crd("m.example"));
  EXPECT_EQ(aggregated_discovery({&local, 1}, false, {}), aggregated_discovery({&local, 1}, false));
  std::vector<RemoteVersion> remotes = {remote("a.example", "v1", 1, 1)};
  const std::string with_a = aggregated_discovery({&local, 1}, false, remotes);
  remotes.push_back(remote("b.example", "v1", 1, 1));
  EXPECT_NE(aggregated_discovery({&local, 1}, false, remotes), with_a);
  remotes.pop_back();
  EXPECT_EQ(aggregated_discovery({&local, 1}, false, remotes), with_a);
}

TEST(MergedDiscovery, GivesAVersionToOneServer) {
  const kinds::ResourcePtr local = installed(widgets_crd("a.example"));
  RemoteVersion taken = remote("a.example", "v1", 1000, 100);
  taken.resources = shared(R"([{"resource":"others"}])");
  const std::string got = aggregated_discovery({&local, 1}, false, {&taken, 1});
  EXPECT_NE(got.find("others"), std::string::npos);
  EXPECT_EQ(got.find("widgets"), std::string::npos);
  const auto rest = without_remote({local}, {&taken, 1});
  EXPECT_EQ(api_resource_list(rest, "a.example", "v1"), "");
  EXPECT_EQ(openapi_v3(rest, "apis/a.example/v1"), "");
  EXPECT_NE(api_resource_list({&local, 1}, "a.example", "v1"), "");
}

TEST(MergedDiscovery, SaysWhatIsStale) {
  RemoteVersion known = remote("a.example", "v1", 2, 1);
  known.stale = true;
  RemoteVersion unknown = remote("b.example", "v1", 1, 1);
  unknown.stale = true;
  unknown.resources = nullptr;
  const std::vector<RemoteVersion> remotes = {known, unknown, remote("c.example", "v1", 1, 1)};
  const std::string got = aggregated_discovery({}, false, remotes);
  EXPECT_NE(got.find(R"("version":"v1","resources":[)" + std::string(kWidgets) +
                     R"(],"freshness":"Stale"})"),
            std::string::npos);
  EXPECT_NE(
      got.find(
          R"({"metadata":{"name":"b.example"},"versions":[{"version":"v1","freshness":"Stale"}]})"),
      std::string::npos);
  EXPECT_NE(got.find(R"(],"freshness":"Current"}]}]})"), std::string::npos);
}

}  // namespace
}  // namespace strake::publish
