// Owners and dependents: nothing hangs, nothing stays behind, nothing goes that has an owner left.
#include <gtest/gtest.h>

#include <thread>

#include "api/cache/test_remote_store.h"
#include "api/test_server.h"
#include "async/loops.h"
#include "async/run.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kSpaces = "/api/v1/namespaces";

std::string map_at(std::string_view name) { return fmt::format("{}/{}", kMaps, name); }

std::string unquoted(std::string text) {
  return text.size() < 2 ? text : text.substr(1, text.size() - 2);
}

class Garbage : public ::testing::Test {
 protected:
  struct Ref {
    std::string name;
    std::string uid;
    bool blocks = false;
    std::string kind = "ConfigMap";
  };

  // The uid of a new ConfigMap with these owners.
  std::string make(std::string_view name, const std::vector<Ref>& owners = {},
                   std::string_view more = "", std::string_view in = kMaps) {
    std::string refs;
    for (const Ref& one : owners) {
      refs += fmt::format(
          R"({}{{"apiVersion":"v1","kind":"{}","name":"{}","uid":"{}","blockOwnerDeletion":{}}})",
          refs.empty() ? "" : ",", one.kind, one.name, one.uid, one.blocks);
    }
    const Answered made = server.post(
        in,
        fmt::format(
            R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}","ownerReferences":[{}]{}}}}})",
            name, refs, more));
    EXPECT_EQ(made.code, 201) << made.body;
    return unquoted(made.at("metadata.uid"));
  }
  Answered remove(std::string_view name, std::string_view policy) {
    return server.ask("DELETE", map_at(name),
                      fmt::format(R"({{"propagationPolicy":"{}"}})", policy));
  }
  void expect_gone(std::string_view name) {
    EXPECT_EQ(server.wait_for(404, map_at(name)).code, 404) << name;
  }
  void expect_there(std::string_view name) {
    EXPECT_EQ(server.get(map_at(name)).code, 200) << name;
  }
  // Everything that was to do has been done: a sentinel made later has been collected.
  void settle() {
    make("sentinel", {{.name = "never", .uid = "00000000-0000-4000-8000-000000000000"}});
    expect_gone("sentinel");
  }

  RemoteStore store;
  TestServer server{{.store = &store}};
};

TEST_F(Garbage, GoesWithItsOwnerInTheBackground) {
  const std::string top = make("top");
  const std::string middle = make("middle", {{.name = "top", .uid = top}});
  make("bottom", {{.name = "middle", .uid = middle}});
  make("other");
  EXPECT_EQ(remove("top", "Background").at("status"), R"("Success")");
  expect_gone("bottom");
  expect_gone("middle");
  expect_there("other");
}

TEST_F(Garbage, GoesWithAnOwnerWhoseDeletionALostStreamMissed) {
  const std::string top = make("top");
  make("bottom", {{.name = "top", .uid = top}});
  settle();
  const Revision at = std::stoll(server.get(map_at("top")).version());
  store.cut();
  const async::Executor loop = server.core().hub.loops().at(1);
  const store::Written removed =
      async::run_blocking(
          loop, store.write(
                    {.key = "/registry/configmaps/default/top", .value = nullptr, .expected = at}))
          .value();
  ASSERT_TRUE(removed.applied);
  ASSERT_TRUE(async::run_blocking(loop, store.compact(removed.revision)));
  store.tell();
  expect_gone("bottom");
}

TEST_F(Garbage, HoldsTheOwnerInTheForeground) {
  const std::string top = make("top");
  const std::string held = make("held", {{.name = "top", .uid = top, .blocks = true}},
                                R"(,"finalizers":["a.example/hold"])");
  make("loose", {{.name = "top", .uid = top}});
  EXPECT_EQ(remove("top", "Foreground").at("metadata.finalizers"), R"(["foregroundDeletion"])");
  expect_gone("loose");
  // Its dependent is told to go, but waits for somebody.
  settle();
  expect_there("top");
  EXPECT_NE(server.get(map_at("held")).at("metadata.deletionTimestamp"), "");
  EXPECT_EQ(server.ask("PATCH", map_at("held"), R"({"metadata":{"finalizers":null}})").code, 200);
  expect_gone("top");
  expect_gone("held");
}

TEST_F(Garbage, IsNotWaitedForUnlessItBlocks) {
  const std::string top = make("top");
  make("loose", {{.name = "top", .uid = top}}, R"(,"finalizers":["a.example/hold"])");
  remove("top", "Foreground");
  expect_gone("top");
  EXPECT_EQ(server.ask("PATCH", map_at("loose"), R"({"metadata":{"finalizers":null}})").code, 200);
  expect_gone("loose");
}

TEST_F(Garbage, GoesDownAllLevelsInTheForeground) {
  const std::string top = make("top");
  const std::string middle = make("middle", {{.name = "top", .uid = top, .blocks = true}});
  make("bottom", {{.name = "middle", .uid = middle, .blocks = true}});
  remove("top", "Foreground");
  for (const char* name : {"bottom", "middle", "top"}) expect_gone(name);
}

TEST_F(Garbage, StaysAsAnOrphan) {
  const std::string top = make("top");
  const std::string other = make("other");
  make("one", {{.name = "top", .uid = top}});
  make("two", {{.name = "top", .uid = top}, {.name = "other", .uid = other}});
  EXPECT_EQ(remove("top", "Orphan").at("metadata.finalizers"), R"(["orphan"])");
  expect_gone("top");
  settle();
  EXPECT_EQ(server.get(map_at("one")).code, 200);
  EXPECT_EQ(server.get(map_at("one")).at("metadata.ownerReferences"), "");
  EXPECT_EQ(server.get(map_at("two")).at("metadata.ownerReferences.0.name"), R"("other")");
  EXPECT_EQ(server.get(map_at("two")).at("metadata.ownerReferences.1"), "");
}

TEST_F(Garbage, IsNoneWhileOneOwnerIsLeft) {
  const std::string a = make("a");
  const std::string b = make("b");
  make("shared", {{.name = "a", .uid = a}, {.name = "b", .uid = b}});
  remove("a", "Background");
  settle();
  EXPECT_EQ(server.get(map_at("shared")).at("metadata.ownerReferences.0.name"), R"("b")");
  EXPECT_EQ(server.get(map_at("shared")).at("metadata.ownerReferences.1"), "");
  remove("b", "Background");
  expect_gone("shared");
}

TEST_F(Garbage, IsWhatNamesAnOwnerThatIsNotThere) {
  const std::string here = make("here");
  make("other-uid", {{.name = "here", .uid = "00000000-0000-4000-8000-000000000001"}});
  expect_gone("other-uid");
  expect_there("here");
  // The same name in another namespace is somebody else.
  server.post(kSpaces, R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"far"}})");
  constexpr std::string_view kFar = "/api/v1/namespaces/far/configmaps";
  make("far-away", {{.name = "here", .uid = here}}, "", kFar);
  EXPECT_EQ(server.wait_for(404, std::string(kFar) + "/far-away").code, 404);
  // A kind that nobody serves says nothing.
  make("unknown-kind", {{.name = "x", .uid = "u", .blocks = false, .kind = "Nothing"}});
  settle();
  expect_there("unknown-kind");
}

TEST_F(Garbage, MayBeOwnedByWhatIsInNoNamespace) {
  const Answered namespace_object =
      server.post(kSpaces, R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"far"}})");
  make("child", {{.name = "far",
                  .uid = unquoted(namespace_object.at("metadata.uid")),
                  .blocks = true,
                  .kind = "Namespace"}});
  settle();
  expect_there("child");
  server.ask("DELETE", std::string(kSpaces) + "/far", R"({"propagationPolicy":"Foreground"})");
  EXPECT_EQ(server.wait_for(404, std::string(kSpaces) + "/far").code, 404);
  expect_gone("child");
}

TEST_F(Garbage, IsReportedWhenItNamesAnOwnerOfAnotherNamespace) {
  const std::string owner = make("owner", {}, "", "/api/v1/namespaces/kube-system/configmaps");
  make("stray", {{"owner", owner}});
  expect_gone("stray");
  const std::string events = "/api/v1/namespaces/default/events";
  const Answered listed = server.get(events + "?fieldSelector=involvedObject.name%3Dstray");
  EXPECT_EQ(listed.text("items.0.reason"), "OwnerRefInvalidNamespace");
  EXPECT_EQ(listed.text("items.0.message"),
            fmt::format("ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: {}] does "
                        "not exist in namespace \"default\"",
                        owner));
  EXPECT_EQ(listed.text("items.0.source.component"), "garbage-collector-controller");
}

TEST_F(Garbage, IsNotWhatCannotBeOwned) {
  // In no namespace, but naming an owner that is in one: whoever wrote that is mistaken.
  const std::string top = make("top");
  constexpr std::string_view kRoles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  ASSERT_EQ(
      server
          .post(
              kRoles,
              fmt::format(
                  R"({{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{{"name":"r","ownerReferences":[{{"apiVersion":"v1","kind":"ConfigMap","name":"top","uid":"{}"}}]}},"rules":[]}})",
                  top))
          .code,
      201);
  remove("top", "Background");
  settle();
  EXPECT_EQ(server.get(std::string(kRoles) + "/r").code, 200);
}

TEST_F(Garbage, ThatOwnsItselfInACircleGoesAllTheSame) {
  const std::string a = make("a");
  const std::string b = make("b", {{.name = "a", .uid = a, .blocks = true}});
  ASSERT_EQ(
      server
          .ask(
              "PATCH", map_at("a"),
              fmt::format(
                  R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"v1","kind":"ConfigMap","name":"b","uid":"{}","blockOwnerDeletion":true}}]}}}})",
                  b))
          .code,
      200);
  remove("a", "Foreground");
  expect_gone("a");
  expect_gone("b");
}

TEST_F(Garbage, DoesNotKeepANamespace) {
  constexpr std::string_view kFar = "/api/v1/namespaces/far/configmaps";
  for (const char* policy : {"Foreground", "Orphan", "Background"}) {
    ASSERT_EQ(
        server.post(kSpaces, R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"far"}})")
            .code,
        201);
    const std::string top = make("top", {}, "", kFar);
    make("child", {{.name = "top", .uid = top, .blocks = true}}, "", kFar);
    server.ask("DELETE", std::string(kFar) + "/top",
               fmt::format(R"({{"propagationPolicy":"{}"}})", policy));
    server.ask("DELETE", std::string(kSpaces) + "/far",
               fmt::format(R"({{"propagationPolicy":"{}"}})", policy));
    EXPECT_EQ(server.wait_for(404, std::string(kSpaces) + "/far").code, 404) << policy;
  }
}

TEST_F(Garbage, GoesWhenTheKindOfItsOwnerGoes) {
  ASSERT_EQ(server
                .post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                      things({{"v1", R"("a":{"type":"string"})"}}))
                .code,
            201);
  const Answered owner =
      server.post("/apis/a.example/v1/namespaces/default/things",
                  R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"t"}})");
  ASSERT_EQ(owner.code, 201) << owner.body;
  ASSERT_EQ(
      server
          .post(
              kMaps,
              fmt::format(
                  R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"child","ownerReferences":[{{"apiVersion":"a.example/v1","kind":"Thing","name":"t","uid":{}}}]}}}})",
                  owner.at("metadata.uid")))
          .code,
      201);
  server.ask("DELETE", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.a.example");
  expect_gone("child");
}

TEST_F(Garbage, OfManyDependentsIsCollected) {
  const std::string top = make("top");
  for (int i = 0; i < 300; ++i)
    make(fmt::format("child-{}", i), {{.name = "top", .uid = top, .blocks = true}});
  remove("top", "Foreground");
  expect_gone("top");
  EXPECT_EQ(server.get(kMaps).at("items.1"), "");  // but for kube-root-ca.crt, if that is there
}

TEST_F(Garbage, OfMoreDependentsThanARoundHasIsCollected) {
  for (const std::string_view policy : {"Background", "Foreground"}) {
    const std::string top = make("top");
    for (int i = 0; i < 2'500; ++i)
      make(fmt::format("child-{}", i), {{.name = "top", .uid = top, .blocks = i % 2 == 0}});
    make("kept", {{.name = "top", .uid = top}, {.name = "other", .uid = make("other")}});
    remove("top", policy);
    expect_gone("top");
    for (int i = 0; i < 2'500; ++i) expect_gone(fmt::format("child-{}", i));
    settle();
    expect_there("kept");
    for (const std::string_view name : {"kept", "other"}) remove(name, "Background");
  }
}

TEST_F(Garbage, IsFoundWhenReferencesChange) {
  const std::string top = make("top");
  make("child", {{.name = "top", .uid = top}});
  settle();
  expect_there("child");
  // kube-apiserver 1.36 is turned to somebody who is not there.
  expect_ok(server.merge(
      map_at("child"),
      R"({"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"x","uid":"none"}]}})"));
  expect_gone("child");
  // And one that has lost its references is nobody's.
  make("free", {{.name = "top", .uid = top}});
  expect_ok(server.merge(map_at("free"), R"({"metadata":{"ownerReferences":null}})"));
  remove("top", "Background");
  settle();
  expect_there("free");
}

TEST_F(Garbage, KeepsTheOwnerThatIsLeftAndForgetsTheOneThatIsGone) {
  const std::string here = make("here");
  make("child", {{.name = "never", .uid = "00000000-0000-4000-8000-000000000009"},
                 {.name = "here", .uid = here}});
  settle();
  const Answered child = server.get(map_at("child"));
  EXPECT_EQ(child.at("metadata.ownerReferences.0.name"), R"("here")");
  EXPECT_EQ(child.at("metadata.ownerReferences.1"), "");
}

TEST_F(Garbage, IsCollectedByTheNextServer) {
  store::MemoryStore store;
  std::string uid;
  {
    TestServer first({.store = &store});
    uid = first.create(kMaps, config_map_json("top")).uid();
    first.create(
        kMaps,
        config_map_json(
            "child", "{}",
            fmt::format(
                R"("ownerReferences":[{{"apiVersion":"v1","kind":"ConfigMap","name":"top","uid":"{}"}}])",
                uid)));
  }
  // The owner goes while nobody looks.
  async::Loops loops(1);
  const auto entry = async::run_blocking(
      loops.at(0), store.range({.prefix = "/registry/configmaps/default/top", .limit = 1}));
  ASSERT_TRUE(entry && entry->entries.size() == 1);
  const auto written =
      async::run_blocking(loops.at(0), store.write({.key = entry->entries[0].key,
                                                    .value = nullptr,
                                                    .expected = entry->entries[0].mod_revision}));
  ASSERT_TRUE(written && written->applied);
  loops.stop();
  TestServer second({.store = &store});
  EXPECT_EQ(second.wait_for(404, map_at("child")).code, 404);
}

TEST_F(Garbage, IsNotMadeByATrial) {
  const std::string top = make("top");
  make("child", {{.name = "top", .uid = top}});
  expect_ok(server.ask("DELETE", map_at("top"),
                       R"({"propagationPolicy":"Foreground","dryRun":["All"]})"));
  settle();
  expect_there("top");
  expect_there("child");
}

TEST_F(Garbage, ThatArrivesLateHoldsTheOwnerToo) {
  const std::string top = make("top");
  // The owner waits for its dependents for as long as this one stays.
  make("first", {{.name = "top", .uid = top, .blocks = true}},
       R"(,"finalizers":["a.example/hold"])");
  remove("top", "Foreground");
  make("late", {{.name = "top", .uid = top, .blocks = true}},
       R"(,"finalizers":["a.example/hold"])");
  // It is told to go with the others.
  for (int attempt = 0; attempt < 2'000; ++attempt) {
    if (server.get(map_at("late")).at("metadata.deletionTimestamp") != "") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_NE(server.get(map_at("late")).at("metadata.deletionTimestamp"), "");
  expect_ok(server.merge(map_at("first"), R"({"metadata":{"finalizers":null}})"));
  expect_gone("first");
  expect_there("top");
  expect_ok(server.merge(map_at("late"), R"({"metadata":{"finalizers":null}})"));
  expect_gone("late");
  expect_gone("top");
}

TEST_F(Garbage, OfADefinitionsObjectsCrossesKinds) {
  server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgets_crd());
  constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
  const std::string uid = server.create(kWidgets, widget_json("w")).uid();
  server.create(
      kMaps,
      config_map_json(
          "child", "{}",
          fmt::format(
              R"("ownerReferences":[{{"apiVersion":"example.com/v1","kind":"Widget","name":"w","uid":"{}"}}])",
              uid)));
  const std::string map = make("map");
  server.create(
      kWidgets,
      widget_json(
          "owned", "{}",
          fmt::format(
              R"("ownerReferences":[{{"apiVersion":"v1","kind":"ConfigMap","name":"map","uid":"{}"}}])",
              map)));
  settle();
  expect_there("child");
  expect_ok(server.remove(fmt::format("{}/w", kWidgets)));
  expect_gone("child");
  remove("map", "Background");
  EXPECT_EQ(server.wait_for(404, fmt::format("{}/owned", kWidgets)).code, 404);
}

}  // namespace
}  // namespace strake::api::testing
