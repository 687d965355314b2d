#include "api/filters/fairness.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "api/filters/test_stages.h"
#include "api/test_server.h"

namespace strake::api {
namespace {

using testing::TestServer;

constexpr std::string_view kSchemas = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
constexpr std::string_view kLevels =
    "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
// With all default levels there are 245 shares: this level gets half of the seats.
constexpr int kShares = 245;

// Without the blanks that put cells into columns.
std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' || out.empty() || out.back() != ' ') out += c;
  }
  return out;
}

// The stage by itself, over the objects of a server. It has ten seats, five of them for the level
// `tiny`, to which everyone goes but those who are exempt.
class FairnessStageTest : public ::testing::Test {
 protected:
  FairnessStageTest() {
    make_level("tiny", kShares,
               R"({"type":"Queue","queuing":{"queues":64,"handSize":2,"queueLengthLimit":3}})");
    make_schema("tiny", "tiny", 100, R"({"kind":"User","user":{"name":"*"}})");
  }
  // A call outlives its wait.
  ~FairnessStageTest() override {
    ending_.cancel();
    run();
  }

  void make_level(std::string_view name, int shares, std::string_view response,
                  std::string_view more = R"(,"borrowingLimitPercent":0)") {
    server_.create(
        kLevels,
        R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"PriorityLevelConfiguration","metadata":{"name":")" +
            std::string(name) +
            R"("},"spec":{"type":"Limited","limited":{"nominalConcurrencyShares":)" +
            std::to_string(shares) + R"(,"limitResponse":)" + std::string(response) +
            std::string(more) + "}}}");
  }
  void make_schema(std::string_view name, std::string_view level, int precedence,
                   std::string_view subject) {
    server_.create(
        kSchemas,
        R"({"apiVersion":"flowcontrol.apiserver.k8s.io/v1","kind":"FlowSchema","metadata":{"name":")" +
            std::string(name) + R"("},"spec":{"priorityLevelConfiguration":{"name":")" +
            std::string(level) + R"("},"matchingPrecedence":)" + std::to_string(precedence) +
            R"(,"distinguisherMethod":{"type":"ByUser"},"rules":[{"subjects":[)" +
            std::string(subject) +
            R"(],"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}],)"
            R"("nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}]}]}})");
  }

  // A call on its way through the stage: how it went on, once it did.
  struct Asked {
    CallPtr call;
    std::optional<Passage::Outcome> outcome;
    bool waited = false;
    bool goes_on() const { return outcome && *outcome && !**outcome; }
    int code() const {
      if (!outcome) return 0;
      if (!*outcome) return outcome->error().code;
      return **outcome ? (**outcome)->status : 0;
    }
  };
  Asked& ask(std::string_view user, std::string_view target = "/api/v1/namespaces/a",
             std::vector<std::string> groups = {"system:authenticated"},
             std::string_view method = "GET") {
    asked_.push_back(std::make_unique<Asked>());
    Asked& asked = *asked_.back();
    UserPtr& known = users_[std::string(user)];
    if (!known) known = testing::user_named(std::string(user), std::move(groups));
    asked.call = testing::call_of(known, method, target);
    asked.call->request.cancel = ending_.token();
    Passage passage = stage_.enter(*asked.call);
    if (passage.goes_on()) {
      asked.outcome.emplace(std::nullopt);
    } else if (auto waiting = passage.take_wait()) {
      asked.waited = true;
      boost::asio::co_spawn(loop_, *std::move(waiting),
                            [&asked](std::exception_ptr, Passage::Outcome outcome) {
                              asked.outcome.emplace(std::move(outcome));
                            });
      run();
    } else {
      auto end = passage.take_end();
      if (*end) {
        asked.outcome.emplace(std::optional<http::Response>(**std::move(end)));
      } else {
        asked.outcome.emplace(std::unexpected(end->error()));
      }
    }
    return asked;
  }
  http::Response leave(Asked& asked) {
    http::Response response;
    stage_.leave(*asked.call, response);
    run();
    return response;
  }
  void run() {
    loop_.restart();
    loop_.poll();
  }
  std::string metric(std::string_view name, std::string_view labels) {
    std::string page;
    flow_.write_metrics(page);
    const std::string line =
        "apiserver_flowcontrol_" + std::string(name) + "{" + std::string(labels) + "} ";
    const std::size_t at = page.find("\n" + line);
    if (at == std::string::npos) return "none";
    const std::size_t from = at + 1 + line.size();
    return page.substr(from, page.find('\n', from) - from);
  }
  std::string of_tiny(std::string_view name) {
    return metric(name, R"(flow_schema="tiny",priority_level="tiny")");
  }

  TestServer server_{{.fair_use = true}};
  FlowInformer objects_{server_.core().hub};
  Deadlines deadlines_{server_.clock()};
  FlowControl flow_{objects_, server_.core().registry, server_.clock(), deadlines_,
                    10,       std::chrono::seconds(60)};
  InFlightCounts counts_;
  FairnessStage stage_{flow_, counts_, server_.core().registry};
  CancelSource ending_;
  boost::asio::io_context loop_;
  std::map<std::string, UserPtr> users_;
  std::vector<std::unique_ptr<Asked>> asked_;
};

TEST_F(FairnessStageTest, LetsRequestsGoOnAtOnceWhileThereAreSeats) {
  for (int i = 0; i < 5; ++i) {
    const Asked& asked = ask("jane");
    EXPECT_TRUE(asked.goes_on()) << i;
    EXPECT_FALSE(asked.waited) << "no coroutine";
  }
  EXPECT_EQ(counts_.reads, 5u);
  EXPECT_TRUE(ask("jane").waited);
  EXPECT_EQ(counts_.reads, 5u);
  EXPECT_EQ(of_tiny("current_inqueue_requests"), "1");
  leave(*asked_[0]);
  EXPECT_TRUE(asked_[5]->goes_on());
  EXPECT_EQ(of_tiny("current_inqueue_requests"), "0");
  EXPECT_EQ(of_tiny("current_executing_seats"), "5");
  EXPECT_EQ(of_tiny("dispatched_requests_total"), "6");
}

TEST_F(FairnessStageTest, APoliteClientIsAnsweredBesideAFlood) {
  int refused = 0;
  for (int i = 0; i < 40; ++i) refused += ask("flood").code() == 429 ? 1 : 0;
  EXPECT_EQ(refused, 40 - 5 - 2 * 3) << "five have seats, two queues of three are full";
  Asked& polite = ask("polite");
  EXPECT_TRUE(polite.waited);
  EXPECT_FALSE(polite.outcome) << "it waits";
  // As the requests of the flood end, it is next long before those that came before it.
  int waiting = 0;
  server_.clock().advance(std::chrono::milliseconds(50));
  for (int i = 0; i < 3 && !polite.outcome; ++i) leave(*asked_[static_cast<std::size_t>(i)]);
  EXPECT_TRUE(polite.goes_on());
  for (const auto& one : asked_) waiting += one->waited && !one->outcome ? 1 : 0;
  EXPECT_GE(waiting, 4);
}

TEST_F(FairnessStageTest, ExemptRequestsNeverWait) {
  for (int i = 0; i < 20; ++i) ask("flood");
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(ask("admin", "/api/v1/namespaces/a", {"system:masters"}).goes_on());
  EXPECT_EQ(metric("current_executing_requests", R"(flow_schema="exempt",priority_level="exempt")"),
            "20");
}

TEST_F(FairnessStageTest, TurnsAwayWhenQueuesAreFullAndSaysWhoThatWas) {
  for (int i = 0; i < 11; ++i) EXPECT_EQ(ask("flood").code(), 0) << i;
  Asked& refused = ask("flood");
  EXPECT_EQ(refused.code(), 429);
  const http::Response& response = ***refused.outcome;
  EXPECT_EQ(response.headers.get("Retry-After"), "1");
  ASSERT_EQ(response.body.size(), 1u);
  EXPECT_EQ(response.body[0].view(), "Too many requests, please try again later.\n");
  const http::Response left = leave(refused);
  EXPECT_EQ(left.headers.get("X-Kubernetes-PF-FlowSchema-UID"),
            server_.get(std::string(kSchemas) + "/tiny").text("metadata.uid"));
  EXPECT_EQ(left.headers.get("X-Kubernetes-PF-PriorityLevel-UID"),
            server_.get(std::string(kLevels) + "/tiny").text("metadata.uid"));
  EXPECT_EQ(metric("rejected_requests_total",
                   R"(flow_schema="tiny",priority_level="tiny",reason="queue-full")"),
            "1");
}

TEST_F(FairnessStageTest, WhoIsTurnedAwayAgainAndAgainIsToldToWaitLonger) {
  for (int i = 0; i < 11; ++i) ask("flood");
  for (int second = 0; second < 8; ++second) {
    for (int i = 0; i < 20; ++i) ask("flood");
    server_.clock().advance(std::chrono::seconds(1));
  }
  EXPECT_EQ((***ask("flood").outcome).headers.get("Retry-After"), "8");
}

TEST_F(FairnessStageTest, WhoIsGoneLeavesTheQueue) {
  for (int i = 0; i < 5; ++i) ask("jane");
  CancelSource client;
  asked_.push_back(std::make_unique<Asked>());
  Asked& gone = *asked_.back();
  gone.call = testing::call_of(users_["jane"], "GET", "/api/v1/namespaces/a");
  gone.call->request.cancel = client.token();
  auto waiting = stage_.enter(*gone.call).take_wait();
  ASSERT_TRUE(waiting);
  boost::asio::co_spawn(loop_, *std::move(waiting),
                        [&](std::exception_ptr, Passage::Outcome outcome) {
                          gone.outcome.emplace(std::move(outcome));
                        });
  run();
  EXPECT_EQ(of_tiny("current_inqueue_requests"), "1");
  client.cancel();
  run();
  EXPECT_EQ(gone.code(), Call::cancelled().code);
  EXPECT_EQ(of_tiny("current_inqueue_requests"), "0");
  EXPECT_EQ(metric("rejected_requests_total",
                   R"(flow_schema="tiny",priority_level="tiny",reason="cancelled")"),
            "1");
  leave(gone);
  EXPECT_EQ(of_tiny("current_executing_seats"), "5");
}

TEST_F(FairnessStageTest, NobodyWaitsLongerThanAQuarterOfItsTime) {
  for (int i = 0; i < 5; ++i) ask("jane");
  Asked& late = ask("jane");
  server_.clock().advance(std::chrono::seconds(14));
  deadlines_.expire();
  run();
  EXPECT_FALSE(late.outcome);
  server_.clock().advance(std::chrono::seconds(1));
  deadlines_.expire();
  run();
  EXPECT_EQ(late.code(), 429);
  EXPECT_EQ(metric("rejected_requests_total",
                   R"(flow_schema="tiny",priority_level="tiny",reason="time-out")"),
            "1");
}

TEST_F(FairnessStageTest, ACallThatIsDroppedGivesItsPlaceBack) {
  for (int i = 0; i < 5; ++i) ask("jane");
  ask("jane");
  EXPECT_FALSE(asked_[5]->outcome);
  asked_[0]->call.reset();
  run();
  EXPECT_TRUE(asked_[5]->goes_on());
}

TEST_F(FairnessStageTest, AChangeIsInForceForTheNextRequest) {
  for (int i = 0; i < 5; ++i) ask("jane");
  EXPECT_TRUE(ask("jane").waited);
  make_level("own", kShares, R"({"type":"Reject"})");
  make_schema("jane", "own", 50, R"({"kind":"User","user":{"name":"jane"}})");
  // The seats were divided anew: three levels share them now.
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(ask("jane").goes_on()) << i;
  EXPECT_EQ(ask("jane").code(), 429);
  EXPECT_EQ(metric("rejected_requests_total",
                   R"(flow_schema="jane",priority_level="own",reason="concurrency-limit")"),
            "1");
  EXPECT_EQ(metric("nominal_limit_seats", R"(priority_level="own")"), "4");
  testing::expect_ok(server_.remove(std::string(kSchemas) + "/jane"), 200);
  EXPECT_TRUE(ask("jane").waited) << "at the level tiny again";
}

TEST_F(FairnessStageTest, ALevelThatIsGoneServesWhoIsThere) {
  make_level("own", kShares, R"({"type":"Queue","queuing":{"queues":1,"handSize":1}})");
  make_schema("jane", "own", 50, R"({"kind":"User","user":{"name":"jane"}})");
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(ask("jane").goes_on());
  Asked& waiting = ask("jane");
  EXPECT_TRUE(waiting.waited);
  testing::expect_ok(server_.remove(std::string(kLevels) + "/own"), 200);
  EXPECT_TRUE(ask("jane").goes_on()) << "the flow schema dangles: at the level tiny";
  EXPECT_TRUE(squeezed(flow_.dump_levels()).contains("\nown, 1, false, true, 1, 4, "))
      << flow_.dump_levels();
  leave(*asked_[0]);
  EXPECT_TRUE(waiting.goes_on());
  for (std::size_t i = 1; i < 5; ++i) leave(*asked_[i]);
  flow_.adjust();
  EXPECT_FALSE(flow_.dump_levels().contains("own,"));
}

TEST_F(FairnessStageTest, AWatchHasASeatForItsBeginningAndWhatIsSentOnHasNone) {
  Asked& watch = ask("jane", "/api/v1/namespaces?watch=1");
  EXPECT_EQ(of_tiny("current_executing_seats"), "1");
  EXPECT_EQ(counts_.reads, 0u);
  leave(watch);
  EXPECT_EQ(of_tiny("current_executing_seats"), "0");
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(ask("jane", "/api/v1/namespaces/a/services/b/proxy/c").goes_on());
  EXPECT_EQ(of_tiny("current_executing_seats"), "0");
}

TEST_F(FairnessStageTest, ListsTakeSeatsByWhatTheyLoad) {
  // Half of 300 seats are the level's, of which a list may take 23.
  FlowControl wide(objects_, server_.core().registry, server_.clock(), deadlines_, 300,
                   std::chrono::seconds(60));
  FairnessStage stage(wide, counts_, server_.core().registry);
  server_.create_namespace("a");
  const std::string big(150'000, 'x');
  for (const char* name : {"a", "b", "c"}) {
    server_.create("/api/v1/namespaces/a/configmaps",
                   testing::config_map_json(name, R"({"k":")" + big + R"("})"));
  }
  const UserPtr jane = testing::user_named("jane", {});
  const auto seats_of = [&](std::string_view target) {
    const CallPtr call = testing::call_of(jane, "GET", target);
    EXPECT_TRUE(stage.enter(*call).goes_on());
    std::string page;
    wide.write_metrics(page);
    const std::string line =
        "\napiserver_flowcontrol_current_executing_seats{flow_schema=\"tiny\",priority_level="
        "\"tiny\"} ";
    const std::size_t from = page.find(line) + line.size();
    return page.substr(from, page.find('\n', from) - from);
  };
  EXPECT_EQ(seats_of("/api/v1/namespaces/a/configmaps"), "5");
  EXPECT_EQ(seats_of("/api/v1/namespaces/a/configmaps?limit=1"), "2");
  EXPECT_EQ(seats_of("/api/v1/namespaces/a/configmaps?fieldSelector=metadata.name%3Da"), "2");
  EXPECT_EQ(seats_of("/api/v1/namespaces/a/configmaps/a"), "1");
  EXPECT_EQ(seats_of("/api/v1/configmaps?watch=1"), "1");
  EXPECT_EQ(seats_of("/api/v1/configmaps?watch=1&sendInitialEvents=true"), "5");
  EXPECT_EQ(seats_of("/apis/x.example/v1/nothing"), "1");
  server_.remove("/api/v1/namespaces/a/configmaps/a");
  EXPECT_EQ(seats_of("/api/v1/namespaces/a/configmaps"), "4");
}

TEST_F(FairnessStageTest, ABusyLevelBorrowsWhatOthersLend) {
  testing::expect_ok(
      server_.merge(std::string(kLevels) + "/tiny",
                    R"({"spec":{"limited":{"borrowingLimitPercent":null,"lendablePercent":50}}})"),
      200);
  ask("jane");
  const auto seats = [&] { return metric("current_limit_seats", R"(priority_level="tiny")"); };
  const std::string before = seats();
  for (int i = 0; i < 11; ++i) ask("jane");
  for (int i = 0; i < 3; ++i) {
    server_.clock().advance(std::chrono::seconds(10));
    flow_.adjust();
    run();
  }
  EXPECT_GT(std::stoi(seats()), std::stoi(before));
  EXPECT_EQ(of_tiny("current_executing_requests"), seats()) << "they are used at once";
  EXPECT_EQ(metric("upper_limit_seats", R"(priority_level="tiny")"), "15");
  // What is not wanted any more goes back, in time.
  const std::string most = seats();
  for (const auto& one : asked_) {
    if (one->goes_on()) leave(*one);
  }
  for (const auto& one : asked_) leave(*one);
  for (int i = 0; i < 200; ++i) {
    server_.clock().advance(std::chrono::seconds(10));
    flow_.adjust();
  }
  EXPECT_LT(std::stoi(seats()), std::stoi(most));
}

TEST_F(FairnessStageTest, ShowsWhoHasSeatsAndWhoWaits) {
  for (int i = 0; i < 6; ++i) ask("jane", "/api/v1/namespaces/a/configmaps/b");
  const std::string requests = squeezed(flow_.dump_requests(true));
  EXPECT_TRUE(requests.starts_with(
      "PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, "
      "ArriveTime, InitialSeats, FinalSeats, AdditionalLatency, StartTime, UserName, Verb, "
      "APIPath, Namespace, Name, APIVersion, Resource, SubResource\n"))
      << requests;
  EXPECT_EQ(std::ranges::count(requests, '\n'), 7);
  EXPECT_TRUE(
      requests.contains(", -1, jane, 2024-01-01T00:00:00Z, 1, 0, 0s, 2024-01-01T00:00:00Z, "
                        "jane, get, /api/v1/namespaces/a/configmaps/b, a, b, v1, "
                        "configmaps, \n"))
      << requests;
  EXPECT_TRUE(
      requests.contains(", 0, jane, 2024-01-01T00:00:00Z, 1, 0, 0s, 0001-01-01T00:00:00Z, "
                        "jane, get, /api/v1/namespaces/a/configmaps/b, a, b, v1, "
                        "configmaps, \n"))
      << requests;
  EXPECT_EQ(std::ranges::count(flow_.dump_requests(false), '\n'), 7);
  const std::string levels = flow_.dump_levels();
  EXPECT_TRUE(squeezed(levels).contains("tiny, 1, false, false, 1, 5, 5, 0, 0, 0\n")) << levels;
  EXPECT_TRUE(levels.starts_with("PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, "));
  EXPECT_TRUE(levels.contains("\nexempt,            0,            true,   false,       0,"))
      << levels;
  const std::string queues = flow_.dump_queues();
  EXPECT_EQ(std::ranges::count(queues, '\n'), 1 + 64 + 128 * 3 + 64 * 2 + 16) << queues;
}

TEST(FairUse, IsWhatAServerDoes) {
  TestServer server({.fair_use = true});
  const testing::Answered answered = server.get("/api/v1/namespaces/default");
  EXPECT_EQ(answered.header("X-Kubernetes-PF-FlowSchema-UID"),
            server.get(std::string(kSchemas) + "/exempt").text("metadata.uid"));
  EXPECT_EQ(answered.header("X-Kubernetes-PF-PriorityLevel-UID"),
            server.get(std::string(kLevels) + "/exempt").text("metadata.uid"));
  for (const char* page : {"dump_priority_levels", "dump_queues", "dump_requests"}) {
    const auto dump = server.get(std::string("/debug/api_priority_and_fairness/") + page);
    testing::expect_ok(dump, 200);
    EXPECT_TRUE(dump.body.starts_with("PriorityLevelName,"));
    EXPECT_TRUE(dump.header("Content-Type").starts_with("text/plain"));
  }
  EXPECT_EQ(server.get("/debug/api_priority_and_fairness/x").code, 404);
  EXPECT_TRUE(server.get("/metrics")
                  .body.contains("\napiserver_flowcontrol_nominal_limit_seats{priority_level="
                                 "\"workload-low\"} 245\n"));
}

TEST(FairUse, HasASeatForEveryLevelHoweverFewThereAre) {
  TestServer server({.groups = {"system:authenticated"},
                     .max_reads_in_flight = 2,
                     .max_writes_in_flight = 1,
                     .fair_use = true});
  // Nobody divides the seats anew meanwhile. These belong to global-default and service-accounts.
  for (const std::string_view user : {"ann", "system:serviceaccount:a:b"}) {
    const auto got = server.ask({.target = "/version", .user = user});
    EXPECT_EQ(got.code, 200) << user;
  }
}

TEST(FairUse, ShowsItsStateToThoseAloneWhoMaySeeIt) {
  TestServer server(
      {.groups = {"crowd"}, .fair_use = true, .may = [](const User&, const RequestInfo& info) {
         return !info.path.starts_with("/debug/");
       }});
  EXPECT_EQ(server.get("/debug/api_priority_and_fairness/dump_requests").code, 403);
}

TEST(FairUse, MayBeTurnedOff) {
  TestServer server;
  EXPECT_EQ(server.get("/debug/api_priority_and_fairness/dump_queues").code, 404);
  EXPECT_EQ(server.get("/version").header("X-Kubernetes-PF-FlowSchema-UID"), "");
  EXPECT_FALSE(server.get("/metrics").body.contains("apiserver_flowcontrol"));
}

}  // namespace
}  // namespace strake::api
