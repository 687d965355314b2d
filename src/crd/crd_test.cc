#include "crd/crd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::crd {
namespace {

using ::testing::ElementsAre;

Result<Crd> read_text(std::string_view json, std::vector<std::string>* unknown = nullptr) {
  value::ReadOptions options;
  options.positions = true;
  return Crd::read(std::move(*value::read_json(json, options)), unknown);
}

std::string spec_of(const Crd& crd) { return value::to_json(*crd.value().find("spec")); }

constexpr std::string_view kPrefix =
    "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: ";

TEST(CrdReading, FillsInWhatTheServerDefaults) {
  const auto crd = read_text(
      R"({"spec":{"names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1","storage":true}],"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"service":{"name":"n","namespace":"s"}}}}}})");
  ASSERT_TRUE(crd);
  EXPECT_EQ(crd->names().singular, "thing");
  EXPECT_EQ(crd->names().list_kind, "ThingList");
  EXPECT_EQ(
      spec_of(*crd),
      R"({"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"service":{"name":"n","namespace":"s","port":443}},"conversionReviewVersions":null}},"group":"","names":{"kind":"Thing","listKind":"ThingList","plural":"things","singular":"thing"},"scope":"","versions":[{"name":"v1","served":false,"storage":true}]})");
  EXPECT_EQ(value::to_json(*crd->stored_versions()), R"(["v1"])");
  EXPECT_EQ(read_text("{}")->conversion()->find("strategy")->as_string(), "None");
}

TEST(CrdReading, StartsANewCrdWithAnEmptyStatus) {
  auto crd = read_text(
      R"({"spec":{"versions":[{"name":"v1"},{"name":"v2","storage":true}]},"status":{"storedVersions":["v0"],"acceptedNames":{"kind":"X","plural":"x"}}})");
  ASSERT_TRUE(crd);
  crd->prepare_for_create();
  EXPECT_EQ(
      value::to_json(*crd->value().find("status")),
      R"({"acceptedNames":{"kind":"","plural":""},"conditions":null,"storedVersions":["v2"]})");
}

TEST(CrdReading, RefusesWrongTypesInTheServersWords) {
  EXPECT_EQ(read_text(R"({"spec":{"names":{"kind":1}}})").error().message(),
            std::string(kPrefix) +
                "json: cannot unmarshal number into Go struct field "
                "CustomResourceDefinitionNames.spec.names.kind of type string");
  EXPECT_EQ(read_text(R"({"spec":{"versions":[{"served":"yes"}]}})").error().message(),
            std::string(kPrefix) +
                "json: cannot unmarshal string into Go struct field "
                "CustomResourceDefinitionVersion.spec.versions.served of type bool");
  EXPECT_EQ(
      read_text(
          R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":{"additionalProperties":"x"}}}}}]}})")
          .error()
          .message(),
      std::string(kPrefix) + "boolean or JSON schema expected");
  EXPECT_EQ(
      read_text(
          R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"a":{"items":{"type":["string"]}}}}}}]}})")
          .error()
          .message(),
      std::string(kPrefix) +
          "json: cannot unmarshal array into Go struct field "
          "JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties.items.type of type "
          "string");
}

TEST(CrdReading, ReportsTheFirstMistakeInTheText) {
  EXPECT_EQ(read_text(R"({"spec":{"scope":1,"group":2}})").error().message(),
            std::string(kPrefix) +
                "json: cannot unmarshal number into Go struct field "
                "CustomResourceDefinitionSpec.spec.scope of type "
                "v1.ResourceScope");
}

TEST(CrdReading, ListsUnknownFields) {
  std::vector<std::string> unknown;
  ASSERT_TRUE(read_text(
      R"({"spec":{"bogus":1,"versions":[{"schema":{"openAPIV3Schema":{"properties":{"spec":{"readOnly":true,"items":{"bogus":1}}}}}}]}})",
      &unknown));
  EXPECT_THAT(unknown,
              ElementsAre("spec.bogus",
                          "spec.versions[0].schema.openAPIV3Schema.properties.spec.readOnly"));
}

TEST(CrdReading, GivesUpOnSchemasThatAreTooDeep) {
  std::string json = R"({"spec":{"versions":[{"schema":{"openAPIV3Schema":)";
  for (int i = 0; i < 1500; ++i) json += R"({"items":)";
  json += "{}";
  for (int i = 0; i < 1500; ++i) json += '}';
  json += "}}]}}";
  const auto crd = read_text(json);
  ASSERT_FALSE(crd);
  EXPECT_EQ(crd.error().code(), Code::kLimit);
}

TEST(CrdVersions, CompileTheirSchemaOnce) {
  const auto crd = read_text(
      R"({"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":{"type":"object"}},"subresources":{"status":{}}},{"name":"v2","storage":true}]}})");
  ASSERT_TRUE(crd);
  const Version* v1 = crd->version("v1");
  ASSERT_NE(v1, nullptr);
  const auto first = v1->compiled();
  ASSERT_TRUE(first);
  ASSERT_NE(*first, nullptr);
  EXPECT_EQ(*first, *v1->compiled());
  EXPECT_TRUE(v1->has_status());
  EXPECT_FALSE(v1->has_scale());
  EXPECT_EQ(crd->storage_version()->name(), "v2");
  EXPECT_EQ(*crd->version("v2")->compiled(), nullptr);
  EXPECT_EQ(crd->version("v3"), nullptr);
}

}  // namespace
}  // namespace strake::crd
