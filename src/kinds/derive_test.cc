#include "kinds/derive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinds/resource.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using ::testing::ElementsAre;

TEST(DerivedShape, FollowsWhatGoWouldWrite) {
  const meta::Shape& shape = shape_of(described_type("io.k8s.api.core.v1.Namespace"));
  EXPECT_EQ(shape.type, "v1.Namespace");
  using Keep = meta::ShapeField::Keep;
  // A struct is written even when it is empty.
  EXPECT_EQ(shape.field("spec")->keep, Keep::kAlways);
  const meta::Shape& spec = *shape.field("spec")->shape;
  EXPECT_EQ(spec.field("finalizers")->shape->type, "[]v1.FinalizerName");
  EXPECT_EQ(spec.field("finalizers")->keep, Keep::kNonEmpty);
  EXPECT_EQ(shape_of(described_type("io.k8s.api.core.v1.ConfigMap")).field("immutable")->keep,
            Keep::kPointer);
  // Without omitempty a pointer is written as null.
  EXPECT_EQ(shape_of(described_type("io.k8s.api.core.v1.TypedLocalObjectReference"))
                .field("apiGroup")
                ->keep,
            Keep::kNullable);
  EXPECT_EQ(
      shape_of(described_type("io.k8s.api.core.v1.ConfigMap")).field("binaryData")->shape->type,
      "map[string][]uint8");
}

TEST(DerivedNode, KnowsHowListsAreOwned) {
  const schema::NodePtr account = node_of(described_type("io.k8s.api.core.v1.ServiceAccount"));
  const schema::Node* secrets = account->property("secrets");
  EXPECT_EQ(secrets->list_type, schema::ListType::kMap);
  EXPECT_THAT(secrets->map_keys, ElementsAre("name"));
  EXPECT_EQ(secrets->items->map_type, schema::MapType::kAtomic);
  EXPECT_EQ(account->property("imagePullSecrets")->list_type, schema::ListType::kAtomic);
  EXPECT_TRUE(account->has_lists_below);
  const schema::NodePtr map = node_of(described_type("io.k8s.api.core.v1.ConfigMap"));
  EXPECT_EQ(map->property("data")->additional, schema::Additional::kSchema);
}

TEST(DerivedNode, LaysOutSchemasOfSchemas) {
  const schema::NodePtr crd = node_of(described_type(
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition"));
  const schema::Node* versions = crd->property("spec")->property("versions");
  EXPECT_EQ(versions->list_type, schema::ListType::kAtomic);
  const schema::Node* node = versions->items->property("schema")->property("openAPIV3Schema");
  for (int depth = 0; depth < 10; ++depth) {
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->property("x-kubernetes-validations")->list_type, schema::ListType::kMap);
    node = node->property("properties")->additional_schema.get();
  }
}

TEST(DerivedMergeFields, KnowMergeKeys) {
  const patch::MergeFields& account =
      merge_fields_of(described_type("io.k8s.api.core.v1.ServiceAccount"));
  const patch::MergeField* secrets = account.find("secrets");
  ASSERT_NE(secrets, nullptr);
  EXPECT_EQ(secrets->strategy, patch::MergeField::Strategy::kMerge);
  EXPECT_EQ(secrets->key, "name");
  EXPECT_EQ(account.find("metadata")->below, &patch::object_meta_merge_fields());
  EXPECT_EQ(account.find("imagePullSecrets")->strategy, patch::MergeField::Strategy::kDefault);
}

TEST(DerivedOpenApi, PublishesWhatTheReferenceDoes) {
  const Type& type = described_type("io.k8s.api.core.v1.NamespaceCondition");
  const value::Value& schemas = openapi_schemas_of(described_type("io.k8s.api.core.v1.Namespace"));
  const value::Value* condition = schemas.find(type.full_name);
  ASSERT_NE(condition, nullptr);
  EXPECT_EQ(value::to_json(*condition->find("required")), R"(["type","status"])");
  EXPECT_EQ(value::to_json(*condition->find("properties")->find("status")),
            R"({"default":"","description":"True, False or Unknown.","type":"string"})");
  EXPECT_EQ(
      value::to_json(*condition->find("properties")->find("lastTransitionTime")->find("allOf")),
      R"([{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}])");
  const value::Value* status = schemas.find("io.k8s.api.core.v1.NamespaceStatus");
  EXPECT_EQ(
      value::to_json(*status->find("properties")->find("conditions")),
      R"({"description":"What holds up the deletion of the namespace.","items":{"allOf":[{"$ref":"#/components/schemas/io.k8s.api.core.v1.NamespaceCondition"}],"default":{}},"type":"array","x-kubernetes-list-map-keys":["type"],"x-kubernetes-list-type":"map","x-kubernetes-patch-merge-key":"type","x-kubernetes-patch-strategy":"merge"})");
  EXPECT_NE(schemas.find("io.k8s.api.core.v1.NamespaceList"), nullptr);
  EXPECT_EQ(
      value::to_json(
          *schemas.find("io.k8s.api.core.v1.Namespace")->find("x-kubernetes-group-version-kind")),
      R"([{"group":"","kind":"Namespace","version":"v1"}])");
}

TEST(DerivedOpenApi, RefersToNothingThatIsNotThere) {
  for (const ResourcePtr& resource : builtin_resources()) {
    const std::string text = value::to_json(resource->openapi_schemas());
    constexpr std::string_view kRef = "\"#/components/schemas/";
    for (std::size_t at = text.find(kRef); at != std::string::npos; at = text.find(kRef, at + 1)) {
      const std::size_t start = at + kRef.size();
      const std::string name = text.substr(start, text.find('"', start) - start);
      if (name.starts_with("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta") ||
          name.starts_with("io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta") ||
          name == "io.k8s.apimachinery.pkg.apis.meta.v1.Time") {
        continue;
      }
      EXPECT_NE(resource->openapi_schemas().find(name), nullptr) << name;
    }
  }
}

}  // namespace
}  // namespace strake::kinds
