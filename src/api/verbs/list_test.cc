// Listing: what is selected, at which revision, in pages, and in which form.
#include <gtest/gtest.h>

#include "api/request/continue_token.h"
#include "api/test_server.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kAll = "/api/v1/configmaps";
constexpr std::string_view kWidgets = "/apis/example.com/v1/namespaces/default/widgets";
constexpr std::string_view kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";

class List : public ::testing::Test {
 protected:
  List() {
    server.create_namespace("other");
    server.create(kMaps, config_map_json("b", "{}", R"("labels":{"app":"web","tier":"front"})"));
    server.create(kMaps, config_map_json("a", "{}", R"("labels":{"app":"web"})"));
    server.create(kMaps, config_map_json("c", "{}", R"("labels":{"app":"db"})"));
    server.create("/api/v1/namespaces/other/configmaps", config_map_json("a"));
  }
  std::string maps(std::string_view query) { return fmt::format("{}{}", kMaps, query); }
  std::string all(std::string_view query) { return fmt::format("{}{}", kAll, query); }
  Answered list(std::string_view query) { return server.get(maps(query)); }
  TestServer server;
};

TEST_F(List, IsOrderedByNamespaceAndName) {
  EXPECT_EQ(list("").names(), "a b c");
  const Answered everywhere = server.get(kAll);
  EXPECT_EQ(everywhere.names(), "a b c a");
  EXPECT_EQ(everywhere.at("items.3.metadata.namespace"), R"("other")");
}

TEST_F(List, OfABuiltinKindSaysWhatItIsOnce) {
  const Answered got = list("?labelSelector=app%3Ddb");
  EXPECT_TRUE(got.body.starts_with(R"({"apiVersion":"v1","items":[{"metadata":{)")) << got.body;
  EXPECT_EQ(got.at("kind"), R"("ConfigMapList")");
  EXPECT_EQ(got.at("items.0.kind"), "");
  EXPECT_EQ(list("?labelSelector=none").at("items"), "[]");
}

TEST_F(List, OfCustomResourcesSaysThatNothingFollows) {
  server.create(kCrds, widgets_crd());
  const Answered none = server.get(kWidgets);
  EXPECT_EQ(none.body,
            fmt::format(R"({{"apiVersion":"example.com/v1","items":[],"kind":"WidgetList",)"
                        R"("metadata":{{"continue":"","resourceVersion":"{}"}}}})"
                        "\n",
                        none.version()));
  server.create(kWidgets, widget_json("w"));
  EXPECT_EQ(server.get(kWidgets).at("items.0.kind"), R"("Widget")");
}

TEST_F(List, ShowsWhatLabelsSelect) {
  struct Case {
    std::string_view selector;
    std::string_view names;
  };
  const Case cases[] = {
      {"app=web", "a b"},
      {"app==db", "c"},
      {"app!=web", "c"},
      {"app", "a b c"},
      {"!tier", "a c"},
      {"app in (web,db),tier", "b"},
      {"app notin (web)", "c"},
      {"app=web,tier=front", "b"},
      {"tier!=front", "a c"},
      {"none", ""},
      {"", "a b c"},
  };
  for (const Case& one : cases) {
    const Answered got = list("?labelSelector=" + http::percent_encode(one.selector));
    EXPECT_EQ(got.code, 200) << got.body;
    EXPECT_EQ(got.names(), one.names) << one.selector;
  }
}

TEST_F(List, ShowsWhatFieldsSelect) {
  struct Case {
    std::string_view selector;
    std::string_view names;
  };
  const Case cases[] = {
      {"metadata.name=a", "a a"},        {"metadata.name!=a", "b c"},
      {"metadata.namespace=other", "a"}, {"metadata.namespace!=other,metadata.name=a", "a"},
      {"metadata.name=none", ""},
  };
  for (const Case& one : cases) {
    const Answered got = server.get(all("?fieldSelector=" + http::percent_encode(one.selector)));
    EXPECT_EQ(got.code, 200) << got.body;
    EXPECT_EQ(got.names(), one.names) << one.selector;
  }
}

TEST_F(List, SelectsByTheFieldsOfADefinition) {
  server.create(kCrds, widgets_crd());
  server.create(kWidgets, widget_json("r", R"({"color":"red"})"));
  server.create(kWidgets, widget_json("g", R"({"color":"green"})"));
  server.create(kWidgets, widget_json("none"));
  const auto by = [&](std::string_view selector) {
    return server.get(fmt::format("{}?fieldSelector={}", kWidgets, http::percent_encode(selector)))
        .names();
  };
  EXPECT_EQ(by("spec.color=red"), "r");
  EXPECT_EQ(by("spec.color!=red"), "g none");
  EXPECT_EQ(by("spec.color="), "none");
  EXPECT_EQ(by("spec.color=green,metadata.name=r"), "");
  expect_status(server.get(fmt::format("{}?fieldSelector=spec.size%3D1", kWidgets)), 400,
                "BadRequest", "field label not supported: spec.size");
}

TEST_F(List, RefusesSelectorsThatAreNone) {
  struct Case {
    std::string_view query;
    std::string_view message;
  };
  const Case cases[] = {
      {"?fieldSelector=data.k%3Dv",
       R"("data.k" is not a known field selector: only "metadata.name", "metadata.namespace")"},
      {"?labelSelector=a%20in%20b", "unable to parse requirement: found 'b' expected: '('"},
      {"?fieldSelector=a", "invalid selector: 'a'; can't understand 'a'"},
  };
  for (const Case& one : cases) {
    const Answered refused = list(one.query);
    EXPECT_EQ(refused.code, 400) << one.query;
    EXPECT_EQ(refused.text("message"), one.message);
  }
}

TEST_F(List, IsOfTheNewestRevisionUnlessItIsToldOtherwise) {
  const Answered before = list("");
  server.create(kMaps, config_map_json("d"));
  struct Case {
    std::string query;
    std::string_view names;
  };
  const Case cases[] = {
      {"?resourceVersion=", "a b c d"},
      {"?resourceVersion=0", "a b c d"},
      {"?resourceVersion=0&resourceVersionMatch=NotOlderThan", "a b c d"},
      {"?resourceVersion=" + before.version(), "a b c d"},
      {"?resourceVersion=" + before.version() + "&resourceVersionMatch=NotOlderThan", "a b c d"},
      {"?resourceVersion=" + before.version() + "&resourceVersionMatch=Exact", "a b c"},
      {"?resourceVersion=" + before.version() + "&limit=10", "a b c"},
      {"?resourceVersion=" + before.version() + "&limit=10&resourceVersionMatch=NotOlderThan",
       "a b c d"},
  };
  for (const Case& one : cases) {
    const Answered got = list(one.query);
    EXPECT_EQ(got.names(), one.names) << one.query;
    const bool exact = one.names == "a b c";
    EXPECT_EQ(got.version() == before.version(), exact) << one.query;
  }
}

TEST_F(List, AtARevisionShowsWhatWasChangedAndDeletedSince) {
  const Answered before = list("");
  expect_ok(server.merge(maps("/a"), R"({"data":{"k":"new"}})"));
  expect_ok(server.remove(maps("/b")));
  const Answered then = list("?resourceVersionMatch=Exact&resourceVersion=" + before.version());
  EXPECT_EQ(then.at("items"), before.at("items"));
  EXPECT_EQ(then.version(), before.version());
  const Answered selected =
      list("?resourceVersionMatch=Exact&labelSelector=tier&resourceVersion=" + before.version());
  EXPECT_EQ(selected.names(), "b");
  const Answered named =
      list("?resourceVersionMatch=Exact&fieldSelector=metadata.name%3Db&resourceVersion=" +
           before.version());
  EXPECT_EQ(named.names(), "b");
}

TEST_F(List, OfARevisionThatIsForgottenIsRefused) {
  const std::string before = list("").version();
  expect_ok(server.remove(maps("/a")));
  server.compact(list("").version());
  expect_status(list("?resourceVersionMatch=Exact&resourceVersion=" + before), 410, "Expired",
                "The resourceVersion for the provided list is too old.");
  // What is at least as new is there.
  EXPECT_EQ(list("?resourceVersion=" + before).names(), "b c");
}

TEST_F(List, OfARevisionThatHasNotComeIsWaitedForInVain) {
  const std::string now = list("").version();
  const Answered refused = list("?resourceVersion=1000000");
  EXPECT_EQ(refused.code, 504);
  EXPECT_EQ(refused.text("reason"), "Timeout");
  EXPECT_EQ(refused.text("message"),
            fmt::format("Timeout: Too large resource version: 1000000, current: {}", now));
  EXPECT_EQ(refused.at("details.causes.0.reason"), R"("ResourceVersionTooLarge")");
  EXPECT_EQ(refused.at("details.retryAfterSeconds"), "1");
  EXPECT_EQ(refused.header("Retry-After"), "1");
}

TEST_F(List, RefusesRevisionsThatAreNone) {
  expect_status(list("?resourceVersion=x"), 400, "BadRequest",
                "invalid resource version: resourceVersion: Invalid value: \"x\": "
                "strconv.ParseUint: parsing \"x\": invalid syntax");
  struct Case {
    std::string_view query;
    std::string_view field;
  };
  const Case cases[] = {
      {"?resourceVersionMatch=Exact", "is forbidden unless resourceVersion is provided"},
      {"?resourceVersionMatch=Exact&resourceVersion=0",
       "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""},
      {"?resourceVersionMatch=Bogus&resourceVersion=1",
       "Unsupported value: \"Bogus\": supported values: \"Exact\", \"NotOlderThan\", \"\""},
      {"?resourceVersionMatch=Exact&resourceVersion=1&continue=x",
       "resourceVersionMatch is forbidden when continue is provided"},
      {"?sendInitialEvents=true", "sendInitialEvents is forbidden for list"},
  };
  for (const Case& one : cases) {
    const Answered refused = list(one.query);
    EXPECT_EQ(refused.code, 422) << one.query;
    EXPECT_TRUE(refused.text("message").starts_with("ListOptions.meta.k8s.io \"\" is invalid: "));
    EXPECT_TRUE(refused.text("message").contains(one.field)) << refused.text("message");
  }
}

TEST_F(List, InPagesIsTheSameList) {
  const Answered first = server.get(all("?limit=3"));
  EXPECT_EQ(first.names(), "a b c");
  EXPECT_EQ(first.at("metadata.remainingItemCount"), "1");
  const std::string token = first.text("metadata.continue");
  // What is written between pages belongs to no page.
  server.create(kMaps, config_map_json("bb"));
  server.remove("/api/v1/namespaces/other/configmaps/a");
  const Answered last = server.get(all("?limit=3&continue=" + token));
  EXPECT_EQ(last.names(), "a");
  EXPECT_EQ(last.version(), first.version());
  EXPECT_EQ(last.at("metadata.continue"), "");
  EXPECT_EQ(last.at("metadata.remainingItemCount"), "");
  // The rest may be asked for at once.
  EXPECT_EQ(server.get(all("?continue=" + token)).names(), "a");
}

TEST_F(List, InPagesDoesNotCountWhatASelectorLeaves) {
  const Answered first = list("?limit=1&labelSelector=app%3Dweb");
  EXPECT_EQ(first.names(), "a");
  EXPECT_EQ(first.at("metadata.remainingItemCount"), "");
  const std::string token = first.text("metadata.continue");
  ASSERT_NE(token, "");
  const Answered last = list("?limit=1&labelSelector=app%3Dweb&continue=" + token);
  EXPECT_EQ(last.names(), "b");
}

TEST_F(List, GoesOnFromATokenInTheOpen) {
  const std::string token = list("?limit=1").text("metadata.continue");
  const auto read = decode_continue(token);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->start, std::string("a\0", 2));
  EXPECT_EQ(fmt::format("{}", read->revision), list("").version());
}

TEST_F(List, FromAForgottenRevisionGoesOnFromTheNewest) {
  const std::string token = list("?limit=1").text("metadata.continue");
  server.create(kMaps, config_map_json("bb"));
  server.compact(list("").version());
  const Answered expired = list("?limit=5&continue=" + token);
  EXPECT_EQ(expired.code, 410);
  EXPECT_EQ(expired.text("reason"), "Expired");
  EXPECT_TRUE(expired.text("message").starts_with(
      "The provided continue parameter is too old to display a consistent list result."));
  const std::string next = expired.text("metadata.continue");
  ASSERT_NE(next, "");
  const Answered rest = list("?limit=5&continue=" + next);
  expect_ok(rest);
  EXPECT_EQ(rest.names(), "b bb c");
}

TEST_F(List, RefusesTokensThatAreNone) {
  const auto refused = [&](std::string_view token) {
    const Answered got = list(fmt::format("?continue={}", token));
    EXPECT_EQ(got.code, 400) << token;
    return got.text("message").starts_with("invalid continue token: continue key is not valid");
  };
  EXPECT_TRUE(refused("%25%25"));
  EXPECT_TRUE(refused("e30"));                                      // {}
  EXPECT_TRUE(refused("eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0"));  // no start
  EXPECT_TRUE(refused(encode_continue({.revision = 1, .start = "../secrets/x"})));
  EXPECT_TRUE(refused(encode_continue({.revision = 0, .start = "a"})));
  const std::string good = list("?limit=1").text("metadata.continue");
  expect_status(list("?resourceVersion=1&continue=" + good), 400, "BadRequest",
                "specifying resource version is not allowed when using continue");
  EXPECT_EQ(list("?resourceVersion=0&continue=" + good).names(), "b c");
  EXPECT_EQ(list("?limit=x").text("message"), "strconv.ParseInt: parsing \"x\": invalid syntax");
  EXPECT_EQ(list("?limit=-3").names(), "a b c");
}

TEST_F(List, AsATableHasARowForEach) {
  server.advance(std::chrono::hours(3));
  const Answered got = server.ask({.target = kMaps, .accept = kTable});
  expect_ok(got);
  EXPECT_EQ(got.names(), "a b c");
  EXPECT_EQ(got.at("kind"), R"("Table")");
  EXPECT_EQ(got.at("columnDefinitions.0.name"), R"("Name")");
  EXPECT_EQ(got.at("rows.0.cells.0"), R"("a")");
  EXPECT_EQ(got.version(), list("").version());
  const Answered none = server.ask({.target = maps("?labelSelector=none"), .accept = kTable});
  EXPECT_EQ(none.at("rows"), "[]");
  const Answered page = server.ask({.target = maps("?limit=1"), .accept = kTable});
  EXPECT_NE(page.text("metadata.continue"), "");
  EXPECT_EQ(page.at("metadata.remainingItemCount"), "2");
}

TEST_F(List, AsMetadataShowsNothingElse) {
  const Answered got =
      server.ask({.target = kMaps,
                  .accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"});
  EXPECT_EQ(got.at("kind"), R"("PartialObjectMetadataList")");
  EXPECT_EQ(got.at("apiVersion"), R"("meta.k8s.io/v1")");
  EXPECT_EQ(got.names(), "a b c");
  EXPECT_EQ(got.at("items.0.data"), "");
  EXPECT_EQ(got.at("items.0.metadata.labels.app"), R"("web")");
}

TEST_F(List, IsNoObjectOfMetadata) {
  const Answered got = server.ask(
      {.target = kMaps, .accept = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"});
  EXPECT_EQ(got.code, 406) << got.body;
}

TEST_F(List, AsYamlAndLaidOutIsTheSame) {
  const Answered yaml = server.ask({.target = maps("?limit=1"), .accept = "application/yaml"});
  EXPECT_EQ(yaml.header("Content-Type"), "application/yaml");
  EXPECT_TRUE(yaml.body.starts_with("apiVersion: v1\nitems:\n- ")) << yaml.body;
  EXPECT_TRUE(yaml.body.contains("\nkind: ConfigMapList\nmetadata:\n  continue: ")) << yaml.body;
  const Answered pretty = list("?pretty=true");
  EXPECT_TRUE(pretty.body.starts_with("{\n  \"apiVersion\": \"v1\",\n  \"items\": [\n    {\n"));
  EXPECT_EQ(pretty.at(""), list("").at(""));
}

TEST_F(List, OfANamespaceThatIsNotThereIsEmpty) {
  const Answered none = server.get("/api/v1/namespaces/nowhere/configmaps");
  expect_ok(none);
  EXPECT_EQ(none.at("items"), "[]");
}

TEST_F(List, SeesEachWriteOfItsClient) {
  for (int i = 0; i < 30; ++i) {
    const std::string name = fmt::format("w{}", i);
    const Answered made = server.create(kMaps, config_map_json(name));
    const Answered found = list("?fieldSelector=metadata.name%3D" + name);
    ASSERT_EQ(found.names(), name);
    ASSERT_GE(std::stoll(found.version()), std::stoll(made.version()));
  }
}

TEST_F(List, TellsTheAuthorizerOfASingleName) {
  TestServer guarded({.may = [](const User& user, const RequestInfo& request) {
    return user.name != "jane" || request.name == "a";
  }});
  const auto as_jane = [&](std::string_view query) {
    return guarded.ask({.target = maps(query), .user = "jane"});
  };
  EXPECT_EQ(as_jane("?fieldSelector=metadata.name%3Da").code, 200);
  EXPECT_EQ(as_jane("?fieldSelector=metadata.name%3Db").code, 403);
  expect_status(as_jane(""), 403, "Forbidden",
                "configmaps is forbidden: User \"jane\" cannot list resource \"configmaps\" in API "
                "group \"\" in the namespace \"default\"");
}

}  // namespace
}  // namespace strake::api::testing
