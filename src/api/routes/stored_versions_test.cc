// How many objects are stored in which version.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kPath = "/strake/stored-versions";

std::string thing(std::string_view version, std::string_view name) {
  return fmt::format(R"({{"apiVersion":"a.example/{}","kind":"Thing","metadata":{{"name":"{}"}}}})",
                     version, name);
}

std::string in(std::string_view version, std::string_view rest = "") {
  return fmt::format("/apis/a.example/{}/namespaces/default/things{}", version, rest);
}

TEST(StoredVersions, AreCountedForEachCustomResource) {
  TestServer server;
  EXPECT_EQ(server.get(kPath).body, "{\"resources\":[]}\n");
  server.create(kCrds, things({{"v1", ""}, {"v2", ""}}));
  server.create(kCrds, widgets_crd());
  for (const std::string_view name : {"a", "b", "c"}) server.create(in("v2"), thing("v2", name));
  // From now on they are stored in v2.
  std::string changed = things({{"v2", ""}, {"v1", ""}});
  ASSERT_EQ(server.merge(std::string(kCrds) + "/things.a.example", changed).code, 200);
  server.create(in("v1"), thing("v1", "d"));
  EXPECT_EQ(server.get(std::string(kPath) + "?resource=things.a.example").body,
            R"({"resources":[{"name":"things.a.example","storageVersion":"v2",)"
            "\"objects\":{\"v1\":3,\"v2\":1}}]}\n");
  EXPECT_EQ(server.get(kPath).at("resources.1"),
            R"({"name":"widgets.example.com","objects":{},"storageVersion":"v1"})");
  EXPECT_EQ(server.get(std::string(kPath) + "?resource=none").body, "{\"resources\":[]}\n");
  EXPECT_EQ(server.remove(kPath).code, 405);
}

TEST(StoredVersions, AreForThoseWhoMaySeeThem) {
  TestServer server({.may = [](const User&, const RequestInfo& request) {
    return request.path != "/strake/stored-versions";
  }});
  EXPECT_EQ(server.get(kPath).code, 403);
}

}  // namespace
}  // namespace strake::api::testing
