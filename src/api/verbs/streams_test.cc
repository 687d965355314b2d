// Long answers: made in parts as they are taken, the same as if they were made whole, within a
// budget, and given up with their client.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_server.h"
#include "api/verbs/judge.h"
#include "api/verbs/list_stream.h"
#include "api/verbs/list_text.h"
#include "async/run.h"

namespace strake::api::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kThings = "/apis/a.example/v1/namespaces/default/things";
constexpr std::string_view kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";

void add_maps(TestServer& server, int count, std::size_t bytes) {
  for (int i = 0; i < count; ++i) {
    const std::string body = fmt::format(
        R"({{"metadata":{{"name":"m{:04}","annotations":{{"n":"- a\nitems: []\n  \"rows\": []"}}}},)"
        R"("data":{{"text":"{}"}}}})",
        i, std::string(bytes, static_cast<char>('a' + i % 26)));
    ASSERT_EQ(server.post(kMaps, body).code, 201);
  }
}

// Everything that a stream still has.
std::string rest_of(TestServer& server, TestServer::Got& got) {
  std::string out;
  while (got.stream) {
    const std::string part = server.next(*got.stream);
    if (part.empty()) break;
    out += part;
  }
  server.end(std::move(got.stream));
  return out;
}

struct Shape {
  std::string_view name;
  std::string_view accept;
  std::string_view query;
};
const Shape kShapes[] = {
    {"yaml", "application/yaml", ""},
    {"indented", "application/json", "?pretty=1"},
    {"table", kTable, ""},
    {"table with objects", kTable, "?includeObject=Object"},
    {"indented table", kTable, "?pretty=1"},
    {"table as yaml", "application/yaml;as=Table;v=v1;g=meta.k8s.io", ""},
    {"metadata", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", ""},
    {"metadata as yaml", "application/yaml;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", ""},
};

class ListShapes : public ::testing::TestWithParam<Shape> {
 protected:
  static TestServer::Got list(TestServer& server, const Shape& shape) {
    return server.call("GET", fmt::format("{}{}", kMaps, shape.query), {},
                       {{"Accept", std::string(shape.accept)}, {"User-Agent", "test/1"}});
  }
};

INSTANTIATE_TEST_SUITE_P(All, ListShapes, ::testing::ValuesIn(kShapes), [](const auto& one) {
  std::string name(one.param.name);
  std::ranges::replace(name, ' ', '_');
  return name;
});

// A part of the list is laid out as the list is: the parts of a long list are compared with the
// list that is made from all of the objects at once.
TEST_P(ListShapes, AreTheSameInPartsAndWhole) {
  TestServer server;
  add_maps(server, 60, 4'000);
  TestServer::Got got = list(server, GetParam());
  ASSERT_EQ(got.code, 200) << got.body;
  ASSERT_TRUE(got.stream) << "a list of " << got.body.size() << " bytes was sent whole";
  EXPECT_TRUE(got.stream->is_finite());
  EXPECT_LT(got.body.size(), 150'000u);
  const std::string parts = got.body + rest_of(server, got);

  Call call;
  call.request.headers.add("User-Agent", "test/1");
  call.query =
      http::Query::parse(GetParam().query.substr(GetParam().query.empty() ? 0 : 1)).value();
  call.wanted = *negotiate(GetParam().accept, {});
  call.endpoint = server.core().registry.find("", "configmaps");
  call.version = call.resource().served_version("v1");
  call.now = server.core().clock.now();
  const auto listed = call.endpoint->cache().list("/registry/configmaps/default/");
  const auto whole =
      list_response(call, listed.objects, {.revision = server.core().hub.revision()});
  ASSERT_TRUE(whole);
  std::string text;
  for (const http::Piece& piece : whole->body) text += piece.view();
  // Ages are told in seconds, which pass.
  EXPECT_EQ(parts.size(), text.size());
  if (!GetParam().name.contains("table")) {
    EXPECT_EQ(parts, text);
  }
  EXPECT_THAT(parts, HasSubstr("m0000"));
  EXPECT_THAT(parts, HasSubstr("m0059"));
}

TEST_P(ListShapes, AreSentWholeWhenShort) {
  TestServer server;
  TestServer::Got none = list(server, GetParam());
  EXPECT_FALSE(none.stream);
  EXPECT_THAT(none.body, HasSubstr("[]"));
  add_maps(server, 2, 100);
  TestServer::Got two = list(server, GetParam());
  EXPECT_FALSE(two.stream);
  EXPECT_THAT(two.body, HasSubstr("m0001"));
}

TEST(LongLists, AreSentFromTheCacheWhenNothingMustBeMade) {
  TestServer server;
  add_maps(server, 60, 4'000);
  TestServer::Got got = server.call("GET", kMaps, {}, {{"Accept", "application/json"}});
  EXPECT_FALSE(got.stream);
  EXPECT_THAT(got.body, HasSubstr("m0059"));
}

TEST(LongLists, HoldOnePartUntilItIsTaken) {
  TestServer server;
  add_maps(server, 100, 10'000);
  TestServer::Got got = server.call("GET", kMaps, {}, {{"Accept", "application/yaml"}});
  ASSERT_TRUE(got.stream);
  const std::size_t held = server.core().streams.held_bytes();
  EXPECT_GE(held, got.body.size());
  EXPECT_LT(held, 200'000u);
  std::size_t total = got.body.size();
  for (std::string part = server.next(*got.stream); !part.empty();
       part = server.next(*got.stream)) {
    EXPECT_LT(server.core().streams.held_bytes(), 200'000u);
    total += part.size();
  }
  EXPECT_GT(total, 1'000'000u);
  EXPECT_EQ(server.core().streams.held_bytes(), 0u);
  server.end(std::move(got.stream));
}

TEST(LongLists, BreakOffWhenTheServerWaitsNoLonger) {
  TestServer server;
  add_maps(server, 60, 4'000);
  TestServer::Got got = server.call("GET", kMaps, {}, {{"Accept", "application/yaml"}});
  ASSERT_TRUE(got.stream);
  server.cancel();
  const auto next = async::run_blocking(server.core().hub.loops().at(0), got.stream->next());
  EXPECT_FALSE(next);
  server.end(std::move(got.stream));
}

TEST(LongLists, SayAtOnceThatAnObjectCannotBeShown) {
  TestServer server;
  ASSERT_EQ(server
                .post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                      things({{"v1", ""}, {"v2", ""}}, "Webhook"))
                .code,
            201);
  server.wait_for(200, kThings);
  for (int i = 0; i < 250; ++i) {
    ASSERT_EQ(server
                  .post(kThings, fmt::format(R"({{"apiVersion":"a.example/v1","kind":"Thing",)"
                                             R"("metadata":{{"name":"t{}"}}}})",
                                             i))
                  .code,
              201);
  }
  const Answered answer =
      server.ask("GET", "/apis/a.example/v2/namespaces/default/things", {}, "application/yaml");
  EXPECT_EQ(answer.code, 500) << answer.body.substr(0, 300);
}

// ---- Work that nobody waits for

TEST(Cancelled, RequestsWriteNothing) {
  TestServer server;
  server.cancel();
  const Answered created = server.post(kMaps, R"({"metadata":{"name":"late"}})");
  EXPECT_EQ(created.code, 503) << created.body;
  EXPECT_EQ(
      server.core().hub.cache("/registry/configmaps/").get("/registry/configmaps/default/late"),
      nullptr);
}

TEST(Cancelled, LargeRequestsWriteNothingEither) {
  TestServer server;
  const std::string large =
      fmt::format(R"({{"metadata":{{"name":"large"}},"data":{{"text":"{}"}}}})",
                  std::string(2 * kDoneAtOnce, 'a'));
  ASSERT_EQ(server.post(kMaps, large).code, 201);
  server.cancel();
  EXPECT_EQ(server.ask("PATCH", fmt::format("{}/large", kMaps), R"({"data":{"more":"b"}})").code,
            503);
  const ObjectPtr kept =
      server.core().hub.cache("/registry/configmaps/").get("/registry/configmaps/default/large");
  ASSERT_TRUE(kept);
  EXPECT_FALSE(kept->bytes()->contains("more"));
}

TEST(Cancelled, CollectionsKeepWhatIsLeft) {
  TestServer server;
  add_maps(server, 3, 10);
  server.cancel();
  EXPECT_EQ(server.ask("DELETE", kMaps).code, 503);
  EXPECT_TRUE(
      server.core().hub.cache("/registry/configmaps/").get("/registry/configmaps/default/m0000"));
}

TEST(Cancelled, ListsAreNotMade) {
  TestServer server;
  add_maps(server, 40, 10);
  server.cancel();
  EXPECT_EQ(server.ask("GET", kMaps, {}, kTable).code, 503);
}

// ---- Watches

TEST(Watches, TellTheInitialStateInSmallParts) {
  TestServer server;
  add_maps(server, 60, 4'000);
  TestServer::Got got = server.call("GET", fmt::format("{}?watch=1", kMaps));
  std::size_t events = 0;
  while (events < 60) {
    const std::string part = server.next(*got.stream);
    EXPECT_LT(part.size(), 80'000u);
    for (std::size_t at = part.find("ADDED"); at != std::string::npos;
         at = part.find("ADDED", at + 1))
      ++events;
  }
  EXPECT_EQ(events, 60u);
  server.end(std::move(got.stream));
}

TEST(Watches, PastTheBudgetOfTheirUserTheOldestEndsWith410) {
  TestServer server({.stream_limits = {.user = 100'000, .connection = 100'000}});
  add_maps(server, 1, 60'000);
  const std::string target = fmt::format("{}?watch=1&includeObject=Object", kMaps);
  const std::vector<http::Header> table = {{"Accept", std::string(kTable)}};
  std::vector<TestServer::Got> stalled;
  for (int i = 0; i < 2; ++i) {
    stalled.push_back(server.call("GET", target, {}, table));
    ASSERT_THAT(server.next(*stalled.back().stream), StartsWith(R"({"type":"ADDED")"));
  }
  EXPECT_GT(server.core().streams.held_bytes(), 120'000u);
  // There is no room for the third: it waits, and the oldest is asked to end.
  TestServer::Got third = server.call("GET", target, {}, table);
  EXPECT_LT(server.core().streams.held_bytes(), 130'000u);
  const std::string last = server.next(*stalled[0].stream);
  EXPECT_THAT(last, StartsWith(R"({"type":"ERROR")"));
  EXPECT_THAT(last, HasSubstr("too old resource version: "));
  EXPECT_THAT(last, HasSubstr(R"("reason":"Expired")"));
  EXPECT_THAT(last, HasSubstr(R"("code":410)"));
  EXPECT_EQ(server.next(*stalled[0].stream), "");
  EXPECT_THAT(server.next(*third.stream), StartsWith(R"({"type":"ADDED")"));
  EXPECT_FALSE(stalled[1].stream->is_revoked());
  server.end(std::move(third.stream));
  for (TestServer::Got& one : stalled) server.end(std::move(one.stream));
  EXPECT_EQ(server.core().streams.held_bytes(), 0u);
}

TEST(Watches, WhoseInitialStateIsForgottenAreBrokenOff) {
  TestServer server;
  add_maps(server, 200, 1'000);
  TestServer::Got got = server.call("GET", fmt::format("{}?watch=1", kMaps));
  server.next(*got.stream);
  EXPECT_FALSE(got.stream->is_revoked());
  server.core().hub.cache("/registry/configmaps/").forget_before(server.core().hub.revision() + 1);
  EXPECT_TRUE(got.stream->is_revoked());
  EXPECT_THAT(server.next(*got.stream), HasSubstr("too old resource version"));
  server.end(std::move(got.stream));
}

}  // namespace
}  // namespace strake::api::testing
