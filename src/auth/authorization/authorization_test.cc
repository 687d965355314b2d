// Several who decide about rights, over a whole server in the test program and a webhook that is
// called over TLS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <mutex>

#include "api/request/request_selectors.h"
#include "api/test_server.h"
#include "async/signal.h"
#include "auth/authorization/chain.h"
#include "auth/authorization/review_cache.h"
#include "auth/rbac/rbac.h"
#include "base/base64.h"
#include "base/subprocess.h"
#include "http/test_server.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using api::testing::Answered;
using api::testing::Asking;
using api::testing::expect_ok;
using api::testing::expect_status;
using http::testing::test_pki;
using http::testing::text_response;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

// The service, and what it was asked.
class Service {
 public:
  using Reply = std::function<boost::asio::awaitable<http::Response>(std::string spec)>;

  Service() { ::setenv("no_proxy", "127.0.0.1", 1); }

  // A status for each spec: "\"allowed\":true".
  void say(std::function<std::string(std::string_view spec)> status) {
    set_reply([this, status](std::string spec) -> boost::asio::awaitable<http::Response> {
      co_return text_response(
          fmt::format(R"({{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/{}",)"
                      R"("status":{{{}}}}})",
                      version, status(spec)));
    });
  }
  std::vector<std::string> take_asked() {
    const std::lock_guard lock(mu_);
    return std::exchange(asked_, {});
  }
  std::string kubeconfig(std::string_view server = {}, std::string_view ca = {}) {
    const std::string file = fmt::format("{}/config{}", folder_.path(), ++files_);
    const std::string bundle =
        base64_encode(ca.empty() ? test_pki().authority.certificate_pem : std::string(ca));
    std::ofstream(file) << fmt::format(
        "clusters:\n- name: c\n  cluster: {{server: \"{}\", certificate-authority-data: {}}}\n"
        "contexts:\n- name: x\n  context: {{cluster: c}}\ncurrent-context: x\n",
        server.empty() ? server_.url("/authorize") : std::string(server), bundle);
    return file;
  }

  // From now on. One that nobody waits for any more may still be under way.
  void set_reply(Reply reply) {
    const std::lock_guard lock(mu_);
    reply_ = std::move(reply);
  }

  std::string version = "v1";

 private:
  boost::asio::awaitable<http::Response> answer(http::Request request) {
    const auto review = value::read_json(std::string_view(request.body));
    std::string spec = review ? value::to_json(review->root().get("spec")) : "";
    Reply reply;
    {
      const std::lock_guard lock(mu_);
      asked_.push_back(spec);
      reply = reply_;
    }
    co_return co_await reply(std::move(spec));
  }

  ScratchFolder folder_ = *ScratchFolder::make("strake-authz-");
  int files_ = 0;
  std::mutex mu_;
  std::vector<std::string> asked_;  // guarded by mu_
  Reply reply_;                     // guarded by mu_
  http::testing::TestServer server_{
      [this](http::Request request) { return answer(std::move(request)); }, {}, true};
};

using Type = AuthorizationConfiguration::Type;

class Part final : public api::testing::TestPart {
 public:
  Part(api::Hub& hub, const Clock& clock, const AuthorizationConfiguration& configuration)
      : rbac_(hub), chain_(rbac_.authorizer(), hub.loops(), clock) {
    chain_.set_backoff({.first = milliseconds(1)});
    EXPECT_TRUE(chain_.use(configuration));
    rbac_.ask(chain_);
  }
  const api::Authorizer* authorizer() const override { return &chain_; }
  std::vector<const api::Admission*> admission() const override { return {&rbac_.escalation()}; }
  async::Task<> start(api::Core& core) override { return rbac_.start(core); }
  async::Task<> stop() override {
    chain_.close();
    return rbac_.stop();
  }
  AuthorizerChain& chain() { return chain_; }

 private:
  Rbac rbac_;
  AuthorizerChain chain_;
};

class Authorization : public ::testing::Test {
 protected:
  static AuthorizationConfiguration::Authorizer roles() {
    return {.type = Type::kRbac, .name = "rbac"};
  }
  AuthorizationConfiguration::Authorizer webhook(AuthorizationWebhook options = {}) {
    if (options.kubeconfig.empty()) options.kubeconfig = service.kubeconfig();
    return {.type = Type::kWebhook, .name = "w", .webhook = std::move(options)};
  }
  void serve(std::vector<AuthorizationConfiguration::Authorizer> authorizers) {
    const AuthorizationConfiguration configuration{.authorizers = std::move(authorizers)};
    server = std::make_unique<api::testing::TestServer>(
        api::testing::TestServer::Options{.part = [&](api::Hub& hub) {
          auto made = std::make_unique<Part>(hub, clock, configuration);
          part = made.get();
          return made;
        }});
    static_cast<void>(service.take_asked());
  }
  Answered as(std::string_view user, std::string_view method, std::string_view target,
              std::string_view body = {}) {
    return server->ask({.method = method,
                        .target = target,
                        .body = body,
                        .type = body.empty() ? "" : "application/json",
                        .user = user});
  }
  Answered review(std::string_view attributes) {
    return server->post(
        "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        fmt::format(R"({{"spec":{{"user":"ann","resourceAttributes":{{{}}}}}}})", attributes));
  }

  Service service;
  FakeClock clock;
  std::unique_ptr<api::testing::TestServer> server;
  Part* part = nullptr;
};

TEST_F(Authorization, AsksAWebhookAboutWhatRolesDoNotAllow) {
  service.say([](std::string_view spec) {
    return spec.contains("\"verb\":\"get\"") ? R"("allowed":true,"reason":"because")"
                                             : R"("allowed":false,"reason":"not that")";
  });
  serve({roles(), webhook()});
  expect_status(as("ann", "GET", "/api/v1/namespaces/default/configmaps/x"), 404, "NotFound",
                "configmaps \"x\" not found");
  expect_status(as("ann", "DELETE", "/api/v1/namespaces/default/configmaps/x"), 403, "Forbidden",
                "configmaps \"x\" is forbidden: User \"ann\" cannot delete resource "
                "\"configmaps\" in API group \"\" in the namespace \"default\": not that");
  const auto asked = service.take_asked();
  ASSERT_EQ(asked.size(), 2);
  EXPECT_EQ(asked[0],
            R"({"groups":["system:authenticated"],"resourceAttributes":{"name":"x",)"
            R"("namespace":"default","resource":"configmaps","verb":"get","version":"v1"},)"
            R"("uid":"uid-of-ann","user":"ann"})");
  expect_ok(server->get(kMaps));  // a member of system:masters
  EXPECT_TRUE(service.take_asked().empty());
}

TEST_F(Authorization, EndsWithWhoeverDecidesFirst) {
  service.say([](std::string_view) { return R"("allowed":false,"denied":true,"reason":"never")"; });
  serve({webhook(), {.type = Type::kAlwaysAllow, .name = "alwaysallow"}});
  expect_status(as("ann", "GET", kMaps), 403, "Forbidden",
                "configmaps is forbidden: User \"ann\" cannot list resource \"configmaps\" in API "
                "group \"\" in the namespace \"default\": never");
  service.say([](std::string_view) { return R"("allowed":false,"reason":"who knows")"; });
  clock.advance(std::chrono::hours(1));
  expect_ok(as("ann", "GET", kMaps));
}

TEST_F(Authorization, JoinsTheReasonsOfAllWhoDidNotDecide) {
  service.say([](std::string_view) { return R"("allowed":false,"reason":"who knows")"; });
  serve({webhook(), {.type = Type::kAlwaysDeny, .name = "alwaysdeny"}, roles()});
  EXPECT_THAT(as("ann", "GET", kMaps).text("message"),
              HasSubstr(": who knows\nEverything is forbidden."));
}

TEST_F(Authorization, AsksInTheVersionThatTheWebhookWants) {
  service.version = "v1beta1";
  service.say([](std::string_view) { return R"("allowed":true)"; });
  serve({webhook({.version = AccessReviewVersion::kV1beta1})});
  expect_ok(as("ann", "GET", "/version"));
  const auto asked = service.take_asked();
  ASSERT_EQ(asked.size(), 1);
  EXPECT_EQ(asked[0], R"({"group":["system:authenticated"],"nonResourceAttributes":)"
                      R"({"path":"/version","verb":"get"},"uid":"uid-of-ann","user":"ann"})");
}

TEST_F(Authorization, RemembersAnswersForAWhile) {
  std::atomic<bool> allowed = true;
  service.say(
      [&](std::string_view) { return allowed ? R"("allowed":true)" : R"("allowed":false)"; });
  serve({webhook()});
  const auto asks = [&](std::string_view target, int code) {
    EXPECT_EQ(as("ann", "GET", target).code, code) << target;
    return service.take_asked().size();
  };
  EXPECT_EQ(asks(kMaps, 200), 1);
  EXPECT_EQ(asks(kMaps, 200), 0);
  allowed = false;
  EXPECT_EQ(asks("/api/v1/secrets", 403), 1);
  clock.advance(std::chrono::seconds(29));
  EXPECT_EQ(asks("/api/v1/secrets", 403), 0);
  clock.advance(std::chrono::seconds(2));
  EXPECT_EQ(asks("/api/v1/secrets", 403), 1);
  EXPECT_EQ(asks(kMaps, 200), 0);
  clock.advance(std::chrono::minutes(5));
  EXPECT_EQ(asks(kMaps, 403), 1);
  // What is too long is not remembered.
  const std::string long_name = fmt::format("{}/{}", kMaps, std::string(10'000, 'a'));
  EXPECT_EQ(asks(long_name, 403), 1);
  EXPECT_EQ(asks(long_name, 403), 1);
}

TEST_F(Authorization, DoesNotRememberWhatItShouldNot) {
  service.say([](std::string_view) { return R"("allowed":true)"; });
  serve({webhook({.authorized_ttl = {}})});
  expect_ok(as("ann", "GET", kMaps));
  expect_ok(as("ann", "GET", kMaps));
  EXPECT_EQ(service.take_asked().size(), 2);
}

TEST_F(Authorization, TellsWebhooksTheSelectorsOfARequest) {
  service.say([](std::string_view spec) {
    return spec.contains("labelSelector") ? R"("allowed":true)" : R"("allowed":false)";
  });
  serve({webhook()});
  expect_ok(as("ann", "GET", "/api/v1/configmaps?labelSelector=app+in+(b,a),!c,n%3E3"));
  EXPECT_EQ(as("ann", "GET", "/api/v1/configmaps").code, 403);
  // The old form of watching has no selectors.
  EXPECT_EQ(as("ann", "GET", "/api/v1/watch/configmaps?labelSelector=a").code, 403);
  EXPECT_EQ(
      as("ann", "GET", "/api/v1/configmaps?fieldSelector=metadata.namespace!=x,status.a=b").code,
      403);
  EXPECT_EQ(as("ann", "DELETE", "/api/v1/namespaces/default/configmaps?labelSelector=a%3D1").code,
            200);
  EXPECT_EQ(as("ann", "GET", "/api/v1/configmaps?labelSelector=a+b+c").code, 403);
  const auto asked = service.take_asked();
  ASSERT_GE(asked.size(), 5);
  EXPECT_THAT(asked[0], HasSubstr(R"("labelSelector":{"requirements":[)"
                                  R"({"key":"app","operator":"In","values":["a","b"]},)"
                                  R"({"key":"c","operator":"DoesNotExist"}]})"));
  EXPECT_THAT(asked[3],
              HasSubstr(R"("fieldSelector":{"requirements":[{"key":"metadata.namespace",)"
                        R"("operator":"NotIn","values":["x"]},{"key":"status.a","operator":"In",)"
                        R"("values":["b"]}]})"));
  EXPECT_THAT(asked[4], HasSubstr(R"("verb":"deletecollection")"));
}

TEST_F(Authorization, PassesTheSelectorsOfReviewsOn) {
  service.say([](std::string_view) { return R"("allowed":true,"reason":"yes")"; });
  serve({webhook()});
  const auto passed = [&](std::string_view selectors) {
    const Answered got = review(fmt::format(R"("verb":"list","resource":"pods",{})", selectors));
    EXPECT_EQ(got.at("status.allowed"), "true") << got.body;
    const auto asked = service.take_asked();
    return (asked.empty() ? "" : asked.back()) + " " + got.text("status.evaluationError");
  };
  EXPECT_THAT(passed(R"("labelSelector":{"rawSelector":"a=b"})"),
              HasSubstr(R"("labelSelector":{"requirements":[{"key":"a","operator":"In",)"
                        R"("values":["b"]}]})"));
  EXPECT_THAT(passed(R"("fieldSelector":{"requirements":[{"key":"k","operator":"NotIn",)"
                     R"("values":["v"]}]})"),
              HasSubstr(R"("fieldSelector":{"requirements":[{"key":"k","operator":"NotIn",)"
                        R"("values":["v"]}]})"));
  // What can be read counts.
  const std::string partly =
      passed(R"("labelSelector":{"requirements":[{"key":"a","operator":"Like"},)"
             R"({"key":"b","operator":"In","values":["z","y"]}]})");
  EXPECT_THAT(partly, HasSubstr(R"([{"key":"b","operator":"In","values":["z","y"]}])"));
  EXPECT_THAT(partly, HasSubstr("spec.resourceAttributes.labelSelector partially ignored due to "
                                "parse error"));
  EXPECT_THAT(passed(R"("version":"","name":"n")"), HasSubstr(R"("version":"*")"));
}

TEST_F(Authorization, TellsReviewsOfDenialsAndFailures) {
  service.say([](std::string_view) { return R"("allowed":false,"denied":true,"reason":"never")"; });
  serve({webhook()});
  EXPECT_EQ(review(R"("verb":"get","resource":"pods")").at("status"),
            R"({"allowed":false,"denied":true,"reason":"never"})");
  service.say([](std::string_view) { return R"("allowed":true,"denied":true,"reason":"both")"; });
  EXPECT_EQ(review(R"("verb":"get","resource":"pods","name":"b")").at("status"),
            R"({"allowed":false,"denied":true,"evaluationError":"webhook subject access review )"
            R"(returned both allow and deny response","reason":"both"})");
  const Answered rules = server->post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                                      R"({"spec":{"namespace":"default"}})");
  EXPECT_EQ(rules.at("status.incomplete"), "true");
  EXPECT_EQ(rules.text("status.evaluationError"),
            "webhook authorizer does not support user rule resolution");
}

// Every way in which asking can go wrong, under both policies.
TEST_F(Authorization, GoesOnOrDeniesWhenAWebhookFails) {
  struct Case {
    std::string_view name;
    std::function<boost::asio::awaitable<http::Response>(std::string)> reply;
    std::string server;
    std::string ca;
    std::string error;
  };
  const auto text = [](std::string body, int code = 200) {
    return [body, code](std::string) -> boost::asio::awaitable<http::Response> {
      co_return text_response(body, code);
    };
  };
  const Case cases[] = {
      {"down", text(""), "https://127.0.0.1:1/", "", "connect: connection refused"},
      {"slow",
       [](std::string) -> boost::asio::awaitable<http::Response> {
         static_cast<void>(co_await async::sleep_for(std::chrono::seconds(1)));
         co_return text_response("");
       },
       "", "", "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"},
      {"wrong authority", text(""), "", test_pki().client("x", {}).certificate_pem,
       "x509: certificate signed by unknown authority"},
      {"500", text("oops", 500), "", "",
       "an error on the server (\"oops\") has prevented the request from succeeding"},
      {"403", text("no", 403), "", "", "no"},
      {"malformed", text("<html>"), "", "", "couldn't get version/kind; json parse error: "},
      {"empty", text(""), "", "", "0-length response with status code: 200"},
      {"wrong type", text(R"({"status":{"allowed":"yes"}})"), "", "",
       "json: cannot unmarshal string into Go struct field SubjectAccessReviewStatus.status."
       "allowed of type bool"},
      {"other version",
       text(R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1beta1"})"), "",
       "",
       "converting (v1beta1.SubjectAccessReview) to (v1.SubjectAccessReview): unknown conversion"},
      {"other kind", text(R"({"kind":"Pod","apiVersion":"v1"})"), "", "",
       "no kind \"Pod\" is registered for version \"v1\" in scheme"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    service.set_reply(one.reply);
    const AuthorizationWebhook options{.timeout = milliseconds(200),
                                       .kubeconfig = service.kubeconfig(one.server, one.ca)};
    AuthorizationWebhook strict = options;
    strict.denies_on_failure = true;
    // Without an opinion others decide; when nobody does, it is an error.
    serve({webhook(options), {.type = Type::kAlwaysAllow, .name = "alwaysallow"}});
    expect_ok(as("ann", "GET", kMaps));
    serve({webhook(options), roles()});
    Answered got = as("ann", "GET", kMaps);
    EXPECT_EQ(got.code, 500);
    EXPECT_EQ(got.header("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_THAT(got.body, StartsWith("Internal Server Error: \"/api/v1/namespaces/default/"
                                     "configmaps\": "));
    EXPECT_THAT(got.body, HasSubstr(one.error));
    serve({webhook(strict), {.type = Type::kAlwaysAllow, .name = "alwaysallow"}});
    EXPECT_EQ(as("ann", "GET", kMaps).code, 500);
    const Answered reviewed = review(R"("verb":"get","resource":"pods")");
    EXPECT_EQ(reviewed.at("status.denied"), "true") << reviewed.body;
    EXPECT_THAT(reviewed.text("status.evaluationError"), HasSubstr(one.error));
  }
}

TEST_F(Authorization, AsksOnlyAboutWhatTheConditionsMatch) {
  service.say([](std::string_view) { return R"("allowed":true)"; });
  serve({webhook({.conditions = {"has(request.resourceAttributes)",
                                 "request.resourceAttributes.namespace == 'default'"}}),
         roles()});
  expect_ok(as("ann", "GET", kMaps));
  EXPECT_EQ(service.take_asked().size(), 1);
  EXPECT_EQ(as("ann", "GET", "/api/v1/namespaces/other/configmaps").code, 403);
  EXPECT_TRUE(service.take_asked().empty());
  serve({webhook({.denies_on_failure = true,
                  .conditions = {"request.nonResourceAttributes.path == '/x'"}}),
         {.type = Type::kAlwaysAllow, .name = "alwaysallow"}});
  EXPECT_EQ(as("ann", "GET", kMaps).code, 500);
  expect_ok(as("ann", "GET", "/version"));
}

TEST_F(Authorization, DecidesAboutImpersonationAndEscalationToo) {
  service.say([](std::string_view spec) {
    return spec.contains(R"("user":"ann")") ? R"("allowed":true)" : R"("allowed":false)";
  });
  serve({webhook(), roles()});
  Asking asking{.method = "GET", .target = "/version", .user = "ann"};
  asking.headers.push_back({"Impersonate-User", "bob"});
  asking.headers.push_back({"Impersonate-Group", "devs"});
  const Answered got = server->ask(asking);
  expect_ok(got);
  const auto asked = service.take_asked();
  EXPECT_THAT(asked, ::testing::Contains(HasSubstr(R"("verb":"impersonate-on:user-info:get")")));
  EXPECT_THAT(asked, ::testing::Contains(HasSubstr(R"("resource":"groups")")));
  const std::string role =
      R"({"metadata":{"name":"r"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]})";
  expect_ok(as("ann", "POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", role), 201);
  EXPECT_THAT(service.take_asked(), ::testing::Contains(HasSubstr(R"("verb":"escalate")")));
}

TEST_F(Authorization, UsesANewConfigurationForTheNextRequest) {
  service.say([](std::string_view) { return R"("allowed":false)"; });
  serve({webhook(), roles()});
  EXPECT_EQ(as("ann", "GET", kMaps).code, 403);
  EXPECT_TRUE(
      part->chain().use({.authorizers = {{.type = Type::kAlwaysAllow, .name = "alwaysallow"}}}));
  expect_ok(as("ann", "GET", kMaps));
  EXPECT_FALSE(part->chain().use({.authorizers = {webhook({.kubeconfig = "/no/such"})}}));
  expect_ok(as("ann", "GET", kMaps));
}

TEST(ReviewCacheTest, ForgetsWhatWasNotLookedAtForTheLongestTime) {
  ReviewCache cache;
  const SteadyTime now{};
  for (std::size_t i = 0; i < ReviewCache::kMost; ++i)
    cache.add(std::to_string(i), {.allowed = true}, now + std::chrono::seconds(1));
  EXPECT_TRUE(cache.find("0", now));
  cache.add("more", {}, now + std::chrono::seconds(1));
  EXPECT_EQ(cache.size(), ReviewCache::kMost);
  EXPECT_TRUE(cache.find("0", now));
  EXPECT_FALSE(cache.find("1", now));
  EXPECT_FALSE(cache.find("0", now + std::chrono::seconds(1)));
  EXPECT_EQ(cache.size(), ReviewCache::kMost - 1);
}

}  // namespace
}  // namespace strake::auth
