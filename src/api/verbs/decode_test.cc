// Bodies of requests: every encoding, wrong kinds, fields that are unknown or said twice.
#include <gtest/gtest.h>

#include <algorithm>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";

class Bodies : public ::testing::Test {
 protected:
  Bodies() { server.create(kCrds, widgets_crd()); }
  Answered post(std::string_view target, std::string_view type, std::string_view body) {
    return server.ask({.method = "POST", .target = target, .body = body, .type = type});
  }
  TestServer server;
};

TEST_F(Bodies, AreJsonOrYaml) {
  constexpr std::string_view kYaml =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yam}\ndata:\n  k: |\n    text\n";
  const Answered yaml = post(kMaps, "application/yaml", kYaml);
  expect_ok(yaml, 201);
  EXPECT_EQ(yaml.at("data"), R"({"k":"text\n"})");
  EXPECT_EQ(post(kMaps, "application/yaml; charset=utf-8", "metadata: {name: z}").code, 201);
  EXPECT_EQ(post(kMaps, "", config_map_json("j")).code, 201);
  EXPECT_EQ(post(kMaps, "APPLICATION/JSON", config_map_json("k")).code, 201);
}

TEST_F(Bodies, OfYamlKnowItsOldWordsForTruth) {
  const Answered refused = post(kMaps, "application/yaml", "metadata: {name: y}");
  expect_status(refused, 400, "BadRequest",
                "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot "
                "unmarshal bool into Go struct field ObjectMeta.metadata.name of type string");
}

TEST_F(Bodies, OfOtherTypesAreNotRead) {
  for (const std::string_view target : {kMaps, kWidgets}) {
    expect_status(
        post(target, "text/plain", "x"), 415, "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json, application/yaml, application/vnd.kubernetes.protobuf");
  }
  // Custom resources have no protobuf form.
  EXPECT_EQ(post(kWidgets, "application/vnd.kubernetes.protobuf", "k8s").code, 415);
}

TEST_F(Bodies, OfBuiltinKindsNeedNotSayWhatTheyAre) {
  const Answered made = server.post(kMaps, R"({"metadata":{"name":"a"}})");
  expect_ok(made, 201);
  EXPECT_EQ(made.at("kind"), R"("ConfigMap")");
  EXPECT_EQ(made.at("apiVersion"), R"("v1")");
  const Answered custom = server.post(kWidgets, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(custom.code, 400) << custom.body;
}

TEST_F(Bodies, MustBeOfTheKindOfTheirPath) {
  struct Case {
    std::string_view target;
    std::string_view body;
    std::string_view message;
  };
  const Case cases[] = {
      {kMaps, R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"}})",
       "Secret in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Secret) to "
       "(core.ConfigMap): unknown conversion"},
      {kWidgets, R"({"apiVersion":"example.com/v1","kind":"Other","metadata":{"name":"a"}})", ""},
      {kWidgets, R"({"apiVersion":"example.com/v2","kind":"Widget","metadata":{"name":"a"}})",
       "the API version in the data (example.com/v2) does not match the expected API version "
       "(example.com/v1)"},
  };
  for (const Case& one : cases) {
    const Answered refused = server.post(one.target, one.body);
    EXPECT_GE(refused.code, 400) << refused.body;
    EXPECT_LT(refused.code, 500) << refused.body;
    if (!one.message.empty()) {
      EXPECT_EQ(refused.text("message"), one.message);
    }
  }
}

TEST_F(Bodies, ThatAreNoObjectsAreShown) {
  struct Case {
    std::string_view body;
    std::string_view message;
  };
  const Case cases[] = {
      {"{",
       "the object provided is unrecognized (must be of type ConfigMap): couldn't get "
       "version/kind; json parse error: unexpected end of JSON input ({)"},
      {"[]",
       "the object provided is unrecognized (must be of type ConfigMap): couldn't get "
       "version/kind; json parse error: json: cannot unmarshal array into Go value of type "
       "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
       "\"json:\\\"kind,omitempty\\\"\" } (5b5d)"},
      {"",
       "the object provided is unrecognized (must be of type ConfigMap): couldn't get "
       "version/kind; json parse error: unexpected end of JSON input (<empty>)"},
  };
  for (const Case& one : cases) {
    const Answered refused = post(kMaps, "application/json", one.body);
    EXPECT_EQ(refused.code, 400) << refused.body;
    EXPECT_EQ(refused.text("message"), one.message);
  }
}

TEST_F(Bodies, WithFieldsOfAWrongTypeAreRefused) {
  const Answered builtin = server.post(kMaps, R"({"metadata":{"name":"a"},"data":{"k":1}})");
  EXPECT_EQ(builtin.code, 400);
  EXPECT_EQ(builtin.text("message"),
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal "
            "number into Go struct field ConfigMap.data of type string");
  const Answered meta = server.post(
      kWidgets, R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":7}})");
  EXPECT_EQ(meta.code, 400) << meta.body;
}

TEST_F(Bodies, LoseFieldsThatNobodyKnows) {
  const Answered custom = server.create(
      kWidgets,
      R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","bogus":1},"spec":{"bogus":{"x":1}},"bogus":2})");
  EXPECT_FALSE(custom.at("").contains("bogus")) << custom.body;
  std::vector<std::string> warnings = custom.warnings;
  std::ranges::sort(warnings);
  EXPECT_EQ(warnings, (std::vector<std::string>{R"(299 - "unknown field \"bogus\"")",
                                                R"(299 - "unknown field \"metadata.bogus\"")",
                                                R"(299 - "unknown field \"spec.bogus\"")"}));
  const Answered builtin =
      server.create(kMaps, R"({"metadata":{"name":"a","bogus":1},"data":{"bogus":"kept"}})");
  EXPECT_EQ(builtin.at("metadata.bogus"), "");
  EXPECT_EQ(builtin.at("data.bogus"), R"("kept")");
  EXPECT_EQ(builtin.warnings,
            (std::vector<std::string>{R"(299 - "unknown field \"metadata.bogus\"")"}));
}

TEST_F(Bodies, TakeTheLastOfFieldsThatAreSaidTwice) {
  const Answered json =
      server.create(kMaps, R"({"metadata":{"name":"a"},"data":{"k":"1","k":"2"}})");
  EXPECT_EQ(json.at("data.k"), R"("2")");
  EXPECT_EQ(json.warnings, (std::vector<std::string>{R"(299 - "duplicate field \"data.k\"")"}));
  const Answered yaml =
      post(kMaps, "application/yaml", "metadata: {name: b}\ndata:\n  k: a\n  k: b\n");
  expect_ok(yaml, 201);
  EXPECT_EQ(yaml.at("data.k"), R"("b")");
  // kube-apiserver 1.36 has a warning for it that no header can carry: it is of two lines.
  EXPECT_TRUE(yaml.warnings.empty());
}

TEST_F(Bodies, AreNotReadBeyondTheirDepth) {
  std::string deep = R"({"metadata":{"name":"a"},"data":)";
  for (int i = 0; i < 20'000; ++i) deep += "[";
  const Answered refused = server.post(kMaps, deep);
  EXPECT_EQ(refused.code, 400) << refused.body.substr(0, 300);
}

TEST_F(Bodies, WithManyFaultsNameThemAllWhenStrict) {
  const Answered strict = server.post(
      fmt::format("{}?fieldValidation=Strict", kWidgets),
      R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"x":1,"y":2,"size":1,"size":2}})");
  expect_status(
      strict, 400, "BadRequest",
      "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error: "
      "duplicate field \"spec.size\", unknown field \"spec.x\", unknown field \"spec.y\"");
}

TEST_F(Bodies, KeepTextAsItIs) {
  const Answered made = server.create(
      kMaps, R"({"metadata":{"name":"a"},"data":{"k":"<&>\u2028\u00e9\ud83d\ude00\"\\\n"}})");
  EXPECT_EQ(made.text("data.k"), "<&>\u2028\u00e9\U0001F600\"\\\n");
  // Marks that browsers read are escaped, as Go does.
  EXPECT_TRUE(made.body.contains(R"(\u003c\u0026\u003e\u2028)")) << made.body;
}

}  // namespace
}  // namespace strake::api::testing
