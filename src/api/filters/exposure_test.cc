// What callers are shown who are not shown everything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api {
namespace {

using testing::Answered;
using testing::Asking;
using testing::expect_ok;
using ::testing::HasSubstr;
using ::testing::Not;

// Everything for those who say so in a header.
class ByHeader final : public Exposure {
 public:
  bool is_whole(const http::Request& request) const override {
    return request.headers.has("Whole");
  }
  bool shows(std::string_view group) const override { return group == "a.example"; }
};

class ExposureTest : public ::testing::Test {
 protected:
  ExposureTest() {
    Answered made = whole("POST", kCrds, testing::things({{"v1", R"("size":{"type":"integer"})"}}));
    expect_ok(made, 201);
    made = whole("POST", kCrds, testing::widgets_crd());
    expect_ok(made, 201);
    expect_ok(whole("GET", "/apis/a.example/v1/things"));
  }
  Answered whole(std::string_view method, std::string_view target, std::string_view body = {}) {
    return server_.ask({.method = method,
                        .target = target,
                        .body = body,
                        .type = "application/json",
                        .headers = {{"Whole", "yes"}}});
  }
  Answered narrow(std::string_view target, std::string_view accept = "application/json") {
    return server_.ask({.target = target, .accept = accept});
  }

  static constexpr std::string_view kCrds =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  ByHeader exposure_;
  testing::TestServer server_{{.exposure = &exposure_}};
};

TEST_F(ExposureTest, ServesTheGroupsThatAreShown) {
  expect_ok(narrow("/apis/a.example/v1/things"));
  expect_ok(narrow("/apis/a.example/v1/namespaces/default/things"));
  expect_ok(narrow("/healthz"));
  expect_ok(narrow("/version"));
}

TEST_F(ExposureTest, HasNoPathsOfOtherGroups) {
  for (const std::string_view path :
       {"/api", "/api/v1", "/api/v1/namespaces", "/api/v1/namespaces/default",
        "/api/v1/namespaces/default/configmaps", "/apis/example.com/v1/widgets",
        "/apis/example.com", "/apis/example.com/v1",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        "/apis/authorization.k8s.io/v1/subjectaccessreviews", "/openid/v1/jwks",
        "/.well-known/openid-configuration", "/openapi/v3/api/v1",
        "/openapi/v3/apis/example.com/v1"}) {
    const Answered answered = narrow(path);
    EXPECT_EQ(answered.code, 404) << path << " " << answered.body;
  }
}

TEST_F(ExposureTest, TellsOfTheShownGroupsAlone) {
  const Answered groups = narrow("/apis");
  EXPECT_EQ(groups.text("groups.0.name"), "a.example");
  EXPECT_EQ(groups.at("groups.1"), "");
  const Answered aggregated =
      narrow("/apis", "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io");
  EXPECT_EQ(aggregated.text("items.0.metadata.name"), "a.example");
  EXPECT_EQ(aggregated.at("items.1"), "");
  expect_ok(narrow("/apis/a.example"));
  EXPECT_EQ(narrow("/apis/a.example/v1").text("resources.0.name"), "things");
  const Answered openapi = narrow("/openapi/v2");
  EXPECT_THAT(openapi.body, HasSubstr("/apis/a.example/v1/"));
  EXPECT_THAT(openapi.body, Not(HasSubstr("example.com/v1")));
  EXPECT_THAT(openapi.body, Not(HasSubstr("configmaps")));
  EXPECT_THAT(narrow("/openapi/v3").body, Not(HasSubstr("api/v1\"")));
  expect_ok(narrow("/openapi/v3/apis/a.example/v1"));
}

TEST_F(ExposureTest, ShowsEverythingToThoseWhoSeeTheWhole) {
  // Also after others have made the narrow documents.
  expect_ok(narrow("/apis"));
  EXPECT_THAT(whole("GET", "/apis").body, HasSubstr("rbac.authorization.k8s.io"));
  expect_ok(whole("GET", "/api/v1/namespaces"));
  EXPECT_THAT(whole("GET", "/openapi/v2").body, HasSubstr("configmaps"));
}

}  // namespace
}  // namespace strake::api
