// Patches of built-in kinds through the whole API, and the words for what they make that cannot be
// read.
#include <gtest/gtest.h>

#include "api/test_server.h"
#include "api/verbs/patched_text.h"
#include "kinds/derive.h"
#include "kinds/describe.h"
#include "value/json_reader.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kStrategic = "application/strategic-merge-patch+json";
constexpr std::string_view kMerge = "application/merge-patch+json";
constexpr std::string_view kCrd =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";

class Patches : public ::testing::Test {
 protected:
  Patches() {
    EXPECT_EQ(
        server_
            .call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                  R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
      "metadata":{"name":"widgets.example.com","finalizers":["example.com/a"]},
      "spec":{"group":"example.com","scope":"Namespaced",
        "names":{"plural":"widgets","kind":"Widget","shortNames":["w","wg"]},
        "versions":[{"name":"v1","served":true,"storage":true,
          "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object"}}}}}]}})")
            .code,
        201);
    EXPECT_EQ(server_
                  .call("POST", kMaps,
                        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},)"
                        R"("data":{"x":"1"}})")
                  .code,
              201);
  }
  TestServer::Got patch(std::string_view target, std::string_view type, std::string_view body) {
    return server_.call("PATCH", target, body, {{"Content-Type", std::string(type)}});
  }
  TestServer server_;
};

value::Document json(std::string_view text) { return value::read_json(text).value(); }
std::string message_of(const TestServer::Got& got) {
  const auto document = json(got.body);
  return std::string(document.root().find("message")->as_string());
}

// kubectl apply sends these for definitions, since OpenAPI says that they are taken.
TEST_F(Patches, OfADefinitionMayBeStrategic) {
  const auto got = patch(kCrd, kStrategic, R"({
    "metadata":{"finalizers":["example.com/b"],"annotations":{"note":"n"}},
    "spec":{"names":{"shortNames":["wt"]},
      "versions":[{"name":"v1","served":true,"storage":true,
        "schema":{"openAPIV3Schema":{"type":"object","properties":{"size":{"type":"integer"}}}}}]}})");
  ASSERT_EQ(got.code, 200) << got.body;
  const auto document = json(got.body);
  const value::Value& spec = *document.root().find("spec");
  // Lists of definitions have no merge key: they are replaced. Those of metadata are merged.
  EXPECT_EQ(spec.find("versions")->size(), 1u);
  EXPECT_FALSE(got.body.contains(R"("spec":{"type":"object"}})")) << got.body;
  EXPECT_TRUE(got.body.contains(R"("size":{"type":"integer"})")) << got.body;
  EXPECT_TRUE(got.body.contains(R"("shortNames":["wt"])")) << got.body;
  EXPECT_TRUE(got.body.contains(R"("finalizers":["example.com/a","example.com/b"])") ||
              got.body.contains(R"("finalizers":["example.com/b","example.com/a"])"))
      << got.body;
  EXPECT_TRUE(got.body.contains(R"("plural":"widgets")")) << got.body;
  EXPECT_TRUE(got.body.contains(R"("generation":2)")) << got.body;
}

TEST_F(Patches, OfOtherTypesAreListedWhenOneIsNotTaken) {
  EXPECT_EQ(message_of(patch(kCrd, "text/plain", "{}")),
            "the body of the request was in an unknown format - accepted media types include: "
            "application/json-patch+json, application/merge-patch+json, "
            "application/strategic-merge-patch+json, application/apply-patch+yaml");
  ASSERT_EQ(server_
                .call("POST", "/apis/example.com/v1/namespaces/default/widgets",
                      R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}})")
                .code,
            201);
  const auto custom = patch("/apis/example.com/v1/namespaces/default/widgets/w", kStrategic, "{}");
  EXPECT_EQ(custom.code, 415);
  EXPECT_EQ(message_of(custom),
            "the body of the request was in an unknown format - accepted media types include: "
            "application/json-patch+json, application/merge-patch+json, "
            "application/apply-patch+yaml");
}

TEST_F(Patches, ThatCannotBeMergedAreTold) {
  struct Case {
    std::string_view body;
    int code;
    std::string_view want;  // the whole answer
  };
  const Case cases[] = {
      {R"({"data":{"$patch":"explode"}})", 500,
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"unknown patch type: explode in map: map[$patch:explode]","code":500})"},
      {R"([1])", 400,
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"json: cannot unmarshal array into Go value of type map[string]interface {}","reason":"BadRequest","code":400})"},
      {R"({"data":["x"]})", 422,
       R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":" \"\" is invalid: patch: Invalid value: \"map[data:[x]]\": cannot restore map from slice","reason":"Invalid","details":{"causes":[{"reason":"FieldValueInvalid","message":"Invalid value: \"map[data:[x]]\": cannot restore map from slice","field":"patch"}]},"code":422})"},
  };
  for (const Case& one : cases) {
    const auto got = patch(kMap, kStrategic, one.body);
    EXPECT_EQ(got.code, one.code) << got.body;
    EXPECT_EQ(got.body, std::string(one.want) + "\n");
  }
}

TEST_F(Patches, AreQuotedWhenStrictDecodingRefusesWhatTheyMake) {
  const auto strict = [&](std::string_view type, std::string_view body) {
    const auto got = patch(std::string(kMap) + "?fieldValidation=Strict", type, body);
    EXPECT_EQ(got.code, 422) << got.body;
    return message_of(got);
  };
  EXPECT_EQ(strict(kStrategic, R"({"bogus":1})"),
            R"( "" is invalid: patch: Invalid value: "map[bogus:1]": strict decoding error: )"
            R"(unknown field "bogus")");
  EXPECT_EQ(strict(kStrategic, R"({"data":{"y":"1","y":"2"}})"),
            R"( "" is invalid: patch: Invalid value: "map[data:map[y:2]]": strict decoding error: )"
            R"(duplicate field "data.y")");
  // The object follows its type in metadata, which the patch passes by.
  const std::string merged = strict(kMerge, R"({"bogus":1})");
  EXPECT_TRUE(merged.contains(R"({\"apiVersion\":\"v1\",\"bogus\":1,\"data\":{\"x\":\"1\"},)"
                              R"(\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",)"
                              R"(\"namespace\":\"default\",\"uid\":)"))
      << merged;
  const std::string twice = strict("application/json-patch+json",
                                   R"([{"op":"add","path":"/data/z","value":"1","value":"2"}])");
  EXPECT_TRUE(
      twice.starts_with(R"( "" is invalid: patch: Invalid value: "{\"apiVersion\":\"v1\",)"))
      << twice;
  EXPECT_TRUE(
      twice.ends_with(R"(": strict decoding error: json patch duplicate field "[0].value")"))
      << twice;
}

TEST(QuotePatched, SortsWhereThePatchWentAndFollowsTheTypeElsewhere) {
  constexpr std::string_view kRole = "io.k8s.api.rbac.v1.Role";
  const auto object = json(R"({"apiVersion":"rbac.authorization.k8s.io/v1","bogus":1,"kind":"Role",
    "metadata":{"labels":{"b":"1","a":"2"},"name":"r","ownerReferences":[{"apiVersion":"v1",
    "controller":true,"kind":"K","name":"n","uid":"u"}]},
    "rules":[{"apiGroups":[""],"resources":["x"],"verbs":["get"]}]})");
  const auto quoted = [&](PatchType type, std::string_view patch) {
    return quote_patched(type, kRole, json(patch).root(), object.root());
  };
  const std::string_view owners =
      R"("ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u","controller":true}])";
  const std::string_view rules =
      R"("rules":[{"verbs":["get"],"apiGroups":[""],"resources":["x"]}])";
  EXPECT_EQ(quoted(PatchType::kMerge, R"({"bogus":1})"),
            fmt::format(R"({{"apiVersion":"rbac.authorization.k8s.io/v1","bogus":1,"kind":"Role",)"
                        R"("metadata":{{"name":"r","labels":{{"a":"2","b":"1"}},{}}},{}}})",
                        owners, rules));
  EXPECT_EQ(quoted(PatchType::kJson, R"([{"op":"add","path":"/metadata/labels/b","value":"1"}])"),
            fmt::format(R"({{"apiVersion":"rbac.authorization.k8s.io/v1","bogus":1,"kind":"Role",)"
                        R"("metadata":{{"labels":{{"a":"2","b":"1"}},"name":"r",{}}},{}}})",
                        owners, rules));
  EXPECT_EQ(quoted(PatchType::kStrategic, R"({"bogus":[1,null,"x"]})"), "map[bogus:[1 <nil> x]]");
  EXPECT_EQ(
      quote_patched(PatchType::kMerge, "", json("{}").root(), json(R"({"b":1,"a":2})").root()),
      R"({"a":2,"b":1})");
}

TEST(ConverterFault, IsToldInTheConvertersWords) {
  const meta::Shape& shape = kinds::shape_of(kinds::described_type("io.k8s.api.core.v1.ConfigMap"));
  const auto fault = [&](std::string_view text) {
    return converter_fault(json(text).root(), shape).value_or("none");
  };
  EXPECT_EQ(fault(R"({"data":{"a":"b"},"immutable":true})"), "none");
  EXPECT_EQ(fault(R"({"data":null})"), "none");
  EXPECT_EQ(fault(R"({"data":"x"})"), "cannot restore map from string");
  EXPECT_EQ(fault(R"({"data":{"a":1}})"), "cannot convert int64 to string");
  EXPECT_EQ(fault(R"({"data":{"a":true}})"), "unrecognized type: string");
  EXPECT_EQ(fault(R"({"immutable":"yes"})"), "unrecognized type: bool");
  EXPECT_EQ(fault(R"({"metadata":[]})"), "cannot restore struct from: slice");
  EXPECT_EQ(fault(R"({"metadata":{"finalizers":{}}})"), "cannot restore slice from map");
  EXPECT_EQ(fault(R"({"metadata":{"generation":1.5}})"), "cannot convert float64 to int64");
  EXPECT_EQ(fault(R"({"binaryData":{"a":1}})"), "cannot restore slice from int64");
}

TEST(Scale, OfAnObjectWithoutOwnersLeavesNoEmptyListOfThem) {
  TestServer server;
  const std::string_view crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  ASSERT_EQ(server.post(crds, things({{"v1", R"("n":{"type":"integer"})"}})).code, 201);
  ASSERT_EQ(
      server
          .ask("PATCH", fmt::format("{}/things.a.example", crds),
               R"([{"op":"add","path":"/spec/versions/0/subresources","value":)"
               R"({"scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}}}])")
          .code,
      200);
  const std::string_view path = "/apis/a.example/v1/namespaces/default/things";
  ASSERT_EQ(server.wait_for(200, path).code, 200);
  ASSERT_EQ(
      server
          .post(
              path,
              R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"n":1}})")
          .code,
      201);
  const std::string one = fmt::format("{}/a", path);
  ASSERT_EQ(server.ask("PATCH", one, R"({"metadata":{"managedFields":[{}]}})").code, 200);
  ASSERT_EQ(server.get(one).at("metadata.managedFields"), "");
  ASSERT_EQ(server.ask("PATCH", one + "/scale", R"({"spec":{"replicas":3}})").code, 200);
  const Answered scaled = server.get(one);
  EXPECT_EQ(scaled.at("spec.n"), "3");
  EXPECT_EQ(scaled.at("metadata.managedFields"), "");
  // So writing what was read changes nothing.
  EXPECT_EQ(server.ask("PUT", one, scaled.body).body, scaled.body);
}

}  // namespace
}  // namespace strake::api::testing
