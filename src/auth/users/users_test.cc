// Records of users, and what becomes of requests once one of them says that a user is revoked.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "api/test_server.h"
#include "async/one_shot.h"
#include "auth/users/revocations.h"
#include "http/test_server.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using api::testing::Asking;
using api::testing::Event;
using api::testing::expect_ok;
using api::testing::expect_status;
using api::testing::TestServer;
using ::testing::StartsWith;

constexpr std::string_view kMaps = "/api/v1/namespaces/kube-system/configmaps";

std::string json_of(const UserRecord& record) {
  value::Document map;
  write_user_record(record, map);
  return value::to_json(map.root());
}

TEST(UserRecords, AreReadAsTheyWereWritten) {
  const UserRecord record{.name = "eve@example.com",
                          .groups = {"dev", "a \"quoted\" one"},
                          .certificates = {{.sha256 = "ab", .expires = "2024-02-01T00:00:00Z"}},
                          .revoked_at = "2024-01-01T00:00:00Z"};
  value::Document map;
  write_user_record(record, map);
  EXPECT_THAT(std::string(map.root().get("metadata").get("name").as_string()),
              StartsWith("strake-user-"));
  const auto read = read_user_record(map.root());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, record);
}

TEST(UserRecords, KeepWhatOthersAddedToTheConfigMap) {
  value::Document map;
  write_user_record({.name = "eve"}, map);
  map.root().object_at("data", map.arena()).set("note", value::Value::string("x"), map.arena());
  write_user_record({.name = "eve", .revoked_at = "2024-01-01T00:00:00Z"}, map);
  EXPECT_EQ(map.root().get("data").get("note").as_string(), "x");
  EXPECT_EQ(read_user_record(map.root())->revoked_at, "2024-01-01T00:00:00Z");
}

TEST(UserRecords, AreThoseOfTheUserInTheirName) {
  value::Document map;
  write_user_record({.name = "eve"}, map);
  map.root().object_at("data", map.arena()).set("name", value::Value::string("bob"), map.arena());
  EXPECT_FALSE(read_user_record(map.root()));
}

TEST(UserRecords, RefuseEverythingFromBeforeTheRevocation) {
  UserRecord record{.name = "eve", .certificates = {{.sha256 = "old", .expires = ""}}};
  EXPECT_FALSE(record.refuses("unknown"));
  EXPECT_FALSE(record.refuses(""));
  record.revoked_at = "2024-01-01T00:00:00Z";
  record.certificates = {{.sha256 = "new", .expires = ""}};
  EXPECT_TRUE(record.refuses("old"));
  EXPECT_TRUE(record.refuses(""));
  EXPECT_FALSE(record.refuses("new"));
}

TEST(UserRecords, RefuseMoreAndNotLessWhenTheyAreDamaged) {
  value::Document map;
  write_user_record({.name = "eve",
                     .certificates = {{.sha256 = "new", .expires = ""}},
                     .revoked_at = "2024-01-01T00:00:00Z"},
                    map);
  map.root()
      .object_at("data", map.arena())
      .set("certificates", value::Value::string("[{"), map.arena());
  const auto read = read_user_record(map.root());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->refuses("new"));
}

// A token is the name of its user.
class Believing final : public api::Authenticator, public api::TokenReviewer {
 public:
  Result<api::UserPtr> authenticate(const http::Request& request) const override {
    return user(request.headers.get("Authorization").substr(std::string_view("Bearer ").size()));
  }
  boost::asio::awaitable<Review> review(Secret token, std::vector<std::string>,
                                        CancelToken) const override {
    co_return Review{.user = user(token.reveal()), .audiences = {}, .error = {}};
  }

 private:
  static api::UserPtr user(std::string_view name) {
    return std::make_shared<const api::User>(
        api::User{.name = std::string(name), .uid = {}, .groups = {"system:masters"}, .extra = {}});
  }
};

// Everyone may do everything; those who watch may once the gate is open.
class Gate final : public api::Authorizer {
 public:
  Decision authorize(const api::User&, const api::RequestInfo& request) const override {
    return {.allowed = true, .open = closed && request.verb == "watch"};
  }
  boost::asio::awaitable<Decision> ask(api::User, api::RequestInfo, CancelToken) const override {
    asked = true;
    async::OneShot<> turn = opened;
    static_cast<void>(co_await turn.wait());
    co_return Decision{.allowed = true};
  }
  Rules rules_of(const api::User&, std::string_view) const override { return {}; }
  std::atomic<bool> closed = false;
  mutable std::atomic<bool> asked = false;
  async::OneShot<> opened;
};

class Part final : public api::testing::TestPart {
 public:
  explicit Part(api::Hub& hub) : revocations_(hub) {}
  const api::Authorizer* authorizer() const override { return &gate; }
  const api::Authenticator* authenticator() const override { return &revoking_; }
  const api::TokenReviewer* token_reviewer() const override { return &revoking_; }
  async::Task<> start(api::Core& core) override { return revocations_.start(core); }
  async::Task<> stop() override { return revocations_.stop(); }
  const Revocations& revocations() const { return revocations_; }
  Gate gate;

 private:
  Believing believing_;
  Revocations revocations_;
  RevokingAuthenticator revoking_{believing_, believing_, revocations_};
};

class RevokedUsers : public ::testing::Test {
 protected:
  int code_for(std::string_view user) {
    return server
        .ask({.target = "/api/v1/namespaces/default",
              .headers = {{"Authorization", fmt::format("Bearer {}", user)}}})
        .code;
  }
  void revoke(std::string_view user, std::vector<UserRecord::Certificate> certificates = {}) {
    expect_ok(server.post(kMaps, json_of({.name = std::string(user),
                                          .certificates = std::move(certificates),
                                          .revoked_at = "2024-01-01T00:00:00Z"})),
              201);
  }
  Part* part = nullptr;
  TestServer server{{.part = [this](api::Hub& hub) {
    auto out = std::make_unique<Part>(hub);
    part = out.get();
    return out;
  }}};
};

TEST_F(RevokedUsers, AreUnauthorizedFromTheNextRequestOn) {
  EXPECT_EQ(code_for("eve"), 200);
  expect_ok(server.post(kMaps, json_of({.name = "eve"})), 201);
  EXPECT_EQ(code_for("eve"), 200);
  expect_ok(server.merge(fmt::format("{}/{}", kMaps, user_record_name("eve")),
                         R"({"data":{"revokedAt":"2024-01-01T00:00:00Z"}})"));
  EXPECT_EQ(code_for("eve"), 401);
  EXPECT_EQ(code_for("adam"), 200);
}

TEST_F(RevokedUsers, AreKnownAgainWhenTheRecordIsDeleted) {
  revoke("eve");
  EXPECT_EQ(code_for("eve"), 401);
  expect_ok(server.remove(fmt::format("{}/{}", kMaps, user_record_name("eve"))));
  EXPECT_EQ(code_for("eve"), 200);
}

TEST_F(RevokedUsers, MayHaveANewCertificate) {
  revoke("eve", {{.sha256 = "new", .expires = ""}});
  EXPECT_TRUE(part->revocations().refuses("eve", "old"));
  EXPECT_FALSE(part->revocations().refuses("eve", "new"));
}

TEST_F(RevokedUsers, AreNotAffectedByRecordsElsewhere) {
  value::Document map;
  write_user_record({.name = "eve", .revoked_at = "2024-01-01T00:00:00Z"}, map);
  map.root()
      .object_at("metadata", map.arena())
      .set("namespace", value::Value::string("default"), map.arena());
  expect_ok(server.post("/api/v1/namespaces/default/configmaps", value::to_json(map.root())), 201);
  EXPECT_EQ(code_for("eve"), 200);
}

TEST_F(RevokedUsers, HaveNoGoodTokens) {
  constexpr std::string_view kReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
  constexpr std::string_view kReview =
      R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"eve"}})";
  EXPECT_EQ(server.post(kReviews, kReview).at("status.authenticated"), "true");
  revoke("eve");
  EXPECT_EQ(server.post(kReviews, kReview).at("status.authenticated"), "");
}

TEST_F(RevokedUsers, LoseTheirWatches) {
  auto got =
      server.call("GET", "/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0", {},
                  {{"Authorization", "Bearer eve"}});
  ASSERT_EQ(got.code, 200);
  revoke("eve");
  std::string last;
  for (std::string part_text = server.next(*got.stream); !part_text.empty();
       part_text = server.next(*got.stream))
    last = part_text;
  EXPECT_THAT(last, ::testing::HasSubstr(R"("code":410)"));
  server.end(std::move(got.stream));
}

TEST_F(RevokedUsers, LoseWatchesThatTheyAskedForAsAnother) {
  auto got =
      server.call("GET", "/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0&timeoutSeconds=10", {},
                  {{"Authorization", "Bearer eve"}, {"Impersonate-User", "adam"}});
  ASSERT_EQ(got.code, 200);
  revoke("eve");
  std::string last;
  for (std::string part_text = server.next(*got.stream); !part_text.empty();
       part_text = server.next(*got.stream))
    last = part_text;
  EXPECT_THAT(last, ::testing::HasSubstr(R"("code":410)"));
  server.end(std::move(got.stream));
}

TEST_F(RevokedUsers, GetNoWatchThatWasAskedForJustBefore) {
  part->gate.closed = true;
  TestServer::Got got;
  std::thread watching([&] {
    got = server.call("GET", "/api/v1/namespaces/default/configmaps?watch=true", {},
                      {{"Authorization", "Bearer eve"}});
  });
  // It is known by now whose watch it is, and there is no watch yet.
  EXPECT_TRUE(http::testing::eventually([this] { return part->gate.asked.load(); }));
  revoke("eve");
  part->gate.opened.set({});
  watching.join();
  EXPECT_EQ(got.code, 401) << got.body;
  if (got.stream) server.end(std::move(got.stream));
}

}  // namespace
}  // namespace strake::auth
