#include "audit/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "api/test_server.h"
#include "http/test_server.h"
#include "support/metrics.h"
#include "value/json_reader.h"

namespace strake::audit {
namespace {

using api::testing::Answered;
using api::testing::config_map_json;
using api::testing::TestServer;
using strake::testing::metric;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

// The lines, from any thread. Those who wait for the first `held` are not answered.
struct Lines final : Sink {
  void write(std::string line, Done done) override {
    const std::lock_guard lock(mu);
    all.push_back(std::move(line));
    waited_for.push_back(done != nullptr);
    if (!done) return;
    if (holds) {
      waiting.push_back(std::move(done));
    } else {
      done(!fails);
    }
  }
  void let_go(bool stored) {
    std::vector<Done> ready;
    {
      const std::lock_guard lock(mu);
      ready.swap(waiting);
    }
    for (Done& one : ready) one(stored);
  }
  std::size_t waiters() {
    const std::lock_guard lock(mu);
    return waiting.size();
  }

  std::mutex mu;
  std::vector<std::string> all;  // guarded by mu
  std::vector<bool> waited_for;  // of each of them; guarded by mu
  std::vector<Done> waiting;     // guarded by mu
  bool holds = false;            // guarded by mu
  std::atomic<bool> fails = false;
};

Sinks sinks_of(Lines& lines, Mode mode) {
  Sinks out;
  out.add(lines, mode);
  return out;
}

class Part final : public api::testing::TestPart {
 public:
  Part(std::string_view rules, Lines& lines, Mode mode)
      : recorder_(Policy::read(fmt::format("apiVersion: audit.k8s.io/v1\nkind: Policy\n{}", rules),
                               "policy")
                      .value(),
                  sinks_of(lines, mode), clock_) {}
  api::Auditor* auditor() override { return &recorder_; }

 private:
  FakeClock clock_;
  Recorder recorder_;
};

class AuditLog : public ::testing::Test {
 protected:
  void serve(std::string rules, Mode mode = Mode::kBatch) {
    server_.emplace(TestServer::Options{
        .may =
            [](const api::User& user, const api::RequestInfo& info) {
              return user.name != "eve" || info.verb == "get";
            },
        .tokens = {{"good", "jane"}},
        .part = [this, rules,
                 mode](api::Hub&) { return std::make_unique<Part>(rules, lines_, mode); }});
    clear();
  }
  void clear() {
    const std::lock_guard lock(lines_.mu);
    lines_.all.clear();
    lines_.waited_for.clear();
  }
  void hold(bool holds) {
    const std::lock_guard lock(lines_.mu);
    lines_.holds = holds;
  }
  std::vector<bool> waited_for() {
    const std::lock_guard lock(lines_.mu);
    return lines_.waited_for;
  }
  // What was written, each as the values at these paths.
  std::vector<std::string> events(std::vector<std::string_view> paths = {"stage", "verb"}) {
    const std::lock_guard lock(lines_.mu);
    std::vector<std::string> out;
    for (const std::string& line : lines_.all) {
      EXPECT_TRUE(line.ends_with('\n'));
      Answered one;
      one.body = line;
      one.document = std::make_shared<const value::Document>(value::read_json(line).value());
      std::string text;
      for (const std::string_view path : paths) {
        if (!text.empty()) text += ' ';
        const std::string at = one.at(path);
        text += at.starts_with('"') ? one.text(path) : at;
      }
      out.push_back(text);
    }
    return out;
  }
  std::string all() {
    const std::lock_guard lock(lines_.mu);
    return fmt::format("{}", fmt::join(lines_.all, ""));
  }

  Lines lines_;
  std::optional<TestServer> server_;
};

TEST_F(AuditLog, HasTheBeginningAndTheEndOfARequest) {
  serve("rules: [{level: Metadata}]");
  server_->create(kMaps, config_map_json("one", R"({"k":"secret-value"})"));
  EXPECT_THAT(
      events({"stage", "verb", "level", "objectRef.name", "responseStatus.code"}),
      ElementsAre("RequestReceived create Metadata  ", "ResponseComplete create Metadata one 201"));
  EXPECT_THAT(all(), Not(HasSubstr("secret-value")));
  EXPECT_THAT(events({"auditID"})[0], events({"auditID"})[1]);
}

TEST_F(AuditLog, CountsEventsAndLevels) {
  serve("rules: [{level: None, verbs: [get]}, {level: Metadata}]");
  const std::string events = "apiserver_audit_event_total";
  const std::string none = R"(apiserver_audit_level_total{level="None"})";
  const std::string metadata = R"(apiserver_audit_level_total{level="Metadata"})";
  const double before[] = {metric(events), metric(none), metric(metadata)};
  server_->create(kMaps, config_map_json("one"));
  server_->get(fmt::format("{}/one", kMaps));
  EXPECT_EQ(metric(events), before[0] + 2) << "the beginning and the end of one request";
  EXPECT_EQ(metric(none), before[1] + 1);
  EXPECT_EQ(metric(metadata), before[2] + 1);
}

TEST_F(AuditLog, HasObjectsAsFarAsThePolicySays) {
  serve(R"(
omitStages: [RequestReceived]
rules:
- {level: Request, verbs: [create]}
- {level: RequestResponse, omitManagedFields: true}
)");
  server_->create(kMaps, config_map_json("one", R"({"k":"v"})"));
  server_->get(fmt::format("{}/one", kMaps));
  EXPECT_THAT(events({"verb", "requestObject.data.k", "responseObject.data.k"}),
              ElementsAre("create v ", "get  v"));
  EXPECT_THAT(all(), Not(HasSubstr("managedFields")));
}

TEST_F(AuditLog, SaysWhyARequestWasRefused) {
  serve("omitStages: [RequestReceived]\nrules: [{level: Metadata}]");
  server_->ask({.method = "DELETE", .target = fmt::format("{}/one", kMaps), .user = "eve"});
  server_->get(fmt::format("{}/none", kMaps));
  EXPECT_THAT(events({"user.username", "responseStatus.reason", "responseStatus.code",
                      "annotations.authorization\\.k8s\\.io/decision"}),
              ElementsAre(HasSubstr("eve Forbidden 403"), HasSubstr("tester NotFound 404")));
  EXPECT_THAT(all(), HasSubstr(R"("authorization.k8s.io/decision":"forbid")"));
  EXPECT_THAT(all(), HasSubstr(R"("authorization.k8s.io/decision":"allow")"));
}

TEST_F(AuditLog, NamesBothUsersOfAnImpersonation) {
  serve("omitStages: [RequestReceived]\nrules: [{level: Metadata, users: [tester]}]");
  server_->ask(
      {.method = "GET", .target = std::string(kMaps), .headers = {{"Impersonate-User", "jane"}}});
  EXPECT_THAT(events({"user.username", "impersonatedUser.username"}), ElementsAre("tester jane"));
}

TEST_F(AuditLog, FollowsAWatchToItsEnd) {
  serve("omitStages: [RequestReceived]\nrules: [{level: Metadata, verbs: [watch]}]");
  {
    TestServer::Watch watch(*server_, fmt::format("{}?watch=1", kMaps));
    EXPECT_THAT(events(), ElementsAre("ResponseStarted watch"));
  }
  EXPECT_THAT(events(), ElementsAre("ResponseStarted watch", "ResponseComplete watch"));
}

TEST_F(AuditLog, HasThoseWhoAreRefusedAsNobodyButNotTheirTokens) {
  serve("rules: [{level: RequestResponse}]");
  const auto got = server_->call("GET", kMaps, {}, {{"Authorization", "Bearer wrong-token-text"}});
  EXPECT_EQ(got.code, 401);
  EXPECT_THAT(events({"stage", "responseStatus.message", "responseStatus.code"}),
              ElementsAre("ResponseStarted Authentication failed, attempted: bearer 401"));
  EXPECT_THAT(all(), Not(HasSubstr("wrong-token-text")));
}

TEST_F(AuditLog, NeverHasATokenThatIsReviewed) {
  serve("rules: [{level: RequestResponse}]");
  server_->post("/apis/authentication.k8s.io/v1/tokenreviews", R"({"spec":{"token":"good"}})");
  EXPECT_EQ(events().size(), 2u);
  EXPECT_THAT(all(), Not(HasSubstr("\"good\"")));
}

TEST_F(AuditLog, HasRequestsWaitWhereItIsTold) {
  serve("rules: [{level: Metadata}]", Mode::kBlocking);
  hold(true);
  std::atomic<bool> answered = false;
  std::thread asking([&] {
    server_->get(fmt::format("{}/none", kMaps));
    answered = true;
  });
  for (const std::string_view stage : {"RequestReceived", "ResponseComplete"}) {
    EXPECT_TRUE(http::testing::eventually([this] { return lines_.waiters() == 1; }));
    EXPECT_EQ(events({"stage"}).back(), stage);
    EXPECT_FALSE(answered);
    lines_.let_go(false);  // which is said elsewhere
  }
  asking.join();
  EXPECT_THAT(events(), ElementsAre("RequestReceived get", "ResponseComplete get"));
}

TEST_F(AuditLog, RefusesRequestsWhoseBeginningItCannotKeep) {
  serve("rules: [{level: Metadata}]", Mode::kBlockingStrict);
  lines_.fails = true;
  const Answered refused = server_->post(fmt::format("{}?a=1", kMaps), config_map_json("one"));
  EXPECT_EQ(refused.code, 500);
  EXPECT_EQ(refused.body,
            "Internal Server Error: \"/api/v1/namespaces/default/configmaps?a=1\": failed to store "
            "audit event\n");
  EXPECT_EQ(refused.header("Content-Type"), "text/plain; charset=utf-8");
  EXPECT_THAT(events(), ElementsAre("RequestReceived create"));
  lines_.fails = false;
  EXPECT_EQ(server_->get(fmt::format("{}/one", kMaps)).code, 404);
}

TEST_F(AuditLog, AnswersWhatIsDoneEvenWhenItCannotKeepTheEnd) {
  serve("omitStages: [RequestReceived]\nrules: [{level: Metadata}]", Mode::kBlockingStrict);
  lines_.fails = true;
  EXPECT_EQ(server_->post(kMaps, config_map_json("one")).code, 201);
  EXPECT_EQ(server_->call("GET", kMaps, {}, {{"Authorization", "Bearer wrong"}}).code, 401);
  EXPECT_THAT(events({"stage", "responseStatus.code"}),
              ElementsAre("ResponseComplete 201", "ResponseStarted 401"));
  EXPECT_THAT(waited_for(), ElementsAre(true, true));
}

TEST_F(AuditLog, HasNobodyWaitForTheEndOfAWatch) {
  serve("omitStages: [RequestReceived]\nrules: [{level: Metadata, verbs: [watch]}]",
        Mode::kBlocking);
  {
    TestServer::Watch watch(*server_, fmt::format("{}?watch=1", kMaps));
  }
  EXPECT_THAT(events(), ElementsAre("ResponseStarted watch", "ResponseComplete watch"));
  EXPECT_THAT(waited_for(), ElementsAre(true, false));
}

TEST_F(AuditLog, ReadsLargeBodiesToo) {
  serve("omitStages: [RequestReceived]\nrules: [{level: Request}]");
  server_->create(
      kMaps, config_map_json("large", fmt::format(R"({{"k":"{}"}})", std::string(200'000, 'x'))));
  EXPECT_THAT(events({"objectRef.name"}), ElementsAre("large"));
  EXPECT_GT(all().size(), 200'000u);
}

}  // namespace
}  // namespace strake::audit
