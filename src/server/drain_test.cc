// The end of a server: what is under way finishes, watches end, nothing new is taken, and the
// deadline holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <thread>

#include "base/log.h"
#include "http/fetch.h"
#include "server/server.h"
#include "server/temporary_folder.h"

namespace strake::server {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class DrainTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("no_proxy", "127.0.0.1", 1);
    log::configure({.level = log::Level::kOff});
  }
  void TearDown() override { log::configure({}); }

  void start(std::chrono::seconds drain) {
    std::ofstream(folder_.file("tokens")) << "one,jane,1,system:masters\n";
    Options options;
    options.in_memory = true;
    options.port = 0;
    options.io_threads = 2;
    options.drain_timeout = drain;
    options.token_file = folder_.file("tokens");
    auto started = Server::start(std::move(options));
    ASSERT_TRUE(started) << started.error().to_string();
    server_ = *std::move(started);
    url_ = server_->url();
  }
  Result<http::FetchResponse> ask(std::string_view path, std::string_view method = "GET",
                                  std::string_view body = "") const {
    http::FetchRequest request{.url = url_ + std::string(path), .method = std::string(method)};
    request.insecure = true;
    request.bearer_token = Secret("one");
    request.body = std::string(body);
    if (!body.empty()) request.headers.add("Content-Type", "application/json");
    return http::fetch(request);
  }
  std::future<Result<http::FetchResponse>> begin(std::string path) const {
    return std::async(std::launch::async, [this, path = std::move(path)] { return ask(path); });
  }
  // Until the metrics name a request that is under way or a watch that is open.
  void wait_until_counted(std::string_view sample) {
    for (int attempt = 0; attempt < 2'000; ++attempt) {
      const auto page = ask("/metrics");
      if (page && page->body.contains(sample)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL() << "the metrics never had " << sample;
  }

  const TemporaryFolder folder_ = TemporaryFolder::make("strake-test").value();
  std::unique_ptr<Server> server_;
  std::string url_;
};

// A list of a revision that does not come is waited for: the longest request that a test can make
// with nothing but a client.
constexpr std::string_view kSlow =
    "/api/v1/namespaces/default/configmaps?resourceVersion=1000000000";
constexpr std::string_view kSlowCounted =
    R"(apiserver_current_inflight_requests{request_kind="readOnly"} 2)";

TEST_F(DrainTest, LetsRequestsFinish) {
  start(std::chrono::seconds(30));
  auto slow = begin(std::string(kSlow));
  wait_until_counted(kSlowCounted);
  EXPECT_TRUE(server_->stop());
  const auto answered = slow.get();
  ASSERT_TRUE(answered) << answered.error().to_string();
  EXPECT_EQ(answered->status, 504);
  EXPECT_THAT(answered->body, HasSubstr("Too large resource version"));
}

TEST_F(DrainTest, EndsWatches) {
  start(std::chrono::seconds(30));
  // Of a resource that no other test of this program watches: counts belong to the process.
  constexpr std::string_view kSecrets = "/api/v1/namespaces/default/secrets";
  ASSERT_TRUE(ask(kSecrets, "POST", R"({"metadata":{"name":"a"}})"));
  auto watching = begin(std::string(kSecrets) + "?watch=true&timeoutSeconds=3600");
  wait_until_counted(
      R"(apiserver_longrunning_requests{component="apiserver",group="",resource="secrets")");
  EXPECT_TRUE(server_->stop());
  const auto watched = watching.get();
  ASSERT_TRUE(watched) << watched.error().to_string();
  EXPECT_EQ(watched->status, 200);
  EXPECT_THAT(watched->body, StartsWith(R"({"type":"ADDED")"));
  EXPECT_THAT(watched->body, EndsWith("}\n"));
}

TEST_F(DrainTest, TakesNothingNew) {
  start(std::chrono::seconds(30));
  auto slow = begin(std::string(kSlow));
  wait_until_counted(kSlowCounted);
  auto stopping = std::async(std::launch::async, [&] { return server_->stop(); });
  // While the old request is under way nobody else is let in, from some moment on.
  bool refused = false;
  while (slow.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
    const auto answered = std::async(std::launch::async, [&] { return ask("/readyz"); }).get();
    if (!answered || answered->status != 200) {
      refused = true;
      break;
    }
  }
  EXPECT_TRUE(refused);
  EXPECT_TRUE(stopping.get());
  EXPECT_EQ(slow.get()->status, 504);
  EXPECT_FALSE(ask("/readyz"));
}

TEST_F(DrainTest, BreaksOffWhatIsUnderWayAtTheDeadline) {
  start(std::chrono::seconds(0));
  auto slow = begin(std::string(kSlow));
  wait_until_counted(kSlowCounted);
  EXPECT_TRUE(server_->stop());
  const auto answered = slow.get();
  EXPECT_TRUE(!answered || answered->status >= 500);
}

TEST_F(DrainTest, OfAServerThatHasStoppedIsOver) {
  start(std::chrono::seconds(1));
  EXPECT_TRUE(server_->stop());
  EXPECT_TRUE(server_->stop());
  server_.reset();
}

}  // namespace
}  // namespace strake::server
