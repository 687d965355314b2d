#include "pulumi/package.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pulumi/preflight.h"

namespace strake::pulumi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of(std::string text) {
  const auto package = Package::read(std::move(text));
  return package ? "" : package.error().message();
}

TEST(Package, ListsItsComponentsSortedByToken) {
  const auto package = Package::read(R"({"name":"p","resources":{
      "p:index:B":{"isComponent":true},"p:index:A":{"isComponent":true},
      "p:index:C":{"isComponent":false},"p:index:D":{},"p:index:E":null}})");
  ASSERT_TRUE(package);
  EXPECT_THAT(package->components(), ElementsAre("p:index:A", "p:index:B"));
}

TEST(Package, IsReadFromYamlToo) {
  const auto package = Package::read("name: p\nresources:\n  p:index:A:\n    isComponent: true\n");
  ASSERT_TRUE(package) << package.error().message();
  EXPECT_THAT(package->components(), ElementsAre("p:index:A"));
}

TEST(Package, RefusesWhatIsNoPackageSchema) {
  for (const auto& [text, want] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", "parse input schema as JSON: "},
           {"{", "parse input schema as JSON: "},
           {"[]", "parse input schema as JSON: the schema must be an object"},
           {"\"text\"", "parse input schema as JSON: the schema must be an object"},
           {"no json at all", "parse input schema as JSON: "},
           {"a: [", "parse input schema as YAML: "},
           {"a: 1\na: 2\n", "parse input schema as YAML: "},
           {R"({"a":1,"a":2})", "parse input schema as JSON: "},
           {R"({"resources":[]})", "parse input schema as JSON: \"resources\" must be an object"},
           {R"({"types":1})", "parse input schema as JSON: \"types\" must be an object"},
           {R"({"name":1})", "parse input schema as JSON: \"name\" must be a string"},
           {R"({"version":{}})", "parse input schema as JSON: \"version\" must be a string"},
           {R"({"resources":{"a":1}})", "parse input schema as JSON: resource \"a\" must be an"},
           {R"({"resources":{"a":{"isComponent":"yes"}}})",
            "parse input schema as JSON: resource \"a\": \"isComponent\" must be a boolean"},
           {R"({"resources":{"a":{"requiredInputs":[1]}}})",
            "parse input schema as JSON: resource \"a\": \"requiredInputs\" must be a list"},
       }) {
    EXPECT_THAT(error_of(text), StartsWith(want)) << text;
  }
  EXPECT_THAT(error_of(std::string(5'000, '[')), StartsWith("parse input schema as JSON: "));
}

TEST(Package, SelectsTheOnlyComponentOrTheOneThatIsNamed) {
  const auto one = Package::read(R"({"resources":{"p::A":{"isComponent":true},"p::N":{}}})");
  EXPECT_EQ(one->select("").value(), "p::A");
  EXPECT_EQ(one->select("p::A").value(), "p::A");
  EXPECT_EQ(one->select("p::N").error().message(),
            "component \"p::N\" not found; available components: p::A");
  const auto two =
      Package::read(R"({"resources":{"p::B":{"isComponent":true},"p::A":{"isComponent":true}}})");
  EXPECT_EQ(two->select("").error().message(),
            "multiple components found; provide --component from: p::A, p::B");
  for (const char* none :
       {"{}", R"({"resources":null})", R"({"resources":{}})", R"({"resources":{"p::N":{}}})"}) {
    EXPECT_EQ(Package::read(none)->select("x").error().message(),
              "no component resources found in schema");
  }
}

TEST(Package, FindsLocalReferencesRawOrPercentEncoded) {
  const auto package = Package::read(
      R"({"types":{"p:a/b:T":{},"p:a%2Fc:T":{}},"resources":{"p:m:R":{"isComponent":true}}})");
  EXPECT_EQ(package->local("#/types/p:a%2Fb:T")->token, "p:a/b:T");
  EXPECT_EQ(package->local("#/types/p:a%2fb:T")->token, "p:a/b:T");
  EXPECT_EQ(package->local("#/types/p:a%2Fc:T")->token, "p:a%2Fc:T");
  EXPECT_TRUE(package->local("#/resources/p:m:R")->resource);
  EXPECT_EQ(package->local("#/types/none")->target, nullptr);
  EXPECT_EQ(package->local("#/types/%zz")->target, nullptr);
  for (const char* foreign : {"#/provider", "#/functions/x", "pulumi.json#/Any", "",
                              "/aws/v7.0.0/schema.json#/types/aws:x:T", "types/p:a/b:T"}) {
    EXPECT_FALSE(package->local(foreign)) << foreign;
  }
}

// The inputs of p:m:C, and the types.
Result<> preflight_of(std::string_view inputs, std::string_view types = "{}") {
  const auto package = Package::read(fmt::format(
      R"({{"resources":{{"p:m:C":{{"isComponent":true,"inputProperties":{}}},
          "p:m:R":{{"inputProperties":{{"bad":1}}}}}},"types":{}}})",
      inputs, types));
  if (!package) return std::unexpected(package.error());
  return preflight(*package, "p:m:C", false);
}

TEST(Preflight, TellsTheFirstDefectThatTheInputsReach) {
  struct {
    const char *inputs, *types, *path, *what;
  } cases[] = {
      {R"([])", "{}", "resources.p:m:C.inputProperties", "must be an object"},
      {R"({"a":1})", "{}", "resources.p:m:C.inputProperties.a", "must be an object"},
      {R"({"a":{"$ref":7}})", "{}", "resources.p:m:C.inputProperties.a.$ref", "must be a string"},
      {R"({"p":{"type":"array","items":[]}})", "{}", "resources.p:m:C.inputProperties.p.items",
       "must be an object"},
      {R"({"p":{"additionalProperties":true}})", "{}",
       "resources.p:m:C.inputProperties.p.additionalProperties", "must be an object"},
      {R"({"p":{"properties":{"q":null}}})", "{}", "resources.p:m:C.inputProperties.p.properties.q",
       "must be an object"},
      {R"({"p":{"properties":3}})", "{}", "resources.p:m:C.inputProperties.p.properties",
       "must be an object"},
      {R"({"p":{"$ref":"#/types/none"}})", "{}", "resources.p:m:C.inputProperties.p.$ref",
       "unresolved local ref \"#/types/none\""},
      {R"({"p":{"$ref":"#/types/T"}})", R"({"T":{"properties":{"x":[]}}})", "types.T.properties.x",
       "must be an object"},
      {R"({"p":{"$ref":"#/resources/p:m:R"}})", "{}", "resources.p:m:R.inputProperties.bad",
       "must be an object"},
      // In sorted order, and a reference before what stands behind it.
      {R"({"b":1,"a":{"$ref":"#/types/T"}})", R"({"T":[]})", "types.T", "must be an object"},
  };
  for (const auto& one : cases) {
    const auto got = preflight_of(one.inputs, one.types);
    ASSERT_FALSE(got) << one.inputs;
    EXPECT_EQ(got.error().message(),
              fmt::format("schema preflight component \"p:m:C\": schema preflight path \"{}\": {}",
                          one.path, one.what));
  }
}

TEST(Preflight, LetsPassWhatIsNotReachedOrJudgedLater) {
  for (const auto& [inputs, types] : std::initializer_list<std::pair<const char*, const char*>>{
           {"{}", R"({"T":1})"},
           {R"({"p":{"oneOf":[1,{"$ref":"#/types/none"}],"not":3}})", "{}"},
           {R"({"p":{"$ref":"#/types/A"}})", R"({"A":{"items":{"$ref":"#/types/A"}}})"},
           {R"({"p":{"$ref":"#/provider"},"q":{"$ref":"aws.json#/types/x"}})", "{}"},
           {R"({"p":{"type":"string","enum":[[]]}})", "{}"},
       }) {
    EXPECT_TRUE(preflight_of(inputs, types)) << inputs;
  }
}

TEST(Preflight, FollowsAChainOfAHundredThousandTypes) {
  std::string types = "{";
  for (int i = 0; i < 100'000; ++i) {
    types += fmt::format(R"({}"T{}":{{"$ref":"#/types/T{}"}})", i > 0 ? "," : "", i, i + 1);
  }
  const auto got = preflight_of(R"({"p":{"$ref":"#/types/T0"}})", types + "}");
  ASSERT_FALSE(got);
  EXPECT_THAT(got.error().message(), HasSubstr("unresolved local ref \"#/types/T100000\""));
}

}  // namespace
}  // namespace strake::pulumi
