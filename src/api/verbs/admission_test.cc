// Admission: who is asked what for each verb, that everyone waits for it who writes, and that a
// refusal keeps the object as it was.
#include <gtest/gtest.h>

#include "api/verbs/test_waits.h"
#include "resource/prepare.h"

namespace strake::api::testing {
namespace {

using namespace std::chrono_literals;
using Phase = AdmissionRequest::Phase;
using Texts = std::vector<std::string>;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";

class Admitted : public ::testing::Test {
 protected:
  Admitted() : server(TestServer::Options{.admission = {&admission}}) {
    server.create(kMaps, config_map_json("a", R"({"k":"1"})"));
    admission.take_asked();
  }
  SlowAdmission admission;
  TestServer server;
};

TEST_F(Admitted, IsAskedBeforeAndAfterTheKindJudges) {
  server.create(kMaps, config_map_json("b"));
  EXPECT_EQ(admission.take_asked(), (Texts{"mutating create b", "validating create b"}));
  expect_ok(server.put(kMap, config_map_json("a", R"({"k":"2"})")));
  EXPECT_EQ(admission.take_asked(), (Texts{"mutating update a", "validating update a"}));
  expect_ok(server.merge(kMap, R"({"data":{"k":"3"}})"));
  EXPECT_EQ(admission.take_asked(), (Texts{"mutating update a", "validating update a"}));
  expect_ok(server.remove(kMap));
  EXPECT_EQ(admission.take_asked(), (Texts{"mutating delete a", "validating delete a"}));
  server.create(kMaps, config_map_json("c"));
  admission.take_asked();
  expect_ok(server.remove(kMaps));
  Texts asked = admission.take_asked();
  std::ranges::sort(asked);
  EXPECT_EQ(asked, (Texts{"mutating delete ", "mutating delete ", "validating delete ",
                          "validating delete "}))
      << "about each of them, without its name";
  EXPECT_EQ(server.remove(kMap).code, 404);
  EXPECT_EQ(admission.take_asked(), Texts()) << "about nothing";
}

TEST_F(Admitted, IsAskedAboutQuestionsToo) {
  admission.resource = "selfsubjectreviews";
  expect_ok(server.post("/apis/authentication.k8s.io/v1/selfsubjectreviews",
                        R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})"),
            201);
  EXPECT_EQ(admission.take_asked(), (Texts{"mutating create ", "validating create "}));
}

TEST_F(Admitted, KnowsTheGeneratedNameWhenItValidates) {
  const Answered made = server.post(
      kMaps, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"g-"}})");
  expect_ok(made, 201);
  EXPECT_EQ(admission.take_asked(),
            (Texts{"mutating create ", "validating create " + made.text("metadata.name")}));
}

TEST_F(Admitted, IsWaitedForByEveryWrite) {
  const std::function<Answered()> writes[] = {
      [&] { return server.post(kMaps, config_map_json("n")); },
      [&] { return server.put(kMap, config_map_json("a", R"({"k":"2"})")); },
      [&] { return server.merge(kMap, R"({"data":{"k":"3"}})"); },
      [&] { return server.remove(kMap); },
      [&] { return server.remove(kMaps); },
  };
  for (const Phase phase : {Phase::kMutating, Phase::kValidating}) {
    admission.waits = [phase](const AdmissionRequest& request) { return request.phase == phase; };
    server.remove(kMaps);
    server.create(kMaps, config_map_json("a", R"({"k":"1"})"));
    for (const auto& write : writes) {
      const std::string before = server.get(kMaps).body;
      const Answered done = ask_held(admission.turnstile, write, [&] {
        // Others are answered on every loop, and find nothing changed.
        for (int i = 0; i < 4; ++i) EXPECT_EQ(server.get(kMaps).body, before);
      });
      EXPECT_LT(done.code, 300) << done.body;
    }
    EXPECT_EQ(server.get(kMaps).names(), "");
  }
}

TEST_F(Admitted, RefusesEveryWrite) {
  const std::string before = server.get(kMap).body;
  for (const Phase phase : {Phase::kMutating, Phase::kValidating}) {
    admission.judge = [phase](const AdmissionRequest& request) {
      return request.phase == phase ? "not today" : "";
    };
    for (const bool waiting : {false, true}) {
      admission.waits = [waiting](const AdmissionRequest&) { return waiting; };
      expect_status(server.post(kMaps, config_map_json("n")), 403, "Forbidden",
                    R"(configmaps "n" is forbidden: not today)");
      for (const Answered& refused :
           {server.put(kMap, config_map_json("a", R"({"k":"2"})")),
            server.merge(kMap, R"({"data":{"k":"3"}})"), server.remove(kMap)}) {
        expect_status(refused, 403, "Forbidden", R"(configmaps "a" is forbidden: not today)");
      }
      EXPECT_EQ(server.remove(kMaps).code, 403);
      EXPECT_EQ(server.get(kMap).body, before);
      EXPECT_EQ(server.get(kMaps).names(), "a");
    }
  }
}

TEST_F(Admitted, MayChangeWhatTheKindThenJudges) {
  std::string label = "fine";
  admission.judge = [&](const AdmissionRequest& request) {
    if (request.phase == Phase::kMutating && request.object != nullptr) {
      Arena& arena = request.object->arena();
      value::Value labels = value::Value::object({});
      labels.set("by", value::Value::string(label), arena);
      resource::set_meta(request.object->root(), "labels", labels, arena);
    }
    return "";
  };
  EXPECT_EQ(server.create(kMaps, config_map_json("b")).at("metadata.labels"), R"({"by":"fine"})");
  EXPECT_EQ(server.merge(kMap, R"({"data":{"k":"9"}})").at("metadata.labels"), R"({"by":"fine"})");
  label = "not a label";
  EXPECT_EQ(server.post(kMaps, config_map_json("c")).code, 422);
  EXPECT_EQ(server.merge(kMap, R"({"data":{"k":"10"}})").code, 422);
}

TEST_F(Admitted, SeesTheStoredObjectAndWhetherItIsADryRun) {
  Texts seen;
  admission.judge = [&](const AdmissionRequest& request) {
    if (request.phase == Phase::kValidating) {
      const value::Value* old = request.old != nullptr ? request.old->find("data") : nullptr;
      seen.push_back(fmt::format("{} {}", old != nullptr ? old->get("k").as_string() : "none",
                                 request.dry_run));
    }
    return "";
  };
  server.post(std::string(kMaps) + "?dryRun=All", config_map_json("n"));
  server.merge(kMap, R"({"data":{"k":"2"}})");
  server.remove(std::string(kMap) + "?dryRun=All");
  EXPECT_EQ(seen, (Texts{"none true", "1 false", "2 true"}));
}

TEST_F(Admitted, EndsWithTheClient) {
  for (const std::string_view method : {"POST", "DELETE"}) {
    CancelSource client;
    admission.turnstile.hold(true);
    Answered left;
    std::thread asking([&] {
      left = server.ask({.method = method,
                         .target = method == "POST" ? kMaps : kMap,
                         .body = method == "POST" ? config_map_json("n") : "",
                         .type = "application/json",
                         .cancel = client.token()});
    });
    admission.turnstile.wait_for_somebody();
    client.cancel();
    // While nothing else ends the wait.
    asking.join();
    admission.turnstile.hold(false);
    EXPECT_EQ(left.code, 503) << left.body;
  }
  EXPECT_EQ(server.get(kMaps).names(), "a");
}

TEST_F(Admitted, EndsWithTheTimeOfTheRequest) {
  const std::function<Answered()> writes[] = {
      [&] { return server.post(kMaps, config_map_json("n")); },
      [&] { return server.merge(kMap, R"({"data":{"k":"3"}})"); },
      [&] { return server.remove(kMap); },
  };
  for (const auto& write : writes) {
    admission.turnstile.hold(true);
    Answered late;
    std::thread client([&] { late = write(); });
    admission.turnstile.wait_for_somebody();
    server.clock().advance(34s);
    server.expire_requests();
    client.join();
    admission.turnstile.hold(false);
    EXPECT_EQ(late.code, 504) << late.body;
  }
  EXPECT_EQ(server.get(kMap).at("data"), R"({"k":"1"})");
}

}  // namespace
}  // namespace strake::api::testing
