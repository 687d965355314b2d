#include <gtest/gtest.h>

#include "api/cache/cache.h"
#include "api/cache/object.h"
#include "api/cache/object_scan.h"
#include "api/controllers/conditions.h"
#include "api/controllers/crd_strategy.h"
#include "api/request/continue_token.h"
#include "api/request/media.h"
#include "api/request/options.h"
#include "api/request/request_info.h"
#include "api/test_server.h"
#include "api/verbs/decode.h"
#include "base/base64.h"
#include "resource/prepare.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

http::Query query(std::string_view text) { return http::Query::parse(text).value(); }

ObjectPtr object(std::string_view key, std::string_view json, Revision revision) {
  return Object::from_stored(std::string(key), json, revision, revision).value();
}

TEST(Object, GetsItsResourceVersionAmongItsSortedMetadata) {
  struct Case {
    std::string_view stored;
    std::string_view served;
  };
  const Case cases[] = {
      {R"({"apiVersion":"v1","metadata":{"name":"a","uid":"u"}})",
       R"({"apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7","uid":"u"}})"},
      {R"({"apiVersion":"v1","metadata":{"name":"a"}})",
       R"({"apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"}})"},
      {R"({"apiVersion":"v1","metadata":{}})",
       R"({"apiVersion":"v1","metadata":{"resourceVersion":"7"}})"},
      {"{\"apiVersion\":\"v1\",\"data\":{\"metadata\":\"{\\\"\"},\"metadata\":{\"name\":\"a\"}}\n",
       R"({"apiVersion":"v1","data":{"metadata":"{\""},"metadata":{"name":"a","resourceVersion":"7"}})"},
  };
  for (const Case& one : cases) {
    const ObjectPtr made = object("/registry/configmaps/default/a", one.stored, 7);
    EXPECT_EQ(*made->bytes(), one.served);
    std::string_view bare = one.stored;
    if (bare.ends_with('\n')) bare.remove_suffix(1);
    EXPECT_EQ(made->stored(), bare);
  }
}

TEST(Object, KnowsItsPlaceVersionAndLabels) {
  const ObjectPtr made = object(
      "/registry/example.com/widgets/ns/w",
      R"({"apiVersion":"example.com/v2","kind":"W","metadata":{"labels":{"a":"1","b":""},"name":"w"},"spec":{}})",
      3);
  EXPECT_EQ(made->name(), "w");
  EXPECT_EQ(made->namespace_name(), "ns");
  EXPECT_EQ(made->version(), "v2");
  EXPECT_TRUE(made->matches(meta::LabelSelector::parse("a=1,b=").value()));
  EXPECT_FALSE(made->matches(meta::LabelSelector::parse("a=2").value()));
  EXPECT_FALSE(made->matches(meta::LabelSelector::parse("c").value()));
}

TEST(Object, ShowsTheRevisionOfItsDeletion) {
  const ObjectPtr made =
      object("/registry/configmaps/d/a", R"({"apiVersion":"v1","metadata":{"name":"a"}})", 3);
  EXPECT_EQ(made->bytes_at(9),
            R"({"apiVersion":"v1","metadata":{"name":"a","resourceVersion":"9"}})");
}

TEST(Object, KeepsRenditionsOfOneSchemaOnly) {
  const ObjectPtr made =
      object("/registry/a.b/c/d/a", R"({"apiVersion":"a.b/v1","metadata":{"name":"a"}})", 3);
  made->keep_rendition(1, "v2", std::make_shared<const std::string>("one"));
  EXPECT_EQ(*made->rendition(1, "v2"), "one");
  made->keep_rendition(2, "v2", std::make_shared<const std::string>("two"));
  EXPECT_EQ(made->rendition(1, "v2"), nullptr);
  EXPECT_EQ(*made->rendition(2, "v2"), "two");
}

TEST(Object, RefusesBytesThatAreNone) {
  for (const std::string_view bad :
       {"", "null", "[]", "{\"a\":1}", "{\"metadata\":3}", "{\"metadata\":{"}) {
    EXPECT_FALSE(Object::from_stored("/registry/x/y/z", bad, 1, 1)) << bad;
  }
}

store::Event put(std::string key, std::string_view name, Revision revision) {
  return {.key = std::move(key),
          .value = std::make_shared<const std::string>(
              R"({"apiVersion":"v1","metadata":{"name":")" + std::string(name) + R"("}})"),
          .previous = nullptr,
          .revision = revision,
          .create_revision = revision,
          .previous_revision = 0};
}

TEST(ResourceCache, ListsByKeyAndRemembersChanges) {
  ResourceCache cache("/registry/configmaps/", 1);
  const auto now = std::chrono::steady_clock::now();
  cache.apply(put("/registry/configmaps/b/x", "x", 2), now);
  cache.apply(put("/registry/configmaps/a/y", "y", 3), now);
  store::Event gone{.key = "/registry/configmaps/b/x", .value = nullptr, .revision = 4};
  cache.apply(gone, now);
  EXPECT_EQ(cache.list("/registry/configmaps/").objects.size(), 1u);
  EXPECT_EQ(cache.list("/registry/configmaps/b/").objects.size(), 0u);
  EXPECT_EQ(cache.changed(), 4);
  std::vector<Change> changes;
  ASSERT_TRUE(cache.changes_after(2, 100, changes));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].object->name(), "y");
  EXPECT_TRUE(changes[1].deleted);
  EXPECT_EQ(changes[1].previous->name(), "x");
}

TEST(ResourceCache, SaysWhenWhatIsAskedForIsForgotten) {
  ResourceCache cache("/registry/configmaps/", 1);
  const auto then = std::chrono::steady_clock::now();
  for (Revision revision = 2; revision < 302; ++revision) {
    cache.apply(put("/registry/configmaps/a/y", "y", revision), then);
  }
  std::vector<Change> changes;
  EXPECT_TRUE(cache.changes_after(2, 1000, changes));
  cache.apply(put("/registry/configmaps/a/y", "y", 302), then + std::chrono::minutes(5));
  changes.clear();
  EXPECT_FALSE(cache.changes_after(2, 1000, changes));
  EXPECT_TRUE(cache.changes_after(cache.remembers_from(), 1000, changes));
  EXPECT_EQ(changes.size(), 100u);
}

TEST(RequestInfo, TellsVerbsAndPlaces) {
  struct Case {
    std::string_view method, path, query, want;
  };
  const Case cases[] = {
      {"GET", "/api/v1/namespaces", "", "list  v1  namespaces  "},
      {"GET", "/api/v1/namespaces/a", "", "get  v1 a namespaces a "},
      {"PUT", "/api/v1/namespaces/a/finalize", "", "update  v1 a namespaces a finalize"},
      {"GET", "/api/v1/namespaces/a/configmaps/b", "", "get  v1 a configmaps b "},
      {"GET", "/apis/g/v1/things", "watch=True", "watch g v1  things  "},
      {"GET", "/apis/g/v1/things", "watch=false", "list g v1  things  "},
      {"GET", "/apis/g/v1/watch/things", "", "watch g v1  things  "},
      {"GET", "/apis/g/v1/watch/namespaces/n/things/a", "", "watch g v1 n things a "},
      {"DELETE", "/apis/g/v1/watch/things", "", " g v1  things  "},
      {"DELETE", "/apis/g/v1/watch/namespaces/n/things/a", "", " g v1 n things a "},
      {"POST", "/apis/g/v1/watch/things", "", " g v1  things  "},
      {"LIST", "/apis/g/v1/watch/things", "", " g v1  things  "},
      {"DELETE", "/apis/g/v1/namespaces/n/things", "", "deletecollection g v1 n things  "},
      {"PATCH", "/apis/g/v1/namespaces/n/things/a%2Fb/status", "",
       "patch g v1 n things a/b status"},
      {"POST", "/apis/g/v1/things", "", "create g v1  things  "},
      {"GET", "/apis/g/v1", "", "get       "},
      {"OPTIONS", "/healthz", "", "options       "},
  };
  for (const Case& one : cases) {
    const RequestInfo info = read_request_info(one.method, one.path, query(one.query)).value();
    const std::string got =
        info.is_resource
            ? fmt::format("{} {} {} {} {} {} {}", info.verb, info.group, info.version,
                          info.namespace_name, info.resource, info.name, info.subresource)
            : info.verb + "       ";
    EXPECT_EQ(got, one.want) << one.method << " " << one.path;
  }
  EXPECT_FALSE(read_request_info("GET", "/api/v1/%zz", query("")));
}

TEST(Media, PicksTheFirstFormThatTheServerHas) {
  EXPECT_EQ(negotiate("", {})->encoding, Encoding::kJson);
  EXPECT_EQ(negotiate("application/yaml", {})->encoding, Encoding::kYaml);
  EXPECT_EQ(negotiate("application/json;q=0.5, application/yaml", {})->encoding, Encoding::kYaml);
  EXPECT_EQ(negotiate("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", {})->form,
            Form::kTable);
  EXPECT_EQ(negotiate("application/json;as=Table;v=v9;g=meta.k8s.io,application/json", {})->form,
            Form::kObject);
  EXPECT_EQ(negotiate("application/vnd.kubernetes.protobuf,application/json", {})->encoding,
            Encoding::kJson);
  EXPECT_EQ(
      negotiate("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", {.tables = false})
          ->form,
      Form::kObject);
  EXPECT_FALSE(negotiate("application/json;as=Table;v=v1;g=meta.k8s.io", {.tables = false}));
  EXPECT_FALSE(negotiate("text/html", {}));
  EXPECT_FALSE(negotiate("application/yaml", {.watch = true}));
}

TEST(ListOptions, AreRefusedInTheServersWords) {
  struct Case {
    std::string_view query;
    bool watch;
    std::string_view said;
  };
  const Case cases[] = {
      {"limit=x", false, "strconv.ParseInt: parsing \"x\": invalid syntax"},
      {"resourceVersionMatch=Exact", false,
       "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
       "resourceVersionMatch is forbidden unless "
       "resourceVersion is provided"},
      {"sendInitialEvents=true", false,
       "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents "
       "is forbidden for list"},
      {"sendInitialEvents=true", true,
       "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
       "sendInitialEvents requires setting "
       "resourceVersionMatch to NotOlderThan"},
  };
  for (const Case& one : cases) {
    const auto options = read_list_options(query(one.query), one.watch);
    ASSERT_FALSE(options) << one.query;
    EXPECT_EQ(options.error().message, one.said);
  }
}

TEST(DeleteOptions, OfTheBodyWinOverTheQuery) {
  const auto options =
      read_delete_options(query("propagationPolicy=Orphan"),
                          R"({"propagationPolicy":"Foreground"})", "application/json");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->propagation, DeleteOptions::Propagation::kForeground);
}

TEST(ContinueToken, ComesBackAsItWas) {
  const ContinueToken token{.revision = 42, .start = std::string("ns/a\0", 5)};
  const auto back = decode_continue(encode_continue(token));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->revision, 42);
  EXPECT_EQ(back->start, token.start);
}

TEST(ContinueToken, CannotLeaveItsList) {
  for (const std::string_view start : {"../secrets/x", "/etc", "a/../../b", "a/.."}) {
    const std::string json = fmt::format(R"({{"v":"meta.k8s.io/v1","rv":1,"start":"{}"}})", start);
    EXPECT_FALSE(decode_continue(base64_encode(json, Base64::kUrlRaw))) << start;
  }
}

TEST(SummarizedBody, ShowsTextOrBytes) {
  EXPECT_EQ(summarize_body(""), "<empty>");
  EXPECT_EQ(summarize_body("[]"), "5b5d");
  EXPECT_EQ(summarize_body("{\"a\": 1}"), "{\"a\": 1}");
  EXPECT_EQ(summarize_body(std::string(31, '{')), std::string(30, '{') + " ...");
}

TEST(RenderDeleted, IsMadeOnceForAllWatchers) {
  testing::TestServer server;
  ASSERT_EQ(
      server.post("/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"a"}})").code,
      201);
  const EndpointPtr endpoint = server.core().registry.find("", "configmaps");
  const ObjectPtr object = endpoint->cache().get(endpoint->key("default", "a"));
  ASSERT_NE(object, nullptr);
  const kinds::ServedVersion& version = endpoint->resource().versions.front();
  const Bytes first = endpoint->render_deleted(*object, version, 77).value();
  EXPECT_TRUE(first->contains(R"("resourceVersion":"77")")) << *first;
  EXPECT_EQ(endpoint->render_deleted(*object, version, 77).value(), first);
  EXPECT_TRUE(endpoint->render_deleted(*object, version, 78).value()->contains(R"("78")"));
}

TEST(Compilation, IsDoneWithTheFirstWrite) {
  testing::TestServer server;
  ASSERT_EQ(server
                .post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                      testing::things({{"v1", R"("n":{"type":"integer"})"}}))
                .code,
            201);
  const std::string at = "/apis/a.example/v1/namespaces/default/things";
  ASSERT_EQ(server.wait_for(200, at).code, 200);
  const EndpointPtr endpoint = server.core().registry.find("a.example", "things");
  const kinds::ServedVersion& version = endpoint->resource().versions.front();
  EXPECT_FALSE(version.is_compiled());
  EXPECT_EQ(
      server.post(at, R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"a"}})")
          .code,
      201);
  EXPECT_TRUE(version.is_compiled());
  const EndpointPtr maps = server.core().registry.find("", "configmaps");
  EXPECT_TRUE(maps->resource().versions.front().is_compiled());
}

TEST(CrdStrategy, HoldsADefinitionUntilItsObjectsAreGone) {
  value::Document object =
      value::read_json(R"({"metadata":{"finalizers":["a/b"],"name":"x"}})").value();
  const kinds::Resource resource;
  const kinds::ServedVersion version;
  const kinds::WriteRequest request{.resource = resource, .version = version, .now = "t"};
  const kinds::Strategy& strategy = crd_strategy();
  EXPECT_TRUE(strategy.decides_what_is_served());
  EXPECT_TRUE(strategy.prepare_delete(object.root(), false, object.arena(), request).held);
  EXPECT_EQ(
      value::to_json(object.root().get("metadata")),
      R"({"deletionTimestamp":"t","finalizers":["a/b","customresourcecleanup.apiextensions.k8s.io"],"name":"x"})");
  EXPECT_EQ(condition_status(object.root(), "Terminating"), "True");
  EXPECT_TRUE(strategy.prepare_delete(object.root(), true, object.arena(), request).held);
  resource::remove_meta(object.root(), "finalizers");
  EXPECT_FALSE(strategy.prepare_delete(object.root(), true, object.arena(), request).held);
}

TEST(Created, IsAnsweredWithTheTextOfTheCache) {
  testing::TestServer server;
  const auto made =
      server.post("/api/v1/namespaces/default/configmaps",
                  R"({"metadata":{"name":"a","labels":{"x":"y"}},"data":{"b":"<c>"}})");
  ASSERT_EQ(made.code, 201);
  EXPECT_EQ(made.body, server.get("/api/v1/namespaces/default/configmaps/a").body);
  const auto patched =
      server.ask("PATCH", "/api/v1/namespaces/default/configmaps/a", R"({"data":{"b":"d"}})");
  ASSERT_EQ(patched.code, 200);
  EXPECT_EQ(patched.body, server.get("/api/v1/namespaces/default/configmaps/a").body);
}

}  // namespace
}  // namespace strake::api
