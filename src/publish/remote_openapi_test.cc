#include "publish/remote_openapi.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "publish/openapi.h"
#include "publish/test_resources.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::publish {
namespace {

using Part = std::shared_ptr<const std::string>;
using value::Value;

// A document with one path of the group that answers with the definition Thing.
std::string swagger(std::string_view group, std::string_view definitions,
                    std::string_view more_paths = "", std::string_view parameters = "{}") {
  return fmt::format(
      R"({{"swagger":"2.0","info":{{"title":"other"}},"security":[],"paths":{{"/apis/{}/v1/things":{{"get":{{)"
      R"("responses":{{"200":{{"schema":{{"$ref":"#/definitions/Thing"}}}}}}}},)"
      R"("parameters":[{{"$ref":"#/parameters/pretty"}}]}}{}}},)"
      R"("definitions":{},"parameters":{}}})",
      group, more_paths, definitions, parameters);
}

Part part(std::string text, std::string_view group) {
  Result<std::string> out = openapi_v2_part(std::move(text), group, "v1");
  EXPECT_TRUE(out) << out.error().message();
  return std::make_shared<const std::string>(out ? *out : "{}");
}

value::Document merged(std::string_view local, const std::vector<Part>& parts) {
  Result<std::string> out = merge_openapi_v2(local, parts);
  EXPECT_TRUE(out) << out.error().message();
  return value::read_json(*out).value();
}

std::string names(const Value& object) {
  std::string out;
  for (const value::Member& one : object.members()) {
    if (!out.empty()) out += ' ';
    out += one.key;
  }
  return out;
}

constexpr std::string_view kLocal =
    R"({"swagger":"2.0","paths":{"/api/v1/x":{"get":{"schema":{"$ref":"#/definitions/X"}}}},)"
    R"("definitions":{"X":{"type":"string"},"Meta":{"type":"object","x-kubernetes-group-version-kind":[)"
    R"({"group":"","kind":"Meta","version":"v1"}]}},"parameters":{"pretty":{"in":"query","name":"pretty","type":"string"}}})";

TEST(OpenApiV2Part, KeepsWhatItsPathsLeadTo) {
  const Part got = part(
      swagger(
          "a.example",
          R"({"Thing":{"properties":{"spec":{"items":{"$ref":"#/definitions/Spec"},"type":"array"}}},)"
          R"("Spec":{"type":"object"},"Unused":{"type":"object"}})",
          R"(,"/api/v1/secrets":{"get":{}},"/apis/a.example/v2/things":{"get":{}},"/apis/b.example/v1/x":{"get":{}},"/apis/a.example/v1":{"get":{}})",
          R"({"pretty":{"in":"query","name":"pretty","type":"string"},"other":{}})"),
      "a.example");
  const auto document = value::read_json(*got);
  EXPECT_EQ(names(document->root()), "definitions parameters paths");
  EXPECT_EQ(names(document->root().get("paths")), "/apis/a.example/v1/things");
  EXPECT_EQ(names(document->root().get("definitions")), "Spec Thing");
  EXPECT_EQ(names(document->root().get("parameters")), "pretty");
}

TEST(OpenApiV2Part, CutsReferencesThatLeadNowhere) {
  const Part got = part(
      swagger(
          "a.example",
          R"({"Thing":{"properties":{"a":{"$ref":"#/definitions/Gone"},"b":{"$ref":"http://x/y"},)"
          R"("$ref":{"type":"string"},"c":{"$ref":"#/definitions/Text"}}},"Text":"no schema"})"),
      "a.example");
  EXPECT_EQ(value::to_json(*value::read_json(*got)->root().get("definitions").find("Thing")),
            R"({"properties":{"$ref":{"type":"string"},"a":{},"b":{},"c":{}}})");
}

// Clients look for kinds in the whole document.
TEST(OpenApiV2Part, SpeaksForItsOwnKindsAlone) {
  const Part got = part(
      swagger(
          "a.example",
          R"({"Thing":{"type":"object","x-kubernetes-group-version-kind":[{"group":"apps","kind":"Deployment","version":"v1"},)"
          R"({"group":"a.example","kind":"Thing","version":"v1"}]}})",
          R"(,"/apis/a.example/v1/evil":{"patch":{"x-kubernetes-group-version-kind":{"group":"apps","kind":"Deployment","version":"v1"},)"
          R"("schema":{"$ref":"#/definitions/Evil"}},"get":{"x-kubernetes-group-version-kind":{"group":"a.example","kind":"Thing","version":"v1"}}})"),
      "a.example");
  EXPECT_EQ(got->find("Deployment"), std::string::npos);
  EXPECT_NE(got->find(R"([{"group":"a.example","kind":"Thing","version":"v1"}])"),
            std::string::npos);
  EXPECT_NE(got->find(R"("get":{"x-kubernetes-group-version-kind":{"group":"a.example")"),
            std::string::npos);
}

TEST(OpenApiV2Part, RefusesWhatIsNoDocument) {
  const RemoteOpenApiLimits limits{.bytes = 200, .nodes = 50, .depth = 20};
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string(R"({"swagger":"3.0"})"),
        std::string(R"({"swagger":"2.0","paths":[]})"),
        std::string(R"({"swagger":"2.0","definitions":7})"), std::string(300, ' '),
        std::string(30, '[') + std::string(30, ']')}) {
    EXPECT_FALSE(openapi_v2_part(text, "a.example", "v1", limits)) << text;
  }
}

TEST(MergedOpenApiV2, IsTheLocalDocumentWithoutOthers) {
  const kinds::ResourcePtr local = testing::installed(testing::widgets_crd("a.example"));
  const std::string text = openapi_v2({&local, 1});
  EXPECT_EQ(*merge_openapi_v2(text, {}), text);
}

TEST(MergedOpenApiV2, HasThePathsOfAll) {
  const auto a = part(swagger("a.example", R"({"Thing":{"type":"object"}})"), "a.example");
  const auto b = part(swagger("b.example", R"({"Thing":{"type":"object"}})"), "b.example");
  const auto got = merged(kLocal, {a, b});
  EXPECT_EQ(names(got.root().get("paths")),
            "/api/v1/x /apis/a.example/v1/things /apis/b.example/v1/things");
  EXPECT_EQ(names(got.root().get("definitions")), "Meta Thing X");
}

TEST(MergedOpenApiV2, CallsWhatIsTakenOtherwise) {
  const auto one = [](std::string_view group, std::string_view type) {
    return part(
        swagger(
            group,
            fmt::format(
                R"({{"Thing":{{"properties":{{"x":{{"$ref":"#/definitions/X"}}}},"type":"object"}},"X":{{"type":"{}"}}}})",
                type),
            "", R"({"pretty":{"in":"query","name":"other","type":"string"}})"),
        group);
  };
  const auto got = merged(kLocal, {one("a.example", "integer"), one("b.example", "integer"),
                                   one("c.example", "boolean")});
  const Value& definitions = got.root().get("definitions");
  EXPECT_EQ(names(definitions), "Meta Thing Thing_v2 Thing_v3 X X_v2 X_v3");
  EXPECT_EQ(value::to_json(definitions.get("X")), R"({"type":"string"})");
  EXPECT_EQ(value::to_json(definitions.get("X_v2")), R"({"type":"integer"})");
  EXPECT_EQ(value::to_json(definitions.get("X_v3")), R"({"type":"boolean"})");
  EXPECT_NE(value::to_json(definitions.get("Thing")).find("X_v2"), std::string::npos);
  EXPECT_EQ(names(got.root().get("parameters")), "pretty pretty_v2");
  EXPECT_NE(value::to_json(got.root().get("paths").get("/apis/a.example/v1/things"))
                .find("#/parameters/pretty_v2"),
            std::string::npos);
}

TEST(MergedOpenApiV2, PutsTheKindsOfEqualDefinitionsTogether) {
  const auto a = part(
      swagger(
          "a.example",
          R"({"Thing":{"$ref":"#/definitions/Meta"},"Meta":{"type":"object","x-kubernetes-group-version-kind":[)"
          R"({"group":"a.example","kind":"Meta","version":"v1"}]}})"),
      "a.example");
  const auto got = merged(kLocal, {a});
  EXPECT_EQ(names(got.root().get("definitions")), "Meta Thing X");
  EXPECT_EQ(
      value::to_json(
          got.root().get("definitions").get("Meta").get("x-kubernetes-group-version-kind")),
      R"([{"group":"","kind":"Meta","version":"v1"},{"group":"a.example","kind":"Meta","version":"v1"}])");
}

TEST(MergedOpenApiV2, TakesManyKindsOfManyDefinitions) {
  const auto one = [](std::string_view group) {
    std::string kinds;
    for (int i = 0; i < 20'000; ++i) {
      kinds += fmt::format(R"({}{{"group":"{}","kind":"K{}","version":"v1"}})", i > 0 ? "," : "",
                           group, i);
    }
    return part(
        swagger(group,
                fmt::format(R"({{"Thing":{{"x-kubernetes-group-version-kind":[{}]}}}})", kinds)),
        group);
  };
  const auto got = merged(kLocal, {one("a.example"), one("b.example"), one("a.example")});
  EXPECT_EQ(
      got.root().get("definitions").get("Thing").get("x-kubernetes-group-version-kind").size(),
      40'000);
}

// Documents that know each other's definitions, some equal and some not.
std::vector<Part> some_parts(std::mt19937& random) {
  std::vector<Part> out;
  for (const std::string_view group : {"a.example", "b.example", "c.example"}) {
    std::string definitions = R"({"Thing":{"properties":{)";
    for (int i = 0; i < 6; ++i)
      definitions += fmt::format(R"({}"p{}":{{"$ref":"#/definitions/D{}"}})", i > 0 ? "," : "", i,
                                 random() % 5);
    definitions += "}}";
    for (int i = 0; i < 4; ++i)
      definitions += fmt::format(R"(,"D{}":{{"maxLength":{}}})", i, random() % 3);
    out.push_back(part(swagger(group, definitions + "}"), group));
  }
  return out;
}

TEST(MergedOpenApiV2, IsTheSameWhenItIsMergedAgain) {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const std::vector<Part> parts = some_parts(random);
    const std::string once = *merge_openapi_v2(kLocal, parts);
    EXPECT_EQ(*merge_openapi_v2(once, parts), once);
    std::vector<Part> twice = parts;
    twice.insert(twice.end(), parts.begin(), parts.end());
    EXPECT_EQ(*merge_openapi_v2(kLocal, twice), once);
  }
}

TEST(MergedOpenApiV2, HasAllReferencesAndAFormInProtobuf) {
  std::mt19937 random(4);
  for (int i = 0; i < 20; ++i) {
    const std::string text = *merge_openapi_v2(kLocal, some_parts(random));
    EXPECT_TRUE(openapi_v2_protobuf(text));
    const auto document = value::read_json(text);
    for (std::size_t at = text.find("#/definitions/"); at != std::string::npos;
         at = text.find("#/definitions/", at + 1)) {
      const std::size_t begin = at + std::string_view("#/definitions/").size();
      const std::string name = text.substr(begin, text.find('"', begin) - begin);
      EXPECT_NE(document->root().get("definitions").find(name), nullptr) << name;
    }
  }
}

TEST(OpenApiV3Index, TellsHashesThatCanStandInAQuery) {
  const auto document = value::read_json(
      R"({"paths":{"apis/a/v1":{"serverRelativeURL":"/openapi/v3/apis/a/v1?hash=AB12"},)"
      R"("apis/a/v2":{"serverRelativeURL":"/openapi/v3/apis/a/v2"},"apis/a/v3":{"serverRelativeURL":"?hash=a\r\nb"},"apis/a/v4":7}})");
  EXPECT_EQ(*hash_in_v3_index(document->root(), "apis/a/v1"), "AB12");
  for (const std::string_view path : {"apis/a/v2", "apis/a/v3", "apis/a/v4"})
    EXPECT_EQ(*hash_in_v3_index(document->root(), path), "") << path;
  EXPECT_EQ(*hash_in_v3_index(document->root(), "apis/a/v5"), std::nullopt);
  EXPECT_FALSE(hash_in_v3_index(value::read_json(R"({"paths":[]})")->root(), "apis/a/v1"));
}

}  // namespace
}  // namespace strake::publish
