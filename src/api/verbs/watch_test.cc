// Watching: which changes are told, from where on, and how a watch ends.
#include <gtest/gtest.h>

#include <thread>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";

class WatchVerb : public ::testing::Test {
 protected:
  using Watch = TestServer::Watch;
  std::string maps(std::string_view query) { return fmt::format("{}{}", kMaps, query); }
  std::string now() { return server.get(kMaps).version(); }
  std::string since(std::string_view version, std::string_view more = "") {
    return fmt::format("{}?watch=true&resourceVersion={}{}", kMaps, version, more);
  }
  Answered add(std::string_view name, std::string_view metadata = "") {
    return server.create(kMaps, config_map_json(name, "{}", metadata));
  }
  void change(std::string_view name, std::string_view patch = R"({"data":{"k":"v"}})") {
    expect_ok(server.merge(maps(fmt::format("/{}", name)), patch));
  }
  void drop(std::string_view name) { expect_ok(server.remove(maps(fmt::format("/{}", name)))); }
  TestServer server;
};

TEST_F(WatchVerb, FollowsChangesFromARevision) {
  add("before");
  Watch watch(server, since(now()));
  add("a");
  change("a");
  drop("a");
  EXPECT_EQ(watch.take(3), "ADDED a, MODIFIED a, DELETED a");
}

TEST_F(WatchVerb, CatchesUpWithWhatHasChangedSinceARevision) {
  const std::string begin = now();
  add("a");
  change("a");
  drop("a");
  Watch watch(server, since(begin));
  EXPECT_EQ(watch.take(3), "ADDED a, MODIFIED a, DELETED a");
}

TEST_F(WatchVerb, BeginsWithAllUnlessItNamesARevision) {
  add("b");
  add("a");
  for (const std::string_view query : {"?watch=true", "?watch=1", "?watch=true&resourceVersion=0",
                                       "?watch=true&resourceVersion="}) {
    Watch watch(server, maps(query));
    EXPECT_EQ(watch.take(2), "ADDED a, ADDED b") << query;
    add("c");
    EXPECT_EQ(watch.take(1), "ADDED c") << query;
    drop("c");
  }
}

TEST_F(WatchVerb, BeginsWithNothingWhenInitialEventsAreDeclined) {
  add("a");
  Watch watch(server,
              maps("?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan"));
  add("b");
  EXPECT_EQ(watch.take(1), "ADDED b");
}

TEST_F(WatchVerb, MarksTheEndOfInitialEvents) {
  add("a");
  Watch watch(server, maps("?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                           "&allowWatchBookmarks=true"));
  EXPECT_EQ(watch.take(1), "ADDED a");
  const Event mark = watch.next();
  EXPECT_EQ(mark.type, "BOOKMARK");
  EXPECT_EQ(mark.object.at(""),
            fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"annotations":)"
                        R"({{"k8s.io/initial-events-end":"true"}},"resourceVersion":"{}"}}}})",
                        now()));
  add("b");
  EXPECT_EQ(watch.take(1), "ADDED b");
}

TEST_F(WatchVerb, ShowsADeletionAsTheLastStateAtTheRevisionOfTheDeletion) {
  const Answered made = add("a", R"("labels":{"l":"v"})");
  Watch watch(server, since(now()));
  drop("a");
  const Event gone = watch.next();
  EXPECT_EQ(gone.type, "DELETED");
  EXPECT_EQ(gone.object.uid(), made.uid());
  EXPECT_EQ(gone.object.at("metadata.labels"), R"({"l":"v"})");
  EXPECT_EQ(gone.object.version(), now());
  EXPECT_NE(gone.object.version(), made.version());
}

TEST_F(WatchVerb, ShowsTheMarkOfADeletionAsAChange) {
  add("a", R"("finalizers":["example.com/hold"])");
  Watch watch(server, since(now()));
  drop("a");
  const Event marked = watch.next();
  EXPECT_EQ(marked.type, "MODIFIED");
  EXPECT_EQ(marked.object.at("metadata.deletionTimestamp"), R"("2024-01-01T00:00:00Z")");
  change("a", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(watch.take(1), "DELETED a");
}

TEST_F(WatchVerb, ShowsEnteringAndLeavingASelectionAsAddingAndDeleting) {
  add("a");
  add("b", R"("labels":{"k":"1"})");
  Watch watch(server, since(now(), "&labelSelector=k%3D1"));
  change("a", R"({"metadata":{"labels":{"k":"1"}}})");
  EXPECT_EQ(watch.take(1), "ADDED a");
  change("a");
  EXPECT_EQ(watch.take(1), "MODIFIED a");
  change("b", R"({"metadata":{"labels":{"k":"2"}}})");
  const Event left = watch.next();
  EXPECT_EQ(left.summary(), "DELETED b");
  // As it was when it still belonged, at the revision at which it left.
  EXPECT_EQ(left.object.at("metadata.labels.k"), R"("1")");
  EXPECT_EQ(left.object.version(), server.get(maps("/b")).version());
  change("b", R"({"data":{"x":"y"}})");  // not told
  drop("b");                             // nor this
  drop("a");
  EXPECT_EQ(watch.take(1), "DELETED a");
}

TEST_F(WatchVerb, FollowsOneName) {
  add("a");
  Watch watch(server, maps("?watch=true&fieldSelector=metadata.name%3Da"));
  EXPECT_EQ(watch.take(1), "ADDED a");
  add("b");
  change("a");
  EXPECT_EQ(watch.take(1), "MODIFIED a");
}

TEST_F(WatchVerb, FollowsFieldsOfADefinition) {
  server.create(kCrds, widgets_crd());
  Watch watch(server, fmt::format("{}?watch=true&fieldSelector=spec.color%3Dred", kWidgets));
  server.create(kWidgets, widget_json("g", R"({"color":"green"})"));
  server.create(kWidgets, widget_json("r", R"({"color":"red"})"));
  EXPECT_EQ(watch.take(1), "ADDED r");
  expect_ok(server.merge(fmt::format("{}/r", kWidgets), R"({"spec":{"color":"blue"}})"));
  expect_ok(server.merge(fmt::format("{}/g", kWidgets), R"({"spec":{"color":"red"}})"));
  EXPECT_EQ(watch.take(2), "DELETED r, ADDED g");
}

TEST_F(WatchVerb, OfANamespaceSeesNoOther) {
  server.create_namespace("other");
  Watch here(server, since(now()));
  Watch everywhere(server, fmt::format("/api/v1/configmaps?watch=true&resourceVersion={}", now()));
  server.create("/api/v1/namespaces/other/configmaps", config_map_json("far"));
  add("near");
  EXPECT_EQ(here.take(1), "ADDED near");
  EXPECT_EQ(everywhere.take(2), "ADDED far, ADDED near");
}

TEST_F(WatchVerb, EndsWhenItsTimeIsOver) {
  add("a");
  const Answered whole = server.get(maps("?watch=true&timeoutSeconds=1"));
  expect_ok(whole);
  EXPECT_EQ(whole.header("Content-Type"), "application/json");
  EXPECT_TRUE(whole.body.starts_with(R"({"type":"ADDED","object":{"apiVersion":"v1")"))
      << whole.body;
  EXPECT_TRUE(whole.body.ends_with("}}\n"));
  Watch none(server, since(now(), "&timeoutSeconds=1"));
  EXPECT_EQ(none.next().type, "");
}

TEST_F(WatchVerb, IsToldWhenItsRevisionIsForgotten) {
  const std::string begin = now();
  add("a");
  // A server that has just begun remembers nothing itself; its store has forgotten.
  server.compact(now());
  store::MemoryStore store;
  std::string old;
  {
    TestServer first({.store = &store});
    old = first.get(kMaps).version();
    first.create(kMaps, config_map_json("a"));
    first.create(kMaps, config_map_json("b"));
    first.compact(first.get(kMaps).version());
  }
  TestServer second({.store = &store});
  Watch watch(second, since(old));
  const Event error = watch.next();
  EXPECT_EQ(error.type, "ERROR");
  EXPECT_EQ(error.object.at("code"), "410");
  EXPECT_EQ(error.object.at("reason"), R"("Expired")");
  EXPECT_TRUE(
      error.object.text("message").starts_with(fmt::format("too old resource version: {} (", old)))
      << error.object.body;
  EXPECT_EQ(watch.next().type, "");
}

TEST_F(WatchVerb, GoesOnAfterARestart) {
  store::MemoryStore store;
  std::string begin;
  {
    TestServer first({.store = &store});
    begin = first.get(kMaps).version();
    first.create(kMaps, config_map_json("a"));
    expect_ok(first.merge(maps("/a"), R"({"data":{"k":"v"}})"));
    first.create(kMaps, config_map_json("b"));
    expect_ok(first.remove(maps("/a")));
  }
  TestServer second({.store = &store});
  Watch watch(second, since(begin));
  second.create(kMaps, config_map_json("c"));
  EXPECT_EQ(watch.take(5), "ADDED a, MODIFIED a, ADDED b, DELETED a, ADDED c");
}

TEST_F(WatchVerb, OfARevisionThatHasNotComeIsRefused) {
  const Answered refused = server.get(since("1000000"));
  EXPECT_EQ(refused.code, 504) << refused.body;
}

TEST_F(WatchVerb, RefusesOptionsThatDoNotAgree) {
  struct Case {
    std::string_view query;
    std::string_view message;
  };
  const Case cases[] = {
      {"?watch=true&sendInitialEvents=true",
       "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"},
      {"?watch=true&resourceVersionMatch=NotOlderThan",
       "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"},
      {"?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact",
       "Unsupported value: \"Exact\": supported values: \"NotOlderThan\""},
  };
  for (const Case& one : cases) {
    const Answered refused = server.get(maps(one.query));
    EXPECT_EQ(refused.code, 422) << one.query;
    EXPECT_TRUE(refused.text("message").contains(one.message)) << refused.text("message");
  }
  EXPECT_EQ(server.get(maps("?watch=true&fieldSelector=data.k%3Dv")).code, 400);
  EXPECT_EQ(server.get(maps("?watch=true&timeoutSeconds=x")).code, 400);
  // There is no stream of YAML, but the refusal can be.
  const Answered refused =
      server.ask({.target = maps("?watch=true"), .accept = "application/yaml"});
  EXPECT_EQ(refused.code, 406);
  EXPECT_EQ(refused.header("Content-Type"), "application/yaml");
  EXPECT_TRUE(refused.body.contains("application/json;stream=watch")) << refused.body;
}

TEST_F(WatchVerb, AsTableSendsTheColumnsOnce) {
  add("a");
  Watch watch(server, maps("?watch=true"), kTable);
  const Event first = watch.next();
  EXPECT_EQ(first.type, "ADDED");
  EXPECT_EQ(first.object.at("kind"), R"("Table")");
  EXPECT_EQ(first.object.at("columnDefinitions.0.name"), R"("Name")");
  EXPECT_EQ(first.object.at("rows.0.cells.0"), R"("a")");
  change("a");
  const Event second = watch.next();
  EXPECT_EQ(second.type, "MODIFIED");
  EXPECT_EQ(second.object.at("columnDefinitions.0"), "");
  EXPECT_EQ(second.object.at("rows.0.cells.0"), R"("a")");
}

TEST_F(WatchVerb, AsMetadataShowsNothingElse) {
  add("a");
  Watch watch(server, maps("?watch=true"),
              "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io");
  const Event first = watch.next();
  EXPECT_EQ(first.object.at("kind"), R"("PartialObjectMetadata")");
  EXPECT_EQ(first.object.at("metadata.name"), R"("a")");
  EXPECT_EQ(first.object.at("data"), "");
}

TEST_F(WatchVerb, ShowsEachVersionInItsOwnWay) {
  server.create(kCrds, things({{"v1", R"("a":{"type":"string"},"old":{"type":"string"})"},
                               {"v2", R"("a":{"type":"string"})"}}));
  const auto in = [](std::string_view version, std::string_view rest) {
    return fmt::format("/apis/a.example/{}/namespaces/default/things{}", version, rest);
  };
  Watch first(server, in("v1", "?watch=true"));
  Watch second(server, in("v2", "?watch=true"));
  server.create(in("v1", ""),
                R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"t"},)"
                R"("spec":{"a":"1","old":"o"}})");
  EXPECT_EQ(first.next().object.at("spec"), R"({"a":"1","old":"o"})");
  const Event other = second.next();
  EXPECT_EQ(other.object.at("spec"), R"({"a":"1"})");
  EXPECT_EQ(other.object.at("apiVersion"), R"("a.example/v2")");
  expect_ok(server.remove(in("v2", "/t")));
  EXPECT_EQ(first.take(1), "DELETED t");
  EXPECT_EQ(second.take(1), "DELETED t");
}

TEST_F(WatchVerb, EndsWhenItsDefinitionChanges) {
  server.create(kCrds, widgets_crd());
  Watch watch(server, fmt::format("{}?watch=true", kWidgets));
  server.create(kWidgets, widget_json("w"));
  EXPECT_EQ(watch.take(1), "ADDED w");
  const std::string crd = fmt::format("{}/widgets.example.com", kCrds);
  expect_ok(server.ask("PATCH", crd,
                       R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/)"
                       R"(spec/properties/more","value":{"type":"string"}}])"));
  expect_ok(server.merge(fmt::format("{}/w", kWidgets), R"({"spec":{"more":"x"}})"));
  EXPECT_EQ(watch.next().type, "");
  Watch again(server, fmt::format("{}?watch=true", kWidgets));
  EXPECT_EQ(again.next().object.at("spec.more"), R"("x")");
}

TEST_F(WatchVerb, OfAPathThatSaysWatchIsOne) {
  add("a");
  Watch watch(server, "/api/v1/watch/namespaces/default/configmaps");
  EXPECT_EQ(watch.take(1), "ADDED a");
}

TEST_F(WatchVerb, OfOneObjectTellsOfNoOther) {
  for (const std::string_view name : {"a", "b"}) add(name);
  Watch watch(server, "/api/v1/watch/namespaces/default/configmaps/b");
  EXPECT_EQ(watch.take(1), "ADDED b");
  server.remove(fmt::format("{}/a", kMaps));
  server.remove(fmt::format("{}/b", kMaps));
  EXPECT_EQ(watch.take(1), "DELETED b");
}

TEST_F(WatchVerb, OfOneObjectTakesASelectorOfThatNameAlone) {
  add("a");
  const std::string path = "/api/v1/watch/namespaces/default/configmaps/a";
  Watch watch(server, path + "?fieldSelector=metadata.name%3Da");
  EXPECT_EQ(watch.take(1), "ADDED a");
  for (const std::string_view selector :
       {"metadata.name%3Db", "metadata.name!%3Da", "metadata.namespace%3Ddefault"}) {
    expect_status(server.get(fmt::format("{}?fieldSelector={}", path, selector)), 400, "BadRequest",
                  "fieldSelector metadata.name doesn't match requested name");
  }
  // A get of one object has no selector to look at, as in kube-apiserver 1.36.
  EXPECT_EQ(server.get(fmt::format("{}/a?fieldSelector=metadata.name%3Db", kMaps)).code, 200);
}

TEST_F(WatchVerb, SeesAllWritesInOrderWhoeverMakesThem) {
  Watch watch(server, since(now()));
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 3; ++writer) {
    writers.emplace_back([this, writer] {
      for (int i = 0; i < 20; ++i)
        server.post(kMaps, config_map_json(fmt::format("w{}-{}", writer, i)));
    });
  }
  for (std::thread& one : writers) one.join();
  std::int64_t last = 0;
  for (int i = 0; i < 60; ++i) {
    const Event event = watch.next();
    EXPECT_EQ(event.type, "ADDED");
    const std::int64_t revision = std::stoll(event.object.version());
    EXPECT_GT(revision, last);
    last = revision;
  }
}

}  // namespace
}  // namespace strake::api::testing
