// Reading one object: in each form, at a revision, and what is said when there is none.
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap = "/api/v1/namespaces/default/configmaps/a";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kWidget = "/apis/example.com/v1/namespaces/default/widgets/w";

class Get : public ::testing::Test {
 protected:
  Get() {
    server.create(kCrds, widgets_crd());
    map = server.create(kMaps, config_map_json("a", R"({"k":"v"})"));
    widget = server.create(kWidgets, widget_json("w", R"({"color":"red"})"));
  }
  Answered accept(std::string_view target, std::string_view accept) {
    return server.ask({.target = target, .accept = accept});
  }
  TestServer server;
  Answered map;
  Answered widget;
};

TEST_F(Get, ShowsWhatCreatingAnswered) {
  const Answered got = server.get(kMap);
  expect_ok(got);
  EXPECT_EQ(got.at(""), map.at(""));
  EXPECT_EQ(server.get(kWidget).at(""), widget.at(""));
  EXPECT_EQ(got.header("Content-Type"), "application/json");
  EXPECT_EQ(got.header("Cache-Control"), "no-cache, private");
  EXPECT_TRUE(got.body.ends_with("}\n"));
}

TEST_F(Get, AnswersTheSameForEveryRevisionThatHasCome) {
  for (const std::string& query :
       {std::string("?resourceVersion="), std::string("?resourceVersion=0"),
        "?resourceVersion=" + map.version(), std::string("?resourceVersion=1")}) {
    const Answered got = server.get(std::string(kMap) + query);
    expect_ok(got);
    EXPECT_EQ(got.version(), map.version()) << query;
  }
}

TEST_F(Get, SaysWhatIsNotThere) {
  const Answered map_missing = server.get(std::string(kMaps) + "/none");
  expect_status(map_missing, 404, "NotFound", "configmaps \"none\" not found");
  EXPECT_EQ(map_missing.at("details"), R"({"kind":"configmaps","name":"none"})");
  const Answered widget_missing = server.get(std::string(kWidgets) + "/none");
  expect_status(widget_missing, 404, "NotFound", "widgets.example.com \"none\" not found");
  EXPECT_EQ(widget_missing.at("details"),
            R"({"group":"example.com","kind":"widgets","name":"none"})");
  // In a namespace that is not there, as in one that is.
  expect_status(server.get("/api/v1/namespaces/nowhere/configmaps/a"), 404, "NotFound",
                "configmaps \"a\" not found");
}

TEST_F(Get, LeadsNowhereWhereNothingIsServed) {
  for (const std::string_view path :
       {"/apis/example.com/v2/namespaces/default/widgets/w", "/apis/example.com/v1/widgets/w",
        "/apis/other.example/v1/namespaces/default/widgets/w"}) {
    const Answered got = server.get(path);
    EXPECT_EQ(got.code, 404) << path;
    EXPECT_EQ(got.body, "404 page not found\n") << path;
    EXPECT_EQ(got.header("Content-Type"), "text/plain; charset=utf-8");
  }
  // Groups of the server's own kinds answer with a Status, whatever the version.
  for (const std::string_view path :
       {"/api/v1/namespaces/default/nothings/a", "/api/v1/configmaps/a",
        "/apis/apiextensions.k8s.io/v1/namespaces/default/customresourcedefinitions/x",
        "/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions"}) {
    const Answered got = server.get(path);
    expect_status(got, 404, "NotFound", "the server could not find the requested resource");
    EXPECT_EQ(got.at("details"), "{}") << path;
  }
}

TEST_F(Get, OfASubresourceThatIsNotThereNamesTheObject) {
  expect_status(server.get(std::string(kWidget) + "/nothing"), 404, "NotFound",
                "widgets.example.com \"w\" not found");
}

TEST_F(Get, IsServedInTheFormThatIsAskedFor) {
  struct Case {
    std::string_view accept;
    std::string_view type;
    std::string_view begins;
  };
  const Case cases[] = {
      {"application/json", "application/json", R"({"apiVersion":"v1","data":{"k":"v"},)"},
      {"*/*", "application/json", R"({"apiVersion":"v1")"},
      {"application/yaml", "application/yaml", "apiVersion: v1\ndata:\n  k: v\nkind: ConfigMap\n"},
      {"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", "application/json",
       R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"creationTimestamp":)"},
      {"application/json;as=Table;v=v1;g=meta.k8s.io", "application/json",
       R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":)"},
      {"application/json;as=Table;v=v1;g=wrong,application/json", "application/json",
       R"({"apiVersion":"v1")"},
  };
  for (const Case& one : cases) {
    const Answered got = accept(kMap, one.accept);
    expect_ok(got);
    EXPECT_EQ(got.header("Content-Type"), one.type) << one.accept;
    EXPECT_TRUE(got.body.starts_with(one.begins)) << one.accept << "\n" << got.body;
  }
}

TEST_F(Get, RefusesFormsThatItDoesNotHave) {
  expect_status(accept(kMap, "text/html"), 406, "NotAcceptable",
                "only the following media types are accepted: application/json, "
                "application/yaml, application/vnd.kubernetes.protobuf");
}

TEST_F(Get, OfOneObjectIsNoListOfMetadata) {
  const Answered got =
      accept(kWidget, "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io");
  EXPECT_EQ(got.code, 406) << got.body;
}

TEST_F(Get, LaysOutJsonForPeople) {
  struct Case {
    std::string_view agent;
    std::string_view query;
    bool pretty;
  };
  const Case cases[] = {{"kubectl/v1.36", "", false},
                        {"curl/8.1", "", true},
                        {"Wget/1.21", "", true},
                        {"Mozilla/5.0 (X11)", "", true},
                        {"kubectl/v1.36", "?pretty=true", true},
                        {"curl/8.1", "?pretty=false", false},
                        {"kubectl/v1.36", "?pretty=1", true},
                        {"", "", false}};
  for (const Case& one : cases) {
    const Answered got =
        server.ask({.target = fmt::format("{}{}", kMap, one.query), .agent = one.agent});
    EXPECT_EQ(got.body.contains("\n  \"kind\": \"ConfigMap\""), one.pretty)
        << one.agent << one.query << "\n"
        << got.body;
  }
}

TEST_F(Get, OfATableShowsColumnsAndTheAge) {
  server.advance(std::chrono::minutes(90));
  const Answered got = accept(kWidget, "application/json;as=Table;v=v1;g=meta.k8s.io");
  expect_ok(got);
  EXPECT_EQ(got.at("columnDefinitions.0.name"), R"("Name")");
  EXPECT_EQ(got.at("columnDefinitions.1.name"), R"("Color")");
  EXPECT_EQ(got.at("columnDefinitions.2.type"), R"("date")");
  EXPECT_EQ(got.at("rows.0.cells"), R"(["w","red","90m"])");
  EXPECT_EQ(got.at("rows.0.object.kind"), R"("PartialObjectMetadata")");
  EXPECT_EQ(got.at("rows.1"), "");
  EXPECT_EQ(got.at("metadata.resourceVersion"), fmt::format("\"{}\"", widget.version()));
}

TEST_F(Get, OfATableIncludesWhatIsAskedFor) {
  constexpr std::string_view kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const auto included = [&](std::string_view what) {
    return accept(fmt::format("{}?includeObject={}", kWidget, what), kTable);
  };
  EXPECT_EQ(included("Object").at("rows.0.object.spec.color"), R"("red")");
  EXPECT_EQ(included("None").at("rows.0.object"), "null");
  EXPECT_EQ(included("Metadata").at("rows.0.object.spec"), "");
  EXPECT_EQ(included("").at("rows.0.object.kind"), R"("PartialObjectMetadata")");
  const Answered bad = included("All");
  EXPECT_EQ(bad.code, 400) << bad.body;
  EXPECT_TRUE(bad.text("message").contains(
      "Invalid value: \"All\": must be 'Metadata', 'Object', 'None', or empty"))
      << bad.body;
}

TEST_F(Get, IsRefusedToWhoMayNot) {
  TestServer guarded({.may = [](const User& user, const RequestInfo& request) {
    return user.name != "jane" || request.verb == "create";
  }});
  const auto as_jane = [&](std::string_view target) {
    return guarded.ask({.target = target, .user = "jane"});
  };
  const Answered object = as_jane(kMap);
  expect_status(object, 403, "Forbidden",
                "configmaps \"a\" is forbidden: User \"jane\" cannot get resource \"configmaps\" "
                "in API group \"\" in the namespace \"default\"");
  EXPECT_EQ(object.header("X-Content-Type-Options"), "nosniff");
  expect_status(as_jane("/api/v1/namespaces/default"), 403, "Forbidden",
                "namespaces \"default\" is forbidden: User \"jane\" cannot get resource "
                "\"namespaces\" in API group \"\" in the namespace \"default\"");
  expect_status(as_jane("/version"), 403, "Forbidden",
                "forbidden: User \"jane\" cannot get path \"/version\"");
  // Nobody learns whether there is anything.
  EXPECT_EQ(as_jane("/apis/none.example/v1/namespaces/default/widgets/w").code, 403);
  EXPECT_EQ(guarded.get("/api/v1/namespaces/default").code, 200);
}

}  // namespace
}  // namespace strake::api::testing
