#include "auth/authentication_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "async/run.h"
#include "http/test_server.h"

namespace strake::auth {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHead =
    "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n";

class FollowedFile : public ::testing::Test {
 protected:
  ~FollowedFile() override {
    if (file) static_cast<void>(async::run_blocking(loops.at(0), file->stop()));
    static_cast<void>(async::run_blocking(loops.at(0), issuers.stop()));
    loops.stop();
  }
  void write(std::string_view body) {
    FILE* out = std::fopen(path.c_str(), "w");
    std::fwrite(kHead.data(), 1, kHead.size(), out);
    std::fwrite(body.data(), 1, body.size(), out);
    std::fclose(out);
  }
  void make(std::optional<bool> anonymous = {}) {
    file = std::make_unique<AuthenticationFile>(
        AuthenticationFile::Options{.path = path, .disallowed = {}, .anonymous = anonymous},
        issuers, requests);
  }

  const std::string path = ::testing::TempDir() + "/authentication.yaml";
  async::Loops loops{1};
  async::Workers workers{1};
  JwtAuthenticators issuers{loops, workers, system_clock()};
  RequestAuthenticator requests{{}};
  std::unique_ptr<AuthenticationFile> file;
};

TEST_F(FollowedFile, SaysWhoMayComeWithoutCredentials) {
  write("anonymous: {enabled: true, conditions: [{path: /livez}]}\n");
  make();
  ASSERT_TRUE(file->load());
  EXPECT_TRUE(requests.allows_anonymous("/livez"));
  EXPECT_FALSE(requests.allows_anonymous("/api"));
}

TEST_F(FollowedFile, IsReadAgainWhenItChangesAndABadOneChangesNothing) {
  write("anonymous: {enabled: true, conditions: [{path: /livez}]}\n");
  make();
  ASSERT_TRUE(file->load());
  ASSERT_TRUE(file->follow(loops.at(0), workers));
  write("anonymous: {enabled: true, conditions: [{path: /readyz}]}\n");
  EXPECT_TRUE(http::testing::eventually([&] { return requests.allows_anonymous("/readyz"); }));
  write("anonymous: {enabled: true, conditions: 7}\n");
  EXPECT_FALSE(file->load());
  EXPECT_FALSE(file->load()) << "it is still bad";
  EXPECT_TRUE(requests.allows_anonymous("/readyz"));
  write("");
  EXPECT_TRUE(http::testing::eventually([&] { return requests.allows_anonymous("/api"); }));
}

TEST_F(FollowedFile, CannotSayWhatAFlagSays) {
  write("anonymous: {enabled: true}\n");
  make(true);
  const auto loaded = file->load();
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message(), HasSubstr("--anonymous-auth flag cannot be set"));
  write("");
  make(false);
  ASSERT_TRUE(file->load());
  EXPECT_FALSE(requests.allows_anonymous("/livez")) << "the flag says so";
}

TEST_F(FollowedFile, MustBeThere) {
  std::remove(path.c_str());
  make();
  EXPECT_FALSE(file->load());
}

}  // namespace
}  // namespace strake::auth
