#include <gtest/gtest.h>

#include <future>
#include <latch>

#include "api/request/media.h"
#include "api/test_server.h"

namespace strake::api::testing {
namespace {

// Go's mime package takes no @ in a media type, so kubectl cannot read an answer that has one.
TEST(OpenApiDocuments, AreSentUnderTheNamesThatClientsCanRead) {
  TestServer server;
  constexpr std::string_view kV2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
  constexpr std::string_view kV3 = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
  struct Case {
    std::string_view path, accept, type;
    int code = 200;
  };
  const Case cases[] = {
      {"/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", kV2},
      {"/openapi/v2", kV2, kV2},
      {"/openapi/v2", "", "application/json"},
      {"/openapi/v2", "*/*", "application/json"},
      {"/openapi/v2", "application/json, */*", "application/json"},
      {"/openapi/v2",
       "application/json;q=0.5,application/com.github.proto-openapi.spec.v2@v1.0+protobuf", kV2},
      {"/openapi/v2", "*/*,application/com.github.proto-openapi.spec.v2@v1.0+protobuf", kV2},
      {"/openapi/v2", "text/html", "", 406},
      {"/openapi/v3/api/v1", "application/com.github.proto-openapi.spec.v3@v1.0+protobuf", kV3},
      {"/openapi/v3/api/v1", kV3, kV3},
      {"/openapi/v3/api/v1", "application/json", "application/json"},
      {"/openapi/v3/api/v1", "text/html", "", 406},
      {"/openapi/v3", "application/json, */*", "application/json"},
  };
  for (const Case& one : cases) {
    const auto got = server.call("GET", one.path, {}, {{"Accept", std::string(one.accept)}});
    EXPECT_EQ(got.code, one.code) << one.path << " " << one.accept;
    EXPECT_EQ(got.content_type, one.type) << one.path << " " << one.accept;
    EXPECT_EQ(got.body.empty(), one.code != 200) << one.path << " " << one.accept;
    EXPECT_EQ(got.body.starts_with('{'), one.type == "application/json") << one.accept;
  }
}

TEST(DiscoveryDocuments, SayInTheirTypeWhatTheyAre) {
  TestServer server;
  constexpr std::string_view kAggregated =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  for (const std::string_view path : {"/api", "/apis"}) {
    const auto asked = [&](std::string_view accept) {
      return server.call("GET", path, {}, {{"Accept", std::string(accept)}}).content_type;
    };
    EXPECT_EQ(asked("application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io,"
                    "application/json;as=APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.k8s.io,"
                    "application/json"),
              kAggregated);
    EXPECT_EQ(asked("application/json;as=APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.k8s.io,"
                    "application/json"),
              "application/json");
    EXPECT_EQ(asked(""), "application/json");
  }
}

// Both workers of the test server, kept from any other work until the object is gone.
class BusyWorkers {
 public:
  explicit BusyWorkers(async::Workers& workers) {
    const std::shared_future<void> wait = free_.get_future().share();
    const auto held = std::make_shared<std::latch>(2);
    for (int i = 0; i < 2; ++i) {
      workers.post([wait, held] {
        held->count_down();
        wait.wait();
      });
    }
    // One may still be about to look for more of what it has just done.
    held->wait();
  }
  ~BusyWorkers() { free_.set_value(); }
  BusyWorkers(const BusyWorkers&) = delete;
  BusyWorkers& operator=(const BusyWorkers&) = delete;

 private:
  std::promise<void> free_;
};

// They may take seconds, which a loop does not have.
TEST(Documents, AreMadeByWorkersAndAnsweredAtOnceWhenTheyAreKept) {
  TestServer server;
  const std::string kept = server.get("/openapi/v2").body;
  std::vector<std::future<std::string>> waiting;
  {
    const BusyWorkers busy(server.core().workers);
    for (int i = 0; i < 3; ++i) {
      waiting.push_back(
          std::async(std::launch::async, [&] { return server.get("/openapi/v3").body; }));
    }
    EXPECT_EQ(server.get("/openapi/v2").body, kept);
    for (auto& one : waiting)
      EXPECT_EQ(one.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  }
  const std::string made = waiting[0].get();
  EXPECT_NE(made.find("api/v1"), std::string::npos);
  EXPECT_EQ(waiting[1].get(), made);
  EXPECT_EQ(waiting[2].get(), made);
}

TEST(Documents, AreNotWaitedForWhenTheClientIsGone) {
  TestServer server;
  const BusyWorkers busy(server.core().workers);
  CancelSource gone;
  auto asked = std::async(std::launch::async, [&] {
    return server.ask({.target = "/openapi/v3", .cancel = gone.token()}).code;
  });
  gone.cancel();
  EXPECT_EQ(asked.get(), 503);
}

TEST(Documents, ShowADefinitionAsSoonAsItIsServed) {
  TestServer server;
  EXPECT_EQ(server.get("/openapi/v3/apis/a.example/v1").code, 404);
  EXPECT_EQ(server.get("/apis/a.example/v1").code, 404);
  server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", things({{"v1", ""}}));
  EXPECT_EQ(server.wait_for(200, "/apis/a.example/v1").text("resources.0.name"), "things");
  EXPECT_EQ(server.get("/openapi/v3/apis/a.example/v1").code, 200);
  EXPECT_NE(server.get("/openapi/v2").body.find("/apis/a.example/v1/things"), std::string::npos);
}

TEST(Media, PutsWildcardsBehindWhatIsNamed) {
  constexpr std::string_view kTypes[] = {"application/json", "application/yaml"};
  EXPECT_EQ(first_accepted("", kTypes), "application/json");
  EXPECT_EQ(first_accepted("*/*, application/yaml", kTypes), "application/yaml");
  EXPECT_EQ(first_accepted("application/*, text/html", kTypes), "application/json");
  EXPECT_EQ(first_accepted("application/json;q=0, application/yaml;q=0.1", kTypes),
            "application/yaml");
  EXPECT_EQ(first_accepted("text/html, image/*", kTypes), std::nullopt);
}

}  // namespace
}  // namespace strake::api::testing
