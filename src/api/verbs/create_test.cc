// Creating objects: what the server fills in, what it refuses, and in which words.
#include <gtest/gtest.h>

#include <regex>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";
constexpr std::string_view kSpaces = "/api/v1/namespaces";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";

class Create : public ::testing::Test {
 protected:
  Create() { server.create(kCrds, widgets_crd()); }
  std::string widgets(std::string_view query) { return fmt::format("{}{}", kWidgets, query); }
  TestServer server;
};

TEST_F(Create, FillsInMetadataOfItsOwn) {
  server.clock().set_wall(WallTime(std::chrono::seconds(1'750'000'000)));
  const Answered made = server.create(
      kMaps,
      config_map_json("a", "{}",
                      R"("uid":"mine","creationTimestamp":"2001-01-01T00:00:00Z","generation":7,)"
                      R"("deletionTimestamp":"2001-01-01T00:00:00Z","selfLink":"/x",)"
                      R"("deletionGracePeriodSeconds":3)"));
  EXPECT_EQ(made.text("metadata.creationTimestamp"), "2025-06-15T15:06:40Z");
  EXPECT_TRUE(std::regex_match(
      made.uid(),
      std::regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")))
      << made.uid();
  EXPECT_EQ(made.text("metadata.namespace"), "default");
  EXPECT_NE(made.version(), "");
  for (const std::string_view gone :
       {"generation", "deletionTimestamp", "selfLink", "deletionGracePeriodSeconds"})
    EXPECT_EQ(made.at(fmt::format("metadata.{}", gone)), "") << gone;
}

TEST_F(Create, CountsGenerationsOnlyWhereTheKindDoes) {
  EXPECT_EQ(server.create(kWidgets, widget_json("w")).at("metadata.generation"), "1");
  EXPECT_EQ(server.create(kMaps, config_map_json("a")).at("metadata.generation"), "");
  EXPECT_EQ(server.get(fmt::format("{}/widgets.example.com", kCrds)).at("metadata.generation"),
            "1");
}

TEST_F(Create, NotesWhoSetWhichField) {
  const Answered made = server.ask({.method = "POST",
                                    .target = kMaps,
                                    .body = config_map_json("a", R"({"k":"v"})"),
                                    .type = "application/json",
                                    .agent = "kubectl/v1.36 (linux)"});
  EXPECT_EQ(
      made.at("metadata.managedFields"),
      R"([{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:k":{}}},)"
      R"("manager":"kubectl","operation":"Update","time":"2024-01-01T00:00:00Z"}])");
  const Answered named =
      server.create(fmt::format("{}?fieldManager=me", kMaps), config_map_json("b", R"({"k":"v"})"));
  EXPECT_EQ(named.text("metadata.managedFields.0.manager"), "me");
}

TEST_F(Create, AppliesDefaultsAndDropsAStatus) {
  const Answered made = server.create(
      kWidgets,
      R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{},"status":{"phase":"Ready"}})");
  EXPECT_EQ(made.at("spec"), R"({"size":1})");
  EXPECT_EQ(made.at("status"), "");
}

TEST_F(Create, MakesANameFromItsBeginning) {
  const auto generate = [&](std::string_view prefix) {
    return server.create(kMaps, fmt::format(R"({{"metadata":{{"generateName":"{}"}}}})", prefix))
        .text("metadata.name");
  };
  const std::string first = generate("web-");
  EXPECT_TRUE(std::regex_match(first, std::regex("web-[bcdfghjklmnpqrstvwxz2456789]{5}"))) << first;
  EXPECT_NE(generate("web-"), first);
  // A long beginning is cut so that the name stays a label.
  const std::string cut = generate(std::string(80, 'a'));
  EXPECT_EQ(cut.size(), 63u);
  EXPECT_TRUE(cut.starts_with(std::string(58, 'a')));
  EXPECT_EQ(server.get(fmt::format("{}/{}", kMaps, first)).text("metadata.generateName"), "web-");
}

TEST_F(Create, NeedsANameOrItsBeginning) {
  expect_status(server.post(kMaps, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{}})"), 422,
                "Invalid",
                "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is "
                "required");
  const Answered custom = server.post(kWidgets, widget_json(""));
  EXPECT_EQ(custom.code, 422);
  EXPECT_EQ(
      custom.at("details.causes.0"),
      R"({"field":"metadata.name","message":"Required value: name or generateName is required",)"
      R"("reason":"FieldValueRequired"})");
}

TEST_F(Create, RefusesNamesThatAreNone) {
  for (const std::string_view name : {"A", "a_b", "-a", "a..b"}) {
    const Answered refused = server.post(kMaps, config_map_json(name));
    EXPECT_EQ(refused.code, 422) << name;
    EXPECT_EQ(refused.text("details.causes.0.field"), "metadata.name") << name;
    EXPECT_TRUE(refused.text("message").contains("a lowercase RFC 1123 subdomain")) << name;
  }
  EXPECT_EQ(server.post(kMaps, config_map_json(std::string(254, 'a'))).code, 422);
  EXPECT_EQ(server.post(kMaps, config_map_json(std::string(253, 'a'))).code, 201);
}

TEST_F(Create, RefusesMetadataThatIsNotInOrder) {
  struct Case {
    std::string_view metadata;
    std::string_view message;
  };
  const Case cases[] = {
      {R"("labels":{"a b":"c"})",
       "metadata.labels: Invalid value: \"a b\": name part must consist"},
      {R"("labels":{"a":"-"})", "metadata.labels: Invalid value: \"-\": a valid label must be"},
      {R"("annotations":{"/x":""})", "metadata.annotations: Invalid value: \"/x\": prefix part"},
      {R"("finalizers":["orphan","foregroundDeletion"])",
       "finalizer orphan and foregroundDeletion cannot be both set"},
      {R"("ownerReferences":[{"apiVersion":"","kind":"","name":"","uid":""}])",
       "metadata.ownerReferences.apiVersion: Invalid value: \"\": version must not be empty"},
      {R"("ownerReferences":[{"apiVersion":"v1","kind":"A","name":"a","uid":"1","controller":true},)"
       R"({"apiVersion":"v1","kind":"B","name":"b","uid":"2","controller":true}])",
       "Only one reference can have Controller set to true. Found \"true\" in references for "},
  };
  for (const Case& one : cases) {
    for (const std::string& body : {config_map_json("a", "{}", one.metadata)}) {
      const Answered refused = server.post(kMaps, body);
      EXPECT_EQ(refused.code, 422) << body;
      EXPECT_TRUE(refused.text("message").contains(one.message)) << refused.text("message");
    }
    const Answered custom = server.post(kWidgets, widget_json("a", "{}", one.metadata));
    EXPECT_EQ(custom.code, 422) << one.metadata;
    EXPECT_TRUE(custom.text("message").contains(one.message)) << custom.text("message");
  }
}

TEST_F(Create, WarnsOfWhatItMends) {
  const Answered twice = server.create(
      kMaps,
      config_map_json(
          "a", "{}",
          R"("ownerReferences":[{"apiVersion":"v1","kind":"Namespace","name":"n","uid":"u"},)"
          R"({"apiVersion":"v1","kind":"Namespace","name":"n","uid":"u"}])"));
  EXPECT_EQ(twice.at("metadata.ownerReferences.1"), "");
  ASSERT_EQ(twice.warnings.size(), 1u);
  EXPECT_TRUE(twice.warnings[0].ends_with("duplicate UID(s) observed: u\"")) << twice.warnings[0];
  const Answered finalizer =
      server.create(kWidgets, widget_json("w", "{}", R"("finalizers":["mine","example.com"])"));
  ASSERT_EQ(finalizer.warnings.size(), 2u);
  EXPECT_TRUE(finalizer.warnings[0].contains("prefer a domain-qualified finalizer name"))
      << finalizer.warnings[0];
  EXPECT_TRUE(finalizer.warnings[1].contains("finalizer name including a path (/)"))
      << finalizer.warnings[1];
}

TEST_F(Create, RefusesWhatIsThereAlready) {
  server.create(kMaps, config_map_json("a"));
  const Answered again = server.post(kMaps, config_map_json("a"));
  expect_status(again, 409, "AlreadyExists", "configmaps \"a\" already exists");
  EXPECT_EQ(again.at("details"), R"({"kind":"configmaps","name":"a"})");
  server.create(kWidgets, widget_json("w", "{}", R"("finalizers":["example.com/hold"])"));
  expect_status(server.post(kWidgets, widget_json("w")), 409, "AlreadyExists",
                "widgets.example.com \"w\" already exists");
  expect_ok(server.remove(fmt::format("{}/w", kWidgets)));
  expect_status(server.post(kWidgets, widget_json("w")), 409, "AlreadyExists",
                "object is being deleted: widgets.example.com \"w\" already exists");
}

TEST_F(Create, NeedsItsNamespace) {
  const Answered refused =
      server.post("/api/v1/namespaces/nowhere/configmaps", config_map_json("a"));
  expect_status(refused, 404, "NotFound", "namespaces \"nowhere\" not found");
  EXPECT_EQ(refused.at("details"), R"({"kind":"namespaces","name":"nowhere"})");
  expect_status(server.post("/apis/example.com/v1/namespaces/nowhere/widgets", widget_json("w")),
                404, "NotFound", "namespaces \"nowhere\" not found");
}

TEST_F(Create, IsOverInANamespaceThatEnds) {
  server.create_namespace("ending");
  constexpr std::string_view kEnding = "/api/v1/namespaces/ending/configmaps";
  server.create(kEnding, config_map_json("held", "{}", R"("finalizers":["example.com/hold"])"));
  expect_ok(server.remove("/api/v1/namespaces/ending"));
  const Answered refused = server.post(kEnding, config_map_json("a"));
  expect_status(refused, 403, "Forbidden",
                "configmaps \"a\" is forbidden: unable to create new content in namespace ending "
                "because it is being terminated");
  EXPECT_EQ(refused.at("details.causes"),
            R"([{"field":"metadata.namespace","message":"namespace ending is being terminated",)"
            R"("reason":"NamespaceTerminating"}])");
  // What is there may still be changed.
  expect_ok(server.merge(fmt::format("{}/held", kEnding), R"({"data":{"k":"v"}})"));
}

TEST_F(Create, AgreesWithThePathAboutTheNamespace) {
  EXPECT_EQ(server.create(kMaps, config_map_json("a", "{}", R"("namespace":"default")"))
                .text("metadata.namespace"),
            "default");
  expect_status(
      server.post(kMaps, config_map_json("b", "{}", R"("namespace":"other")")), 400, "BadRequest",
      "the namespace of the provided object does not match the namespace sent on the request");
}

TEST_F(Create, TakesNoResourceVersion) {
  // In these words, with a code that says nothing: kube-apiserver 1.36 passes the error on as it
  // is.
  for (const auto& [where, body] :
       {std::pair(kMaps, config_map_json("a", "{}", R"("resourceVersion":"5")")),
        std::pair(kWidgets, widget_json("a", "{}", R"("resourceVersion":"5")"))}) {
    expect_status(server.post(where, body), 500, "",
                  "resourceVersion should not be set on objects to be created");
  }
  EXPECT_EQ(server.post(kMaps, config_map_json("a", "{}", R"("resourceVersion":"0")")).code, 201);
}

TEST_F(Create, OnTrialLeavesNothing) {
  const Answered before = server.get(kMaps);
  const Answered tried =
      server.create(fmt::format("{}?dryRun=All", kMaps), config_map_json("a", R"({"k":"v"})"));
  EXPECT_NE(tried.uid(), "");
  EXPECT_EQ(tried.version(), "");
  EXPECT_EQ(tried.at("data"), R"({"k":"v"})");
  EXPECT_EQ(server.get(kMap).code, 404);
  EXPECT_EQ(server.get(kMaps).version(), before.version());
  // It is judged all the same.
  EXPECT_EQ(server.post(widgets("?dryRun=All"), widget_json("w", R"({"size":-1})")).code, 422);
  server.create(kMaps, config_map_json("a"));
  EXPECT_EQ(server.post(fmt::format("{}?dryRun=All", kMaps), config_map_json("a")).code, 409);
  expect_status(server.post(fmt::format("{}?dryRun=Some", kMaps), config_map_json("b")), 422,
                "Invalid",
                "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Some\"]: "
                "supported values: \"All\"");
}

TEST_F(Create, TreatsUnknownFieldsAsItIsTold) {
  const std::string unknown = widget_json("w", R"({"bogus":1,"size":2,"size":3})");
  const Answered ignored = server.post(widgets("?fieldValidation=Ignore&dryRun=All"), unknown);
  expect_ok(ignored, 201);
  EXPECT_TRUE(ignored.warnings.empty());
  EXPECT_EQ(ignored.at("spec"), R"({"size":3})");
  for (const std::string_view how : {"?dryRun=All", "?fieldValidation=Warn&dryRun=All"}) {
    const Answered warned = server.post(widgets(how), unknown);
    expect_ok(warned, 201);
    EXPECT_EQ(warned.at("spec"), R"({"size":3})");
    EXPECT_EQ(warned.warnings,
              (std::vector<std::string>{R"(299 - "duplicate field \"spec.size\"")",
                                        R"(299 - "unknown field \"spec.bogus\"")"}));
  }
  expect_status(server.post(widgets("?fieldValidation=Strict"), unknown), 400, "BadRequest",
                "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error: "
                "duplicate field \"spec.size\", unknown field \"spec.bogus\"");
  expect_status(
      server.post(fmt::format("{}?fieldValidation=Strict", kMaps),
                  R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"bogus":1})"),
      400, "BadRequest",
      "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding "
      "error: unknown field \"bogus\"");
  expect_status(server.post(widgets("?fieldValidation=Maybe"), unknown), 422, "Invalid",
                "CreateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value: "
                "\"Maybe\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"");
}

TEST_F(Create, JudgesByTheSchema) {
  const Answered refused = server.post(kWidgets, widget_json("w", R"({"size":-1,"color":4})"));
  EXPECT_EQ(refused.code, 422);
  EXPECT_EQ(
      refused.text("message"),
      "Widget.example.com \"w\" is invalid: [spec.color: Invalid value: \"integer\": "
      "spec.color in body must be of type string: \"integer\", spec.size: Invalid value: -1: "
      "spec.size in body should be greater than or equal to 0, <nil>: Invalid value: null: some "
      "validation rules were not checked because the object was invalid; correct the existing "
      "errors to complete validation]");
  EXPECT_EQ(refused.at("details.causes.1.field"), R"("spec.size")");
}

TEST_F(Create, RefusesAFieldManagerThatIsNone) {
  expect_status(server.post(fmt::format("{}?fieldManager=a%07b", kMaps), config_map_json("a")), 422,
                "Invalid",
                "CreateOptions.meta.k8s.io \"\" is invalid: fieldManager: Invalid value: "
                "\"a\\ab\": should only contain printable characters");
  const Answered too_long = server.post(
      fmt::format("{}?fieldManager={}", kMaps, std::string(129, 'm')), config_map_json("a"));
  expect_status(
      too_long, 422, "Invalid",
      "CreateOptions.meta.k8s.io \"\" is invalid: fieldManager: Too long: may not be more "
      "than 128 bytes");
}

TEST_F(Create, RefusesABodyThatIsTooLarge) {
  expect_status(server.ask({.method = "POST", .target = kMaps, .body = "", .body_too_large = true}),
                413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728");
}

TEST_F(Create, AtTheNameOfAnObjectIsForCustomResourcesAlone) {
  expect_ok(server.post(fmt::format("{}/x", kWidgets), widget_json("x")), 201);
  expect_status(server.post(kMap, config_map_json("a")), 405, "MethodNotAllowed",
                "the server does not allow this method on the requested resource");
}

TEST_F(Create, OfEventsIsForAnHour) {
  constexpr std::string_view kEvents = "/api/v1/namespaces/default/events";
  server.create(kEvents,
                R"({"metadata":{"name":"e"},"reason":"R","type":"Normal",)"
                R"("involvedObject":{"kind":"ConfigMap","name":"a","namespace":"default"}})");
  server.create(kMaps, config_map_json("a"));
  server.advance(std::chrono::minutes(59));
  EXPECT_EQ(server.get(fmt::format("{}/e", kEvents)).code, 200);
  server.advance(std::chrono::minutes(2));
  EXPECT_EQ(server.wait_for(404, fmt::format("{}/e", kEvents)).code, 404);
  EXPECT_EQ(server.get(kMap).code, 200);
}

TEST_F(Create, IsAllowedByNamespaceAndResource) {
  TestServer guarded({.may = [](const User& user, const RequestInfo& request) {
    return user.name != "jane" || (request.verb == "create" && request.resource == "configmaps" &&
                                   request.namespace_name == "default");
  }});
  const auto as_jane = [&](std::string_view target, std::string_view body) {
    return guarded.ask({.method = "POST",
                        .target = target,
                        .body = body,
                        .type = "application/json",
                        .user = "jane"});
  };
  EXPECT_EQ(as_jane(kMaps, config_map_json("a")).code, 201);
  expect_status(as_jane(kSpaces, R"({"metadata":{"name":"n"}})"), 403, "Forbidden",
                "namespaces is forbidden: User \"jane\" cannot create resource \"namespaces\" in "
                "API group \"\" at the cluster scope");
  EXPECT_EQ(as_jane("/api/v1/namespaces/kube-system/configmaps", config_map_json("a")).code, 403);
}

}  // namespace
}  // namespace strake::api::testing
