// Reviews: questions about who one is and what one may do. Nothing of them is kept.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kSelf = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
constexpr std::string_view kAccess = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
constexpr std::string_view kLocal =
    "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews";
constexpr std::string_view kRules = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
constexpr std::string_view kWho = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
constexpr std::string_view kTokens = "/apis/authentication.k8s.io/v1/tokenreviews";

class Reviews : public ::testing::Test {
 protected:
  // jane may ask, and read ConfigMaps in the namespace default.
  static bool may(const User& user, const RequestInfo& request) {
    if (user.name == "tester" || user.in_group("admins")) return true;
    if (request.group.starts_with("auth")) return true;
    if (user.name != "jane") return false;
    if (!request.is_resource) return request.path == "/healthz" && request.verb == "get";
    return request.verb == "get" && request.resource == "configmaps" &&
           request.subresource.empty() && request.namespace_name == "default";
  }
  Answered ask(std::string_view path, std::string_view spec, std::string_view user = "jane") {
    return server.ask({.method = "POST",
                       .target = path,
                       .body = fmt::format(R"({{"spec":{}}})", spec),
                       .type = "application/json",
                       .user = user});
  }
  TestServer server{{.may = may, .tokens = {{"secret", "jane"}}}};
};

TEST_F(Reviews, TellWhatTheCallerMay) {
  struct Case {
    std::string_view spec;
    bool allowed;
  };
  const Case cases[] = {
      {R"({"resourceAttributes":{"verb":"get","resource":"configmaps","namespace":"default"}})",
       true},
      {R"({"resourceAttributes":{"verb":"get","resource":"configmaps","namespace":"other"}})",
       false},
      {R"({"resourceAttributes":{"verb":"list","resource":"configmaps","namespace":"default"}})",
       false},
      {R"({"resourceAttributes":{"verb":"get","resource":"configmaps","subresource":"status","namespace":"default"}})",
       false},
      {R"({"nonResourceAttributes":{"path":"/healthz","verb":"get"}})", true},
      {R"({"nonResourceAttributes":{"path":"/metrics","verb":"get"}})", false},
  };
  for (const Case& one : cases) {
    const Answered got = ask(kSelf, one.spec);
    EXPECT_EQ(got.code, 201) << got.body;
    EXPECT_EQ(got.at("kind"), R"("SelfSubjectAccessReview")");
    EXPECT_EQ(got.at("status.allowed"), one.allowed ? "true" : "false") << one.spec;
  }
}

TEST_F(Reviews, SayWhichSelectorsTheyCouldNotRead) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"("labelSelector":{"requirements":[{"key":"a","operator":"In","values":["b"]}]})", ""},
      {R"("labelSelector":{"requirements":[{"key":"a","operator":"Like","values":["b"]}]})",
       "spec.resourceAttributes.labelSelector ignored due to parse error"},
      {R"("labelSelector":{"requirements":[{"key":"a","operator":"Like"},{"key":"a","operator":"Exists"}]})",
       "spec.resourceAttributes.labelSelector partially ignored due to parse error"},
      {R"("fieldSelector":{"requirements":[{"key":"a","operator":"Exists"}]})",
       "spec.resourceAttributes.fieldSelector ignored due to parse error"},
      {R"("fieldSelector":{"rawSelector":"a"},"labelSelector":{"rawSelector":"a in"})",
       "spec.resourceAttributes.fieldSelector ignored due to parse error; "
       "spec.resourceAttributes.labelSelector ignored due to parse error"},
  };
  for (const auto& [selector, error] : cases) {
    const Answered got =
        ask(kSelf, fmt::format(R"({{"resourceAttributes":{{"verb":"list","resource":"pods",{}}}}})",
                               selector));
    EXPECT_EQ(got.text("status.evaluationError"), error) << got.body;
  }
}

TEST_F(Reviews, OfRulesAreAboutANamespace) {
  expect_status(ask(kRules, R"({"namespace":""})"), 400, "BadRequest", "no namespace on request");
}

TEST_F(Reviews, TellWhatAnotherMay) {
  constexpr std::string_view kWhat =
      R"("resourceAttributes":{"verb":"get","resource":"configmaps","namespace":"default"})";
  const auto about = [&](std::string_view subject) {
    return ask(kAccess, fmt::format("{{{},{}}}", subject, kWhat), "").at("status.allowed");
  };
  EXPECT_EQ(about(R"("user":"jane")"), "true");
  EXPECT_EQ(about(R"("user":"joe")"), "false");
  EXPECT_EQ(about(R"("user":"joe","groups":["admins"])"), "true");
  EXPECT_EQ(about(R"("groups":["admins"])"), "true");
}

TEST_F(Reviews, RefuseQuestionsThatAreNone) {
  const Answered both = ask(
      kSelf,
      R"({"resourceAttributes":{"verb":"get"},"nonResourceAttributes":{"path":"/","verb":"get"}})");
  EXPECT_EQ(both.code, 422) << both.body;
  const Answered neither = ask(kSelf, "{}");
  EXPECT_EQ(neither.code, 422);
  EXPECT_TRUE(neither.text("message").contains(
      "exactly one of nonResourceAttributes or resourceAttributes must be specified"))
      << neither.text("message");
  const Answered nobody =
      ask(kAccess, R"({"nonResourceAttributes":{"path":"/","verb":"get"}})", "");
  EXPECT_EQ(nobody.code, 422);
  EXPECT_TRUE(nobody.text("message").contains("at least one of user or group must be specified"))
      << nobody.text("message");
}

TEST_F(Reviews, OfANamespaceStayInIt) {
  const Answered right = ask(
      kLocal,
      R"({"user":"jane","resourceAttributes":{"verb":"get","resource":"configmaps","namespace":"default"}})",
      "");
  EXPECT_EQ(right.at("status.allowed"), "true") << right.body;
  const Answered wrong = ask(
      kLocal,
      R"({"user":"jane","resourceAttributes":{"verb":"get","resource":"configmaps","namespace":"other"}})",
      "");
  EXPECT_EQ(wrong.code, 422) << wrong.body;
}

TEST_F(Reviews, TellWhoOneIs) {
  const Answered got = server.ask(
      {.method = "POST", .target = kWho, .body = "{}", .type = "application/json", .user = "jane"});
  EXPECT_EQ(got.code, 201) << got.body;
  EXPECT_EQ(got.at("status.userInfo"),
            R"({"groups":["system:authenticated"],"uid":"uid-of-jane","username":"jane"})");
  EXPECT_EQ(got.at("metadata.creationTimestamp"), R"("2024-01-01T00:00:00Z")");
}

TEST_F(Reviews, TellWhoseATokenIs) {
  const Answered good = ask(kTokens, R"({"token":"secret"})", "");
  EXPECT_EQ(good.code, 201) << good.body;
  EXPECT_EQ(good.at("status.authenticated"), "true");
  EXPECT_EQ(good.at("status.user.username"), R"("jane")");
  const Answered bad = ask(kTokens, R"({"token":"guess"})", "");
  EXPECT_EQ(bad.at("status.authenticated"), "");
  EXPECT_EQ(bad.at("status.error"), R"("invalid bearer token")");
}

TEST_F(Reviews, ListRules) {
  const Answered got = ask(kRules, R"({"namespace":"default"})", "");
  EXPECT_EQ(got.code, 201) << got.body;
  EXPECT_EQ(got.at("status.incomplete"), "false");
  EXPECT_NE(got.at("status.resourceRules"), "");
}

TEST_F(Reviews, AreNotKept) {
  const std::string before = server.get("/api/v1/namespaces").version();
  ask(kSelf, R"({"nonResourceAttributes":{"path":"/","verb":"get"}})");
  EXPECT_EQ(server.get("/api/v1/namespaces").version(), before);
  // Nothing to list, and nothing to get.
  for (const std::string_view path : {kSelf, kAccess, kRules, kWho, kTokens}) {
    const Answered listed = server.get(path);
    expect_status(listed, 405, "MethodNotAllowed",
                  "the server does not allow this method on the requested resource");
  }
}

TEST_F(Reviews, NeedCredentialsThatAreGood) {
  const Answered got = server.ask({.method = "POST",
                                   .target = kWho,
                                   .body = "{}",
                                   .type = "application/json",
                                   .headers = {{"Authorization", "Bearer guess"}}});
  expect_status(got, 401, "Unauthorized", "Unauthorized");
}

}  // namespace
}  // namespace strake::api::testing
