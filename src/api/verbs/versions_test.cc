// Objects in the versions of a definition: what a version has no field for is neither kept nor
// shown, and what only a webhook could convert is refused.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kThingsCrd =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.a.example";

std::string in(std::string_view version, std::string_view rest = "") {
  return fmt::format("/apis/a.example/{}/namespaces/default/things{}", version, rest);
}

std::string thing(std::string_view version, std::string_view name, std::string_view spec) {
  return fmt::format(
      R"({{"apiVersion":"a.example/{}","kind":"Thing","metadata":{{"name":"{}"}},"spec":{}}})",
      version, name, spec);
}

constexpr std::string_view kString = R"({"type":"string"})";

std::string props(std::initializer_list<std::string_view> names) {
  std::string out;
  for (const std::string_view name : names)
    out += fmt::format("{}\"{}\":{}", out.empty() ? "" : ",", name, kString);
  return out;
}

class TwoVersions : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string v1 = props({"a", "old"}) + R"(,"d1":{"type":"string","default":"one"})";
    const std::string v2 = props({"a", "extra"}) + R"(,"d2":{"type":"string","default":"two"})";
    ASSERT_EQ(server.post(kCrds, things({{"v1", v1}, {"v2", v2}})).code, 201);
  }
  TestServer server;
};

TEST_F(TwoVersions, KeepOnlyWhatBothTheWrittenAndTheStoredVersionHave) {
  const Answered made =
      server.post(in("v2"), thing("v2", "x", R"({"a":"1","extra":"lost","old":"unknown"})"));
  ASSERT_EQ(made.code, 201) << made.body;
  EXPECT_EQ(made.at("apiVersion"), R"("a.example/v2")");
  // Neither what v1 has no field for, nor the default that v2 filled in before.
  EXPECT_EQ(made.at("spec"), R"({"a":"1"})");
  EXPECT_EQ(server.get(in("v2", "/x")).at("spec"), R"({"a":"1"})");
  // Defaults of the stored version are there.
  EXPECT_EQ(server.get(in("v1", "/x")).at("spec"), R"({"a":"1","d1":"one"})");
  EXPECT_EQ(server.get(in("v2", "/x")).at("metadata.resourceVersion"),
            made.at("metadata.resourceVersion"));
}

TEST_F(TwoVersions, AreReadByTheirOwnSchema) {
  ASSERT_EQ(server.post(in("v1"), thing("v1", "x", R"({"a":"1","old":"o"})")).code, 201);
  EXPECT_EQ(server.get(in("v1", "/x")).at("spec"), R"({"a":"1","d1":"one","old":"o"})");
  EXPECT_EQ(server.get(in("v2", "/x")).at("spec"), R"({"a":"1"})");
  EXPECT_EQ(server.get(in("v2")).at("items.0.spec"), R"({"a":"1"})");
  EXPECT_EQ(server.get(in("v2")).at("items.0.apiVersion"), R"("a.example/v2")");
  const Answered watched = server.get(in("v2", "?watch=true&timeoutSeconds=1"));
  EXPECT_TRUE(watched.body.contains(R"("spec":{"a":"1"})")) << watched.body;
  EXPECT_FALSE(watched.body.contains(R"("old":"o")")) << watched.body;
  const Answered table = server.ask("GET", in("v2", "?includeObject=Object"), "",
                                    "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(table.at("rows.0.object.spec"), R"({"a":"1"})") << table.body;
  const Answered partial = server.ask(
      "GET", in("v2"), "", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io");
  EXPECT_EQ(partial.at("items.0.metadata.name"), R"("x")") << partial.body;
}

TEST_F(TwoVersions, ShowDeletionsByTheSchemaOfTheWatch) {
  const Answered made = server.post(in("v1"), thing("v1", "x", R"({"a":"1","old":"o"})"));
  const std::string since = made.at("metadata.resourceVersion");
  ASSERT_EQ(server.ask("DELETE", in("v1", "/x")).code, 200);
  const Answered watched =
      server.get(in("v2", fmt::format("?watch=true&timeoutSeconds=1&resourceVersion={}",
                                      since.substr(1, since.size() - 2))));
  EXPECT_TRUE(watched.body.contains(R"("type":"DELETED")")) << watched.body;
  EXPECT_TRUE(watched.body.contains(R"("spec":{"a":"1"})")) << watched.body;
}

TEST_F(TwoVersions, LoseWhatTheOtherHasOnlyWhenTheyAreWritten) {
  ASSERT_EQ(server.post(in("v1"), thing("v1", "x", R"({"a":"1","old":"o"})")).code, 201);
  // A patch works on what the version shows.
  const Answered patched = server.ask("PATCH", in("v2", "/x"), R"({"spec":{"a":"2"}})");
  ASSERT_EQ(patched.code, 200) << patched.body;
  EXPECT_EQ(patched.at("spec"), R"({"a":"2"})");
  EXPECT_EQ(server.get(in("v1", "/x")).at("spec"), R"({"a":"2","d1":"one"})");
  // A dry run shows what would be kept.
  EXPECT_EQ(server.ask("PATCH", in("v2", "/x?dryRun=All"), R"({"spec":{"extra":"e"}})").at("spec"),
            R"({"a":"2"})");
  const Answered applied = server.ask("PATCH", in("v2", "/y?fieldManager=m"),
                                      thing("v2", "y", R"({"a":"3","extra":"e"})"));
  ASSERT_EQ(applied.code, 201) << applied.body;
  EXPECT_EQ(applied.at("spec"), R"({"a":"3"})");
}

TEST_F(TwoVersions, KeepFieldsOfTheStoredVersionWhenAnotherMarksTheDeletion) {
  ASSERT_EQ(server.post(in("v1"), thing("v1", "x", R"({"a":"1","old":"o"})")).code, 201);
  ASSERT_EQ(
      server.ask("PATCH", in("v1", "/x"), R"({"metadata":{"finalizers":["a.example/f"]}})").code,
      200);
  const Answered marked = server.ask("DELETE", in("v2", "/x"));
  ASSERT_EQ(marked.code, 200);
  EXPECT_EQ(marked.at("apiVersion"), R"("a.example/v2")");
  EXPECT_EQ(marked.at("spec"), R"({"a":"1"})");
  EXPECT_EQ(server.get(in("v1", "/x")).at("spec"), R"({"a":"1","d1":"one","old":"o"})");
}

TEST(OneSchemaInTwoVersions, ChangesNothingButTheName) {
  TestServer server;
  const std::string same = props({"a"});
  ASSERT_EQ(server.post(kCrds, things({{"v1", same}, {"v1beta1", same}})).code, 201);
  const Answered made = server.post(in("v1beta1"), thing("v1beta1", "x", R"({"a":"1"})"));
  ASSERT_EQ(made.code, 201) << made.body;
  const Answered other = server.get(in("v1", "/x"));
  std::string want = made.body;
  // The manager wrote through the other version, and that stays on record.
  want.replace(want.find("a.example/v1beta1"), 17, "a.example/v1");
  EXPECT_EQ(other.body, want);
  EXPECT_EQ(server.get(in("v1beta1", "/x")).body, made.body);
}

class ByWebhook : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(
        server.post(kCrds, things({{"v1", props({"a", "old"})}, {"v2", props({"a"})}}, "Webhook"))
            .code,
        201);
    ASSERT_EQ(server.post(in("v1"), thing("v1", "x", R"({"a":"1","old":"o"})")).code, 201);
  }
  static void expect_refused(const Answered& answered) {
    EXPECT_EQ(answered.code, 500) << answered.body;
    EXPECT_TRUE(
        answered.at("message").starts_with(
            "\"conversion webhook for a.example/v1, Kind=Thing failed: nothing here calls "
            "conversion webhooks; use a.example/v1") ||
        answered.at("message").starts_with("\"conversion webhook for a.example/v2, Kind=Thing"))
        << answered.body;
  }
  TestServer server;
};

TEST_F(ByWebhook, RefusesWhatNeedsAConversion) {
  expect_refused(server.get(in("v2", "/x")));
  expect_refused(server.get(in("v2")));
  expect_refused(server.get(in("v2", "?limit=1")));
  expect_refused(server.get(in("v2", "?watch=true&timeoutSeconds=1")));
  expect_refused(server.post(in("v2"), thing("v2", "y", R"({"a":"1"})")));
  expect_refused(server.post(in("v2", "?dryRun=All"), thing("v2", "y", R"({"a":"1"})")));
  expect_refused(server.ask("PUT", in("v2", "/x"), thing("v2", "x", R"({"a":"1"})")));
  expect_refused(server.ask("PATCH", in("v2", "/x"), R"({"spec":{"a":"2"}})"));
  expect_refused(server.ask("DELETE", in("v2")));
  expect_refused(server.ask("GET", in("v2"), "", "application/json;as=Table;v=v1;g=meta.k8s.io"));
  EXPECT_EQ(server.get(in("v1", "/x")).at("spec"), R"({"a":"1","old":"o"})");
}

TEST_F(ByWebhook, ServesTheStoredVersion) {
  EXPECT_EQ(server.get(in("v1")).at("items.0.spec"), R"({"a":"1","old":"o"})");
  EXPECT_EQ(server.ask("PATCH", in("v1", "/x"), R"({"spec":{"a":"2"}})").code, 200);
  // Nothing is there to convert.
  EXPECT_EQ(server.ask("DELETE", in("v1", "/x")).code, 200);
  EXPECT_EQ(server.get(in("v2")).code, 200);
}

TEST_F(ByWebhook, EndsAWatchThatMeetsAnotherVersionWithAnError) {
  const std::string now =
      server.get(in("v2", "?fieldSelector=metadata.name%3Dnone")).at("metadata.resourceVersion");
  ASSERT_EQ(server.post(in("v1"), thing("v1", "z", "{}")).code, 201);
  const Answered watched =
      server.get(in("v2", fmt::format("?watch=true&timeoutSeconds=1&resourceVersion={}",
                                      now.substr(1, now.size() - 2))));
  EXPECT_EQ(watched.code, 200);
  EXPECT_TRUE(watched.body.contains(R"("type":"ERROR")")) << watched.body;
  EXPECT_TRUE(watched.body.contains("nothing here calls conversion webhooks")) << watched.body;
}

TEST_F(ByWebhook, DeletesWhatItCannotConvert) {
  // The storage version moves on; what is there stays where it was.
  ASSERT_EQ(server
                .ask("PATCH", kThingsCrd,
                     R"([{"op":"replace","path":"/spec/versions/0/storage","value":false},)"
                     R"({"op":"replace","path":"/spec/versions/1/storage","value":true}])")
                .code,
            200);
  // A write would have to move it.
  expect_refused(server.ask("PATCH", in("v1", "/x"), R"({"spec":{"a":"2"}})"));
  ASSERT_EQ(server.ask("DELETE", kThingsCrd).code, 200);
  EXPECT_EQ(server.wait_for(404, kThingsCrd).code, 404);
}

// A namespace that holds objects of a kind whose conversion needs a webhook.
class NamespaceByWebhook : public ByWebhook {
 protected:
  static constexpr std::string_view kSpace = "/api/v1/namespaces/full";
  static constexpr std::string_view kInside = "/apis/a.example/v1/namespaces/full/things";

  void SetUp() override {
    ByWebhook::SetUp();
    ASSERT_EQ(server
                  .post("/api/v1/namespaces",
                        R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"full"}})")
                  .code,
              201);
    for (const std::string_view name : {"x", "y"})
      ASSERT_EQ(server.post(kInside, thing("v1", name, R"({"a":"1","old":"o"})")).code, 201);
  }
  void store_in_v2() {
    ASSERT_EQ(server
                  .ask("PATCH", kThingsCrd,
                       R"([{"op":"replace","path":"/spec/versions/0/storage","value":false},)"
                       R"({"op":"replace","path":"/spec/versions/1/storage","value":true}])")
                  .code,
              200);
  }
};

TEST_F(NamespaceByWebhook, GoesWithEverythingInIt) {
  ASSERT_EQ(server.ask("DELETE", kSpace).code, 200);
  EXPECT_EQ(server.wait_for(404, kSpace).code, 404);
  EXPECT_EQ(server.get("/apis/a.example/v1/things").json().get("items").size(), 1u)
      << "those of other namespaces stay";
}

TEST_F(NamespaceByWebhook, GoesWhenItsObjectsWereStoredInAnotherVersion) {
  store_in_v2();
  ASSERT_EQ(server.ask("DELETE", kSpace).code, 200);
  EXPECT_EQ(server.wait_for(404, kSpace).code, 404);
}

TEST_F(NamespaceByWebhook, GoesOnceTheFinalizersOfItsObjectsAreDone) {
  const std::string held = std::string(kInside) + "/x";
  ASSERT_EQ(server.ask("PATCH", held, R"({"metadata":{"finalizers":["a.example/f"]}})").code, 200);
  ASSERT_EQ(server.ask("DELETE", kSpace).code, 200);
  EXPECT_EQ(server.wait_for(404, std::string(kInside) + "/y").code, 404);
  EXPECT_EQ(server.get(kSpace).at("status.phase"), R"("Terminating")");
  EXPECT_EQ(server.get(held).at("spec"), R"({"a":"1","old":"o"})") << "marking it loses nothing";
  ASSERT_EQ(server.ask("PATCH", held, R"({"metadata":{"finalizers":null}})").code, 200);
  EXPECT_EQ(server.wait_for(404, kSpace).code, 404);
}

// Both versions offer a field of the other's schema too; what counts is what the asked one shows.
class SelectedByField : public ::testing::Test {
 protected:
  void make(std::string_view conversion) {
    std::string text =
        things({{"v1", props({"colour", "old"})}, {"v2", props({"colour", "extra"})}}, conversion);
    const auto offer = [&](std::string_view fields) {
      constexpr std::string_view kNone = R"("selectableFields":[])";
      text.replace(text.find(kNone), kNone.size(), fields);
    };
    offer(R"("selectableFields":[{"jsonPath":".spec.colour"},{"jsonPath":".spec.old"}])");
    offer(R"("selectableFields":[{"jsonPath":".spec.colour"},{"jsonPath":".spec.extra"}])");
    ASSERT_EQ(server.post(kCrds, text).code, 201);
    for (const auto& [name, spec] :
         {std::pair("a", R"({"colour":"red","old":"o"})"),
          std::pair("b", R"({"colour":"blue","old":"o"})"), std::pair("c", R"({"colour":"red"})")})
      ASSERT_EQ(server.post(in("v1"), thing("v1", name, spec)).code, 201);
  }
  std::string names(std::string_view version, std::string_view selector) {
    const Answered listed = server.get(in(version, fmt::format("?fieldSelector={}", selector)));
    if (listed.code != 200) return fmt::format("{}", listed.code);
    std::string out;
    for (const value::Value& item : listed.json().get("items").items())
      out += item.get("metadata").get("name").as_string();
    return out;
  }
  TestServer server;
};

TEST_F(SelectedByField, IsJudgedInTheVersionThatIsAskedFor) {
  make("None");
  for (const std::string_view version : {"v1", "v2"}) {
    EXPECT_EQ(names(version, "spec.colour%3Dred"), "ac") << version;
    EXPECT_EQ(names(version, "spec.colour!%3Dred"), "b") << version;
  }
  EXPECT_EQ(names("v1", "spec.old%3Do"), "ab");
  EXPECT_EQ(names("v1", "spec.extra%3De"), "400") << "v1 does not offer it";
  EXPECT_EQ(names("v2", "spec.old%3Do"), "400") << "v2 does not offer it";
  // What the stored version has no field for is empty in the other.
  EXPECT_EQ(names("v2", "spec.extra%3D"), "abc");
  const Answered watched =
      server.get(in("v2", "?watch=true&timeoutSeconds=1&fieldSelector=spec.colour%3Dblue"));
  EXPECT_TRUE(watched.body.contains(R"("name":"b")")) << watched.body;
  EXPECT_FALSE(watched.body.contains(R"("name":"a")")) << watched.body;
  // Deleting selects as listing does.
  EXPECT_EQ(server.ask("DELETE", in("v2", "?fieldSelector=spec.colour%3Dred")).code, 200);
  EXPECT_EQ(names("v1", "spec.colour!%3Dnone"), "b");
}

TEST_F(SelectedByField, IsRefusedWhereOnlyAWebhookCouldTell) {
  make("Webhook");
  EXPECT_EQ(names("v1", "spec.colour%3Dred"), "ac");
  EXPECT_EQ(names("v2", "spec.colour%3Dred"), "500");
  // By name no object is looked into before it is known that it is wanted.
  EXPECT_EQ(names("v2", "metadata.name%3Dnone"), "");
}

TEST(AnApiService, IsPatchedByStrategicMerge) {
  TestServer server;
  constexpr std::string_view kServices = "/apis/apiregistration.k8s.io/v1/apiservices";
  ASSERT_EQ(
      server
          .post(
              kServices,
              R"({"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{"name":"v1.d.example","labels":{"a":"1"}},)"
              R"("spec":{"group":"d.example","version":"v1","groupPriorityMinimum":100,"versionPriority":100}})")
          .code,
      201);
  const std::string path = std::string(kServices) + "/v1.d.example";
  const auto patch = [&](std::string_view body, std::string_view part = "") {
    return server.call("PATCH", path + std::string(part), body,
                       {{"Content-Type", "application/strategic-merge-patch+json"},
                        {"Accept", "application/json"}});
  };
  const TestServer::Got changed =
      patch(R"({"metadata":{"labels":{"b":"2"}},"spec":{"versionPriority":7}})");
  ASSERT_EQ(changed.code, 200) << changed.body;
  const Answered now = server.get(path);
  EXPECT_EQ(now.at("metadata.labels"), R"({"a":"1","b":"2"})");
  EXPECT_EQ(now.at("spec.versionPriority"), "7");
  EXPECT_EQ(now.at("spec.groupPriorityMinimum"), "100");
  // Conditions are merged by their type, as the field's patch strategy says.
  const std::string status = R"({"status":{"conditions":[{"type":"%","status":"True",)"
                             R"("lastTransitionTime":"2026-01-01T00:00:00Z"}]}})";
  for (const std::string_view type : {"Available", "Other"}) {
    std::string body = status;
    body.replace(body.find('%'), 1, type);
    const TestServer::Got got = patch(body, "/status");
    ASSERT_EQ(got.code, 200) << got.body;
  }
  const Answered both = server.get(path);
  EXPECT_GE(both.json().get("status").get("conditions").size(), 2u) << both.body;
  EXPECT_TRUE(both.body.contains(R"("type":"Other")"));
  const TestServer::Got wrong = patch(R"({"$patch":"bogus"})");
  EXPECT_EQ(wrong.code, 500) << wrong.body;
}

}  // namespace
}  // namespace strake::api::testing
