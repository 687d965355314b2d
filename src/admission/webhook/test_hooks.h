#pragma once
// A server of webhooks for tests, over TLS, and a whole API server that asks it.
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "admission/webhook/webhooks.h"
#include "api/test_server.h"
#include "http/pki.h"
#include "http/server.h"
#include "value/document.h"

namespace strake::admission::testing {

// What a webhook is asked.
struct Asked {
  std::string path;
  std::string query;
  std::string body;
  value::Document review;
  std::string uid() const;
  // The object of the request; null when there is none.
  const value::Value& object() const;
};

// Answers by a function of the path: `say` gives the members of the response beside its uid
// ("\"allowed\":true"), `reply` the whole response.
class HookServer final : public http::Handler {
 public:
  HookServer();
  ~HookServer() override;

  std::function<std::string(const Asked&)> say;
  std::function<boost::asio::awaitable<http::Response>(const Asked&)> reply;

  std::string url(std::string_view path) const;
  std::uint16_t port() const { return server_->port(); }
  std::string ca_bundle() const;  // in base64
  // The paths that were asked, in order; not about what the server writes by itself.
  std::vector<std::string> take_asked();
  // The last review.
  Asked last();

  boost::asio::awaitable<http::Response> handle(http::Request request) override;
  bool is_authenticated(const http::Request&) const override { return true; }

 private:
  async::Loops loops_{1};
  http::CertifiedKey authority_;
  std::unique_ptr<http::Server> server_;
  std::mutex mu_;
  std::vector<std::string> asked_;  // guarded by mu_
  std::string last_;                // guarded by mu_
};

http::Response json_answer(std::string text, int code = 200,
                           std::string_view type = "application/json");

// The part of a test server that is under test.
class HookPart final : public api::testing::TestPart {
 public:
  explicit HookPart(api::Hub& hub) : webhooks_(hub, system_clock()) {}
  std::vector<const api::Admission*> admission() const override { return {&webhooks_}; }
  async::Task<> start(api::Core& core) override {
    webhooks_.use(core);
    co_return Result<>();
  }
  async::Task<> stop() override {
    webhooks_.close();
    co_return Result<>();
  }

 private:
  Webhooks webhooks_;
};

// One webhook of a configuration.
struct HookText {
  std::string path = "/";
  std::string rules = R"({"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],)"
                      R"("resources":["configmaps"]})";
  std::string more = "";    // further members: ,"failurePolicy":"Ignore"
  std::string client = {};  // in place of the path: "url":"https://..."
};
enum class Phase : bool { kMutating, kValidating };

class Hooked : public ::testing::Test {
 protected:
  using MakePart = std::function<std::unique_ptr<api::testing::TestPart>(api::Hub&)>;
  // With another part than one of webhooks alone.
  explicit Hooked(MakePart part);
  Hooked() : Hooked([](api::Hub& hub) { return std::make_unique<HookPart>(hub); }) {}
  // Makes the configuration, or replaces it.
  void configure(Phase phase, std::string_view name, std::vector<HookText> hooks);
  void unconfigure(Phase phase, std::string_view name);
  api::testing::Answered make(std::string_view name, std::string_view data = "{}",
                              std::string_view metadata = "", std::string_view query = "");

  HookServer hooks;
  api::testing::TestServer server;
};

inline constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

}  // namespace strake::admission::testing
