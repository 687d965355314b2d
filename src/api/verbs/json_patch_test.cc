// JSON patches (RFC 6902) through the whole API.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kWidget = "/apis/example.com/v1/namespaces/default/widgets/w";
constexpr std::string_view kRejected =
    "the server rejected our request due to an error in our request";

class JsonPatch : public ::testing::Test {
 protected:
  JsonPatch() {
    server.create(kCrds, widgets_crd());
    widget = server.create(kWidgets, widget_json("w", R"({"color":"red","fixed":"x"})"));
    server.create(kMaps, config_map_json("a", R"({"k":"v"})"));
  }
  Answered patch(std::string_view target, std::string_view body) {
    return server.patch(target, "application/json-patch+json", body);
  }
  TestServer server;
  Answered widget;
};

TEST_F(JsonPatch, ChangesWhatItsOperationsName) {
  struct Case {
    std::string_view operations;
    std::string_view data;
  };
  const Case cases[] = {
      {R"([{"op":"add","path":"/data/x","value":"1"}])", R"({"k":"v","x":"1"})"},
      {R"([{"op":"replace","path":"/data/k","value":"w"}])", R"({"k":"w"})"},
      // As the library of kube-apiserver 1.36 does, against the RFC.
      {R"([{"op":"replace","path":"/data/n","value":"w"}])", R"({"k":"v","n":"w"})"},
      {R"([{"op":"remove","path":"/data/k"}])", ""},
      {R"([{"op":"move","from":"/data/k","path":"/data/m"}])", R"({"m":"v"})"},
      {R"([{"op":"copy","from":"/data/k","path":"/data/c"}])", R"({"c":"v","k":"v"})"},
      {R"([{"op":"test","path":"/data/k","value":"v"},{"op":"add","path":"/data/t","value":"1"}])",
       R"({"k":"v","t":"1"})"},
      {R"([{"op":"add","path":"/data/a~1b","value":"1"}])", ""},  // no key of a ConfigMap
      {R"([])", R"({"k":"v"})"},
  };
  for (const Case& one : cases) {
    const Answered got = patch(fmt::format("{}?dryRun=All", kMap), one.operations);
    if (one.data.empty() && one.operations.contains("a~1b")) {
      EXPECT_EQ(got.code, 422) << got.body;
      continue;
    }
    EXPECT_EQ(got.code, 200) << got.body;
    EXPECT_EQ(got.at("data"), one.data) << one.operations;
  }
}

TEST_F(JsonPatch, SeesDefaultsThatWereFilledIn) {
  const Answered got = patch(kWidget, R"([{"op":"test","path":"/spec/size","value":1},)"
                                      R"({"op":"replace","path":"/spec/size","value":7}])");
  expect_ok(got);
  EXPECT_EQ(got.at("spec.size"), "7");
  EXPECT_EQ(got.at("metadata.generation"), "2");
}

TEST_F(JsonPatch, ThatFailsIsRejectedWithoutDetails) {
  for (const std::string_view operations :
       {R"([{"op":"test","path":"/spec/color","value":"green"}])",
        R"([{"op":"remove","path":"/spec/nope"}])", R"([{"op":"frobnicate","path":"/x"}])",
        R"([{"op":"add","path":"/a/b/c","value":1}])"}) {
    expect_status(patch(kWidget, operations), 422, "Invalid", kRejected);
  }
  EXPECT_EQ(server.get(kWidget).version(), widget.version());
}

TEST_F(JsonPatch, IsAllOrNothing) {
  EXPECT_EQ(patch(kWidget, R"([{"op":"replace","path":"/spec/color","value":"blue"},)"
                           R"({"op":"test","path":"/spec/color","value":"red"}])")
                .code,
            422);
  EXPECT_EQ(server.get(kWidget).at("spec.color"), R"("red")");
}

TEST_F(JsonPatch, ThatCannotBeReadIsToldSo) {
  expect_status(patch(kWidget, R"({"op":"add"})"), 400, "BadRequest",
                "error decoding patch: json: cannot unmarshal object into Go value of type "
                "[]handlers.jsonPatchOp");
  const Answered broken = patch(kWidget, "[{x");
  EXPECT_EQ(broken.code, 400);
  EXPECT_TRUE(broken.text("message").starts_with("error decoding patch: invalid character 'x'"))
      << broken.body;
}

TEST_F(JsonPatch, HasAtMostTenThousandOperations) {
  const auto operations = [](std::size_t count) {
    std::string out = "[";
    for (std::size_t i = 0; i < count; ++i)
      out += fmt::format(R"({}{{"op":"test","path":"/data/k","value":"v"}})", i > 0 ? "," : "");
    return out + "]";
  };
  expect_ok(patch(kMap, operations(10'000)));
  expect_status(
      patch(kMap, operations(10'001)), 413, "RequestEntityTooLarge",
      "Request entity too large: The allowed maximum operations in a JSON patch is 10000, "
      "got 10001");
}

TEST_F(JsonPatch, LeavesWhereAndWhatTheObjectIs) {
  expect_status(patch(kWidget, R"([{"op":"replace","path":"/metadata/name","value":"b"}])"), 400,
                "BadRequest", "the name of the object (b) does not match the name on the URL (w)");
  EXPECT_EQ(patch(kWidget, R"([{"op":"replace","path":"/metadata/uid","value":"x"}])").code, 422);
  EXPECT_EQ(patch(kWidget, R"([{"op":"replace","path":"","value":3}])").code, 422);
  EXPECT_EQ(patch(kWidget, R"([{"op":"replace","path":"/kind","value":"Other"}])").code, 422);
}

TEST_F(JsonPatch, ConflictsOnlyOverAVersionThatItNames) {
  const auto versioned = [](std::string_view version) {
    return fmt::format(R"([{{"op":"replace","path":"/metadata/resourceVersion","value":"{}"}},)"
                       R"({{"op":"add","path":"/data/x","value":"1"}}])",
                       version);
  };
  EXPECT_EQ(patch(kMap, versioned("1")).code, 409);
  expect_ok(patch(kMap, versioned(server.get(kMap).version())));
}

TEST_F(JsonPatch, OfWhatIsNotThereIsRefused) {
  expect_status(patch(fmt::format("{}/none", kMaps), "[]"), 404, "NotFound",
                "configmaps \"none\" not found");
}

}  // namespace
}  // namespace strake::api::testing
