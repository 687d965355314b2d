#include "kube/openapi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/test_server.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kube {
namespace {

using http::testing::TestServer;
using http::testing::text_response;
using ::testing::HasSubstr;

value::Document json(std::string_view text) { return value::read_json(text).value(); }

TEST(OpenApiV3, IsMergedIntoOneDocumentThatKnowsTheKindsOfAll) {
  std::vector<value::Document> parts;
  parts.push_back(json(R"({"openapi":"3.0.0","info":{"title":"Kubernetes"},
    "paths":{"/api/v1/pods":{"get":1}},
    "components":{"schemas":{"Pod":{"type":"object"},
      "DeleteOptions":{"x-kubernetes-group-version-kind":[{"group":"","kind":"DeleteOptions"}]}},
      "securitySchemes":{"BearerToken":{}}}})"));
  parts.push_back(json(R"({"openapi":"3.0.0","info":{"title":"other"},
    "paths":{"/apis/x":{"get":2}},
    "components":{"schemas":{"X":{"type":"object"},
      "DeleteOptions":{"x-kubernetes-group-version-kind":[{"group":"","kind":"DeleteOptions"},
                                                           {"group":"x","kind":"DeleteOptions"}]}}}})"));
  const auto merged = merge_openapi_v3(parts);
  ASSERT_TRUE(merged) << merged.error().to_string();
  EXPECT_EQ(
      value::to_json(merged->root()),
      R"({"components":{"schemas":{"DeleteOptions":{"x-kubernetes-group-version-kind":)"
      R"([{"group":"","kind":"DeleteOptions"},{"group":"x","kind":"DeleteOptions"}]},)"
      R"("Pod":{"type":"object"},"X":{"type":"object"}},"securitySchemes":{"BearerToken":{}}},)"
      R"("info":{"title":"Kubernetes"},"openapi":"3.0.0",)"
      R"("paths":{"/api/v1/pods":{"get":1},"/apis/x":{"get":2}}})");
}

TEST(OpenApiV3, RefusesToMergeOtherDocuments) {
  std::vector<value::Document> parts;
  parts.push_back(json(R"({"swagger":"2.0"})"));
  EXPECT_EQ(merge_openapi_v3(parts).error().code(), Code::kInvalid);
}

boost::asio::awaitable<http::Response> give(http::Response response) { co_return response; }

Result<std::vector<OpenApiPart>> listed(std::string body, int status = 200) {
  ::setenv("no_proxy", "127.0.0.1", 1);
  TestServer server([&](http::Request) { return give(text_response(body, status)); });
  Access access;
  access.server = server.url("");
  return list_openapi_v3(Client(std::move(access), {}));
}

TEST(OpenApiV3, ListsItsPartsByName) {
  const auto parts = listed(R"({"paths":{"apis/apps/v1":{"serverRelativeURL":"/o/apps?hash=1"},
                                         "api/v1":{"serverRelativeURL":"/o/v1"}}})");
  ASSERT_TRUE(parts) << parts.error().to_string();
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_EQ((*parts)[0].name, "api/v1");
  EXPECT_EQ((*parts)[1].path, "/o/apps?hash=1");
}

TEST(OpenApiV3, RefusesAListThatIsNone) {
  EXPECT_THAT(listed("{}").error().message(), HasSubstr("lists no paths"));
  EXPECT_THAT(listed(R"({"paths":{"a":{"serverRelativeURL":"http://evil"}}})").error().message(),
              HasSubstr("a has no serverRelativeURL"));
  EXPECT_EQ(listed("not here", 404).error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace strake::kube
