// Who an extension server lets in, who not, and what becomes of it when the main server changes or
// goes away.
#include "server/delegation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "http/test_server.h"
#include "server/test_delegation.h"

namespace strake::server {
namespace {

using http::testing::eventually;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(DelegationTest, ServesTheUserThatTheProxyVouchesFor) {
  start_both();
  EXPECT_EQ(get(proxied("ann")).status, 200);
  const auto made = ask(*extension_, "extension", "POST", kThings, thing("t"), proxied("ann"));
  EXPECT_EQ(made.status, 201) << made.body;
  const auto refused = get(proxied("bob"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body,
              HasSubstr("things.a.example is forbidden: User \\\"bob\\\" cannot list resource "
                        "\\\"things\\\" in API group \\\"a.example\\\" in the namespace"));
  // Roles of its own decide nothing.
  const auto bound = own_admin(
      "POST", fmt::format("{}/clusterrolebindings", kRbac),
      R"({"metadata":{"name":"b"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":)"
      R"("ClusterRole","name":"cluster-admin"},"subjects":[{"apiGroup":)"
      R"("rbac.authorization.k8s.io","kind":"User","name":"bob"}]})");
  EXPECT_EQ(bound.status, 201) << bound.body;
  EXPECT_EQ(get(proxied("bob")).status, 403);
}

TEST_F(DelegationTest, TakesEveryPartOfTheUserToTheMainServer) {
  start_both();
  bind("/clusterrolebindings", "things-of-group", "ClusterRole", "things", "nobody");
  main_admin(
      "PATCH", fmt::format("{}/clusterrolebindings/things-of-group", kRbac),
      R"({"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"dev"}]})");
  Caller carl = proxied("carl");
  EXPECT_EQ(get(carl).status, 403);
  carl.headers.push_back({"X-Remote-Group", "dev"});
  EXPECT_EQ(get(carl).status, 200);
  Caller root = proxied("root");
  root.headers.push_back({"X-Remote-Group", "system:masters"});
  EXPECT_EQ(get(root).status, 200);
}

TEST_F(DelegationTest, BelievesNoOneElsesHeaders) {
  start_both();
  // Without a certificate: whoever that is.
  const auto anonymous = get({.headers = {{"X-Remote-User", "ann"}}});
  EXPECT_EQ(anonymous.status, 403);
  EXPECT_THAT(anonymous.body, HasSubstr("User \\\"system:anonymous\\\""));
  // A client of the main server is itself.
  Caller client = certified(authority("main", "ca"), "bob");
  EXPECT_THAT(get(client).body, HasSubstr("User \\\"bob\\\""));
  client = certified(authority("main", "ca"), "front-proxy-client");
  EXPECT_THAT(get(client).body, HasSubstr("User \\\"front-proxy-client\\\""));
  // So is one of this server's own authority, and of its own front proxies nothing is believed.
  client = certified(authority("extension", "ca"), "bob");
  EXPECT_THAT(get(client).body, HasSubstr("User \\\"bob\\\""));
  EXPECT_EQ(get(certified(authority("extension", "front-proxy-ca"), "front-proxy-client")).status,
            401);
}

TEST_F(DelegationTest, RefusesProxiesThatAreNotGoodEnough) {
  start_both();
  const WallTime now = system_clock().now();
  using std::chrono::hours;
  const http::CertifiedKey proxies = authority("main", "front-proxy-ca");
  EXPECT_EQ(get(certified(proxies, "front-proxy-client")).status, 200);
  EXPECT_EQ(get(certified(proxies, "someone-else")).status, 401);
  EXPECT_EQ(get(certified(proxies, "")).status, 401);
  EXPECT_EQ(get(certified(proxies, "front-proxy-client",
                          http::Validity{.from = now - hours(2), .until = now - hours(1)}))
                .status,
            401);
  EXPECT_EQ(get(certified(proxies, "front-proxy-client",
                          http::Validity{.from = now + hours(1), .until = now + hours(2)}))
                .status,
            401);
  // An authority that nobody knows, with the name of the right one.
  const http::CertifiedKey other =
      http::make_ca("strake-front-proxy-ca", {.from = now - hours(1), .until = now + hours(9)})
          .value();
  EXPECT_EQ(get(certified(other, "front-proxy-client")).status, 401);
  // The right one, without a user.
  Caller silent = proxied("ann");
  silent.headers.clear();
  EXPECT_EQ(get(silent).status, 401);
}

TEST_F(DelegationTest, AsksTheMainServerWhoseTokensAre) {
  start_both();
  EXPECT_EQ(get({.token = "ann-token"}).status, 200);
  EXPECT_THAT(get({.token = "bob-token"}).body, HasSubstr("User \\\"bob\\\""));
  EXPECT_EQ(get({.token = "unknown"}).status, 401);
  // A token of a service account of this server is one of nobody.
  const auto own = own_admin("POST", "/api/v1/namespaces/default/serviceaccounts/default/token",
                             R"({"spec":{}})");
  ASSERT_EQ(own.status, 201) << own.body;
  const std::size_t at = own.body.find(R"("token":")") + 9;
  EXPECT_EQ(get({.token = own.body.substr(at, own.body.find('"', at) - at)}).status, 401);
}

TEST_F(DelegationTest, KeepsAnswersOfTheMainServerForAWhile) {
  start_main();
  bind_roles();
  Options with = extension_options();
  with.delegation->tokens_kept = std::chrono::hours(1);
  with.delegation->allowed_kept = std::chrono::hours(1);
  with.delegation->refused_kept = std::chrono::hours(1);
  start_extension(with);
  define("a.example");
  make_role("things", R"({"apiGroups":["a.example"],"resources":["things"],"verbs":["*"]})");
  bind("/clusterrolebindings", "things", "ClusterRole", "things", "ann");
  EXPECT_EQ(get({.token = "ann-token"}).status, 200);
  EXPECT_EQ(get({.token = "bob-token"}).status, 403);
  EXPECT_EQ(get({.token = "unknown"}).status, 401);
  main_.reset();
  EXPECT_EQ(get({.token = "ann-token"}).status, 200);
  EXPECT_EQ(get({.token = "bob-token"}).status, 403);
  EXPECT_EQ(get({.token = "unknown"}).status, 401);
}

TEST_F(DelegationTest, ReadsEverythingAgainWithoutFailures) {
  start_both();
  EXPECT_THAT(extension_->reload(), ::testing::IsEmpty());
  // The main server still decides.
  EXPECT_EQ(get(proxied("ann")).status, 200);
  EXPECT_EQ(get(proxied("bob")).status, 403);
}

TEST_F(DelegationTest, LetsNobodyInWhoseRightsTheMainServerCannotTell) {
  start_both();
  EXPECT_EQ(get(proxied("ann")).status, 200);
  main_.reset();
  const auto refused = get(proxied("ann"));
  EXPECT_EQ(refused.status, 500);
  EXPECT_THAT(refused.body,
              AllOf(HasSubstr("Internal Server Error"), HasSubstr("subjectaccessreviews"),
                    HasSubstr("connect: connection refused")));
  EXPECT_EQ(get({.token = "ann-token"}).status, 401);
  // What needs no answer goes on.
  EXPECT_EQ(get({}, "/healthz").status, 200);
  EXPECT_EQ(get({}, "/readyz").status, 200);
  EXPECT_EQ(get({}, "/livez").status, 200);
  EXPECT_EQ(own_admin("GET", kThings).status, 200);
}

TEST_F(DelegationTest, ShowsOthersTheGroupsOfItsDefinitionsAlone) {
  start_both();
  define("b.example");
  Caller root = proxied("root");
  root.headers.push_back({"X-Remote-Group", "system:masters"});
  const auto groups = get(root, "/apis");
  EXPECT_THAT(groups.body,
              AllOf(HasSubstr("a.example"), HasSubstr("b.example"), Not(HasSubstr("k8s.io"))));
  for (const std::string_view path : std::initializer_list<std::string_view>{
           "/api", "/api/v1", "/api/v1/namespaces", "/api/v1/secrets", kCrds, kRbac}) {
    EXPECT_EQ(get(root, path).status, 404) << path;
  }
  EXPECT_THAT(get(root, "/openapi/v2").body,
              AllOf(HasSubstr("/apis/a.example/v1/"), Not(HasSubstr("/api/v1/"))));
  // Administrators of the main server are not those of this one.
  EXPECT_EQ(
      get({.certificate = pki("main", "admin.crt"), .key = pki("main", "admin.key")}, kCrds).status,
      404);
  EXPECT_EQ(own_admin("GET", kCrds).status, 200);
  EXPECT_THAT(own_admin("GET", "/apis").body, HasSubstr("rbac.authorization.k8s.io"));
}

TEST_F(DelegationTest, ShowsTheGroupsThatItIsToldTo) {
  start_main();
  bind_roles();
  Options with = extension_options();
  with.delegation->groups = {"b.example"};
  start_extension(with);
  define("a.example");
  define("b.example");
  Caller root = proxied("root");
  root.headers.push_back({"X-Remote-Group", "system:masters"});
  EXPECT_EQ(get(root).status, 404);
  EXPECT_EQ(get(root, "/apis/b.example/v1/things").status, 200);
}

TEST_F(DelegationTest, FollowsWhomTheMainServerBelieves) {
  const WallTime now = system_clock().now();
  const http::Validity validity{.from = now - std::chrono::hours(1),
                                .until = now + std::chrono::hours(9)};
  const http::CertifiedKey first = http::make_ca("proxies", validity).value();
  const http::CertifiedKey second = http::make_ca("proxies", validity).value();
  Options with = options("main");
  with.requestheader_client_ca_file = write("proxies.crt", first.certificate_pem);
  start_main(with);
  bind_roles();
  start_extension(extension_options());
  define("a.example");
  bind("/clusterrolebindings", "ann-admin", "ClusterRole", "cluster-admin", "ann");
  EXPECT_EQ(get(certified(first, "any")).status, 200);
  EXPECT_EQ(get(certified(second, "any")).status, 401);
  write("proxies.crt", second.certificate_pem);
  main_->reload();
  EXPECT_TRUE(eventually([&] { return get(certified(second, "any")).status == 200; }));
  EXPECT_EQ(get(certified(first, "any")).status, 401);
}

TEST_F(DelegationTest, LetsItsOwnFlagsWinKeyByKey) {
  const WallTime now = system_clock().now();
  const http::CertifiedKey own = http::make_ca("own", {.from = now - std::chrono::hours(1),
                                                       .until = now + std::chrono::hours(9)})
                                     .value();
  start_main();
  bind_roles();
  Options with = extension_options();
  with.requestheader_client_ca_file = write("own.crt", own.certificate_pem);
  with.delegation->own.username_headers = std::vector<std::string>{"X-Who"};
  start_extension(with);
  define("a.example");
  bind("/clusterrolebindings", "ann-admin", "ClusterRole", "cluster-admin", "ann");
  Caller mine = certified(own, "front-proxy-client");
  EXPECT_EQ(get(mine).status, 401);
  mine.headers = {{"X-Who", "ann"}};
  EXPECT_EQ(get(mine).status, 200);
  // The allowed names are those of the main server.
  Caller other = certified(own, "other");
  other.headers = {{"X-Who", "ann"}};
  EXPECT_EQ(get(other).status, 401);
  EXPECT_EQ(get(proxied("ann")).status, 401);
}

TEST_F(DelegationTest, DoesNotStartWhenItCannotLearnWhomToBelieve) {
  start_main();
  auto refused = Server::start(extension_options());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(),
              HasSubstr("bind the role extension-apiserver-authentication-reader in kube-system"));
  Options stranger = extension_options();
  stranger.delegation->main_kubeconfig = main_kubeconfig("unknown");
  EXPECT_THAT(Server::start(stranger).error().message(),
              HasSubstr("does not know the credentials of the kubeconfig"));
  Options tolerant = extension_options();
  tolerant.delegation->tolerates_failure = true;
  start_extension(tolerant);
  EXPECT_EQ(get(proxied("ann")).status, 401);
  // As soon as it may, it learns.
  bind_roles();
  EXPECT_TRUE(eventually([&] { return get(proxied("ann")).status == 403; }));
}

TEST_F(DelegationTest, NeedsNoMainServerToBelieveWhomItsFlagsName) {
  start_main();
  Options with = extension_options();
  with.delegation->skips_lookup = true;
  with.delegation->own.username_headers = std::vector<std::string>{"X-Remote-User"};
  with.requestheader_client_ca_file = folder_.file("main") + "/pki/front-proxy-ca.crt";
  start_extension(with);
  EXPECT_EQ(get(proxied("ann"), "/healthz").status, 200);
  // Nobody said that this server may ask.
  EXPECT_EQ(get(proxied("ann"), "/apis").status, 500);
}

TEST_F(DelegationTest, HasTheNamespacesOfTheMainServer) {
  start_main();
  bind_roles();
  ASSERT_EQ(main_admin("POST", "/api/v1/namespaces",
                       R"({"metadata":{"name":"early","labels":{"team":"x"}}})")
                .status,
            201);
  start_extension(extension_options());
  define("a.example");
  bind("/clusterrolebindings", "ann-admin", "ClusterRole", "cluster-admin", "ann");
  const auto make_in = [&](std::string_view in) {
    return ask(*extension_, "extension", "POST",
               fmt::format("/apis/a.example/v1/namespaces/{}/things", in), thing("t"),
               proxied("ann"))
        .status;
  };
  EXPECT_EQ(make_in("early"), 201);
  EXPECT_EQ(make_in("late"), 404);
  EXPECT_THAT(own_admin("GET", "/api/v1/namespaces/early").body, HasSubstr("\"team\":\"x\""));
  main_admin("POST", "/api/v1/namespaces", R"({"metadata":{"name":"late"}})");
  EXPECT_TRUE(eventually([&] { return make_in("late") == 201; }));
  // What an administrator made here alone stays.
  own_admin("POST", "/api/v1/namespaces", R"({"metadata":{"name":"mine"}})");
  main_admin("PATCH", "/api/v1/namespaces/late", R"({"metadata":{"labels":{"new":"label"}}})");
  EXPECT_TRUE(eventually([&] {
    return own_admin("GET", "/api/v1/namespaces/late").body.contains("\"new\":\"label\"");
  }));
  main_admin("DELETE", "/api/v1/namespaces/late");
  EXPECT_TRUE(
      eventually([&] { return own_admin("GET", "/api/v1/namespaces/late").status == 404; }));
  EXPECT_EQ(own_admin("GET", "/apis/a.example/v1/namespaces/late/things/t").status, 404);
  EXPECT_EQ(own_admin("GET", "/api/v1/namespaces/mine").status, 200);
  EXPECT_EQ(own_admin("GET", "/api/v1/namespaces/early").status, 200);
}

}  // namespace
}  // namespace strake::server
