// The life of definitions: names accepted or refused, served at once, changed, and taken away with
// their objects.
#include <gtest/gtest.h>

#include <thread>

#include "api/cache/test_remote_store.h"
#include "api/controllers/test_conditions.h"
#include "api/test_server.h"
#include "api/verbs/test_waits.h"
#include "async/run.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

struct Definition {
  std::string plural = "gears";
  std::string kind = "Gear";
  std::string group = "example.com";
  std::string more = "";         // members of names
  std::string annotations = "";  // members
  std::string scope = "Namespaced";

  std::string name() const { return fmt::format("{}.{}", plural, group); }
  std::string path(std::string_view rest = "") const {
    return fmt::format("{}/{}{}", kCrds, name(), rest);
  }
  std::string objects(std::string_view rest = "") const {
    return fmt::format("/apis/{}/v1/namespaces/default/{}{}", group, plural, rest);
  }
  std::string json() const {
    return fmt::format(
        R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",)"
        R"("metadata":{{"name":"{0}.{2}","annotations":{{{4}}}}},"spec":{{"group":"{2}","scope":"{5}",)"
        R"("names":{{"plural":"{0}","kind":"{1}"{3}}},"versions":[{{"name":"v1","served":true,"storage":true,)"
        R"("schema":{{"openAPIV3Schema":{{"type":"object","properties":{{"spec":{{"type":"object",)"
        R"("properties":{{"a":{{"type":"string"}}}}}}}}}}}}}}]}}}})",
        plural, kind, group, more, annotations, scope);
  }
  std::string object(std::string_view object_name, std::string_view metadata = "") const {
    return fmt::format(
        R"({{"apiVersion":"{}/v1","kind":"{}","metadata":{{"name":"{}"{}}},"spec":{{"a":"1","b":"2"}}}})",
        group, kind, object_name, metadata);
  }
};

class Definitions : public ::testing::Test {
 protected:
  // "status reason message" of a condition; empty when there is none.
  std::string condition(const Definition& one, std::string_view type) {
    return condition(server.get(one.path()), type);
  }
  static std::string condition(const Answered& crd, std::string_view type) {
    return condition_of(crd, type);
  }
  TestServer server;
  Definition gears;
};

TEST_F(Definitions, AreServedWhenTheirCreatorHasTheAnswer) {
  for (int i = 0; i < 10; ++i) {
    const Definition one{.plural = fmt::format("gears{}", i), .kind = fmt::format("Gear{}", i)};
    server.create(kCrds, one.json());
    EXPECT_EQ(server.post(one.objects(), one.object("g")).code, 201);
  }
}

TEST_F(Definitions, AreServedWhenTheirConditionsSaySo) {
  for (int i = 0; i < 20; ++i) {
    const Definition first{.plural = fmt::format("first{}", i), .kind = "Same"};
    const Definition second{.plural = fmt::format("second{}", i), .kind = "Same"};
    server.create(kCrds, first.json());
    server.create(kCrds, second.json());
    ASSERT_TRUE(condition(second, "Established").starts_with("False"));
    ASSERT_EQ(server.ask("DELETE", first.path()).code, 200);
    while (!condition(second, "Established").starts_with("True")) std::this_thread::yield();
    EXPECT_EQ(server.get(second.objects()).code, 200);
    ASSERT_EQ(server.ask("DELETE", second.path()).code, 200);
    server.wait_for(404, second.path());
  }
}

// One that is not served for want of another name has those that it was given all the same.
TEST_F(Definitions, KeepNamesBeforeTheyAreServed) {
  server.create(kCrds, gears.json());
  const Definition halves{.plural = "halves", .kind = "Gear", .more = R"(,"shortNames":["h"])"};
  server.create(kCrds, halves.json());
  EXPECT_EQ(condition(halves, "Established"), "False NotAccepted: not all names are accepted");
  const Definition homes{.plural = "homes", .kind = "Home", .more = R"(,"shortNames":["h"])"};
  server.create(kCrds, homes.json());
  EXPECT_EQ(condition(homes, "NamesAccepted"), "False ShortNamesConflict: \"h\" is already in use");
}

TEST_F(Definitions, GetNamesThatAnotherLetsGo) {
  const Definition first{.more = R"(,"shortNames":["g"])"};
  server.create(kCrds, first.json());
  const Definition second{.plural = "goats", .kind = "Goat", .more = R"(,"shortNames":["g"])"};
  server.create(kCrds, second.json());
  EXPECT_EQ(condition(second, "NamesAccepted"),
            "False ShortNamesConflict: \"g\" is already in use");
  ASSERT_EQ(server.merge(first.path(), R"({"spec":{"names":{"shortNames":null}}})").code, 200);
  server.wait_for(200, second.objects());
  EXPECT_EQ(condition(second, "NamesAccepted"), "True NoConflicts: no conflicts found");
}

// A request that began before the definition was deleted, and takes its time.
TEST(DefinitionsThatGo, LeaveNothingThatWasOnItsWay) {
  SlowAdmission admission;
  admission.resource = "gears";
  admission.waits = [](const AdmissionRequest& request) {
    return request.operation == AdmissionRequest::Operation::kCreate && request.name == "late";
  };
  TestServer server({.admission = {&admission}});
  const Definition gears;
  server.create(kCrds, gears.json());
  server.create(gears.objects(), gears.object("early"));
  ask_held(
      admission.turnstile, [&] { return server.post(gears.objects(), gears.object("late")); },
      [&] {
        expect_ok(server.remove(gears.path()));
        EXPECT_EQ(server.wait_for(404, gears.objects("/early")).code, 404);
        // Again and again it is looked whether the definition can go.
        const std::string version = server.get(gears.path()).version();
        expect_ok(server.merge(gears.path("/status"), R"({"metadata":{"labels":{"a":"b"}}})"));
        EXPECT_NE(server.get(gears.path()).version(), version);
      });
  ASSERT_EQ(server.wait_for(404, gears.path()).code, 404);
  server.create(kCrds, gears.json());
  EXPECT_EQ(server.get(gears.objects()).names(), "");
}

TEST(DefinitionsOverARestart, KeepTheirNames) {
  store::MemoryStore store;
  const Definition first{.plural = "zebras", .kind = "Zebra", .more = R"(,"shortNames":["z"])"};
  const Definition second{.plural = "apes", .kind = "Ape", .more = R"(,"shortNames":["z"])"};
  for (int life = 0; life < 2; ++life) {
    TestServer server({.store = &store});
    if (life == 0) {
      server.create(kCrds, first.json());
      server.create(kCrds, second.json());
    }
    // Who comes first by name does not take what the other one had.
    EXPECT_EQ(condition_of(server.get(first.path()), "NamesAccepted"),
              "True NoConflicts: no conflicts found");
    EXPECT_EQ(condition_of(server.get(second.path()), "NamesAccepted"),
              "False ShortNamesConflict: \"z\" is already in use");
    EXPECT_EQ(server.get(first.objects()).code, 200);
    EXPECT_EQ(server.get(second.objects()).code, 404);
  }
}

// The stream of the store is lost, and its history is forgotten when the server follows again.
class DefinitionsAfterALoss : public Definitions {
 protected:
  static constexpr std::string_view kKeys =
      "/registry/apiextensions.k8s.io/customresourcedefinitions/";
  ObjectPtr stored() {
    return remote.core().hub.cache(kKeys).get(std::string(kKeys) + gears.name());
  }
  Revision write(Bytes value, Revision expected) {
    return async::run_blocking(loop(), store.write({.key = std::string(kKeys) + gears.name(),
                                                    .value = std::move(value),
                                                    .expected = expected}))
        .value()
        .revision;
  }
  void recover(Revision last) {
    ASSERT_TRUE(async::run_blocking(loop(), store.compact(last)));
    store.tell();
  }
  async::Executor loop() { return remote.core().hub.loops().at(1); }
  RemoteStore store;
  TestServer remote{{.store = &store}};
};

TEST_F(DefinitionsAfterALoss, AreServedNoMoreWhenTheyWereDeleted) {
  remote.create(kCrds, gears.json());
  ASSERT_EQ(remote.get(gears.objects()).code, 200);
  const Revision at = stored()->revision();
  store.cut();
  recover(write(nullptr, at));
  EXPECT_EQ(remote.wait_for(404, gears.objects()).code, 404);
}

TEST_F(DefinitionsAfterALoss, AreServedAsTheyWereMadeAnew) {
  remote.create(kCrds, gears.json());
  const Revision at = stored()->revision();
  std::string text = stored()->stored();
  const std::string_view field = R"("a":{"type":"string"})";
  ASSERT_TRUE(text.contains(field));
  text.replace(text.find(field), field.size(), R"("b":{"type":"string"})");
  store.cut();
  write(nullptr, at);
  recover(write(std::make_shared<const std::string>(std::move(text)), 0));
  for (int attempt = 0; attempt < 2'000; ++attempt) {
    const std::string name = fmt::format("g{}", attempt);
    // Refused while the definition is gone.
    const Answered made = remote.post(gears.objects(), gears.object(name));
    if (made.code == 201 && made.at("spec") == R"({"b":"2"})") return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ADD_FAILURE() << "the old schema is still in use";
}

TEST_F(Definitions, SayThatTheyAreAcceptedAndEstablished) {
  server.advance(std::chrono::minutes(7));
  server.create(kCrds, gears.json());
  EXPECT_EQ(condition(gears, "NamesAccepted"), "True NoConflicts: no conflicts found");
  EXPECT_EQ(condition(gears, "Established"),
            "True InitialNamesAccepted: the initial names have been accepted");
  const Answered crd = server.get(gears.path());
  EXPECT_EQ(crd.at("status.acceptedNames"),
            R"({"kind":"Gear","listKind":"GearList","plural":"gears","singular":"gear"})");
  EXPECT_EQ(crd.at("status.storedVersions"), R"(["v1"])");
  EXPECT_EQ(crd.at("status.conditions.0.lastTransitionTime"), R"("2024-01-01T00:07:00Z")");
  EXPECT_EQ(crd.at("spec.conversion"), R"({"strategy":"None"})");
  EXPECT_EQ(crd.at("metadata.generation"), "1");
}

TEST_F(Definitions, DoNotTakeEachOthersNames) {
  server.create(kCrds, Definition{.more = R"(,"shortNames":["gr"],"singular":"gear")"}.json());
  struct Case {
    Definition one;
    std::string_view names;
  };
  const Case cases[] = {
      {{.plural = "wheels", .kind = "Wheel", .more = R"(,"singular":"gears")"},
       "False SingularConflict: \"gears\" is already in use"},
      {{.plural = "wheels", .kind = "Wheel", .more = R"(,"shortNames":["w","gr"])"},
       "False ShortNamesConflict: \"gr\" is already in use"},
      {{.plural = "wheels", .kind = "Gear", .more = R"(,"singular":"wheel","listKind":"Other")"},
       "False KindConflict: \"Gear\" is already in use"},
      {{.plural = "wheels", .kind = "Wheel", .more = R"(,"listKind":"GearList")"},
       "False ListKindConflict: \"GearList\" is already in use"},
      {{.plural = "gear", .kind = "Wheel", .more = R"(,"singular":"wheel")"},
       "False PluralConflict: \"gear\" is already in use"},
  };
  for (const Case& one : cases) {
    server.create(kCrds, one.one.json());
    EXPECT_EQ(condition(one.one, "NamesAccepted"), one.names);
    EXPECT_EQ(condition(one.one, "Established"), "False NotAccepted: not all names are accepted");
    EXPECT_EQ(server.get(one.one.objects()).code, 404);
    expect_ok(server.remove(one.one.path()));
    EXPECT_EQ(server.wait_for(404, one.one.path()).code, 404);
  }
  // Names of another group are nobody's business.
  const Definition far{.group = "other.example"};
  server.create(kCrds, far.json());
  EXPECT_EQ(server.get(far.objects()).code, 200);
}

TEST_F(Definitions, GetANameThatBecomesFree) {
  server.create(kCrds, gears.json());
  const Definition waiting{
      .plural = "wheels", .kind = "Gear", .more = R"(,"singular":"wheel","listKind":"WheelList")"};
  server.create(kCrds, waiting.json());
  EXPECT_EQ(server.get(waiting.objects()).code, 404);
  expect_ok(server.remove(gears.path()));
  EXPECT_EQ(server.wait_for(200, waiting.objects()).code, 200);
  EXPECT_EQ(condition(waiting, "NamesAccepted"), "True NoConflicts: no conflicts found");
}

TEST_F(Definitions, StayEstablishedWhateverTheirNamesBecome) {
  server.create(kCrds, gears.json());
  server.create(
      kCrds,
      Definition{.plural = "wheels", .kind = "Wheel", .more = R"(,"shortNames":["w"])"}.json());
  expect_ok(server.merge(gears.path(), R"({"spec":{"names":{"shortNames":["w"]}}})"));
  EXPECT_EQ(condition(gears, "NamesAccepted"), "False ShortNamesConflict: \"w\" is already in use");
  EXPECT_EQ(condition(gears, "Established"),
            "True InitialNamesAccepted: the initial names have been accepted");
  EXPECT_EQ(server.get(gears.objects()).code, 200);
  EXPECT_EQ(server.get(gears.path()).at("status.acceptedNames.shortNames"), "");
}

TEST_F(Definitions, WithAChangedSchemaShowWhatIsThereByIt) {
  server.create(kCrds, gears.json());
  server.create(gears.objects(), gears.object("g"));
  EXPECT_EQ(server.get(gears.objects("/g")).at("spec"), R"({"a":"1"})");
  expect_ok(server.ask(
      "PATCH", gears.path(),
      R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/b","value":{"type":"string","default":"d"}}])"));
  EXPECT_EQ(server.get(gears.objects("/g")).at("spec"), R"({"a":"1","b":"d"})");
  expect_ok(server.ask(
      "PATCH", gears.path(),
      R"([{"op":"remove","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a"}])"));
  EXPECT_EQ(server.get(gears.objects("/g")).at("spec"), R"({"b":"d"})");
  EXPECT_EQ(server.get(gears.path()).at("metadata.generation"), "3");
}

TEST_F(Definitions, RememberEveryVersionThatWasStored) {
  server.create(kCrds, things({{"v1", ""}, {"v2", ""}}));
  const std::string path = fmt::format("{}/things.a.example", kCrds);
  expect_ok(server.ask("PATCH", path,
                       R"([{"op":"replace","path":"/spec/versions/0/storage","value":false},)"
                       R"({"op":"replace","path":"/spec/versions/1/storage","value":true}])"));
  EXPECT_EQ(server.get(path).at("status.storedVersions"), R"(["v1","v2"])");
  const Answered refused =
      server.ask("PATCH", path, R"([{"op":"remove","path":"/spec/versions/0"}])");
  EXPECT_EQ(refused.code, 422) << refused.body;
  EXPECT_TRUE(refused.text("message").contains("status.storedVersions[0]")) << refused.body;
  expect_ok(server.merge(path + "/status", R"({"status":{"storedVersions":["v2"]}})"));
  expect_ok(server.ask("PATCH", path, R"([{"op":"remove","path":"/spec/versions/0"}])"));
  EXPECT_EQ(server.get("/apis/a.example/v1/namespaces/default/things").code, 404);
  EXPECT_EQ(server.get("/apis/a.example/v2/namespaces/default/things").code, 200);
}

TEST_F(Definitions, TakeTheirObjectsWithThem) {
  server.create(kCrds, gears.json());
  server.create(gears.objects(), gears.object("g"));
  const Answered marked = server.remove(gears.path());
  expect_ok(marked);
  EXPECT_EQ(server.wait_for(404, gears.path()).code, 404);
  EXPECT_EQ(server.get(gears.objects()).code, 404);
  // Made again, it begins with nothing.
  server.create(kCrds, gears.json());
  EXPECT_EQ(server.get(gears.objects()).names(), "");
}

TEST_F(Definitions, WaitForObjectsThatAreHeld) {
  server.create(kCrds, gears.json());
  server.create(gears.objects(), gears.object("g", R"(,"finalizers":["example.com/hold"])"));
  const Answered marked = server.remove(gears.path());
  EXPECT_EQ(marked.at("metadata.finalizers"), R"(["customresourcecleanup.apiextensions.k8s.io"])");
  EXPECT_EQ(condition(marked, "Terminating"),
            "True InstanceDeletionPending: CustomResourceDefinition marked for deletion; "
            "CustomResource deletion will begin soon");
  EXPECT_EQ(condition(gears, "Terminating"),
            "True InstanceDeletionInProgress: CustomResource deletion is in progress");
  EXPECT_NE(server.get(gears.objects("/g")).at("metadata.deletionTimestamp"), "");
  expect_status(server.post(gears.objects(), gears.object("h")), 403, "Forbidden",
                "gears.example.com \"h\" is forbidden: create not allowed while custom resource "
                "definition is terminating");
  expect_ok(server.merge(gears.objects("/g"), R"({"metadata":{"finalizers":null}})"));
  EXPECT_EQ(server.wait_for(404, gears.path()).code, 404);
}

TEST_F(Definitions, ThatWereNeverServedGoAtOnce) {
  server.create(kCrds, gears.json());
  const Definition waiting{
      .plural = "wheels", .kind = "Gear", .more = R"(,"singular":"wheel","listKind":"WheelList")"};
  server.create(kCrds, waiting.json());
  expect_ok(server.remove(waiting.path()));
  EXPECT_EQ(server.wait_for(404, waiting.path()).code, 404);
  EXPECT_EQ(server.get(gears.objects()).code, 200);
}

TEST_F(Definitions, OfProtectedGroupsNeedApproval) {
  struct Case {
    std::string annotation;
    std::string_view condition;
  };
  const Case cases[] = {
      {R"("api-approved.kubernetes.io":"https://example.com/pull/1")",
       "True ApprovedAnnotation: approved in https://example.com/pull/1"},
      {R"("api-approved.kubernetes.io":"unapproved, for tests")",
       "False UnapprovedAnnotation: not approved: \"unapproved, for tests\""},
  };
  for (const Case& one : cases) {
    const Definition guarded{.group = "x.k8s.io", .annotations = one.annotation};
    server.create(kCrds, guarded.json());
    EXPECT_EQ(condition(guarded, "KubernetesAPIApprovalPolicyConformant"), one.condition);
    expect_ok(server.remove(guarded.path()));
    EXPECT_EQ(server.wait_for(404, guarded.path()).code, 404);
  }
  const Answered refused = server.post(kCrds, Definition{.group = "x.k8s.io"}.json());
  EXPECT_EQ(refused.code, 422) << refused.body;
  EXPECT_EQ(refused.text("details.causes.0.field"),
            "metadata.annotations[api-approved.kubernetes.io]");
  server.create(kCrds, gears.json());
  EXPECT_EQ(condition(gears, "KubernetesAPIApprovalPolicyConformant"), "");
}

TEST_F(Definitions, KeepTheirScope) {
  server.create(kCrds, gears.json());
  const Answered refused = server.merge(gears.path(), R"({"spec":{"scope":"Cluster"}})");
  EXPECT_EQ(refused.code, 422) << refused.body;
  EXPECT_EQ(refused.text("details.causes.0.field"), "spec.scope");
}

TEST_F(Definitions, OfTheWholeClusterAreServedOutsideOfNamespaces) {
  const Definition planets{.plural = "planets", .kind = "Planet", .scope = "Cluster"};
  server.create(kCrds, planets.json());
  constexpr std::string_view kPlanets = "/apis/example.com/v1/planets";
  server.create(kPlanets, planets.object("earth"));
  EXPECT_EQ(server.get(kPlanets).names(), "earth");
  EXPECT_EQ(server.get(planets.objects("/earth")).code, 404);
  EXPECT_EQ(server.get(fmt::format("{}/earth", kPlanets)).at("metadata.namespace"), "");
}

TEST_F(Definitions, ThatWereThereBeforeAreServedFromTheFirstRequest) {
  store::MemoryStore store;
  {
    TestServer first({.store = &store});
    first.create(kCrds, gears.json());
    first.create(gears.objects(), gears.object("g"));
  }
  TestServer second({.store = &store});
  EXPECT_EQ(second.get(gears.objects()).names(), "g");
}

TEST_F(Definitions, WarnOfVersionsThatAreDeprecated) {
  server.create(kCrds, things({{"v1", ""}, {"v1beta1", ""}}));
  expect_ok(server.ask("PATCH", fmt::format("{}/things.a.example", kCrds),
                       R"([{"op":"add","path":"/spec/versions/1/deprecated","value":true}])"));
  const Answered got = server.get("/apis/a.example/v1beta1/namespaces/default/things");
  EXPECT_EQ(got.warnings,
            (std::vector<std::string>{
                R"(299 - "a.example/v1beta1 Thing is deprecated; use a.example/v1 Thing")"}));
  EXPECT_TRUE(server.get("/apis/a.example/v1/namespaces/default/things").warnings.empty());
}

TEST_F(Definitions, ShowInDiscoveryWhatTheyServe) {
  server.create(kCrds, Definition{.more = R"(,"shortNames":["gr"],"categories":["all"])"}.json());
  const Answered found = server.get("/apis/example.com/v1");
  EXPECT_EQ(found.at("resources.0.name"), R"("gears")");
  EXPECT_EQ(found.at("resources.0.shortNames"), R"(["gr"])");
  EXPECT_EQ(found.at("resources.0.categories"), R"(["all"])");
  EXPECT_EQ(found.at("resources.0.verbs"),
            R"(["delete","deletecollection","get","list","patch","create","update","watch"])");
  server.create(gears.objects(), gears.object("g", R"(,"finalizers":["example.com/hold"])"));
  expect_ok(server.remove(gears.path()));
  EXPECT_EQ(server.get("/apis/example.com/v1").at("resources.0.verbs"),
            R"(["delete","deletecollection","get","list","watch"])");
  expect_ok(server.merge(gears.objects("/g"), R"({"metadata":{"finalizers":null}})"));
  EXPECT_EQ(server.wait_for(404, "/apis/example.com/v1").code, 404);
}

}  // namespace
}  // namespace strake::api::testing
