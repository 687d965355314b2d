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
      {"GET", "/api/v1/nothings", 404, "could not find the requested resource"},
      {"GET", "/api/v2/namespaces", 404, "could not find the requested resource"},
      {"GET", "/api/v1/configmaps/one", 404, "could not find the requested resource"},
      {"GET", "/apis/apiextensions.k8s.io/v1/namespaces/here/customresourcedefinitions", 404,
       "could not find the requested resource"},
      {"PUT", "/api/v1/namespaces", 405, ""},
      {"OPTIONS", "/api/v1/namespaces", 405, ""},
      {"GET", "/api/v1/namespaces/default/configmaps/one/status", 404,
       "could not find the requested resource"},
  };
  TestServer server;
  for (const Case& one : cases) {
    const testing::Answered got = server.ask(one.method, one.target);
    EXPECT_EQ(got.code, one.code) << one.method << " " << one.target << "\n" << got.body;
    EXPECT_THAT(got.body, HasSubstr(std::string(one.has))) << one.method << " " << one.target;
  }
}

TEST(Health, ShowsWhatIsForInformationAndNeverFailsOverIt) {
  Health health;
  health.add({"ping", [] { return Result<>(); }});
  bool good = true;
  health.add({.name = "backup",
              .run = [&]() -> Result<> {
                if (good) return {};
                return fail(Code::kIo, "the disk of s3cret is full");
              },
              .for_information = true});
  const auto ask = [&](std::string_view path, std::string_view query) {
    const auto got = health.serve(path, *http::Query::parse(query));
    if (!got) return std::string("nothing");
    std::string out = fmt::format("{} ", got->status);
    for (const http::Piece& piece : got->body) out += piece.view();
    return out;
  };
  EXPECT_EQ(ask("/readyz", "verbose"), "200 [+]ping ok\n[+]backup ok\nreadyz check passed\n");
  EXPECT_EQ(ask("/readyz/backup", ""), "200 ok");
  good = false;
  EXPECT_EQ(ask("/readyz", ""), "200 ok");
  EXPECT_EQ(ask("/readyz", "verbose"),
            "200 [+]ping ok\n[+]backup failed, for information only: reason withheld\n"
            "readyz check passed\n");
  EXPECT_EQ(ask("/readyz/backup", ""), "200 failed, for information only: reason withheld");
  EXPECT_EQ(ask("/livez", "verbose"), "200 [+]ping ok\nlivez check passed\n");
  EXPECT_EQ(ask("/livez/backup", ""), "nothing");
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
