#include "audit/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_server.h"
#include "value/json_reader.h"

namespace strake::audit {
namespace {

using api::testing::Answered;
using api::testing::config_map_json;
using api::testing::TestServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

// The lines, from any thread.
struct Lines {
  std::mutex mu;
  std::vector<std::string> all;  // guarded by mu
};

class Part final : public api::testing::TestPart {
 public:
  Part(std::string_view rules, Lines& lines)
      : recorder_(
            Policy::read(fmt::format("apiVersion: audit.k8s.io/v1\nkind: Policy\n{}", rules),
                         "policy")
                .value(),
            [&lines](std::string line) {
              const std::lock_guard lock(lines.mu);
              lines.all.push_back(std::move(line));
            },
            clock_) {}
  api::Auditor* auditor() override { return &recorder_; }

 private:
  FakeClock clock_;
  Recorder recorder_;
};

class AuditLog : public testing::Test {
 protected:
  void serve(std::string rules) {
    server_.emplace(TestServer::Options{
        .may =
            [](const api::User& user, const api::RequestInfo& info) {
              return user.name != "eve" || info.verb == "get";
            },
        .tokens = {{"good", "jane"}},
        .part = [this, rules](api::Hub&) { return std::make_unique<Part>(rules, lines_); }});
    clear();
  }
  void clear() {
    const std::lock_guard lock(lines_.mu);
    lines_.all.clear();
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

TEST_F(AuditLog, ReadsLargeBodiesToo) {
  serve("omitStages: [RequestReceived]\nrules: [{level: Request}]");
  server_->create(
      kMaps, config_map_json("large", fmt::format(R"({{"k":"{}"}})", std::string(200'000, 'x'))));
  EXPECT_THAT(events({"objectRef.name"}), ElementsAre("large"));
  EXPECT_GT(all().size(), 200'000u);
}

}  // namespace
}  // namespace strake::audit
