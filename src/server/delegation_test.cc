// An extension server behind a main server, both whole and over TLS: who is let in, who is not, and
// what becomes of it when the main server changes or goes away.
#include "server/delegation.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/base64.h"
#include "base/log.h"
#include "base/owned_fd.h"
#include "http/fetch.h"
#include "http/pki.h"
#include "http/test_server.h"
#include "server/data_dir.h"
#include "server/server.h"
#include "server/temporary_folder.h"
#include "server/unregister.h"

namespace strake::server {
namespace {

using http::testing::eventually;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kThings = "/apis/a.example/v1/namespaces/default/things";
constexpr std::string_view kRbac = "/apis/rbac.authorization.k8s.io/v1";

std::string crd(std::string_view group, std::string_view versions = R"([{"name":"v1"}])") {
  std::string out;
  const std::string base =
      R"(,"served":true,"storage":STORAGE,"schema":{"openAPIV3Schema":{"type":"object",)"
      R"("x-kubernetes-preserve-unknown-fields":true}}})";
  bool first = true;
  for (std::size_t at = versions.find("{\"name\""); at != std::string_view::npos;
       at = versions.find("{\"name\"", at + 1)) {
    std::string one(versions.substr(at, versions.find('}', at) - at));
    std::string rest = base;
    rest.replace(rest.find("STORAGE"), 7, first ? "true" : "false");
    out += (first ? "" : ",") + one + rest;
    first = false;
  }
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":)"
      R"({{"name":"things.{0}"}},"spec":{{"group":"{0}","scope":"Namespaced","names":)"
      R"({{"plural":"things","kind":"Thing"}},"versions":[{1}]}}}})",
      group, out);
}

std::string thing(std::string_view name, std::string_view group = "a.example") {
  return fmt::format(R"({{"apiVersion":"{}/v1","kind":"Thing","metadata":{{"name":"{}"}}}})", group,
                     name);
}

struct Caller {
  std::string certificate = {};
  std::string key = {};
  std::string token = {};
  std::vector<http::Header> headers = {};
};

class DelegationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("no_proxy", "127.0.0.1", 1);
    log::configure({.level = log::Level::kOff});
    write("tokens",
          "ext-token,extension,1\nann-token,ann,2\nbob-token,bob,3\nstranger-token,stranger,4\n");
  }
  void TearDown() override {
    extension_.reset();
    main_.reset();
    log::configure({});
  }

  std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(folder_.file(name), std::ios::binary | std::ios::trunc) << content;
    return folder_.file(name);
  }
  static std::string text_of(const std::string& file) { return read_file(file).value(); }
  std::string pki(std::string_view server, std::string_view name) const {
    return text_of(fmt::format("{}/pki/{}", folder_.file(server), name));
  }

  Options options(std::string_view name) const {
    Options out;
    out.data_dir = folder_.file(name);
    out.in_memory = true;
    out.port = 0;
    out.io_threads = 1;
    out.drain_timeout = std::chrono::seconds(0);  // connections that the test keeps end at once
    return out;
  }
  void start_main(Options with) {
    with.token_file = folder_.file("tokens");
    auto started = Server::start(std::move(with));
    ASSERT_TRUE(started) << started.error().to_string();
    main_ = *std::move(started);
  }
  void start_main() { start_main(options("main")); }
  // What an administrator does once.
  void bind_roles() {
    bind("/namespaces/kube-system/rolebindings", "ext-reader", "Role",
         "extension-apiserver-authentication-reader", "extension");
    bind("/clusterrolebindings", "ext-delegator", "ClusterRole", "system:auth-delegator",
         "extension");
    make_role("ext-server",
              R"({"apiGroups":[""],"resources":["namespaces"],"verbs":["get","list","watch"]},)"
              R"({"apiGroups":[""],"resources":["services"],"verbs":["*"]},)"
              R"({"apiGroups":["discovery.k8s.io"],"resources":["endpointslices"],"verbs":["*"]},)"
              R"({"apiGroups":["apiregistration.k8s.io"],"resources":["apiservices"],)"
              R"("verbs":["*"]})");
    bind("/clusterrolebindings", "ext-server", "ClusterRole", "ext-server", "extension");
  }
  void make_role(std::string_view name, std::string_view rules) {
    const auto made =
        main_admin("POST", fmt::format("{}/clusterroles", kRbac),
                   fmt::format(R"({{"metadata":{{"name":"{}"}},"rules":[{}]}})", name, rules));
    ASSERT_EQ(made.status, 201) << made.body;
  }
  void bind(std::string_view path, std::string_view name, std::string_view kind,
            std::string_view role, std::string_view user) {
    const auto made = main_admin(
        "POST", fmt::format("{}{}", kRbac, path),
        fmt::format(R"({{"metadata":{{"name":"{}"}},"roleRef":{{"apiGroup":)"
                    R"("rbac.authorization.k8s.io","kind":"{}","name":"{}"}},"subjects":[{{)"
                    R"("apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"{}"}}]}})",
                    name, kind, role, user));
    ASSERT_EQ(made.status, 201) << made.body;
  }
  std::string main_kubeconfig(std::string_view token = "ext-token") const {
    return write(
        fmt::format("{}.kubeconfig", token),
        fmt::format(
            "clusters:\n- name: c\n  cluster: {{server: \"{}\", "
            "certificate-authority-data: {}}}\nusers:\n- name: u\n  user: {{token: {}}}\n"
            "contexts:\n- name: x\n  context: {{cluster: c, user: u}}\ncurrent-context: x\n",
            main_->url(), base64_encode(pki("main", "ca.crt")), token));
  }
  DelegationOptions delegation() const {
    // Nothing is kept, so that tests see changes at once.
    return {.main_kubeconfig = main_kubeconfig(),
            .tokens_kept = std::chrono::seconds(0),
            .allowed_kept = std::chrono::seconds(0),
            .refused_kept = std::chrono::seconds(0)};
  }
  Options extension_options() const {
    Options out = options("extension");
    out.delegation = delegation();
    return out;
  }
  void start_extension(Options with) {
    auto started = Server::start(std::move(with));
    ASSERT_TRUE(started) << started.error().to_string();
    extension_ = *std::move(started);
  }
  // Both, with a definition that ann may use.
  void start_both() {
    start_main();
    bind_roles();
    start_extension(extension_options());
    define("a.example");
    make_role("things", R"({"apiGroups":["a.example"],"resources":["things"],"verbs":["*"]})");
    bind("/clusterrolebindings", "things", "ClusterRole", "things", "ann");
  }
  void define(std::string_view group, std::string_view versions = R"([{"name":"v1"}])") {
    const auto made = own_admin("POST", kCrds, crd(group, versions));
    ASSERT_EQ(made.status, 201) << made.body;
  }

  http::FetchResponse ask(const Server& server, std::string_view name, std::string_view method,
                          std::string_view path, std::string_view body, const Caller& as) const {
    http::FetchRequest request{.url = server.url() + std::string(path),
                               .method = std::string(method),
                               .ca_pem = pki(name, "ca.crt")};
    request.client_certificate_pem = as.certificate;
    request.client_key_pem = Secret(as.key);
    request.bearer_token = Secret(as.token);
    request.body = body;
    if (!body.empty()) request.headers.add("Content-Type", "application/json");
    if (method == "PATCH") request.headers.set("Content-Type", "application/merge-patch+json");
    for (const http::Header& one : as.headers) request.headers.add(one.name, one.value);
    auto answered = http::fetch(request);
    if (!answered) return {.status = 0, .body = answered.error().to_string()};
    return *std::move(answered);
  }
  Caller admin_of(std::string_view name) const {
    return {.certificate = pki(name, "admin.crt"), .key = pki(name, "admin.key")};
  }
  http::FetchResponse main_admin(std::string_view method, std::string_view path,
                                 std::string_view body = "") const {
    return ask(*main_, "main", method, path, body, admin_of("main"));
  }
  http::FetchResponse own_admin(std::string_view method, std::string_view path,
                                std::string_view body = "") const {
    return ask(*extension_, "extension", method, path, body, admin_of("extension"));
  }
  http::FetchResponse get(const Caller& as, std::string_view path = kThings) const {
    return ask(*extension_, "extension", "GET", path, "", as);
  }
  // As the main server's proxy sends a request of that user.
  Caller proxied(std::string_view user) const {
    return {.certificate = pki("main", "front-proxy-client.crt"),
            .key = pki("main", "front-proxy-client.key"),
            .headers = {{"X-Remote-User", std::string(user)},
                        {"X-Remote-Group", "system:authenticated"}}};
  }
  // A client with a certificate of that authority.
  Caller certified(const http::CertifiedKey& authority, std::string name,
                   std::optional<http::Validity> validity = {}) const {
    const WallTime now = system_clock().now();
    const auto made =
        http::issue_certificate(
            authority,
            {.common_name = std::move(name),
             .use = http::CertificateUse::kClient,
             .validity = validity.value_or(http::Validity{.from = now - std::chrono::hours(1),
                                                          .until = now + std::chrono::hours(1)})})
            .value();
    return {.certificate = made.certificate_pem,
            .key = made.key_pem.reveal(),
            .headers = {{"X-Remote-User", "ann"}}};
  }
  http::CertifiedKey authority(std::string_view server, std::string_view name) const {
    return {.certificate_pem = pki(server, fmt::format("{}.crt", name)),
            .key_pem = Secret(pki(server, fmt::format("{}.key", name)))};
  }

  const TemporaryFolder folder_ = TemporaryFolder::make("strake-test").value();
  std::unique_ptr<Server> main_;
  std::unique_ptr<Server> extension_;
};

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

class RegistrationTest : public DelegationTest {
 protected:
  Options registered() const {
    Options out = extension_options();
    out.registration = RegisterOptions{.resolver_file = folder_.file("services")};
    return out;
  }
  http::FetchResponse api_service(std::string_view name) const {
    return main_admin("GET", fmt::format("/apis/apiregistration.k8s.io/v1/apiservices/{}", name));
  }
  bool has(std::string_view name) const {
    return eventually([&] { return api_service(name).status == 200; });
  }
  bool lacks(std::string_view name) const {
    return eventually([&] { return api_service(name).status == 404; });
  }
};

TEST_F(RegistrationTest, KeepsAnApiServiceForEachVersionThatIsServed) {
  start_main();
  bind_roles();
  start_extension(registered());
  define("a.example", R"([{"name":"v1"},{"name":"v1beta1"}])");
  ASSERT_TRUE(has("v1.a.example"));
  ASSERT_TRUE(has("v1beta1.a.example"));
  const auto shown = api_service("v1.a.example");
  EXPECT_THAT(
      shown.body,
      AllOf(HasSubstr(R"("service":{"name":"strake-extension","namespace":"default","port":443})"),
            HasSubstr(base64_encode(pki("extension", "ca.crt"))),
            HasSubstr(R"("manager":"strake-extension")")));
  EXPECT_EQ(own_admin("DELETE", fmt::format("{}/things.a.example", kCrds)).status, 200);
  EXPECT_TRUE(lacks("v1.a.example"));
  EXPECT_TRUE(lacks("v1beta1.a.example"));
}

TEST_F(RegistrationTest, PutsRightWhatOthersChangeOrDelete) {
  start_main();
  bind_roles();
  start_extension(registered());
  define("a.example");
  ASSERT_TRUE(has("v1.a.example"));
  const std::string path = "/apis/apiregistration.k8s.io/v1/apiservices/v1.a.example";
  EXPECT_EQ(main_admin("PATCH", path, R"({"spec":{"versionPriority":7}})").status, 200);
  EXPECT_TRUE(eventually(
      [&] { return api_service("v1.a.example").body.contains(R"("versionPriority":100)"); }));
  EXPECT_EQ(main_admin("DELETE", path).status, 200);
  EXPECT_TRUE(has("v1.a.example"));
}

TEST_F(RegistrationTest, LeavesTheApiServicesOfOthersAlone) {
  start_main();
  bind_roles();
  const auto theirs = main_admin(
      "POST", "/apis/apiregistration.k8s.io/v1/apiservices",
      R"({"metadata":{"name":"v1.a.example"},"spec":{"group":"a.example","version":"v1",)"
      R"("groupPriorityMinimum":5,"versionPriority":5,"insecureSkipTLSVerify":true,)"
      R"("service":{"namespace":"x","name":"y"}}})");
  ASSERT_EQ(theirs.status, 201) << theirs.body;
  start_extension(registered());
  define("a.example", R"([{"name":"v1"},{"name":"v2"}])");
  ASSERT_TRUE(has("v2.a.example"));
  EXPECT_THAT(api_service("v1.a.example").body, HasSubstr(R"("name":"y")"));
  EXPECT_EQ(own_admin("DELETE", fmt::format("{}/things.a.example", kCrds)).status, 200);
  EXPECT_TRUE(lacks("v2.a.example"));
  EXPECT_EQ(api_service("v1.a.example").status, 200);
}

TEST_F(RegistrationTest, StaysWhenTheServerStopsAndGoesWhenItIsToldTo) {
  start_main();
  bind_roles();
  Options with = registered();
  with.in_memory = false;
  start_extension(with);
  define("a.example");
  ASSERT_TRUE(has("v1.a.example"));
  EXPECT_THAT(text_of(folder_.file("services")), HasSubstr("default/strake-extension"));
  extension_.reset();
  EXPECT_EQ(api_service("v1.a.example").status, 200);
  with.registration->removes_at_end = true;
  start_extension(with);
  extension_.reset();
  EXPECT_EQ(api_service("v1.a.example").status, 404);
  EXPECT_EQ(text_of(folder_.file("services")), "{}\n");
  // The same by a command, for one that does not run.
  with.registration->removes_at_end = false;
  start_extension(with);
  ASSERT_TRUE(has("v1.a.example"));
  extension_.reset();
  const Result<> removed = unregister(with);
  EXPECT_TRUE(removed) << removed.error().to_string();
  EXPECT_EQ(api_service("v1.a.example").status, 404);
}

TEST_F(RegistrationTest, DoesNotKeepTheServerWhenTheFileOfServicesIsLocked) {
  start_main();
  bind_roles();
  Options with = registered();
  with.registration->removes_at_end = true;
  start_extension(with);
  const OwnedFd other(::open(folder_.file("services.lock").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
  const Result<> stopped = extension_->stop();
  EXPECT_TRUE(stopped) << stopped.error().to_string();
  EXPECT_THAT(text_of(folder_.file("services")), HasSubstr("default/strake-extension"));
}

TEST_F(RegistrationTest, MakesAServiceWhereOthersReachTheServer) {
  start_main();
  bind_roles();
  Options with = registered();
  with.registration->resolver_file.clear();
  with.advertised_address = "192.0.2.7:8443";
  with.registration->removes_at_end = true;
  start_extension(with);
  const std::string service = "/api/v1/namespaces/default/services/strake-extension";
  const std::string slice =
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/strake-extension";
  EXPECT_TRUE(eventually([&] { return main_admin("GET", service).status == 200; }));
  EXPECT_TRUE(eventually([&] { return main_admin("GET", slice).status == 200; }));
  EXPECT_THAT(main_admin("GET", slice).body,
              AllOf(HasSubstr("192.0.2.7"), HasSubstr("8443"),
                    HasSubstr(R"("kubernetes.io/service-name":"strake-extension")")));
  main_admin("DELETE", slice);
  EXPECT_TRUE(eventually([&] { return main_admin("GET", slice).status == 200; }));
  extension_.reset();
  EXPECT_EQ(main_admin("GET", service).status, 404);
  EXPECT_EQ(main_admin("GET", slice).status, 404);
}

class MembersTest : public DelegationTest {
 protected:
  void TearDown() override {
    members_.clear();
    DelegationTest::TearDown();
  }
  void start_front(std::string_view members) {
    Options with = options("main");
    with.aggregate_file = write("members.yaml", members);
    start_main(std::move(with));
    bind_roles();
  }
  void start_member(const std::string& name, std::string_view group) {
    Options with = options(name);
    with.delegation = delegation();
    auto started = Server::start(std::move(with));
    ASSERT_TRUE(started) << started.error().to_string();
    members_[name] = *std::move(started);
    const auto made = ask(*members_[name], name, "POST", kCrds, crd(group), admin_of(name));
    ASSERT_EQ(made.status, 201) << made.body;
  }
  void use(std::string_view members) {
    write("members.yaml", members);
    main_->reload();
  }
  std::string entry(const std::string& name) const {
    return fmt::format("{{name: {0}, kubeconfig: {0}/admin.kubeconfig}}", name);
  }
  int things_of(std::string_view group) const {
    return main_admin("GET", fmt::format("/apis/{}/v1/namespaces/default/things", group)).status;
  }
  bool serves(std::string_view group) const {
    return eventually([&] { return things_of(group) == 200; });
  }
  int service_of(std::string_view group) const {
    return main_admin("GET",
                      fmt::format("/apis/apiregistration.k8s.io/v1/apiservices/v1.{}", group))
        .status;
  }

  std::map<std::string, std::unique_ptr<Server>> members_;
};

TEST_F(MembersTest, AreServedBehindOneFront) {
  start_front("members: []");
  start_member("a", "a.example");
  start_member("b", "b.example");
  use(fmt::format("members: [{}, {}]", entry("a"), entry("b")));
  ASSERT_TRUE(serves("a.example"));
  ASSERT_TRUE(serves("b.example"));
  EXPECT_EQ(
      main_admin("POST", "/apis/a.example/v1/namespaces/default/things", thing("t", "a.example"))
          .status,
      201);
  EXPECT_EQ(ask(*members_["a"], "a", "GET", "/apis/a.example/v1/namespaces/default/things/t", "",
                admin_of("a"))
                .status,
            200);
  // As definitions come.
  const auto made = ask(*members_["a"], "a", "POST", kCrds, crd("more.example"), admin_of("a"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_TRUE(serves("more.example"));
}

TEST_F(MembersTest, DoNotTouchEachOther) {
  start_front("members: []");
  start_member("a", "a.example");
  start_member("b", "b.example");
  use(fmt::format("members: [{}, {}, {{name: c, kubeconfig: missing}}]", entry("a"), entry("b")));
  ASSERT_TRUE(serves("a.example"));
  ASSERT_TRUE(serves("b.example"));
  members_.erase("a");
  EXPECT_TRUE(eventually([&] { return things_of("a.example") == 503; }));
  EXPECT_EQ(things_of("b.example"), 200);
  EXPECT_EQ(service_of("a.example"), 200);
  // A file that cannot be used changes nothing, one without the member does.
  use("members: [{name: a}]");
  EXPECT_EQ(things_of("b.example"), 200);
  EXPECT_EQ(service_of("a.example"), 200);
  use(fmt::format("members: [{}]", entry("b")));
  EXPECT_TRUE(eventually([&] { return service_of("a.example") == 404; }));
  EXPECT_EQ(things_of("b.example"), 200);
}

TEST_F(MembersTest, AreNowhereOnceTheLastOneIsRemoved) {
  start_front("members: []");
  start_member("a", "a.example");
  use(fmt::format("members: [{}]", entry("a")));
  ASSERT_TRUE(serves("a.example"));
  use("members: []");
  EXPECT_TRUE(eventually([&] { return service_of("a.example") == 404; }));
  // Not even an APIService that others make leads there.
  const auto made = main_admin(
      "POST", "/apis/apiregistration.k8s.io/v1/apiservices",
      R"({"metadata":{"name":"v1.a.example"},"spec":{"group":"a.example","version":"v1",)"
      R"("groupPriorityMinimum":5,"versionPriority":5,"insecureSkipTLSVerify":true,)"
      R"("service":{"namespace":"strake-members","name":"a"}}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_TRUE(eventually([&] {
    return main_admin("GET", "/apis/apiregistration.k8s.io/v1/apiservices/v1.a.example")
        .body.contains("ServiceNotFound");
  }));
}

TEST_F(MembersTest, KeepWhatTheyHaveWhenTheFrontStartsWithoutThem) {
  Options with = options("main");
  with.in_memory = false;
  with.aggregate_file = write("members.yaml", "members: []");
  start_main(with);
  bind_roles();
  start_member("a", "a.example");
  start_member("b", "b.example");
  use(fmt::format("members: [{}, {}]", entry("a"), entry("b")));
  ASSERT_TRUE(serves("a.example"));
  members_.clear();
  // Neither says what it serves; one has no kubeconfig either.
  std::filesystem::remove(folder_.file("b/admin.kubeconfig"));
  const std::string port = main_->url().substr(main_->url().rfind(':') + 1);
  main_.reset();
  with.port = static_cast<std::uint16_t>(std::stoi(port));
  write("members.yaml", fmt::format("members: [{}, {}]", entry("a"), entry("b")));
  start_main(with);
  start_member("z", "z.example");
  use(fmt::format("members: [{}, {}, {}]", entry("a"), entry("b"), entry("z")));
  ASSERT_TRUE(serves("z.example"));
  EXPECT_EQ(service_of("a.example"), 200);
  EXPECT_EQ(service_of("b.example"), 200);
}

TEST_F(MembersTest, KeepAGroupFromOthersThatHaveItTooUntilTheyCanBeAsked) {
  Options with = options("main");
  with.in_memory = false;
  with.aggregate_file = write("members.yaml", "members: []");
  start_main(with);
  bind_roles();
  start_member("a", "same.example");
  start_member("b", "b.example");
  use(fmt::format("members: [{}]", entry("a")));
  ASSERT_TRUE(serves("same.example"));
  const auto define_at_b = [&](std::string_view group) {
    return ask(*members_["b"], "b", "POST", kCrds, crd(group), admin_of("b")).status;
  };
  EXPECT_EQ(define_at_b("same.example"), 201);
  // The front starts again, and the first of the two is away.
  members_.erase("a");
  const std::string port = main_->url().substr(main_->url().rfind(':') + 1);
  main_.reset();
  with.port = static_cast<std::uint16_t>(std::stoi(port));
  write("members.yaml", fmt::format("members: [{}, {}]", entry("a"), entry("b")));
  start_main(with);
  ASSERT_TRUE(serves("b.example"));
  // What is settled after the group, so the group is.
  EXPECT_EQ(define_at_b("z.example"), 201);
  ASSERT_TRUE(serves("z.example"));
  const auto owner = [&] {
    return main_admin("GET", "/apis/apiregistration.k8s.io/v1/apiservices/v1.same.example").body;
  };
  EXPECT_THAT(owner(), HasSubstr(R"("extension.strake.dev/member":"a")"));
  // Once nobody names it any more, the other one has it.
  use(fmt::format("members: [{}]", entry("b")));
  EXPECT_TRUE(eventually([&] { return owner().contains(R"("extension.strake.dev/member":"b")"); }));
}

TEST_F(MembersTest, KeepWhatTheyHaveWhileTheyCannotBeAsked) {
  start_front("members: []");
  start_member("a", "a.example");
  use(fmt::format("members: [{}]", entry("a")));
  ASSERT_TRUE(serves("a.example"));
  std::filesystem::rename(folder_.file("a/admin.kubeconfig"), folder_.file("a/moved"));
  use(fmt::format("members: [{}, {{name: z, kubeconfig: missing}}]", entry("a")));
  EXPECT_EQ(things_of("a.example"), 200);
  std::filesystem::rename(folder_.file("a/moved"), folder_.file("a/admin.kubeconfig"));
  use(fmt::format("members: [{}]", entry("a")));
  EXPECT_EQ(things_of("a.example"), 200);
  EXPECT_EQ(service_of("a.example"), 200);
}

}  // namespace
}  // namespace strake::server
