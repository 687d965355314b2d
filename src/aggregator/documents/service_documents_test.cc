#include "aggregator/documents/service_documents.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <condition_variable>

#include "api/test_server.h"

namespace strake::aggregator {
namespace {

using api::testing::TestServer;

class TextBody final : public http::BodyReader {
 public:
  explicit TextBody(std::string text) : text_(std::move(text)) {}
  http::Exchange<std::string> next() override { co_return std::exchange(text_, {}); }
  const http::Headers& trailers() const override { return trailers_; }

 private:
  std::string text_;
  http::Headers trailers_;
};

constexpr std::string_view kDiscovery =
    R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":"a.example"},)"
    R"("versions":[{"version":"v1","resources":[{"resource":"widgets","scope":"Cluster","verbs":["get"]}]}]}]})";

// Servers that have a discovery document and nothing else.
class FakeBackends final : public Backends {
 public:
  boost::asio::awaitable<std::expected<BackendAnswer, BackendFailure>> send(
      BackendRequest request) override {
    BackendAnswer out{.response = {}, .host = "10.0.0.1:443"};
    out.response.status = request.target == "/apis" ? 200 : 404;
    out.response.headers.add("ETag", "\"tag\"");
    out.response.body = std::make_unique<TextBody>(std::string(kDiscovery));
    {
      const std::lock_guard lock(mu_);
      asked_ +=
          fmt::format("{} {} as {}; ", request.service->name, request.target, request.user->name);
    }
    asked_more_.notify_all();
    co_return out;
  }

  std::string asked() {
    const std::lock_guard lock(mu_);
    return asked_;
  }
  void wait_until_asked(std::string_view what) {
    std::unique_lock lock(mu_);
    asked_more_.wait(lock, [&] { return asked_.contains(what); });
  }

 private:
  std::mutex mu_;
  std::condition_variable asked_more_;
  std::string asked_;  // guarded by mu_
};

// What a server has that aggregates.
class Part final : public api::testing::TestPart {
 public:
  Part(api::Hub& hub, FakeBackends& backends, ServiceDocuments*& made)
      : services_(hub), documents_(services_, backends) {
    made = &documents_;
  }
  api::RemoteDocuments* remote_documents() override { return &documents_; }
  async::Task<> start(api::Core& core) override { return documents_.start(core); }
  async::Task<> stop() override { return documents_.stop(); }

 private:
  ApiServices services_;
  ServiceDocuments documents_;
};

std::string api_service(std::string_view version, std::string_view service) {
  return fmt::format(
      R"({{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{{"name":"{0}.a.example"}},)"
      R"("spec":{{"group":"a.example","version":"{0}","groupPriorityMinimum":1000,"versionPriority":15{1}}}}})",
      version, service);
}

TEST(ServiceDocuments, FollowTheAPIServices) {
  constexpr std::string_view kPath = "/apis/apiregistration.k8s.io/v1/apiservices";
  constexpr std::string_view kRemote =
      R"(,"insecureSkipTLSVerify":true,"service":{"namespace":"default","name":"a"})";
  FakeBackends backends;
  ServiceDocuments* documents = nullptr;
  TestServer server({.part = [&](api::Hub& hub) -> std::unique_ptr<api::testing::TestPart> {
    return std::make_unique<Part>(hub, backends, documents);
  }});
  EXPECT_EQ(documents->snapshot(), nullptr);
  server.create(kPath, api_service("v1", kRemote));
  EXPECT_EQ(server.wait_for(200, "/apis/a.example").text("versions.0.version"), "v1");
  EXPECT_TRUE(documents->snapshot()->versions.front().stale);

  // Nobody is asked before they are said to be available.
  EXPECT_EQ(backends.asked(), "");
  server.merge(
      std::string(kPath) + "/v1.a.example/status",
      R"({"status":{"conditions":[{"type":"Available","status":"True","reason":"Passed"}]}})");
  // Which comes after discovery.
  backends.wait_until_asked("/openapi/v3");
  EXPECT_TRUE(backends.asked().starts_with("v1.a.example /apis as system:kube-aggregator; "))
      << backends.asked();
  const std::string shown =
      server
          .ask({.target = "/apis",
                .accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"})
          .body;
  EXPECT_NE(shown.find(R"("resource":"widgets")"), std::string::npos);

  server.remove(std::string(kPath) + "/v1.a.example");
  EXPECT_EQ(server.wait_for(404, "/apis/a.example").code, 404);
}

}  // namespace
}  // namespace strake::aggregator
