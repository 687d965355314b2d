#include "audit/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::audit {
namespace {

using ::testing::ElementsAre;

TEST(AuditEvent, IsOneLineInTheOrderOfKubeApiserver) {
  Event event;
  event.level = Level::kRequestResponse;
  event.id = "a-1";
  event.uri = "/api/v1/namespaces/here/pods?x=1";
  event.verb = "create";
  event.user = std::make_shared<const api::User>(
      api::User{.name = "eve\n", .uid = "u", .groups = {"g"}, .extra = {{"k", {"v", "w"}}}});
  event.impersonated = std::make_shared<const api::User>(
      api::User{.name = "jo", .uid = {}, .groups = {}, .extra = {}});
  event.source_ips = {"10.0.0.1"};
  event.user_agent = "kubectl";
  event.request.is_resource = true;
  event.request.resource = "pods";
  event.request.namespace_name = "here";
  event.request.name = "one";
  event.request.version = "v1";
  event.outcome = {.code = 404, .message = "no", .reason = "NotFound"};
  event.request_object = R"({"a":1})";
  event.response_object = R"({"b":2})";
  const FakeClock clock;
  event.received = clock.now();
  event.annotations = {{"authorization.k8s.io/decision", "allow"}};
  EXPECT_EQ(
      write_event(event, Stage::kResponseComplete, clock.now() + std::chrono::milliseconds(5)),
      R"({"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"a-1",)"
      R"("stage":"ResponseComplete","requestURI":"/api/v1/namespaces/here/pods?x=1","verb":"create",)"
      R"("user":{"username":"eve\n","uid":"u","groups":["g"],"extra":{"k":["v","w"]}},)"
      R"("impersonatedUser":{"username":"jo"},"sourceIPs":["10.0.0.1"],"userAgent":"kubectl",)"
      R"("objectRef":{"resource":"pods","namespace":"here","name":"one","apiVersion":"v1"},)"
      R"("responseStatus":{"metadata":{},"status":"Failure","message":"no","reason":"NotFound","code":404},)"
      R"("requestObject":{"a":1},"responseObject":{"b":2},)"
      R"("requestReceivedTimestamp":"2024-01-01T00:00:00.000000Z",)"
      R"("stageTimestamp":"2024-01-01T00:00:00.005000Z",)"
      R"("annotations":{"authorization.k8s.io/decision":"allow"}})"
      "\n");
}

TEST(AuditEvent, NamesTheAddressesOfProxiesFirst) {
  http::Request request;
  request.remote_address = "127.0.0.1:5000";
  EXPECT_THAT(source_ips(request), ElementsAre("127.0.0.1"));
  request.headers.add("X-Forwarded-For", "10.1.1.1, nonsense, 10.2.2.2");
  request.headers.add("X-Real-Ip", "10.3.3.3");
  EXPECT_THAT(source_ips(request), ElementsAre("10.1.1.1", "10.2.2.2", "10.3.3.3", "127.0.0.1"));
  http::Request six;
  six.remote_address = "[::1]:5000";
  EXPECT_THAT(source_ips(six), ElementsAre("::1"));
}

}  // namespace
}  // namespace strake::audit
