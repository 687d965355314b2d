// Objects brought into the version that their resource is stored in: all of them, while others go
// on writing, over a restart, and with an outcome that says what is left to do.
#include "api/controllers/storage_version_migrator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "api/controllers/test_conditions.h"
#include "api/test_server.h"
#include "api/verbs/test_waits.h"

namespace strake::api::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kCrd =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.a.example";
constexpr std::string_view kMigrations =
    "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";
constexpr std::string_view kA = R"("a":{"type":"string"})";
constexpr std::string_view kSucceeded = "True StorageVersionMigrationSucceeded: ";

std::string in(std::string_view version, std::string_view rest = "") {
  return fmt::format("/apis/a.example/{}/namespaces/default/things{}", version, rest);
}

std::string thing(std::string_view version, std::string_view name, std::string_view a = "1") {
  return fmt::format(
      R"({{"apiVersion":"a.example/{}","kind":"Thing","metadata":{{"name":"{}"}},"spec":{{"a":"{}"}}}})",
      version, name, a);
}

std::string migration(std::string_view name, std::string_view resource = "things",
                      std::string_view group = "a.example") {
  return fmt::format(
      R"({{"apiVersion":"storagemigration.k8s.io/v1beta1","kind":"StorageVersionMigration",)"
      R"("metadata":{{"name":"{}"}},"spec":{{"resource":{{"group":"{}","resource":"{}"}}}}}})",
      name, group, resource);
}

constexpr MigrationPace kFast = {.objects = 7,
                                 .pause = 1ms,
                                 .looked_at = 20,
                                 .rounds = 3,
                                 .between_rounds = {.first = 1ms, .most = 1ms}};

class Migrating {
 public:
  explicit Migrating(TestServer& server) : server_(server) {}

  void define_in_v1() { server_.create(kCrds, things({{"v1", kA}, {"v2", kA}})); }
  void store_in_v2() { expect_ok(server_.merge(kCrd, things({{"v2", kA}, {"v1", kA}}))); }
  void begin(std::string_view name = "m") { server_.create(kMigrations, migration(name)); }
  // The migration when it has ended.
  Answered outcome(std::string_view name = "m") {
    const std::string path = fmt::format("{}/{}", kMigrations, name);
    TestServer::Watch watch(
        server_, fmt::format("{}?watch=true&fieldSelector=metadata.name%3D{}", kMigrations, name));
    while (true) {
      const Event event = watch.next();
      if (event.type.empty() || event.type == "DELETED") return {};
      if (!condition_of(event.object, "Succeeded").empty() ||
          !condition_of(event.object, "Failed").empty())
        return event.object;
    }
  }
  // "v1: 3, v2: 4"
  std::string stored() {
    return server_.get("/strake/stored-versions?resource=things.a.example")
        .at("resources.0.objects");
  }
  std::string stored_versions() { return server_.get(kCrd).at("status.storedVersions"); }
  std::string crd_condition() { return condition_of(server_.get(kCrd), "StorageMigrating"); }

 private:
  TestServer& server_;
};

class Migration : public ::testing::Test, public Migrating {
 protected:
  Migration() : Migrating(server) {}
  TestServer server{{.migrations = kFast}};
};

TEST_F(Migration, RewritesWhatIsStoredInAnotherVersion) {
  define_in_v1();
  for (int i = 0; i < 60; ++i) server.create(in("v1"), thing("v1", fmt::format("x{:02}", i)));
  store_in_v2();
  server.create(in("v2"), thing("v2", "y"));
  const Answered old = server.get(in("v1", "/x07"));
  const Answered young = server.get(in("v2", "/y"));
  EXPECT_EQ(stored(), R"({"v1":60,"v2":1})");
  EXPECT_EQ(stored_versions(), R"(["v1","v2"])");
  begin();
  const Answered done = outcome();
  EXPECT_EQ(condition_of(done, "Succeeded"), kSucceeded);
  EXPECT_EQ(condition_of(done, "Running"), "False MigrationCompleted: Migration completed");
  EXPECT_NE(done.text("status.resourceVersion"), "");
  // Who is told that it has succeeded finds all of this.
  EXPECT_EQ(stored(), R"({"v2":61})");
  EXPECT_EQ(stored_versions(), R"(["v2"])");
  EXPECT_EQ(crd_condition(),
            "False MigrationSucceeded: The migration has succeeded and the stored versions have "
            "been updated");
  // Nothing else has changed, and what was there already has not been touched.
  const Answered now = server.get(in("v1", "/x07"));
  EXPECT_NE(now.version(), old.version());
  EXPECT_EQ(now.at("metadata.managedFields"), old.at("metadata.managedFields"));
  EXPECT_EQ(now.at("metadata.generation"), old.at("metadata.generation"));
  EXPECT_EQ(now.uid(), old.uid());
  EXPECT_EQ(now.at("spec"), old.at("spec"));
  EXPECT_EQ(server.get(in("v2", "/y")).version(), young.version());
  // The old version may go now.
  expect_ok(server.merge(kCrd, things({{"v2", kA}})));
  EXPECT_EQ(server.get(in("v2")).json().get("items").size(), 61u);
}

TEST_F(Migration, IsSeenByThoseWhoWatch) {
  define_in_v1();
  server.create(in("v1"), thing("v1", "x"));
  store_in_v2();
  TestServer::Watch watch(server, in("v1", "?watch=true"));
  EXPECT_EQ(watch.take(1), "ADDED x");
  begin();
  EXPECT_EQ(watch.take(1), "MODIFIED x");
}

TEST_F(Migration, OfWhatIsStoredInOneVersionHasNothingToDo) {
  server.create(kMigrations, migration("m", "configmaps", ""));
  EXPECT_EQ(condition_of(outcome(), "Succeeded"), kSucceeded);
  define_in_v1();
  begin("n");
  EXPECT_EQ(condition_of(outcome("n"), "Succeeded"), kSucceeded);
  EXPECT_EQ(stored_versions(), R"(["v1"])");
}

TEST_F(Migration, OfWhatIsNotStoredFails) {
  begin();
  EXPECT_EQ(condition_of(outcome(), "Failed"),
            "True StorageVersionMigrationFailed: migration encountered unhandled error: no "
            "resource things.a.example is stored here");
  EXPECT_EQ(condition_of(outcome(), "Running"), "");
  server.create(kMigrations, migration("n", "tokenreviews", "authentication.k8s.io"));
  EXPECT_EQ(condition_of(outcome("n"), "Failed"),
            "True StorageVersionMigrationFailed: migration encountered unhandled error: no "
            "resource tokenreviews.authentication.k8s.io is stored here");
}

TEST_F(Migration, LosesNoWrite) {
  define_in_v1();
  constexpr int kObjects = 40;
  for (int i = 0; i < kObjects; ++i) server.create(in("v1"), thing("v1", fmt::format("x{}", i)));
  store_in_v2();
  std::atomic<bool> ended = false;
  std::vector<int> written(kObjects, 0);
  std::thread writer([&] {
    for (int round = 2; !ended || round < 4; ++round) {
      for (int i = 0; i < kObjects; ++i) {
        const std::string patch = fmt::format(R"({{"spec":{{"a":"{}"}}}})", round);
        const std::string path = in(round % 2 == 0 ? "v1" : "v2", fmt::format("/x{}", i));
        if (server.merge(path, patch).code == 200) written[static_cast<std::size_t>(i)] = round;
      }
    }
  });
  begin();
  EXPECT_EQ(condition_of(outcome(), "Succeeded"), kSucceeded);
  ended = true;
  writer.join();
  EXPECT_EQ(stored(), fmt::format(R"({{"v2":{}}})", kObjects));
  for (int i = 0; i < kObjects; ++i) {
    EXPECT_EQ(server.get(in("v1", fmt::format("/x{}", i))).text("spec.a"),
              fmt::format("{}", written[static_cast<std::size_t>(i)]));
  }
}

TEST_F(Migration, TakesItsTurn) {
  define_in_v1();
  server.create(in("v1"), thing("v1", "x"));
  store_in_v2();
  for (const std::string_view name : {"b", "c", "a"}) begin(name);
  for (const std::string_view name : {"a", "b", "c"})
    EXPECT_EQ(condition_of(outcome(name), "Succeeded"), kSucceeded);
}

// Converts in its own time, and refuses objects of some names.
class Refusing final : public Converter {
 public:
  bool is_at_once(const Conversion&) const override { return false; }
  Eventual<> convert(const Conversion& conversion, std::span<value::Document> documents,
                     const CancelToken& cancel) const override {
    for (const value::Document& one : documents) {
      if (refuses && meta::ObjectMeta::of(one.root()).name().starts_with("bad")) {
        return refuse(
            meta::Status::raw_error("conversion webhook for a.example/v1, Kind=Thing "
                                    "failed: out of order"));
      }
    }
    return slow.convert(conversion, documents, cancel);
  }
  SlowConverter slow;
  std::atomic<bool> refuses{false};
};

class MigrationByWebhook : public ::testing::Test, public Migrating {
 protected:
  MigrationByWebhook() : Migrating(server) {
    define_in_v1();
    for (const std::string_view name : {"bad1", "bad2", "x", "y", "z"})
      server.create(in("v1"), thing("v1", name));
    store_in_v2();
  }
  Refusing converter;
  TestServer server{{.migrations = kFast, .converter = &converter}};
};

TEST_F(MigrationByWebhook, ConvertsManyAtATime) {
  begin();
  EXPECT_EQ(condition_of(outcome(), "Succeeded"), kSucceeded);
  EXPECT_EQ(converter.slow.batches(), std::vector<std::size_t>{5});
}

TEST_F(MigrationByWebhook, FailsOverWhatCannotBeConvertedAfterTheOthersAreDone) {
  converter.refuses = true;
  begin();
  EXPECT_EQ(
      condition_of(outcome(), "Failed"),
      "True StorageVersionMigrationFailed: migration encountered unhandled error: 2 objects of "
      "things.a.example cannot be stored in v2; the first is default/bad1: conversion webhook for "
      "a.example/v1, Kind=Thing failed: out of order");
  EXPECT_EQ(stored(), R"({"v1":2,"v2":3})");
  // kube-controller-manager 1.36 would take v1 out.
  EXPECT_EQ(stored_versions(), R"(["v1","v2"])");
  EXPECT_EQ(crd_condition(), "False MigrationFailed: The migration has failed");
  // When that is mended, another migration finishes the work.
  converter.refuses = false;
  begin("again");
  EXPECT_EQ(condition_of(outcome("again"), "Succeeded"), kSucceeded);
  EXPECT_EQ(stored(), R"({"v2":5})");
  EXPECT_EQ(stored_versions(), R"(["v2"])");
}

TEST_F(MigrationByWebhook, LeavesTheStoredVersionsWhenTheDefinitionChangesMeanwhile) {
  converter.slow.turnstile.hold(true);
  begin();
  converter.slow.turnstile.wait_for_somebody();
  EXPECT_EQ(crd_condition(), "True MigrationRunning: Migration m is running");
  expect_ok(server.merge(
      kCrd, things({{"v2", R"("a":{"type":"string"},"b":{"type":"string"})"}, {"v1", kA}})));
  converter.slow.turnstile.hold(false);
  EXPECT_EQ(condition_of(outcome(), "Succeeded"), kSucceeded);
  EXPECT_EQ(stored(), R"({"v2":5})");
  EXPECT_EQ(stored_versions(), R"(["v1","v2"])");
  EXPECT_EQ(crd_condition(),
            "False MigrationSucceeded: The migration has succeeded but the stored versions have "
            "not been updated due to a generation mismatch");
}

TEST_F(MigrationByWebhook, LeavesWhatWasWrittenMeanwhile) {
  converter.slow.turnstile.hold(true);
  begin();
  converter.slow.turnstile.wait_for_somebody();
  expect_ok(server.remove(in("v2", "/x")));
  server.create(in("v2"), thing("v2", "x", "new"));
  expect_ok(server.remove(in("v2", "/y")));
  const std::string version = server.get(in("v2", "/x")).version();
  converter.slow.turnstile.hold(false);
  EXPECT_EQ(condition_of(outcome(), "Succeeded"), kSucceeded);
  EXPECT_EQ(server.get(in("v2", "/x")).text("spec.a"), "new");
  EXPECT_EQ(server.get(in("v2", "/x")).version(), version);
  EXPECT_EQ(server.get(in("v2", "/y")).code, 404);
}

TEST_F(MigrationByWebhook, ThatIsDeletedMakesRoomForTheNext) {
  converter.slow.turnstile.hold(true);
  begin();
  converter.slow.turnstile.wait_for_somebody();
  begin("next");
  expect_ok(server.remove(fmt::format("{}/m", kMigrations)));
  converter.slow.turnstile.hold(false);
  EXPECT_EQ(condition_of(outcome("next"), "Succeeded"), kSucceeded);
  EXPECT_EQ(stored_versions(), R"(["v2"])");
}

// A request that began under the old definition, and takes its time.
TEST(MigrationAndOldRequests, WaitsForThoseThatStillStoreTheOldVersion) {
  SlowAdmission admission;
  admission.resource = "things";
  admission.waits = [](const AdmissionRequest& request) {
    return request.operation == AdmissionRequest::Operation::kCreate && request.name == "late";
  };
  TestServer server({.migrations = kFast, .admission = {&admission}});
  Migrating migrating(server);
  migrating.define_in_v1();
  server.create(in("v1"), thing("v1", "x"));
  Answered late;
  late = ask_held(
      admission.turnstile, [&] { return server.post(in("v1"), thing("v1", "late")); },
      [&] {
        migrating.store_in_v2();
        migrating.begin();
        // The migration has had its turn many times when so many others have come and gone.
        for (int i = 0; i < 20; ++i) {
          const std::string name = fmt::format("other{}", i);
          server.create(kMigrations, migration(name, "configmaps", ""));
          EXPECT_EQ(condition_of(migrating.outcome(name), "Succeeded"), kSucceeded);
        }
        EXPECT_EQ(migrating.stored(), R"({"v2":1})");
        EXPECT_EQ(condition_of(server.get(fmt::format("{}/m", kMigrations)), "Succeeded"), "");
        EXPECT_EQ(migrating.stored_versions(), R"(["v1","v2"])");
      });
  EXPECT_EQ(late.code, 201);
  EXPECT_EQ(condition_of(migrating.outcome(), "Succeeded"), kSucceeded);
  EXPECT_EQ(migrating.stored(), R"({"v2":2})");
  EXPECT_EQ(migrating.stored_versions(), R"(["v2"])");
}

TEST(MigrationOverARestart, GoesOnWhereItWas) {
  store::MemoryStore store;
  MigrationPace slow = kFast;
  slow.objects = 1;
  slow.pause = std::chrono::hours(1);
  std::string half;
  {
    TestServer server({.migrations = slow, .store = &store});
    Migrating migrating(server);
    migrating.define_in_v1();
    for (int i = 0; i < 9; ++i) server.create(in("v1"), thing("v1", fmt::format("x{}", i)));
    migrating.store_in_v2();
    TestServer::Watch watch(server, in("v2", "?watch=true&resourceVersion=0"));
    watch.take(9);
    migrating.begin();
    EXPECT_EQ(watch.next().type, "MODIFIED");
    half = server.get(in("v2", "/x0")).version();
  }
  TestServer server({.migrations = kFast, .store = &store});
  Migrating migrating(server);
  EXPECT_EQ(condition_of(migrating.outcome(), "Succeeded"), kSucceeded);
  EXPECT_EQ(migrating.stored(), R"({"v2":9})");
  EXPECT_EQ(migrating.stored_versions(), R"(["v2"])");
  EXPECT_EQ(server.get(in("v2", "/x0")).version(), half) << "what was done is not done again";
}

TEST(MigrationController, CanBeTurnedOff) {
  TestServer server(
      {.controllers = EnabledControllers::parse(
                          std::vector<std::string>{"*", "-storage-version-migrator-controller"})
                          .value(),
       .migrations = kFast});
  server.create(kMigrations, migration("m", "configmaps", ""));
  EXPECT_EQ(server.get(fmt::format("{}/m", kMigrations)).at("status"), "{}");
}

TEST(EndpointUse, IsOfTheEndpointThatIsServedNow) {
  TestServer server;
  Migrating migrating(server);
  migrating.define_in_v1();
  Registry& registry = server.core().registry;
  const EndpointPtr before = registry.find("a.example", "things");
  {
    const EndpointUse use = registry.use(before);
    EXPECT_EQ(use.endpoint(), before);
    EXPECT_FALSE(registry.may_be_stored_elsewhere("a.example", "things", "v1"));
    migrating.store_in_v2();
    EXPECT_TRUE(registry.may_be_stored_elsewhere("a.example", "things", "v2"));
    EXPECT_FALSE(registry.may_be_stored_elsewhere("a.example", "others", "v2"));
    // Who comes with what it found before gets what is there now.
    EXPECT_EQ(registry.use(before).endpoint(), registry.find("a.example", "things"));
  }
  EXPECT_FALSE(registry.may_be_stored_elsewhere("a.example", "things", "v2"));
}

}  // namespace
}  // namespace strake::api::testing
