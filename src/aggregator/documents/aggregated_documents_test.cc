#include "aggregator/documents/aggregated_documents.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>
#include <latch>

#include "api/test_server.h"
#include "async/cancellable.h"
#include "async/loops.h"
#include "async/run.h"
#include "publish/openapi.h"
#include "value/json_reader.h"

namespace strake::aggregator {
namespace {

using api::testing::TestServer;

// Servers that answer what a test says. What nobody has said is not found.
class FakeServers final : public DocumentFetcher {
 public:
  using Answer = std::function<Result<FetchedDocument>(const DocumentRequest&)>;

  // `key` is the group and the target.
  void on(const std::string& key, Answer answer) {
    const std::lock_guard lock(mu_);
    answers_[key] = std::move(answer);
  }
  void on(const std::string& key, std::string body, std::string etag = {}) {
    on(key,
       [body = std::move(body),
        etag = std::move(etag)](const DocumentRequest& asked) -> Result<FetchedDocument> {
         if (!etag.empty() && asked.etag == etag)
           return FetchedDocument{.status = 304, .etag = etag, .body = {}};
         return FetchedDocument{.status = 200, .etag = etag, .body = body};
       });
  }
  void on(const std::string& key, int status) {
    on(key, [status](const DocumentRequest&) -> Result<FetchedDocument> {
      return FetchedDocument{.status = status, .etag = {}, .body = "no"};
    });
  }
  // Never answers, until it is cancelled.
  void hang(const std::string& key) {
    const std::lock_guard lock(mu_);
    hanging_.insert(key);
  }

  async::Task<FetchedDocument> fetch(DocumentRequest request) override {
    const std::string key = request.group + " " + request.target;
    Answer answer;
    bool hangs = false;
    {
      const std::lock_guard lock(mu_);
      asked_.push_back(key);
      requests_[key] = request;
      hangs = hanging_.contains(key);
      if (const auto found = answers_.find(key); found != answers_.end()) answer = found->second;
    }
    if (hangs) {
      async::OneShot<FetchedDocument> never;
      const CancelRegistration registration = async::end_wait_when(request.cancel, never);
      co_return co_await never.wait();
    }
    if (!answer) co_return FetchedDocument{.status = 404, .etag = {}, .body = {}};
    co_return answer(request);
  }

  // What was asked since the last time, separated by commas.
  std::string take_asked() {
    const std::lock_guard lock(mu_);
    std::string out;
    for (const std::string& one : asked_) out += (out.empty() ? "" : ", ") + one;
    asked_.clear();
    return out;
  }
  DocumentRequest last(const std::string& key) {
    const std::lock_guard lock(mu_);
    return requests_[key];
  }

 private:
  std::mutex mu_;
  std::map<std::string, Answer> answers_;
  std::set<std::string> hanging_;
  std::vector<std::string> asked_;
  std::map<std::string, DocumentRequest> requests_;
};

RemoteService service(std::string_view group, std::string_view version = "v1") {
  RemoteService out;
  out.name = fmt::format("{}.{}", version, group);
  out.group = group;
  out.version = version;
  out.group_priority = 100;
  out.version_priority = 10;
  out.server = fmt::format("server of {}", group);
  out.available = true;
  return out;
}

std::string discovery(std::string_view group, std::string_view resource,
                      std::string_view version = "v1") {
  return fmt::format(
      R"({{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{{"metadata":)"
      R"({{"name":"{}"}},"versions":[{{"version":"{}","resources":[{{"resource":"{}","scope":"Cluster",)"
      R"("responseKind":{{"group":"{}","version":"{}","kind":"Kind"}},"verbs":["get"]}}]}}]}}]}})",
      group, version, resource, group, version);
}

std::string swagger(std::string_view group) {
  return fmt::format(
      R"({{"swagger":"2.0","paths":{{"/apis/{}/v1/things":{{"get":{{"responses":{{"200":{{"description":"OK",)"
      R"("schema":{{"$ref":"#/definitions/Thing"}}}}}}}}}}}},"definitions":{{"Thing":{{"type":"object"}}}}}})",
      group);
}

std::string index(std::string_view group, std::string_view hash) {
  return fmt::format(
      R"({{"paths":{{"apis/{0}/v1":{{"serverRelativeURL":"/openapi/v3/apis/{0}/v1?hash={1}"}},)"
      R"("version":{{"serverRelativeURL":"/openapi/v3/version?hash=EE"}}}}}})",
      group, hash);
}

class Aggregated : public ::testing::Test {
 protected:
  Aggregated() { documents.start(); }
  ~Aggregated() override { stop(); }
  void stop() { static_cast<void>(async::run_blocking(loops.at(0), documents.stop())); }
  void settle() { ASSERT_TRUE(async::run_blocking(loops.at(0), documents.settled())); }
  void set(std::vector<RemoteService> services) {
    documents.set_services(std::move(services));
    settle();
  }
  void refresh() {
    documents.refresh();
    settle();
  }
  // "group/version resources[ stale]" of each.
  std::string shown() const {
    std::string out;
    for (const publish::RemoteVersion& one : documents.snapshot()->versions) {
      if (!out.empty()) out += "; ";
      out += fmt::format("{}/{} ", one.group, one.version);
      std::string names;
      if (one.resources == nullptr) names = "unknown";
      if (one.resources != nullptr) {
        const auto read = value::read_json(*one.resources);
        for (const value::Value& resource : read->root().items())
          names += resource.get("resource").as_string();
      }
      out += names;
      if (one.stale) out += " stale";
    }
    return out;
  }
  Result<api::RemoteDocument> v3(const std::string& path) {
    return async::run_blocking(loops.at(0), documents.openapi_v3(path, {}));
  }

  FakeServers servers;
  async::Loops loops{1};
  async::Workers workers{2};
  FakeClock clock;
  AggregatedDocuments documents{servers,
                                workers,
                                loops.at(0),
                                {.period = std::chrono::hours(1),
                                 .longest_pause = std::chrono::hours(3),
                                 .clock = &clock,
                                 .openapi_at_a_time = 2}};
};

TEST_F(Aggregated, DiscoveryIsAskedForOnceForAllServicesOfAServer) {
  servers.on("a.example /apis", discovery("a.example", "widgets"));
  RemoteService second = service("a.example", "v2");
  set({service("a.example"), second});
  EXPECT_EQ(shown(), "a.example/v1 widgets; a.example/v2 ");
  EXPECT_EQ(servers.take_asked(), "a.example /apis, a.example /openapi/v3, a.example /openapi/v2");
  const DocumentRequest asked = servers.last("a.example /apis");
  EXPECT_EQ(asked.user, "system:kube-aggregator");
  EXPECT_EQ(asked.groups, std::vector<std::string>{"system:masters"});
  EXPECT_TRUE(asked.accept.starts_with(
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"));
  EXPECT_FALSE(asked.deadline.is_never());
  EXPECT_EQ(servers.last("a.example /openapi/v2").user, "system:aggregator");
}

TEST_F(Aggregated, DiscoveryOfOlderServersIsPutTogetherFromTheirLists) {
  constexpr std::string_view kList =
      R"({"kind":"APIResourceList","resources":[{"name":"widgets","namespaced":true,"kind":"W","verbs":["get"]}]})";
  servers.on("a.example /apis", 406);
  servers.on("b.example /apis", R"({"kind":"APIGroupList","groups":[]})");
  for (const std::string_view group : {"a.example", "b.example", "c.example"})
    servers.on(fmt::format("{0} /apis/{0}/v1", group), std::string(kList));
  set({service("a.example"), service("b.example"), service("c.example"), service("d.example")});
  EXPECT_EQ(shown(),
            "a.example/v1 widgets; b.example/v1 widgets; c.example/v1 widgets; "
            "d.example/v1 unknown stale");
}

TEST_F(Aggregated, DiscoveryIsAskedForAgainByItsTag) {
  servers.on("a.example /apis", discovery("a.example", "widgets"), "\"one\"");
  set({service("a.example")});
  const std::uint64_t generation = documents.snapshot()->generation;
  refresh();
  EXPECT_EQ(servers.last("a.example /apis").etag, "\"one\"");
  EXPECT_EQ(shown(), "a.example/v1 widgets");
  EXPECT_EQ(documents.snapshot()->generation, generation);
  servers.on("a.example /apis", discovery("a.example", "gadgets"), "\"two\"");
  refresh();
  EXPECT_EQ(shown(), "a.example/v1 gadgets");
  // The tag of all is no answer for a service that has none.
  set({service("a.example"), service("a.example", "v2")});
  EXPECT_EQ(servers.last("a.example /apis").etag, "");
  EXPECT_EQ(shown(), "a.example/v1 gadgets; a.example/v2 ");
}

TEST_F(Aggregated, DocumentsOfAServerThatFailsStayAndAreStale) {
  servers.on("a.example /apis", discovery("a.example", "widgets"), "\"one\"");
  servers.on("a.example /openapi/v3", index("a.example", "AB"));
  servers.on("a.example /openapi/v2", swagger("a.example"));
  set({service("a.example")});
  const std::string fresh = "a.example/v1 widgets";
  ASSERT_EQ(shown(), fresh);
  const Result<FetchedDocument> failures[] = {
      fail(Code::kTimeout, "it took too long"),
      fail(Code::kLimit, "the body is too large"),
      FetchedDocument{.status = 500, .etag = {}, .body = "no"},
      FetchedDocument{.status = 301, .etag = {}, .body = {}},
      FetchedDocument{.status = 200, .etag = {}, .body = "{\"kind\":"},
      FetchedDocument{.status = 200, .etag = {}, .body = "<html>"},
      FetchedDocument{.status = 200, .etag = {}, .body = std::string(100'000, '[')},
  };
  for (const Result<FetchedDocument>& failure : failures) {
    for (const std::string path : {"/apis", "/openapi/v3", "/openapi/v2"})
      servers.on("a.example " + path, [&](const DocumentRequest&) { return failure; });
    refresh();
    EXPECT_EQ(shown(), fresh + " stale");
    EXPECT_EQ(documents.snapshot()->openapi_v3.at("apis/a.example/v1"), "AB");
    EXPECT_EQ(documents.snapshot()->openapi_v2.size(), 1);
    servers.on("a.example /apis", discovery("a.example", "widgets"), "\"one\"");
    refresh();
    EXPECT_EQ(shown(), fresh);
  }
}

TEST_F(Aggregated, DocumentsAreNotStaleBecauseAnotherServiceOfTheServerIsGone) {
  servers.on("a.example /apis", discovery("a.example", "widgets"));
  set({service("a.example"), service("a.example", "v2")});
  servers.on("a.example /apis", [](const DocumentRequest&) -> Result<FetchedDocument> {
    return fail(Code::kNotFound, "there is no such APIService any more");
  });
  refresh();
  EXPECT_EQ(shown(), "a.example/v1 widgets; a.example/v2 ");
}

TEST_F(Aggregated, DiscoveryIsNotUnchangedForWhomHasNone) {
  servers.on("a.example /apis", 304);
  set({service("a.example")});
  EXPECT_EQ(shown(), "a.example/v1 unknown stale");
}

TEST_F(Aggregated, DiscoveryOfAnotherGroupIsNotTaken) {
  servers.on("a.example /apis", discovery("b.example", "stolen"));
  servers.on("b.example /apis", discovery("b.example", "own"));
  servers.on("a.example /openapi/v3", index("b.example", "AA"));
  servers.on("a.example /openapi/v2", swagger("b.example"));
  set({service("a.example"), service("b.example")});
  EXPECT_EQ(shown(), "a.example/v1 ; b.example/v1 own");
  EXPECT_TRUE(documents.snapshot()->openapi_v3.empty());
  ASSERT_EQ(documents.snapshot()->openapi_v2.size(), 1);
  EXPECT_EQ(documents.snapshot()->openapi_v2[0]->find("b.example"), std::string::npos);
}

TEST_F(Aggregated, V3IsMadeOfV2ForServersThatHaveNoV3) {
  servers.on("a.example /apis", discovery("a.example", "things"));
  servers.on("a.example /openapi/v3", 404);
  servers.on("a.example /openapi/v2", swagger("a.example"));
  set({service("a.example")});
  const std::string path = "apis/a.example/v1";
  ASSERT_TRUE(documents.snapshot()->openapi_v3.contains(path));
  const Result<api::RemoteDocument> made = v3(path);
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(made->hash, documents.snapshot()->openapi_v3.at(path));
  EXPECT_EQ(*made->text,
            R"({"components":{"schemas":{"Thing":{"type":"object"}}},)"
            R"("info":{"title":"Kubernetes","version":"unversioned"},"openapi":"3.0.0",)"
            R"("paths":{"/apis/a.example/v1/things":{"get":{"responses":{"200":{"content":{)"
            R"("application/json":{"schema":{"$ref":"#/components/schemas/Thing"}}},)"
            R"("description":"OK"}}}}}})");
  // The server learns of v3.
  servers.on("a.example /openapi/v3", index("a.example", "AB"));
  servers.on("a.example /openapi/v3/apis/a.example/v1?hash=AB", R"({"openapi":"3.0.0"})");
  refresh();
  EXPECT_EQ(documents.snapshot()->openapi_v3.at(path), "AB");
  EXPECT_EQ(*v3(path)->text, R"({"openapi":"3.0.0"})");
}

TEST_F(Aggregated, ServersThatHangDelayNoOther) {
  servers.on("b.example /apis", discovery("b.example", "widgets"));
  std::latch learnt(1);
  servers.on("b.example /openapi/v3", [&](const DocumentRequest&) -> Result<FetchedDocument> {
    learnt.count_down();
    return FetchedDocument{.status = 404, .etag = {}, .body = {}};
  });
  servers.hang("a.example /apis");
  servers.hang("c.example /openapi/v3");
  documents.set_services({service("a.example"), service("c.example"), service("b.example")});
  learnt.wait();
  EXPECT_EQ(shown(),
            "a.example/v1 unknown stale; b.example/v1 widgets; c.example/v1 unknown stale");
  stop();  // which waits for nobody
}

TEST_F(Aggregated, ServersThatAreLateWithOpenApiAreAskedForItLessAndLess) {
  const auto late = [](const DocumentRequest&) -> Result<FetchedDocument> {
    return fail(Code::kTimeout, "it took too long");
  };
  servers.on("a.example /openapi/v3", late);
  servers.on("b.example /openapi/v2", late);
  set({service("a.example"), service("b.example"), service("c.example")});
  const auto asked = [&](std::string_view a, std::string_view b) {
    const std::string all = servers.take_asked();
    const auto has = [&](std::string_view what) { return all.find(what) != std::string::npos; };
    // The others, and what it serves, as ever.
    EXPECT_TRUE(has("c.example /openapi/v2")) << all;
    EXPECT_TRUE(has("a.example /apis")) << all;
    EXPECT_FALSE(has("a.example /openapi/v2")) << "it was late before";
    return has(a) && has(b);
  };
  const auto asks = [&] {
    refresh();
    return asked("a.example /openapi/v3", "b.example /openapi/v2");
  };
  EXPECT_TRUE(asked("a.example /openapi/v3", "b.example /openapi/v2"));
  EXPECT_FALSE(asks());
  for (const int hours : {1, 2, 3, 3}) {
    clock.advance(std::chrono::hours(hours) - std::chrono::seconds(1));
    EXPECT_FALSE(asks()) << hours;
    clock.advance(std::chrono::seconds(1));
    EXPECT_TRUE(asks()) << hours;
  }
  // Something new about the server ends its pause.
  servers.on("a.example /openapi/v3", 404);
  RemoteService other = service("a.example");
  other.revision = "2";
  set({other, service("b.example"), service("c.example")});
  EXPECT_EQ(servers.take_asked(),
            "a.example /apis, a.example /apis/a.example/v1, a.example /openapi/v3, "
            "a.example /openapi/v2");
}

TEST_F(Aggregated, ServersThatAreLateWithDiscoveryAreAskedForNothingElse) {
  servers.on("a.example /apis", [](const DocumentRequest&) -> Result<FetchedDocument> {
    return fail(Code::kTimeout, "it took too long");
  });
  set({service("a.example")});
  EXPECT_EQ(servers.take_asked(), "a.example /apis");
  servers.on("a.example /apis", discovery("a.example", "widgets"));
  refresh();
  EXPECT_EQ(servers.take_asked(), "a.example /apis, a.example /openapi/v3, a.example /openapi/v2");
}

TEST_F(Aggregated, ServersGiveTheirTurnBackAfterEachDocument) {
  // These hang with their second, in all the slots there are.
  for (const std::string group : {"a.example", "b.example"}) {
    servers.on(group + " /openapi/v3", index(group, "AB"));
    servers.hang(group + " /openapi/v2");
  }
  std::latch asked(1);
  servers.on("c.example /openapi/v3", [&](const DocumentRequest&) -> Result<FetchedDocument> {
    asked.count_down();
    return FetchedDocument{.status = 404, .etag = {}, .body = {}};
  });
  documents.set_services({service("a.example"), service("b.example"), service("c.example")});
  asked.wait();
  stop();
}

TEST_F(Aggregated, ServersAreNotAskedAgainForEachDocumentThatFails) {
  servers.on("a.example /openapi/v3", index("a.example", "AB"));
  servers.on("a.example /openapi/v3/apis/a.example/v1?hash=AB", 500);
  set({service("a.example")});
  const auto asks_again = [&] {
    servers.take_asked();
    EXPECT_FALSE(v3("apis/a.example/v1"));
    settle();
    return servers.take_asked().find("a.example /apis") != std::string::npos;
  };
  EXPECT_TRUE(asks_again());
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(asks_again());
  clock.advance(std::chrono::seconds(10));
  EXPECT_TRUE(asks_again());
  EXPECT_FALSE(asks_again());
}

TEST_F(Aggregated, ServersThatAreUnavailableAreNotAsked) {
  RemoteService down = service("a.example");
  down.available = false;
  set({down});
  refresh();
  EXPECT_EQ(servers.take_asked(), "");
  EXPECT_EQ(shown(), "a.example/v1 unknown stale");
  servers.on("a.example /apis", discovery("a.example", "widgets"));
  set({service("a.example")});
  EXPECT_EQ(shown(), "a.example/v1 widgets");
  set({down});
  EXPECT_EQ(shown(), "a.example/v1 widgets stale");
}

TEST_F(Aggregated, OpenApiV3IsFetchedOnceForEachHash) {
  servers.on("a.example /openapi/v3", index("a.example", "AB"));
  servers.on("a.example /openapi/v3/apis/a.example/v1?hash=AB", R"({"openapi":"3.0.0"})");
  set({service("a.example")});
  EXPECT_EQ(documents.snapshot()->openapi_v3.size(), 1);
  servers.take_asked();
  for (int i = 0; i < 3; ++i) {
    const auto got = v3("apis/a.example/v1");
    ASSERT_TRUE(got);
    EXPECT_EQ(*got->text, R"({"openapi":"3.0.0"})");
    EXPECT_EQ(got->hash, "AB");
  }
  EXPECT_EQ(servers.take_asked(), "a.example /openapi/v3/apis/a.example/v1?hash=AB");
  servers.on("a.example /openapi/v3", index("a.example", "CD"));
  servers.on("a.example /openapi/v3/apis/a.example/v1?hash=CD", "garbage");
  refresh();
  // The last good one, under its own hash.
  EXPECT_EQ(v3("apis/a.example/v1")->hash, "AB");
  settle();
  servers.on("a.example /openapi/v3/apis/a.example/v1?hash=CD", R"({"openapi":"3.0.1"})");
  EXPECT_EQ(v3("apis/a.example/v1")->hash, "CD");
  EXPECT_FALSE(v3("apis/b.example/v1"));
}

TEST_F(Aggregated, OpenApiV3GetsAHashWhereItsServerTellsNone) {
  servers.on("a.example /openapi/v3",
             R"({"paths":{"apis/a.example/v1":{"serverRelativeURL":"/elsewhere"}}})");
  servers.on("a.example /openapi/v3/apis/a.example/v1", R"({"openapi":"3.0.0"})");
  set({service("a.example")});
  EXPECT_EQ(documents.snapshot()->openapi_v3.at("apis/a.example/v1"),
            publish::document_hash(R"({"openapi":"3.0.0"})"));
}

// --- what clients of the server see

class AggregatingServer : public Aggregated {
 protected:
  static constexpr std::string_view kAggregated =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  static constexpr std::string_view kV3Protobuf =
      "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";

  AggregatingServer() {
    servers.on("a.example /apis", discovery("a.example", "widgets"), "\"one\"");
    servers.on("a.example /openapi/v3", index("a.example", "AB"));
    servers.on("a.example /openapi/v3/apis/a.example/v1?hash=AB",
               R"({"openapi":"3.0.0","info":{"title":"other"},"paths":{}})");
    servers.on("a.example /openapi/v2", swagger("a.example"));
  }
  api::testing::Answered apis() { return server.ask({.target = "/apis", .accept = kAggregated}); }

  TestServer server{[this] {
    TestServer::Options options;
    options.remote_documents = &documents;
    return options;
  }()};
};

TEST_F(AggregatingServer, ShowsAllThatIsServed) {
  const std::string plain = server.get("/apis").body;
  const std::string aggregated = apis().body;
  const std::string v2 = server.get("/openapi/v2").body;
  const std::string v3_index = server.get("/openapi/v3").body;
  EXPECT_EQ(server.get("/apis/a.example").code, 404);
  EXPECT_EQ(server.get("/openapi/v3/apis/a.example/v1").code, 404);

  set({service("a.example")});
  EXPECT_EQ(server.get("/apis/a.example").text("preferredVersion.groupVersion"), "a.example/v1");
  EXPECT_NE(server.get("/apis").body.find("a.example/v1"), std::string::npos);
  EXPECT_NE(apis().body.find("widgets"), std::string::npos);
  EXPECT_NE(server.get("/openapi/v2").body.find("/apis/a.example/v1/things"), std::string::npos);
  const auto merged = server.get("/openapi/v3");
  EXPECT_EQ(
      merged.json().get("paths").get("apis/a.example/v1").get("serverRelativeURL").as_string(),
      "/openapi/v3/apis/a.example/v1?hash=AB");
  const auto document = server.get("/openapi/v3/apis/a.example/v1?hash=AB");
  EXPECT_EQ(document.text("info.title"), "other");
  EXPECT_EQ(document.header("Cache-Control"), "public, immutable");
  EXPECT_EQ(document.header("ETag"), "\"AB\"");
  EXPECT_EQ(server.get("/openapi/v3/apis/a.example/v1?hash=CD").header("Location"),
            "/openapi/v3/apis/a.example/v1?hash=AB");
  EXPECT_EQ(server.ask({.target = "/openapi/v3/apis/a.example/v1", .accept = kV3Protobuf})
                .header("Content-Type"),
            kV3Protobuf);
  EXPECT_EQ(server.ask({.target = "/openapi/v3/apis/a.example/v1", .accept = "text/html"}).code,
            406);

  set({});
  EXPECT_EQ(server.get("/apis").body, plain);
  EXPECT_EQ(apis().body, aggregated);
  EXPECT_EQ(server.get("/openapi/v2").body, v2);
  EXPECT_EQ(server.get("/openapi/v3").body, v3_index);
  EXPECT_EQ(server.get("/apis/a.example").code, 404);
}

TEST_F(AggregatingServer, ChangesATagWithTheContentAlone) {
  set({service("a.example")});
  const std::string tag = apis().header("ETag");
  refresh();
  EXPECT_EQ(apis().header("ETag"), tag);
  EXPECT_EQ(
      server.ask({.target = "/apis", .accept = kAggregated, .headers = {{"If-None-Match", tag}}})
          .code,
      304);
  servers.on("a.example /apis", 500);
  refresh();
  const auto stale = apis();
  EXPECT_NE(stale.header("ETag"), tag);
  EXPECT_NE(stale.body.find(R"("freshness":"Stale")"), std::string::npos);
  servers.on("a.example /apis", discovery("a.example", "widgets"), "\"one\"");
  refresh();
  EXPECT_EQ(apis().header("ETag"), tag);
}

// No worker is free to make them again.
TEST_F(AggregatingServer, KeepsItsDocumentsWhileNothingChanges) {
  const auto is_kept = [&] {
    const std::string made = server.get("/openapi/v2").body;
    std::promise<void> free;
    const std::shared_future<void> wait = free.get_future().share();
    const auto held = std::make_shared<std::latch>(2);
    for (int i = 0; i < 2; ++i) {
      server.core().workers.post([wait, held] {
        held->count_down();
        wait.wait();
      });
    }
    held->wait();
    auto again = std::async(std::launch::async, [&] { return server.get("/openapi/v2").body; });
    const bool at_once = again.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
    free.set_value();
    return again.get() == made && at_once;
  };
  EXPECT_TRUE(is_kept());
  set({service("a.example")});
  EXPECT_TRUE(is_kept());
  refresh();
  EXPECT_TRUE(is_kept());
  set({});
  EXPECT_TRUE(is_kept());
}

TEST_F(AggregatingServer, GivesAVersionToOneServerAtATime) {
  server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                api::testing::things({{"v1", ""}, {"v2", ""}}));
  server.wait_for(200, "/apis/a.example/v1");
  const std::string before = apis().body;
  EXPECT_NE(before.find("things"), std::string::npos);
  set({service("a.example")});
  const std::string got = apis().body;
  EXPECT_NE(got.find("widgets"), std::string::npos);
  EXPECT_NE(got.find(R"("version":"v2","resources":[{"resource":"things")"), std::string::npos);
  EXPECT_EQ(server.get("/apis/a.example/v1").code, 404);  // what comes here, the proxy left
  EXPECT_EQ(server.get("/apis/a.example/v2").code, 200);
  EXPECT_EQ(server.get("/openapi/v3/apis/a.example/v1").text("info.title"), "other");
  set({});
  EXPECT_EQ(apis().body, before);
  EXPECT_EQ(server.get("/apis/a.example/v1").code, 200);
}

TEST_F(AggregatingServer, SaysThatADocumentCannotBeHad) {
  servers.on("a.example /openapi/v3/apis/a.example/v1?hash=AB", 500);
  set({service("a.example")});
  const auto got = server.get("/openapi/v3/apis/a.example/v1");
  EXPECT_EQ(got.code, 503);
  EXPECT_EQ(got.body, "service unavailable\n");
  EXPECT_EQ(server.get("/openapi/v3").code, 200);
}

}  // namespace
}  // namespace strake::aggregator
