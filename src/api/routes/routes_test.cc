// Which route answers which path, through a whole server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/routes/documents_route.h"
#include "api/routes/operators.h"
#include "api/routes/resources.h"
#include "api/test_server.h"

namespace strake::api {
namespace {

using ::testing::HasSubstr;
using testing::TestServer;

TEST(Routes, AnswerTheirOwnPathsAndNoOthers) {
  struct Case {
    std::string_view method;
    std::string_view target;
    int code;
    std::string_view has;
  };
  const Case cases[] = {
      {"GET", "/", 200, "\"/openapi/v3\""},
      {"GET", "/version", 200, "\"minor\": \"36\""},
      {"GET", "/version/", 200, "\"minor\": \"36\""},
      {"GET", "/metrics", 200, "apiserver_current_inflight_requests"},
      {"GET", "/readyz", 200, "ok"},
      {"GET", "/readyz?verbose", 200, "[+]etcd ok"},
      {"GET", "/livez/ping", 200, "ok"},
      {"GET", "/livez/nothing", 404, "404 page not found"},
      {"GET", "/readyzz", 404, "404 page not found"},
      {"GET", "/api", 200, "\"v1\""},
      {"GET", "/apis", 200, "APIGroupList"},
      {"GET", "/apis/nothing.example", 404, ""},
      {"GET", "/openapi/v2", 200, "\"swagger\""},
      {"POST", "/openapi/v2", 404, "404 page not found"},
      {"GET", "/elsewhere", 404, "404 page not found"},
      {"GET", "/api/v1/namespaces/default", 200, "\"Namespace\""},
      {"GET", "/api/v1/nothings", 404, "404 page not found"},
      {"GET", "/api/v2/namespaces", 404, "404 page not found"},
      {"GET", "/api/v1/configmaps/one", 404, "404 page not found"},
      {"GET", "/apis/apiextensions.k8s.io/v1/namespaces/here/customresourcedefinitions", 404,
       "404 page not found"},
      {"PUT", "/api/v1/namespaces", 405, ""},
      {"OPTIONS", "/api/v1/namespaces", 405, ""},
      {"GET", "/api/v1/namespaces/default/configmaps/one/status", 404, "not found"},
  };
  TestServer server;
  for (const Case& one : cases) {
    const testing::Answered got = server.ask(one.method, one.target);
    EXPECT_EQ(got.code, one.code) << one.method << " " << one.target << "\n" << got.body;
    EXPECT_THAT(got.body, HasSubstr(std::string(one.has))) << one.method << " " << one.target;
  }
}

TEST(Routes, ADefinitionIsServedWhenItsWriteIsAnswered) {
  TestServer server;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(server
                  .post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                        testing::things({{"v1", ""}}))
                  .code,
              201);
    EXPECT_EQ(server.get("/apis/a.example/v1/things").code, 200) << "round " << i;
    ASSERT_EQ(server
                  .ask("DELETE",
                       "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.a.example")
                  .code,
              200);
    server.wait_for(404,
                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.a.example");
  }
}

}  // namespace
}  // namespace strake::api
