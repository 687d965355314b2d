#include "api/filters/request_info.h"

#include <gtest/gtest.h>

#include "api/filters/test_stages.h"

namespace strake::api {
namespace {

using testing::call_for;
using testing::code_of;

TEST(RequestInfoStage, ReadsWhatTheCallIsAbout) {
  RequestInfoStage stage;
  const CallPtr call = call_for("GET", "/apis/a.example/v1/namespaces/here/things?limit=5");
  EXPECT_EQ(code_of(stage.enter(*call)), 0);
  EXPECT_EQ(call->info.verb, "list");
  EXPECT_EQ(call->info.group, "a.example");
  EXPECT_EQ(call->info.namespace_name, "here");
  EXPECT_EQ(call->query.get("limit"), "5");
}

TEST(RequestInfoStage, RefusesWhatCannotBeRead) {
  RequestInfoStage stage;
  EXPECT_EQ(code_of(stage.enter(*call_for("GET", "/api/v1/%zz"))), 400);
  EXPECT_EQ(code_of(stage.enter(*call_for("GET", "/api?a=%zz"))), 400);
}

TEST(RequestInfoStage, TakesTheMethodsOfHttpAlone) {
  RequestInfoStage stage;
  EXPECT_EQ(code_of(stage.enter(*call_for("LIST", "/api/v1/namespaces"))), 405);
  EXPECT_EQ(code_of(stage.enter(*call_for("get", "/api/v1/namespaces"))), 405);
  EXPECT_EQ(code_of(stage.enter(*call_for("OPTIONS", "/api/v1/namespaces"))), 0);
}

}  // namespace
}  // namespace strake::api
