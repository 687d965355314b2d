// What is served, and how an endpoint shows its objects.
#include "api/request/registry.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/test_server.h"
#include "value/json_reader.h"

namespace strake::api::testing {
namespace {

value::Document document_of(std::string_view text) { return value::read_json(text).value(); }

EndpointPtr endpoint_of(Registry& from, ResourceCache& cache, std::string_view group,
                        std::string_view plural) {
  const EndpointPtr found = from.find(group, plural);
  return std::make_shared<const Endpoint>(found->resource_ptr(), found->strategy(),
                                          found->converter(), cache, 0, 0);
}

TEST(RegistryOfEndpoints, ShowsEachReaderOneState) {
  TestServer server;
  ResourceCache cache("/registry/configmaps/", 1);
  Registry registry;
  EXPECT_EQ(registry.find("", "configmaps"), nullptr);
  const Registry::SnapshotPtr empty = registry.snapshot();
  const EndpointPtr maps = endpoint_of(server.core().registry, cache, "", "configmaps");
  registry.put(maps);
  EXPECT_EQ(registry.find("", "configmaps"), maps);
  EXPECT_EQ(empty->find("", "configmaps"), nullptr);
  EXPECT_GT(registry.snapshot()->generation, empty->generation);
  EXPECT_TRUE(registry.snapshot()->has_group_version("", "v1"));
  EXPECT_FALSE(registry.snapshot()->has_group_version("", "v2"));
  EXPECT_FALSE(registry.snapshot()->has_group_version("apps", "v1"));
  // Put again, it is another endpoint of the same name.
  const EndpointPtr again = endpoint_of(server.core().registry, cache, "", "configmaps");
  EXPECT_NE(again->epoch(), maps->epoch());
  registry.put(again);
  EXPECT_EQ(registry.find("", "configmaps"), again);
  EXPECT_EQ(registry.snapshot()->resources().size(), 1u);
}

TEST(RegistryOfEndpoints, TellsOfItsChanges) {
  TestServer server;
  ResourceCache cache("/registry/configmaps/", 1);
  Registry registry;
  std::size_t told = 0;
  registry.tell([&] { ++told; });
  registry.put(endpoint_of(server.core().registry, cache, "", "configmaps"));
  registry.remove("", "configmaps");
  EXPECT_EQ(told, 2u);
  registry.tell({});
  registry.put(endpoint_of(server.core().registry, cache, "", "configmaps"));
  EXPECT_EQ(told, 2u);
}

TEST(RegistryOfEndpoints, ForgetsGroupsWithTheirLastResource) {
  TestServer server;
  ResourceCache cache("/registry/configmaps/", 1);
  Registry registry;
  registry.put_all({endpoint_of(server.core().registry, cache, "", "configmaps"),
                    endpoint_of(server.core().registry, cache, "", "secrets"),
                    endpoint_of(server.core().registry, cache, "coordination.k8s.io", "leases")});
  std::string names;
  for (const kinds::ResourcePtr& one : registry.snapshot()->resources())
    names += fmt::format("{}/{} ", one->group, one->plural);
  EXPECT_EQ(names, "/configmaps /secrets coordination.k8s.io/leases ");
  registry.remove("coordination.k8s.io", "leases");
  EXPECT_FALSE(registry.snapshot()->groups.contains("coordination.k8s.io"));
  registry.remove("", "secrets");
  EXPECT_TRUE(registry.snapshot()->groups.contains(""));
  const std::uint64_t generation = registry.snapshot()->generation;
  registry.remove("none.example", "nothings");
  EXPECT_EQ(registry.snapshot()->generation, generation);
}

TEST(EndpointOf, AResourceKnowsWhereItsObjectsLie) {
  TestServer server;
  const EndpointPtr maps = server.core().registry.find("", "configmaps");
  EXPECT_EQ(maps->key("ns", "a"), "/registry/configmaps/ns/a");
  EXPECT_EQ(maps->key_prefix("ns"), "/registry/configmaps/ns/");
  EXPECT_EQ(maps->key_prefix(""), "/registry/configmaps/");
  const EndpointPtr spaces = server.core().registry.find("", "namespaces");
  EXPECT_EQ(spaces->key("", "a"), "/registry/namespaces/a");
  EXPECT_EQ(spaces->key("ignored", "a"), "/registry/namespaces/a");
}

TEST(EndpointOf, ADefinitionRendersEachVersionOnce) {
  TestServer server;
  server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                things({{"v1", R"("a":{"type":"string"},"b":{"type":"string"})"},
                        {"v2", R"("a":{"type":"string"})"}}));
  server.create(
      "/apis/a.example/v1/namespaces/default/things",
      R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"a":"1","b":"2"}})");
  const EndpointPtr endpoint = server.core().registry.find("a.example", "things");
  const ObjectPtr object = endpoint->cache().get(endpoint->key("default", "t"));
  ASSERT_TRUE(object);
  const kinds::ServedVersion& v1 = *endpoint->resource().version("v1");
  const kinds::ServedVersion& v2 = *endpoint->resource().version("v2");
  EXPECT_TRUE(endpoint->is_rendered(*object, v1));
  EXPECT_EQ(endpoint->render(*object, v1).value(), object->bytes());
  EXPECT_FALSE(endpoint->is_rendered(*object, v2));
  EXPECT_EQ(endpoint->render(*object, v2).value(), nullptr) << "its schema is not compiled";
  ASSERT_TRUE(v2.kind());
  const Bytes second = endpoint->render(*object, v2).value();
  EXPECT_TRUE(endpoint->is_rendered(*object, v2));
  EXPECT_EQ(endpoint->render(*object, v2).value(), second);
  EXPECT_TRUE(second->contains(R"("spec":{"a":"1"})")) << *second;
  EXPECT_EQ(&endpoint->stored_version(*object, v2), &v1);
  const Bytes gone = endpoint->render_deleted(*object, v2, 99).value();
  EXPECT_TRUE(gone->contains(R"("resourceVersion":"99")")) << *gone;
  EXPECT_EQ(endpoint->strategy().field(document_of(R"({"spec":{"a":"x","n":5,"t":true}})").root(),
                                       "spec.n"),
            "5");
  EXPECT_EQ(endpoint->strategy().field(document_of(R"({"spec":{"t":true}})").root(), ".spec.t"),
            "true");
  EXPECT_EQ(endpoint->strategy().field(document_of(R"({"spec":{}})").root(), "spec.a"), "");
}

}  // namespace
}  // namespace strake::api::testing
