// Server-side apply through the whole API: owners, conflicts, and what is taken away.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kWidget = "/apis/example.com/v1/namespaces/default/widgets/w";

class Apply : public ::testing::Test {
 protected:
  Apply() { server.create(kCrds, widgets_crd()); }
  Answered apply(std::string_view manager, std::string_view spec, std::string_view more = "") {
    return raw(fmt::format("{}?fieldManager={}{}", kWidget, manager, more), widget_json("w", spec));
  }
  Answered raw(std::string_view target, std::string_view body) {
    return server.patch(target, "application/apply-patch+yaml", body);
  }
  TestServer server;
};

TEST_F(Apply, CreatesWhatIsNotThere) {
  const Answered made = apply("one", R"({"color":"red"})");
  expect_ok(made, 201);
  EXPECT_EQ(made.at("spec"), R"({"color":"red","size":1})");
  EXPECT_EQ(made.at("metadata.managedFields"),
            R"([{"apiVersion":"example.com/v1","fieldsType":"FieldsV1",)"
            R"("fieldsV1":{"f:spec":{"f:color":{}}},"manager":"one","operation":"Apply",)"
            R"("time":"2024-01-01T00:00:00Z"}])");
}

TEST_F(Apply, AgainChangesNothing) {
  const Answered made = apply("one", R"({"color":"red"})");
  server.advance(std::chrono::minutes(5));
  const Answered again = apply("one", R"({"color":"red"})");
  expect_ok(again, 200);
  EXPECT_EQ(again.at(""), made.at(""));
}

TEST_F(Apply, ConflictsWithWhoOwnsAField) {
  apply("one", R"({"color":"red","size":3})");
  const Answered one = apply("two", R"({"color":"blue"})");
  expect_status(one, 409, "Conflict",
                "Apply failed with 1 conflict: conflict with \"one\": .spec.color");
  EXPECT_EQ(
      one.at("details.causes"),
      R"([{"field":".spec.color","message":"conflict with \"one\"","reason":"FieldManagerConflict"}])");
  expect_status(apply("two", R"({"color":"blue","size":4})"), 409, "Conflict",
                "Apply failed with 2 conflicts: conflicts with \"one\":\n- .spec.color\n- "
                ".spec.size");
  EXPECT_EQ(server.get(kWidget).at("spec.color"), R"("red")");
}

TEST_F(Apply, NamesTheTimeOfAnOwnerThatUpdated) {
  server.create(kWidgets, widget_json("w", R"({"color":"red"})"));
  expect_status(apply("two", R"({"color":"blue"})"), 409, "Conflict",
                "Apply failed with 1 conflict: conflict with \"test\" using example.com/v1: "
                ".spec.color");
}

TEST_F(Apply, TakesOverByForce) {
  apply("one", R"({"color":"red","size":3})");
  const Answered forced = apply("two", R"({"color":"blue"})", "&force=true");
  expect_ok(forced);
  EXPECT_EQ(forced.at("spec.color"), R"("blue")");
  EXPECT_EQ(forced.at("metadata.managedFields.0.fieldsV1"), R"({"f:spec":{"f:size":{}}})");
  EXPECT_EQ(forced.at("metadata.managedFields.1.fieldsV1"), R"({"f:spec":{"f:color":{}}})");
}

TEST_F(Apply, SharesFieldsOnWhichAllAgree) {
  apply("one", R"({"color":"red"})");
  expect_ok(apply("two", R"({"color":"red"})"));
  // One gives it up; the other still has it.
  EXPECT_EQ(apply("one", "{}").at("spec.color"), R"("red")");
  EXPECT_EQ(apply("two", "{}").at("spec.color"), "");
}

TEST_F(Apply, TakesAwayWhatItsManagerNoLongerSends) {
  apply("one", R"({"color":"red","parts":[{"name":"a","value":"1"},{"name":"b"}]})");
  apply("two", R"({"parts":[{"name":"b","value":"2"}]})");
  const Answered left = apply("one", R"({"parts":[{"name":"a","value":"1"}]})");
  expect_ok(left);
  EXPECT_EQ(left.at("spec.color"), "");
  // Items of a list are owned by their key.
  EXPECT_EQ(left.at("spec.parts"), R"([{"name":"a","value":"1"},{"name":"b","value":"2"}])");
  EXPECT_EQ(apply("two", "{}").at("spec.parts"), R"([{"name":"a","value":"1"}])");
}

TEST_F(Apply, ReadsYaml) {
  const Answered made =
      raw(fmt::format("{}?fieldManager=one", kWidget),
          "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\nspec:\n"
          "  color: red\n");
  expect_ok(made, 201);
  EXPECT_EQ(made.at("spec.color"), R"("red")");
}

TEST_F(Apply, RefusesConfigurationsThatAreNone) {
  struct Case {
    std::string_view query;
    std::string_view body;
    int code;
    std::string_view message;
  };
  const Case cases[] = {
      {"", R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}})", 422,
       "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for "
       "apply patch"},
      {"?fieldManager=m", R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"w"}})", 400,
       "invalid object type: /v1, Kind=ConfigMap"},
      {"?fieldManager=m",
       R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","managedFields":[{"manager":"x"}]}})",
       400, "metadata.managedFields must be nil"},
      {"?fieldManager=m",
       R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"b"}})", 400,
       "the name of the object (b) does not match the name on the URL (w)"},
      {"?fieldManager=m",
       R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","uid":"x"}})", 409,
       "Operation cannot be fulfilled on widgets.example.com \"w\": uid mismatch: the provided "
       "object specified uid x, and no existing object was found"},
      {"?fieldManager=m",
       R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"bogus":1}})",
       500,
       "failed to create typed patch object (/w; example.com/v1, Kind=Widget): .spec.bogus: field "
       "not declared in schema"},
      {"?fieldManager=m",
       R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},)"
       R"("spec":{"parts":[{"name":"a"},{"name":"a"}]}})",
       500,
       "failed to create typed patch object (/w; example.com/v1, Kind=Widget): .spec.parts: "
       "duplicate entries for key [name=\"a\"]"},
  };
  for (const Case& one : cases) {
    const Answered refused = raw(fmt::format("{}{}", kWidget, one.query), one.body);
    EXPECT_EQ(refused.code, one.code) << refused.body;
    EXPECT_EQ(refused.text("message"), one.message);
  }
  EXPECT_EQ(raw(fmt::format("{}?fieldManager=m", kWidget), "{a: [").code, 400);
  EXPECT_EQ(server.get(kWidget).code, 404);
}

// The list of ports goes by port and protocol, and a port without a protocol is one of TCP.
TEST_F(Apply, FindsItemsByTheDefaultsOfTheirKeys) {
  constexpr std::string_view kService =
      R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},)"
      R"("spec":{"ports":[{"port":80,"name":"web"}]}})";
  const auto apply_service = [&](std::string_view manager) {
    return raw(
        fmt::format("/api/v1/namespaces/default/services/s?force=true&fieldManager={}", manager),
        kService);
  };
  expect_ok(apply_service("one"), 201);
  const Answered again = apply_service("two");
  expect_ok(again);
  EXPECT_EQ(again.at("spec.ports.0.name"), R"("web")");
  EXPECT_EQ(again.at("spec.ports.1"), "");
  EXPECT_EQ(again.at("metadata.managedFields.1.fieldsV1"),
            R"({"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":)"
            R"({".":{},"f:name":{},"f:port":{}}}}})");
}

TEST_F(Apply, IgnoresAVersionOfSomethingNew) {
  const Answered made = raw(fmt::format("{}?fieldManager=m", kWidget),
                            widget_json("w", "{}", R"("resourceVersion":"1")"));
  expect_ok(made, 201);
  const Answered conflict = raw(fmt::format("{}?fieldManager=m", kWidget),
                                widget_json("w", R"({"color":"red"})", R"("resourceVersion":"1")"));
  EXPECT_EQ(conflict.code, 409) << conflict.body;
}

TEST_F(Apply, OnTrialCreatesNothing) {
  expect_ok(apply("one", R"({"color":"red"})", "&dryRun=All"), 201);
  EXPECT_EQ(server.get(kWidget).code, 404);
}

TEST_F(Apply, JudgesWhatItMakes) {
  const Answered refused = apply("one", R"({"size":-1})");
  EXPECT_EQ(refused.code, 422);
  EXPECT_EQ(refused.text("details.causes.0.field"), "spec.size");
}

TEST_F(Apply, ToTheStatusOwnsTheStatusAlone) {
  apply("one", R"({"color":"red"})");
  const Answered got = raw(
      fmt::format("{}/status?fieldManager=controller", kWidget),
      R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"status":{"phase":"Up"}})");
  expect_ok(got);
  EXPECT_EQ(got.at("status"), R"({"phase":"Up"})");
  EXPECT_EQ(got.at("spec.color"), R"("red")");
  EXPECT_EQ(got.at("metadata.managedFields.0.manager"), R"("controller")");
  EXPECT_EQ(got.at("metadata.managedFields.0.subresource"), R"("status")");
  EXPECT_EQ(got.at("metadata.managedFields.0.fieldsV1"), R"({"f:status":{"f:phase":{}}})");
  // A status is not created where there is no object.
  expect_status(
      raw(fmt::format("{}/none/status?fieldManager=c", kWidgets),
          R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"none"},"status":{}})"),
      404, "NotFound", "widgets.example.com \"none\" not found");
}

TEST_F(Apply, OfABuiltinKindFollowsItsType) {
  const std::string path = fmt::format("{}/a?fieldManager=one", kMaps);
  const Answered made = raw(path, config_map_json("a", R"({"k":"v"})"));
  expect_ok(made, 201);
  EXPECT_EQ(made.at("metadata.managedFields.0.fieldsV1"), R"({"f:data":{"f:k":{}}})");
  const Answered refused =
      raw(path, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"bogus":1})");
  EXPECT_EQ(refused.code, 500) << refused.body;
  EXPECT_TRUE(refused.text("message").ends_with(".bogus: field not declared in schema"))
      << refused.body;
}

TEST_F(Apply, GivesWhatWasThereBeforeToWhoWroteIt) {
  server.create(kWidgets, widget_json("w", R"({"color":"red"})"));
  const Answered applied = apply("one", R"({"size":5})", "&force=true");
  expect_ok(applied);
  EXPECT_EQ(applied.at("metadata.managedFields.0.manager"), R"("one")");
  EXPECT_EQ(applied.at("metadata.managedFields.0.operation"), R"("Apply")");
  EXPECT_EQ(applied.at("metadata.managedFields.1.manager"), R"("test")");
  EXPECT_EQ(applied.at("metadata.managedFields.1.operation"), R"("Update")");
}

}  // namespace
}  // namespace strake::api::testing
