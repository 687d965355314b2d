// The declarations of Kubernetes' own types: that they can be read, and that they say what the
// OpenAPI document of kube-apiserver 1.36.4 says.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kinds/derive.h"
#include "kinds/resource.h"
#include "meta/shape.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using ::testing::ElementsAre;
using value::Value;

TEST(DeclaredKinds, AreFoundByGroupVersionAndKind) {
  ASSERT_NE(find_kind({"apps", "v1", "Deployment"}), nullptr);
  EXPECT_EQ(find_kind({"apps", "v1", "Deployment"})->full_name, "io.k8s.api.apps.v1.Deployment");
  EXPECT_NE(find_kind({"", "v1", "Pod"}), nullptr);
  EXPECT_NE(find_kind({"", "v1", "ConfigMap"}), nullptr);
  EXPECT_EQ(find_kind({"", "v1", "PodSpec"}), nullptr);
  EXPECT_EQ(find_kind({"apps", "v1beta1", "Deployment"}), nullptr);
}

TEST(DeclaredKinds, HoldEverythingThatIsServed) {
  const std::vector<meta::GroupVersionKind> all = declared_kinds();
  for (const ResourcePtr& resource : builtin_resources()) {
    for (const ServedVersion& version : resource->versions) {
      const meta::GroupVersionKind gvk{resource->group, version.name, resource->kind};
      EXPECT_TRUE(std::ranges::find(all, gvk) != all.end()) << gvk.to_string();
    }
  }
}

TEST(RemovedKinds, SayWhatTookTheirPlace) {
  const auto ingress = find_removed_kind({"extensions", "v1beta1", "Ingress"});
  ASSERT_TRUE(ingress);
  EXPECT_EQ(ingress->removed, 22);
  EXPECT_EQ(ingress->replacement, "networking.k8s.io/v1/Ingress");
  EXPECT_FALSE(find_removed_kind({"extensions", "v1beta1", "Ingres"}));
  EXPECT_TRUE(find_removed_kind({"policy", "", "PodSecurityPolicy"}));
}

TEST(DeclaredTypes, NameWhatGoNames) {
  const Type& container = described_type("io.k8s.api.core.v1.Container");
  const meta::Shape& shape = shape_of(container);
  EXPECT_EQ(shape.type, "v1.Container");
  EXPECT_EQ(shape.field("imagePullPolicy")->shape->type, "v1.PullPolicy");
  EXPECT_EQ(shape.field("ports")->shape->type, "[]v1.ContainerPort");
  const meta::Shape& limits = *shape.field("resources")->shape->field("limits")->shape;
  EXPECT_EQ(limits.type, "v1.ResourceList");
  EXPECT_EQ(limits.element->kind, meta::Shape::Kind::kQuantity);
  EXPECT_EQ(shape_of(described_type("io.k8s.api.autoscaling.v2.MetricSpec"))
                .field("resource")
                ->shape->type,
            "v2.ResourceMetricSource");
}

TEST(DeclaredTypes, HaveListMapsOfSeveralKeys) {
  const schema::NodePtr node = node_of(described_type("io.k8s.api.core.v1.Container"));
  const auto ports = std::ranges::find(node->properties, "ports", &schema::Property::name);
  ASSERT_NE(ports, node->properties.end());
  EXPECT_THAT(ports->node->map_keys, ElementsAre("containerPort", "protocol"));
}

TEST(DeclaredTypes, HaveTheFieldsOfTheVersionThatIsAskedFor) {
  const Type& container = described_type("io.k8s.api.core.v1.Container");
  EXPECT_NE(shape_of(container, 36).field("restartPolicyRules"), nullptr);
  EXPECT_EQ(shape_of(container, 33).field("restartPolicyRules"), nullptr);
  const Type& claim = described_type("io.k8s.api.core.v1.PodResourceClaim");
  EXPECT_EQ(shape_of(claim, 36).field("source"), nullptr);
  EXPECT_NE(shape_of(claim, 29).field("source"), nullptr);
}

// The type that an OpenAPI schema has for what a declaration says.
std::string openapi_type(const TypeUse& use);

std::string openapi_type(const Type& type) {
  switch (type.form) {
    case Type::Form::kString: return "string";
    case Type::Form::kList: return fmt::format("[{}]", openapi_type(*type.element));
    case Type::Form::kMap: return fmt::format("{{{}}}", openapi_type(*type.element));
    default: return std::string(type.full_name);
  }
}

std::string openapi_type(const TypeUse& use) {
  using Form = TypeUse::Form;
  constexpr std::string_view kMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  switch (use.form) {
    case Form::kString: return "string";
    case Form::kBool: return "boolean";
    case Form::kInt32: return "integer/int32";
    case Form::kInt64: return "integer/int64";
    case Form::kFloat: return "number/double";
    case Form::kBytes: return "string/byte";
    case Form::kTime: return fmt::format("{}Time", kMeta);
    case Form::kMicroTime: return fmt::format("{}MicroTime", kMeta);
    case Form::kQuantity: return "io.k8s.apimachinery.pkg.api.resource.Quantity";
    case Form::kIntOrString: return "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
    case Form::kObjectMeta: return fmt::format("{}ObjectMeta", kMeta);
    case Form::kNamed: return openapi_type(*use.type);
    case Form::kList: return fmt::format("[{}]", openapi_type(*use.element));
    case Form::kMap: return fmt::format("{{{}}}", openapi_type(*use.element));
  }
  return {};
}

std::string recorded_type(const Value& schema) {
  constexpr std::string_view kPrefix = "#/definitions/";
  if (const std::string_view ref = text_of(schema, "$ref"); !ref.empty())
    return std::string(ref.substr(kPrefix.size()));
  const std::string_view type = text_of(schema, "type");
  if (type == "array") return fmt::format("[{}]", recorded_type(*schema.find("items")));
  if (const Value* values = schema.find("additionalProperties"))
    return fmt::format("{{{}}}", recorded_type(*values));
  const std::string_view format = text_of(schema, "format");
  return format.empty() ? std::string(type) : fmt::format("{}/{}", type, format);
}

// What both say of a field, as text that can be compared.
std::string declared_field(const Field& field) {
  std::string out = openapi_type(*field.use);
  if (field.required) out += " required";
  switch (field.list_type) {
    case Field::ListType::kUnset: break;
    case Field::ListType::kAtomic: out += " atomic"; break;
    case Field::ListType::kSet: out += " set"; break;
    case Field::ListType::kMap: out += fmt::format(" map:{}", field.map_key); break;
  }
  if (field.merge) out += fmt::format(" merge:{}", field.merge_key);
  if (field.retain_keys) out += " retain-keys";
  return out;
}

std::string recorded_field(const Value& schema, bool required) {
  std::string out = recorded_type(schema);
  if (required) out += " required";
  std::string_view list = text_of(schema, "x-kubernetes-list-type");
  if (text_of(schema, "x-kubernetes-map-type") == "atomic") list = "atomic";
  if (list == "map") {
    std::string keys;
    for (const Value& key : schema.find("x-kubernetes-list-map-keys")->items())
      keys += fmt::format("{}{}", keys.empty() ? "" : ",", key.as_string());
    out += fmt::format(" map:{}", keys);
  } else if (!list.empty()) {
    out += fmt::format(" {}", list);
  }
  const std::string_view strategy = text_of(schema, "x-kubernetes-patch-strategy");
  if (strategy.find("merge") != std::string_view::npos)
    out += fmt::format(" merge:{}", text_of(schema, "x-kubernetes-patch-merge-key"));
  if (strategy.find("retainKeys") != std::string_view::npos) out += " retain-keys";
  return out;
}

// Types whose shape stands elsewhere: metadata, and what comes with requests and not in objects.
bool is_declared_elsewhere(std::string_view name) {
  constexpr std::string_view kMeta = "io.k8s.apimachinery.";
  return name.starts_with(kMeta) || name.ends_with("List");
}

TEST(DeclaredTypes, SayWhatTheServerPublishes) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  const auto read = value::read_json(testing::read_file(folder / "types.json"));
  ASSERT_TRUE(read);
  std::size_t types = 0;
  std::size_t fields = 0;
  for (const value::Member& definition : read->root().members()) {
    const Value* gvks = definition.value.find("x-kubernetes-group-version-kind");
    const Value* properties = definition.value.find("properties");
    if (properties == nullptr || is_declared_elsewhere(definition.key)) continue;
    const Type& type = described_type(definition.key);
    EXPECT_EQ(type.is_object(), gvks != nullptr) << definition.key;
    EXPECT_EQ(type.atomic, text_of(definition.value, "x-kubernetes-map-type") == "atomic")
        << definition.key;
    std::set<std::string_view> required;
    if (const Value* names = definition.value.find("required")) {
      for (const Value& name : names->items()) required.insert(name.as_string());
    }
    std::set<std::string_view> declared;
    for (const Field& field : type.fields) {
      if (field.removed != 0) continue;
      declared.insert(field.name);
      const Value* published = properties->find(field.name);
      ASSERT_NE(published, nullptr) << definition.key << " has no " << field.name;
      EXPECT_EQ(declared_field(field), recorded_field(*published, required.contains(field.name)))
          << definition.key << "." << field.name;
      ++fields;
    }
    for (const value::Member& property : properties->members()) {
      const bool of_object =
          type.is_object() &&
          (property.key == "apiVersion" || property.key == "kind" || property.key == "metadata");
      EXPECT_TRUE(of_object || declared.contains(property.key))
          << definition.key << " lacks " << property.key;
    }
    ++types;
  }
  EXPECT_GE(types, testing::count_in(folder, 500u, 2u));
  EXPECT_GE(fields, testing::count_in(folder, 2300u, 4u));
}

}  // namespace
}  // namespace strake::kinds
