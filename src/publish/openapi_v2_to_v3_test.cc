#include "publish/openapi_v2_to_v3.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::publish {
namespace {

using value::Value;

value::Document converted(std::string_view part) {
  const Result<std::string> out = openapi_v3_of_v2(part);
  EXPECT_TRUE(out) << out.error().message();
  return value::read_json(out ? *out : "{}").value();
}

// Of the one operation of the path "/p", and of its path.
std::string operation_of(std::string_view operation, std::string_view more = "") {
  const value::Document document = converted(
      fmt::format(R"({{"definitions":{{}},"paths":{{"/p":{{"get":{}}}}}{}}})", operation, more));
  return value::to_json(document.root().get("paths").get("/p").get("get"));
}

TEST(OpenApiV2ToV3, PutsDefinitionsAmongTheComponents) {
  const value::Document got = converted(
      R"({"definitions":{"A":{"properties":{"$ref":{"type":"string"},"b":{"$ref":"#/definitions/B"},)"
      R"("c":{"items":{"$ref":"#/definitions/B"},"type":"array"}}},)"
      R"("B":{"default":{"$ref":"#/definitions/A"},"type":"object"}},"paths":{}})");
  EXPECT_EQ(
      value::to_json(got.root()),
      R"({"components":{"schemas":{"A":{"properties":{"$ref":{"type":"string"},)"
      R"("b":{"$ref":"#/components/schemas/B"},)"
      R"("c":{"items":{"$ref":"#/components/schemas/B"},"type":"array"}}},)"
      R"("B":{"default":{"$ref":"#/definitions/A"},"type":"object"}}},)"
      R"("info":{"title":"Kubernetes","version":"unversioned"},"openapi":"3.0.0","paths":{}})");
}

TEST(OpenApiV2ToV3, GivesAnswersAContentOfEachTypeThatIsProduced) {
  EXPECT_EQ(
      operation_of(
          R"({"operationId":"readThing","produces":["application/yaml","application/json"],)"
          R"("responses":{"200":{"description":"OK","schema":{"$ref":"#/definitions/A"}},"401":{}},)"
          R"("schemes":["https"],"x-kubernetes-action":"get"})"),
      R"({"operationId":"readThing","responses":{"200":{"content":{)"
      R"("application/json":{"schema":{"$ref":"#/components/schemas/A"}},)"
      R"("application/yaml":{"schema":{"$ref":"#/components/schemas/A"}}},"description":"OK"},)"
      R"("401":{"description":""}},"x-kubernetes-action":"get"})");
  EXPECT_EQ(
      operation_of(R"({"responses":{"200":{"schema":{},"headers":{"X":{"type":"string"}}}}})"),
      R"({"responses":{"200":{"content":{"application/json":{"schema":{}}},)"
      R"("description":"","headers":{"X":{"schema":{"type":"string"}}}}}})");
}

TEST(OpenApiV2ToV3, MakesTheBodyOfItsParameter) {
  EXPECT_EQ(
      operation_of(
          R"({"parameters":[{"in":"body","name":"body","required":true,"schema":{"$ref":"#/definitions/A"}}]})"),
      R"({"requestBody":{"content":{"*/*":{"schema":{"$ref":"#/components/schemas/A"}}},)"
      R"("required":true},"responses":{}})");
  EXPECT_EQ(
      operation_of(R"({"consumes":["application/json"],"parameters":[{"$ref":"#/parameters/b"}]})",
                   R"(,"parameters":{"b":{"in":"body","name":"b","schema":{"type":"object"}}})"),
      R"({"requestBody":{"content":{"application/json":{"schema":{"type":"object"}}}},"responses":{}})");
}

TEST(OpenApiV2ToV3, GivesOtherParametersASchema) {
  EXPECT_EQ(operation_of(
                R"({"parameters":[{"description":"d","in":"query","name":"limit","type":"integer",)"
                R"("uniqueItems":true},{"in":"formData","name":"f","type":"string"}]})"),
            R"({"parameters":[{"description":"d","in":"query","name":"limit",)"
            R"("schema":{"type":"integer","uniqueItems":true}}],"responses":{}})");
  const auto array = [](std::string_view format) {
    return operation_of(fmt::format(
        R"({{"parameters":[{{"collectionFormat":"{}","in":"query","items":{{"type":"string"}},)"
        R"("name":"n","type":"array"}}]}})",
        format));
  };
  EXPECT_EQ(array("multi"),
            R"({"parameters":[{"in":"query","name":"n",)"
            R"("schema":{"items":{"type":"string"},"type":"array"}}],"responses":{}})");
  EXPECT_EQ(array("ssv"),
            R"({"parameters":[{"explode":false,"in":"query","name":"n",)"
            R"("schema":{"items":{"type":"string"},"type":"array"},"style":"spaceDelimited"}],)"
            R"("responses":{}})");
}

TEST(OpenApiV2ToV3, KeepsSharedParametersShared) {
  const value::Document got = converted(
      R"({"definitions":{},"parameters":{"b":{"in":"body","name":"b"},)"
      R"("p":{"in":"path","name":"name","required":true,"type":"string"}},)"
      R"("paths":{"/p":{"get":{"parameters":[{"$ref":"#/parameters/p"}]},)"
      R"("parameters":[{"$ref":"#/parameters/p"},{"in":"body","name":"b","schema":{"type":"object"}}],)"
      R"("post":{"consumes":["a/b"]}}}})");
  EXPECT_EQ(value::to_json(got.root().get("components").get("parameters")),
            R"({"p":{"in":"path","name":"name","required":true,"schema":{"type":"string"}}})");
  EXPECT_EQ(
      value::to_json(got.root().get("paths").get("/p")),
      R"({"get":{"parameters":[{"$ref":"#/components/parameters/p"}],)"
      R"("requestBody":{"content":{"*/*":{"schema":{"type":"object"}}}},"responses":{}},)"
      R"("parameters":[{"$ref":"#/components/parameters/p"}],)"
      R"("post":{"requestBody":{"content":{"a/b":{"schema":{"type":"object"}}}},"responses":{}}})");
}

TEST(OpenApiV2ToV3, RefusesSchemasThatWouldBeRepeatedWithoutEnd) {
  std::string types;
  for (int i = 0; i < 1'000; ++i) types += fmt::format(R"({}"a/{}")", i == 0 ? "" : ",", i);
  const std::string part =
      fmt::format(R"({{"definitions":{{}},"paths":{{"/p":{{"get":{{"produces":[{}],)"
                  R"("responses":{{"200":{{"schema":{{"description":"{}"}}}}}}}}}}}}}})",
                  types, std::string(100'000, 'd'));
  const Result<std::string> got = openapi_v3_of_v2(part);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code(), Code::kLimit) << got.error().to_string();
}

}  // namespace
}  // namespace strake::publish
