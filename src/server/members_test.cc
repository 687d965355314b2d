// Servers behind one front.
#include "server/members.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "http/test_server.h"
#include "server/test_delegation.h"

namespace strake::server {
namespace {

using http::testing::eventually;
using ::testing::HasSubstr;

class MembersTest : public DelegationTest {
 protected:
  void TearDown() override {
    members_.clear();
    DelegationTest::TearDown();
  }
  void start_front(std::string_view members) {
    Options with = options("main");
    with.aggregate_file = write("members.yaml", members);
    start_main(std::move(with));
    bind_roles();
  }
  void start_member(const std::string& name, std::string_view group) {
    Options with = options(name);
    with.delegation = delegation();
    auto started = Server::start(std::move(with));
    ASSERT_TRUE(started) << started.error().to_string();
    members_[name] = *std::move(started);
    const auto made = ask(*members_[name], name, "POST", kCrds, crd(group), admin_of(name));
    ASSERT_EQ(made.status, 201) << made.body;
  }
  void use(std::string_view members) {
    write("members.yaml", members);
    main_->reload();
  }
  std::string entry(const std::string& name) const {
    return fmt::format("{{name: {0}, kubeconfig: {0}/admin.kubeconfig}}", name);
  }
  int things_of(std::string_view group) const {
    return main_admin("GET", fmt::format("/apis/{}/v1/namespaces/default/things", group)).status;
  }
  bool serves(std::string_view group) const {
    return eventually([&] { return things_of(group) == 200; });
  }
  int service_of(std::string_view group) const {
    return main_admin("GET",
                      fmt::format("/apis/apiregistration.k8s.io/v1/apiservices/v1.{}", group))
        .status;
  }

  std::map<std::string, std::unique_ptr<Server>> members_;
};

TEST_F(MembersTest, AreServedBehindOneFront) {
  start_front("members: []");
  start_member("a", "a.example");
  start_member("b", "b.example");
  use(fmt::format("members: [{}, {}]", entry("a"), entry("b")));
  ASSERT_TRUE(serves("a.example"));
  ASSERT_TRUE(serves("b.example"));
  EXPECT_EQ(
      main_admin("POST", "/apis/a.example/v1/namespaces/default/things", thing("t", "a.example"))
          .status,
      201);
  EXPECT_EQ(ask(*members_["a"], "a", "GET", "/apis/a.example/v1/namespaces/default/things/t", "",
                admin_of("a"))
                .status,
            200);
  // As definitions come.
  const auto made = ask(*members_["a"], "a", "POST", kCrds, crd("more.example"), admin_of("a"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_TRUE(serves("more.example"));
}

TEST_F(MembersTest, DoNotTouchEachOther) {
  start_front("members: []");
  start_member("a", "a.example");
  start_member("b", "b.example");
  use(fmt::format("members: [{}, {}, {{name: c, kubeconfig: missing}}]", entry("a"), entry("b")));
  ASSERT_TRUE(serves("a.example"));
  ASSERT_TRUE(serves("b.example"));
  members_.erase("a");
  EXPECT_TRUE(eventually([&] { return things_of("a.example") == 503; }));
  EXPECT_EQ(things_of("b.example"), 200);
  EXPECT_EQ(service_of("a.example"), 200);
  // A file that cannot be used changes nothing, one without the member does.
  use("members: [{name: a}]");
  EXPECT_EQ(things_of("b.example"), 200);
  EXPECT_EQ(service_of("a.example"), 200);
  use(fmt::format("members: [{}]", entry("b")));
  EXPECT_TRUE(eventually([&] { return service_of("a.example") == 404; }));
  EXPECT_EQ(things_of("b.example"), 200);
}

TEST_F(MembersTest, AreNowhereOnceTheLastOneIsRemoved) {
  start_front("members: []");
  start_member("a", "a.example");
  use(fmt::format("members: [{}]", entry("a")));
  ASSERT_TRUE(serves("a.example"));
  use("members: []");
  EXPECT_TRUE(eventually([&] { return service_of("a.example") == 404; }));
  // Not even an APIService that others make leads there.
  const auto made = main_admin(
      "POST", "/apis/apiregistration.k8s.io/v1/apiservices",
      R"({"metadata":{"name":"v1.a.example"},"spec":{"group":"a.example","version":"v1",)"
      R"("groupPriorityMinimum":5,"versionPriority":5,"insecureSkipTLSVerify":true,)"
      R"("service":{"namespace":"strake-members","name":"a"}}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_TRUE(eventually([&] {
    return main_admin("GET", "/apis/apiregistration.k8s.io/v1/apiservices/v1.a.example")
        .body.contains("ServiceNotFound");
  }));
}

TEST_F(MembersTest, KeepWhatTheyHaveWhenTheFrontStartsWithoutThem) {
  Options with = options("main");
  with.in_memory = false;
  with.aggregate_file = write("members.yaml", "members: []");
  start_main(with);
  bind_roles();
  start_member("a", "a.example");
  start_member("b", "b.example");
  use(fmt::format("members: [{}, {}]", entry("a"), entry("b")));
  ASSERT_TRUE(serves("a.example"));
  members_.clear();
  // Neither says what it serves; one has no kubeconfig either.
  std::filesystem::remove(folder_.file("b/admin.kubeconfig"));
  const std::string port = main_->url().substr(main_->url().rfind(':') + 1);
  main_.reset();
  with.port = static_cast<std::uint16_t>(std::stoi(port));
  write("members.yaml", fmt::format("members: [{}, {}]", entry("a"), entry("b")));
  start_main(with);
  start_member("z", "z.example");
  use(fmt::format("members: [{}, {}, {}]", entry("a"), entry("b"), entry("z")));
  ASSERT_TRUE(serves("z.example"));
  EXPECT_EQ(service_of("a.example"), 200);
  EXPECT_EQ(service_of("b.example"), 200);
}

TEST_F(MembersTest, KeepAGroupFromOthersThatHaveItTooUntilTheyCanBeAsked) {
  Options with = options("main");
  with.in_memory = false;
  with.aggregate_file = write("members.yaml", "members: []");
  start_main(with);
  bind_roles();
  start_member("a", "same.example");
  start_member("b", "b.example");
  use(fmt::format("members: [{}]", entry("a")));
  ASSERT_TRUE(serves("same.example"));
  const auto define_at_b = [&](std::string_view group) {
    return ask(*members_["b"], "b", "POST", kCrds, crd(group), admin_of("b")).status;
  };
  EXPECT_EQ(define_at_b("same.example"), 201);
  // The front starts again, and the first of the two is away.
  members_.erase("a");
  const std::string port = main_->url().substr(main_->url().rfind(':') + 1);
  main_.reset();
  with.port = static_cast<std::uint16_t>(std::stoi(port));
  write("members.yaml", fmt::format("members: [{}, {}]", entry("a"), entry("b")));
  start_main(with);
  ASSERT_TRUE(serves("b.example"));
  // What is settled after the group, so the group is.
  EXPECT_EQ(define_at_b("z.example"), 201);
  ASSERT_TRUE(serves("z.example"));
  const auto owner = [&] {
    return main_admin("GET", "/apis/apiregistration.k8s.io/v1/apiservices/v1.same.example").body;
  };
  EXPECT_THAT(owner(), HasSubstr(R"("extension.strake.dev/member":"a")"));
  // Once nobody names it any more, the other one has it.
  use(fmt::format("members: [{}]", entry("b")));
  EXPECT_TRUE(eventually([&] { return owner().contains(R"("extension.strake.dev/member":"b")"); }));
}

TEST_F(MembersTest, KeepWhatTheyHaveWhileTheyCannotBeAsked) {
  start_front("members: []");
  start_member("a", "a.example");
  use(fmt::format("members: [{}]", entry("a")));
  ASSERT_TRUE(serves("a.example"));
  std::filesystem::rename(folder_.file("a/admin.kubeconfig"), folder_.file("a/moved"));
  use(fmt::format("members: [{}, {{name: z, kubeconfig: missing}}]", entry("a")));
  EXPECT_EQ(things_of("a.example"), 200);
  std::filesystem::rename(folder_.file("a/moved"), folder_.file("a/admin.kubeconfig"));
  use(fmt::format("members: [{}]", entry("a")));
  EXPECT_EQ(things_of("a.example"), 200);
  EXPECT_EQ(service_of("a.example"), 200);
}

}  // namespace
}  // namespace strake::server
