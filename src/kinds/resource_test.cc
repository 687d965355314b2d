#include "kinds/resource.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinds/test_requests.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using ::testing::ElementsAre;

ResourcePtr resource_of_json(std::string_view json) {
  auto document = value::read_json(json);
  EXPECT_TRUE(document);
  auto crd = crd::Crd::read(*std::move(document));
  EXPECT_TRUE(crd) << crd.error().message();
  return resource_of(std::make_shared<const crd::Crd>(*std::move(crd)));
}

constexpr std::string_view kWidgets = R"json({
  "apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
  "metadata":{"name":"widgets.e.com"},
  "spec":{"group":"e.com","scope":"Namespaced",
    "names":{"plural":"widgets","kind":"Widget","shortNames":["w","x"],"categories":["all"]},
    "versions":[
      {"name":"v1beta1","served":true,"storage":false,"deprecated":true,
       "schema":{"openAPIV3Schema":{"type":"object"}}},
      {"name":"v2alpha1","served":false,"storage":false,"deprecated":true,"deprecationWarning":"go away",
       "schema":{"openAPIV3Schema":{"type":"object"}}},
      {"name":"v1","served":true,"storage":true,
       "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",
         "properties":{"n":{"type":"integer"}}}}}},
       "subresources":{"status":{},"scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}},
       "selectableFields":[{"jsonPath":".spec.color"}],
       "additionalPrinterColumns":[{"name":"N","type":"integer","jsonPath":".spec.n","priority":1}]}]},
  "status":{"acceptedNames":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList",
      "shortNames":["w"]},
    "conditions":[],"storedVersions":["v1"]}})json";

TEST(ResourceOfCrd, HasTheNamesThatWereAccepted) {
  const ResourcePtr widgets = resource_of_json(kWidgets);
  EXPECT_EQ(widgets->group_resource().to_string(), "widgets.e.com");
  EXPECT_EQ(widgets->singular, "widget");
  EXPECT_EQ(widgets->list_kind, "WidgetList");
  EXPECT_THAT(widgets->short_names, ElementsAre("w"));
  EXPECT_TRUE(widgets->categories.empty());
  EXPECT_EQ(widgets->storage_prefix, "/registry/e.com/widgets/");
  EXPECT_EQ(widgets->strategy, nullptr);
  EXPECT_EQ(widgets->group_priority, 1000);
  EXPECT_EQ(widgets->version_priority, 100);
}

TEST(ResourceOfCrd, FindsEachOfManyVersions) {
  std::string versions;
  for (int i = 0; i < 120; ++i) {
    versions += fmt::format(
        R"({}{{"name":"v{}","served":true,"storage":{},"schema":{{"openAPIV3Schema":{{"type":"object"}}}}}})",
        i == 0 ? "" : ",", i * 7 % 120, i == 60);
  }
  const ResourcePtr widgets = resource_of_json(fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"widgets.e.com"}},)"
      R"("spec":{{"group":"e.com","scope":"Namespaced","names":{{"plural":"widgets","kind":"Widget"}},"versions":[{}]}}}})",
      versions));
  ASSERT_EQ(widgets->versions.size(), 120u);
  for (const ServedVersion& one : widgets->versions) EXPECT_EQ(widgets->version(one.name), &one);
  for (const std::string_view name : {"", "v", "v120", "v00", "w1"})
    EXPECT_EQ(widgets->version(name), nullptr);
}

TEST(ResourceOfCrd, OrdersItsVersionsByPreference) {
  const ResourcePtr widgets = resource_of_json(kWidgets);
  ASSERT_EQ(widgets->versions.size(), 3u);
  EXPECT_EQ(widgets->versions[0].name, "v1");
  EXPECT_EQ(widgets->versions[1].name, "v1beta1");
  EXPECT_EQ(widgets->versions[2].name, "v2alpha1");
  EXPECT_EQ(&widgets->storage_version(), &widgets->versions[0]);
  EXPECT_NE(widgets->version("v2alpha1"), nullptr);
  EXPECT_EQ(widgets->served_version("v2alpha1"), nullptr);
  EXPECT_EQ(widgets->version("v9"), nullptr);
}

TEST(ResourceOfCrd, WarnsOfOldVersionsAndNamesTheBetterOne) {
  const ResourcePtr widgets = resource_of_json(kWidgets);
  EXPECT_EQ(widgets->version("v1")->deprecation_warning, "");
  EXPECT_EQ(widgets->version("v1beta1")->deprecation_warning,
            "e.com/v1beta1 Widget is deprecated; use e.com/v1 Widget");
  EXPECT_EQ(widgets->version("v2alpha1")->deprecation_warning, "go away");
}

TEST(ResourceOfCrd, PrintsItsColumnsOrTheAge) {
  const ResourcePtr widgets = resource_of_json(kWidgets);
  const ServedVersion& v1 = *widgets->version("v1");
  ASSERT_EQ(v1.columns.size(), 1u);
  EXPECT_EQ(v1.columns[0].json_path, ".spec.n");
  EXPECT_EQ(v1.columns[0].priority, 1);
  ASSERT_EQ(widgets->version("v1beta1")->columns.size(), 1u);
  EXPECT_EQ(widgets->version("v1beta1")->columns[0].name, "Age");
  EXPECT_EQ(widgets->version("v1beta1")->columns[0].type, "date");
}

TEST(ResourceOfCrd, HasTheSubresourcesOfEachVersion) {
  const ResourcePtr widgets = resource_of_json(kWidgets);
  const ServedVersion& v1 = *widgets->version("v1");
  EXPECT_TRUE(v1.has_status());
  EXPECT_EQ(v1.subresource("scale")->kind.to_string(), "autoscaling/v1, Kind=Scale");
  EXPECT_THAT(v1.selectable_fields, ElementsAre(".spec.color"));
  EXPECT_THAT(v1.resets, ElementsAre("status"));
  EXPECT_FALSE(widgets->version("v1beta1")->has_status());
  EXPECT_TRUE(widgets->version("v1beta1")->resets.empty());
}

TEST(ResourceOfCrd, CompilesItsSchemaWhenAsked) {
  const ResourcePtr widgets = resource_of_json(kWidgets);
  const auto kind = widgets->version("v1")->kind();
  ASSERT_TRUE(kind);
  EXPECT_EQ((*kind)->gvk.to_string(), "e.com/v1, Kind=Widget");
  EXPECT_TRUE((*kind)->status_subresource);
  EXPECT_EQ((*kind)->scale->spec_replicas, ".spec.n");
  ASSERT_NE((*kind)->schema, nullptr);
  EXPECT_NE((*kind)->schema->property("spec"), nullptr);
  EXPECT_EQ(*widgets->version("v1")->kind(), *kind);
}

TEST(ResourceOfCrd, CannotBeWrittenWhileItsDefinitionGoes) {
  const auto verbs = [](const Resource& resource) {
    std::vector<std::string> out;
    for (const Verb verb : resource.verbs) out.emplace_back(to_string(verb));
    return out;
  };
  EXPECT_THAT(verbs(*resource_of_json(kWidgets)),
              ElementsAre("delete", "deletecollection", "get", "list", "patch", "create", "update",
                          "watch"));
  std::string going(kWidgets);
  const std::string_view none = R"("conditions":[])";
  going.replace(going.find(none), none.size(),
                R"("conditions":[{"type":"Terminating","status":"True"}])");
  EXPECT_THAT(verbs(*resource_of_json(going)),
              ElementsAre("delete", "deletecollection", "get", "list", "watch"));
}

TEST(BuiltinResources, AreSortedAndWhole) {
  const auto& all = builtin_resources();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Resource& one = *all[i];
    if (i > 0) {
      EXPECT_LT(all[i - 1]->group_resource(), one.group_resource());
    }
    EXPECT_EQ(one.definition, nullptr);
    ASSERT_EQ(one.versions.size(), 1u);
    const auto kind = one.versions[0].kind();
    ASSERT_TRUE(kind);
    EXPECT_EQ((*kind)->gvk.kind, one.kind);
    ASSERT_NE((*kind)->schema, nullptr);
    ASSERT_TRUE(one.openapi_schemas);
    EXPECT_NE(one.openapi_schemas().find(one.openapi_name), nullptr) << one.openapi_name;
    if (one.plural != "customresourcedefinitions") {
      ASSERT_NE(one.strategy, nullptr) << one.plural;
      EXPECT_EQ(one.strategy->shape().owner(), one.kind);
    }
    EXPECT_GT(one.group_priority, 1000) << one.plural;
  }
}

}  // namespace
}  // namespace strake::kinds
