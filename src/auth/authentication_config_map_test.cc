#include "auth/authentication_config_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::auth {
namespace {

using api::testing::expect_ok;
using api::testing::TestServer;

constexpr std::string_view kMap =
    "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

class Part final : public api::testing::TestPart {
 public:
  explicit Part(api::Hub& hub) : map_(hub) {}
  async::Task<> start(api::Core& core) override {
    const FrontProxyOptions options{.allowed_names = {"front-proxy-client"}};
    return map_.start(core, authentication_data("CLIENT", "PROXY", &options));
  }
  async::Task<> stop() override { return map_.stop(); }
  AuthenticationConfigMap map_;
};

class AuthenticationConfigMapTest : public testing::Test {
 protected:
  // Waits for the controller, a while at most.
  std::string wait_for(std::string_view path, std::string_view wanted) {
    std::string got;
    for (int i = 0; i < 1000; ++i) {
      got = server.get(kMap).text(path);
      if (got == wanted) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return got;
  }
  Part* part = nullptr;
  TestServer server{{.part = [this](api::Hub& hub) {
    auto out = std::make_unique<Part>(hub);
    part = out.get();
    return out;
  }}};
};

TEST_F(AuthenticationConfigMapTest, TellsExtensionServersWhomToBelieve) {
  const auto map = server.get(kMap);
  expect_ok(map);
  EXPECT_EQ(map.text("data.client-ca-file"), "CLIENT");
  EXPECT_EQ(map.text("data.requestheader-client-ca-file"), "PROXY");
  EXPECT_EQ(map.text("data.requestheader-allowed-names"), R"(["front-proxy-client"])");
  EXPECT_EQ(map.text("data.requestheader-username-headers"), R"(["X-Remote-User"])");
  EXPECT_EQ(map.text("data.requestheader-uid-headers"), R"(["X-Remote-Uid"])");
  EXPECT_EQ(map.text("data.requestheader-group-headers"), R"(["X-Remote-Group"])");
  EXPECT_EQ(map.text("data.requestheader-extra-headers-prefix"), R"(["X-Remote-Extra-"])");
}

TEST_F(AuthenticationConfigMapTest, IsPutRightWhenSomeoneChangesOrDeletesIt) {
  expect_ok(server.merge(kMap, R"({"data":{"client-ca-file":"EVIL","mine":"kept"}})"));
  EXPECT_EQ(wait_for("data.client-ca-file", "CLIENT"), "CLIENT");
  EXPECT_EQ(server.get(kMap).text("data.mine"), "kept");
  expect_ok(server.remove(kMap));
  EXPECT_EQ(wait_for("data.client-ca-file", "CLIENT"), "CLIENT");
}

TEST_F(AuthenticationConfigMapTest, FollowsTheSettingsOfTheServer) {
  part->map_.set(authentication_data("NEW", "", nullptr));
  EXPECT_EQ(wait_for("data.client-ca-file", "NEW"), "NEW");
}

TEST(AuthenticationData, HasNoKeysForWhatIsNotSet) {
  EXPECT_THAT(authentication_data("CLIENT", "", nullptr),
              ::testing::ElementsAre(::testing::Pair("client-ca-file", "CLIENT")));
}

}  // namespace
}  // namespace strake::auth
