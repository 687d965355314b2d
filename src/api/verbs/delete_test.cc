// Deleting objects: at once or marked, under conditions, and what happens to dependents.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kWidget = "/apis/example.com/v1/namespaces/default/widgets/w";
constexpr std::string_view kHold = R"("finalizers":["example.com/hold"])";

class Delete : public ::testing::Test {
 protected:
  Delete() { server.create(kCrds, widgets_crd()); }
  Answered make_widget(std::string_view metadata = "") {
    return server.create(kWidgets, widget_json("w", "{}", metadata));
  }
  TestServer server;
};

TEST_F(Delete, TakesTheObjectAtOnce) {
  const Answered made = make_widget();
  const Answered gone = server.remove(kWidget);
  expect_ok(gone);
  EXPECT_EQ(
      gone.body,
      fmt::format(R"({{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Success",)"
                  R"("details":{{"name":"w","group":"example.com","kind":"widgets","uid":"{}"}}}})"
                  "\n",
                  made.uid()));
  EXPECT_EQ(server.get(kWidget).code, 404);
  expect_status(server.remove(kWidget), 404, "NotFound", "widgets.example.com \"w\" not found");
}

TEST_F(Delete, AnswersWithTheObjectWhereTheKindSaysSo) {
  const std::string quotas = "/api/v1/namespaces/default/resourcequotas";
  server.create(quotas, R"({"metadata":{"name":"q"},"spec":{"hard":{"pods":"1"}}})");
  const Answered gone = server.remove(quotas + "/q");
  expect_ok(gone);
  EXPECT_EQ(gone.text("kind"), "ResourceQuota");
  EXPECT_EQ(gone.at("spec.hard"), R"({"pods":"1"})");
  EXPECT_EQ(server.get(quotas + "/q").code, 404);
}

TEST_F(Delete, MarksWhatIsHeld) {
  const Answered made = make_widget(kHold);
  server.advance(std::chrono::minutes(10));
  const Answered marked = server.remove(kWidget);
  expect_ok(marked);
  EXPECT_EQ(marked.at("metadata.deletionTimestamp"), R"("2024-01-01T00:10:00Z")");
  EXPECT_EQ(marked.at("metadata.deletionGracePeriodSeconds"), "0");
  EXPECT_EQ(marked.at("metadata.generation"), "2");
  EXPECT_EQ(marked.at("metadata.creationTimestamp"), made.at("metadata.creationTimestamp"));
  EXPECT_NE(marked.version(), made.version());
  EXPECT_EQ(server.get(kWidget).at(""), marked.at(""));
}

TEST_F(Delete, AgainChangesNothing) {
  make_widget(kHold);
  const Answered marked = server.remove(kWidget);
  server.advance(std::chrono::minutes(1));
  const Answered again = server.remove(kWidget);
  expect_ok(again);
  EXPECT_EQ(again.at(""), marked.at(""));
}

TEST_F(Delete, AgainMayDecideAboutDependents) {
  make_widget(kHold);
  const Answered marked = server.remove(kWidget);
  const Answered orphaning = server.remove(kWidget, R"({"propagationPolicy":"Orphan"})");
  EXPECT_EQ(orphaning.at("metadata.finalizers"), R"(["example.com/hold","orphan"])");
  EXPECT_EQ(orphaning.at("metadata.deletionTimestamp"), marked.at("metadata.deletionTimestamp"));
  EXPECT_EQ(orphaning.at("metadata.generation"), "2");
}

TEST_F(Delete, EndsWithTheLastFinalizer) {
  make_widget(kHold);
  expect_ok(server.remove(kWidget));
  const Answered freed = server.merge(kWidget, R"({"metadata":{"finalizers":null}})");
  expect_ok(freed);
  EXPECT_EQ(freed.at("kind"), R"("Widget")");
  EXPECT_EQ(server.get(kWidget).code, 404);
}

TEST_F(Delete, NotesHowDependentsAreTreated) {
  struct Case {
    std::string_view options;
    std::string_view finalizers;  // after it; empty when the object is gone
  };
  const Case cases[] = {
      {R"({"propagationPolicy":"Foreground"})", R"(["foregroundDeletion"])"},
      {R"({"propagationPolicy":"Orphan"})", R"(["orphan"])"},
      {R"({"orphanDependents":true})", R"(["orphan"])"},
      {R"({"propagationPolicy":"Background"})", ""},
      {R"({"orphanDependents":false})", ""},
      {R"({})", ""},
  };
  for (const Case& one : cases) {
    make_widget();
    // On trial: no collector comes in between.
    std::string options(one.options);
    options.insert(1, options == "{}" ? R"("dryRun":["All"])" : R"("dryRun":["All"],)");
    const Answered tried = server.remove(kWidget, options);
    EXPECT_EQ(tried.at("metadata.finalizers"), one.finalizers) << one.options;
    const Answered removed = server.remove(kWidget, one.options);
    EXPECT_EQ(removed.at("metadata.finalizers"), one.finalizers) << one.options;
    EXPECT_EQ(server.wait_for(404, kWidget).code, 404) << one.options;
  }
}

TEST_F(Delete, InTheBackgroundTakesBackWhatWasDecidedBefore) {
  make_widget(R"("finalizers":["foregroundDeletion","example.com/hold"])");
  const Answered tried =
      server.remove(kWidget, R"({"propagationPolicy":"Background","dryRun":["All"]})");
  EXPECT_EQ(tried.at("metadata.finalizers"), R"(["example.com/hold"])");
  const Answered unsaid = server.remove(kWidget, R"({"dryRun":["All"]})");
  EXPECT_EQ(unsaid.at("metadata.finalizers"), R"(["example.com/hold","foregroundDeletion"])");
}

TEST_F(Delete, IsAcceptedWhenDependentsAreNotOrphanedAndItStays) {
  make_widget(kHold);
  expect_ok(server.remove(fmt::format("{}?orphanDependents=false", kWidget)), 202);
  server.create(kMaps, config_map_json("a"));
  expect_ok(server.remove(fmt::format("{}?orphanDependents=false", kMap)), 200);
}

TEST_F(Delete, HoldsThePreconditionsAgainstTheObject) {
  const Answered made = make_widget();
  expect_status(
      server.remove(kWidget, R"({"preconditions":{"uid":"other"}})"), 409, "Conflict",
      fmt::format("Operation cannot be fulfilled on Widget.example.com \"w\": the UID in the "
                  "precondition (other) does not match the UID in record ({}). The object might "
                  "have been deleted and then recreated",
                  made.uid()));
  expect_status(
      server.remove(kWidget, R"({"preconditions":{"resourceVersion":"1"}})"), 409, "Conflict",
      fmt::format("Operation cannot be fulfilled on Widget.example.com \"w\": the ResourceVersion "
                  "in the precondition (1) does not match the ResourceVersion in record ({}). The "
                  "object might have been modified",
                  made.version()));
  EXPECT_EQ(server.get(kWidget).code, 200);
  expect_ok(server.remove(
      kWidget, fmt::format(R"({{"preconditions":{{"uid":"{}","resourceVersion":"{}"}}}})",
                           made.uid(), made.version())));
}

TEST_F(Delete, OnTrialLeavesEverything) {
  const Answered made = make_widget();
  const Answered tried = server.remove(fmt::format("{}?dryRun=All", kWidget));
  expect_ok(tried);
  EXPECT_EQ(tried.at("status"), R"("Success")");
  EXPECT_EQ(server.get(kWidget).at(""), made.at(""));
  server.merge(kWidget, R"({"metadata":{"finalizers":["example.com/hold"]}})");
  const Answered held = server.remove(fmt::format("{}?dryRun=All", kWidget));
  EXPECT_NE(held.at("metadata.deletionTimestamp"), "");
  EXPECT_EQ(server.get(kWidget).at("metadata.deletionTimestamp"), "");
}

TEST_F(Delete, BelievesTheBodyAlone) {
  make_widget();
  // As kube-apiserver 1.36 does: a body, whatever it says, puts the query aside.
  const Answered gone = server.remove(fmt::format("{}?dryRun=All", kWidget),
                                      R"({"kind":"DeleteOptions","apiVersion":"v1"})");
  expect_ok(gone);
  EXPECT_EQ(server.get(kWidget).code, 404);
}

TEST_F(Delete, RefusesOptionsThatAreNone) {
  make_widget();
  struct Case {
    std::string_view query;
    std::string_view body;
    int code;
    std::string_view message;
  };
  const Case cases[] = {
      {"?propagationPolicy=Bogus", "", 422,
       "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: "
       "\"Bogus\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\""},
      {"?propagationPolicy=Orphan&orphanDependents=true", "", 422,
       "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Invalid value: \"Orphan\": "
       "orphanDependents and deletionPropagation cannot be both set"},
      {"?dryRun=Maybe", "", 422,
       "DeleteOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Maybe\"]: "
       "supported values: \"All\""},
      {"?gracePeriodSeconds=soon", "", 400, "strconv.ParseInt: parsing \"soon\": invalid syntax"},
      {"", "{x", 400,
       "couldn't get version/kind; json parse error: invalid character 'x' looking for beginning "
       "of object key string"},
  };
  for (const Case& one : cases) {
    const Answered refused = server.remove(fmt::format("{}{}", kWidget, one.query), one.body);
    EXPECT_EQ(refused.code, one.code) << refused.body;
    EXPECT_EQ(refused.text("message"), one.message);
  }
  EXPECT_EQ(server.get(kWidget).code, 200);
}

TEST_F(Delete, IgnoresTheGracePeriod) {
  make_widget(kHold);
  const Answered marked = server.remove(fmt::format("{}?gracePeriodSeconds=30", kWidget));
  EXPECT_EQ(marked.at("metadata.deletionGracePeriodSeconds"), "0");
  EXPECT_EQ(marked.at("metadata.deletionTimestamp"), R"("2024-01-01T00:00:00Z")");
}

TEST_F(Delete, ReadsOptionsAsYamlToo) {
  make_widget(kHold);
  const Answered got = server.ask({.method = "DELETE",
                                   .target = kWidget,
                                   .body = "propagationPolicy: Orphan\n",
                                   .type = "application/yaml"});
  EXPECT_EQ(got.at("metadata.finalizers"), R"(["example.com/hold","orphan"])") << got.body;
  EXPECT_EQ(
      server.ask({.method = "DELETE", .target = kWidget, .body = "x", .type = "text/plain"}).code,
      415);
}

TEST_F(Delete, OfANamespaceBeginsItsEnd) {
  server.create_namespace("n");
  server.create("/api/v1/namespaces/n/configmaps", config_map_json("a", "{}", kHold));
  server.advance(std::chrono::minutes(1));
  const Answered marked = server.remove("/api/v1/namespaces/n");
  expect_ok(marked);
  EXPECT_EQ(marked.at("metadata.deletionTimestamp"), R"("2024-01-01T00:01:00Z")");
  EXPECT_EQ(marked.at("status.phase"), R"("Terminating")");
  EXPECT_EQ(marked.at("spec.finalizers"), R"(["kubernetes"])");
  for (const std::string_view kept : {"default", "kube-system", "kube-public"}) {
    expect_status(
        server.remove(fmt::format("/api/v1/namespaces/{}", kept)), 403, "Forbidden",
        fmt::format("namespaces \"{}\" is forbidden: this namespace may not be deleted", kept));
  }
}

TEST_F(Delete, IsWorkForOneClientAtATime) {
  // Everyone who deletes meets the object or its absence, never a conflict.
  for (int round = 0; round < 20; ++round) {
    make_widget();
    std::vector<int> codes(4);
    std::vector<std::thread> clients;
    for (int& code : codes) clients.emplace_back([&] { code = server.remove(kWidget).code; });
    for (std::thread& one : clients) one.join();
    EXPECT_EQ(std::ranges::count(codes, 200), 1);
    EXPECT_EQ(std::ranges::count(codes, 404), 3);
  }
}

}  // namespace
}  // namespace strake::api::testing
