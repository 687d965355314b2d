#include <gtest/gtest.h>

#include "validate/catalog.h"
#include "validate/checker.h"

namespace strake::validate {
namespace {

constexpr std::string_view kSwagger =
    R"({"swagger":"2.0","info":{"title":"x","version":"1"},"paths":{},"definitions":{
  "io.Spec":{"type":"object","required":["image"],"properties":{"image":{"type":"string"},"replicas":{"type":"integer"}}},
  "io.Web":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},
    "metadata":{"type":"object"},"spec":{"$ref":"#/definitions/io.Spec"}},
    "x-kubernetes-group-version-kind":[{"group":"apps","version":"v1","kind":"Web"}]}}})";

constexpr std::string_view kOpenApi = R"(
openapi: 3.0.0
info: {title: x, version: "1"}
paths: {}
components:
  schemas:
    io.Web:
      type: object
      properties:
        apiVersion: {type: string}
        kind: {type: string}
        metadata: {type: object}
        spec: {type: object, required: [image], properties: {image: {type: string}, replicas: {type: integer}}}
      x-kubernetes-group-version-kind: [{group: apps, version: v1, kind: Web}]
)";

FileResult check_web(std::string_view schema, std::string_view spec, UnknownFields unknown) {
  Catalog catalog({.unknown = unknown});
  const auto added = catalog.add("schema", std::make_shared<const std::string>(schema));
  EXPECT_TRUE(added) << added.error().to_string();
  if (added) EXPECT_EQ(*added, 1u);
  const Checker checker(catalog, nullptr, {});
  return checker.check(
      "web.yaml",
      "apiVersion: apps/v1\nkind: Web\nmetadata: {name: shop}\nspec: " + std::string(spec) + "\n");
}

std::vector<std::string> found(std::string_view schema, std::string_view spec,
                               UnknownFields unknown) {
  const FileResult result = check_web(schema, spec, unknown);
  std::vector<std::string> out;
  for (const DocumentResult& document : result.documents) {
    for (const Finding& finding : document.findings) {
      out.push_back(std::string(to_string(finding.fault.severity)) + " " +
                    std::string(to_string(finding.fault.issue)) + " " + finding.path.to_pointer() +
                    " at " + std::to_string(finding.position->line));
    }
  }
  return out;
}

TEST(OpenApiJudge, ChecksBuiltInKindsBySwaggerAndOpenApi) {
  for (const std::string_view schema : {kSwagger, kOpenApi}) {
    EXPECT_EQ(found(schema, "{image: x, replicas: 1}", UnknownFields::kStrict),
              std::vector<std::string>{});
    EXPECT_EQ(found(schema, "{image: x, replicas: many}", UnknownFields::kStrict),
              std::vector<std::string>{"error invalid_type /spec/replicas at 4"});
    EXPECT_EQ(found(schema, "{replicas: 1}", UnknownFields::kStrict),
              std::vector<std::string>{"error required /spec/image at 4"});
  }
}

TEST(OpenApiJudge, TellsUnknownFieldsAsAskedTo) {
  EXPECT_EQ(found(kOpenApi, "{image: x, junk: 1}", UnknownFields::kStrict),
            std::vector<std::string>{"error unknown_key /spec/junk at 4"});
  EXPECT_EQ(found(kOpenApi, "{image: x, junk: 1}", UnknownFields::kWarn),
            std::vector<std::string>{"warning unknown_key /spec/junk at 4"});
  EXPECT_EQ(found(kOpenApi, "{image: x, junk: 1}", UnknownFields::kPrune),
            std::vector<std::string>{});
}

TEST(OpenApiJudge, SpeaksAsTheServerDoes) {
  for (const std::string_view schema : {kSwagger, kOpenApi}) {
    const FileResult result = check_web(schema, "{replicas: 1, extra: 1}", UnknownFields::kStrict);
    ASSERT_EQ(result.documents.at(0).findings.size(), 2u);
    EXPECT_EQ(result.documents[0].findings[0].fault.message, "unknown field \"spec.extra\"");
    EXPECT_EQ(result.documents[0].findings[1].fault.message, "Required value");
    EXPECT_EQ(result.documents[0].findings[1].fault.field, "spec.image");
  }
}

}  // namespace
}  // namespace strake::validate
