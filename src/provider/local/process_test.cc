#include "provider/local/process.h"

#include <fcntl.h>
#include <poll.h>

#include <csignal>

#include "provider/local/test_site.h"

namespace strake::provider::local {
namespace {

class Servers : public ::testing::Test {
 protected:
  ServerProgram program(std::string script) {
    write_text(site_.path("run.sh"), "#!/bin/sh\n" + script);
    return {.arguments = {site_.path("run.sh")},
            .environment = {"PATH=/usr/bin:/bin", "GIVEN=yes"},
            .folder = site_.root(),
            .log = site_.path("log"),
            .alive = site_.path("alive"),
            .ready = site_.path("ready")};
  }
  std::optional<RunningServer> find() {
    auto found = RunningServer::find(site_.path("alive"));
    EXPECT_TRUE(found) << why(found);
    return *std::move(found);
  }
  void wait_for_end(const RunningServer& server) {
    pollfd waiting{.fd = server.ended(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&waiting, 1, 60'000), 1);
  }
  void TearDown() override {
    if (const auto left = find()) EXPECT_TRUE(left->stop({}, std::chrono::seconds(0)));
  }
  TestSite site_;
};

TEST_F(Servers, AreFoundByTheLockThatTheyHold) {
  EXPECT_FALSE(find());
  ASSERT_TRUE(start_server(program("exec sleep 1000\n")));
  const auto server = find();
  ASSERT_TRUE(server);
  EXPECT_NE(server->pid(), ::getpid());
  EXPECT_EQ(::getpgid(server->pid()) == ::getpgid(0), false) << "a session of its own";
  ASSERT_TRUE(server->stop({}, std::chrono::seconds(30)));
  EXPECT_FALSE(find());
}

TEST_F(Servers, RunOnceAtATime) {
  ASSERT_TRUE(start_server(program("exec sleep 1000\n")));
  EXPECT_EQ(start_server(program("exec sleep 1000\n")).error().error_class(),
            FailureClass::kConflict);
}

TEST_F(Servers, AreSeenAsEndedWhenTheyAreKilled) {
  ASSERT_TRUE(start_server(program("exec sleep 1000\n")));
  const auto server = find();
  ASSERT_TRUE(server);
  ASSERT_EQ(::kill(server->pid(), SIGKILL), 0);
  wait_for_end(*server);
  EXPECT_FALSE(find());
  ASSERT_TRUE(start_server(program("exec sleep 1000\n")));
  EXPECT_TRUE(find());
}

TEST_F(Servers, AreKilledWhenTheyDoNotEnd) {
  ASSERT_TRUE(start_server(
      program("trap '' TERM\necho ready >&3\nexec 3>&-\nwhile :; do sleep 1000; done\n")));
  const auto server = find();
  ASSERT_TRUE(server);
  ASSERT_TRUE(server->stop({}, std::chrono::milliseconds(10)));
  EXPECT_FALSE(std::filesystem::exists(fmt::format("/proc/{}/exe", server->pid())));
}

TEST_F(Servers, GetWhatTheyAreGivenAndNothingElse) {
  ::setenv("NOT_GIVEN", "secret", 1);
  const int extra = ::open("/dev/null", O_RDONLY);
  ASSERT_TRUE(start_server(
      program("env; ls /proc/self/fd | tr '\\n' ' '; echo url >&3; exec sleep 1000\n")));
  const auto server = find();
  ASSERT_TRUE(server);
  // `ready` is written behind all that is printed.
  while (text_of(site_.path("ready")).empty()) ::usleep(1000);
  const std::string log = text_of(site_.path("log"));
  EXPECT_NE(log.find("GIVEN=yes"), std::string::npos);
  EXPECT_EQ(log.find("NOT_GIVEN"), std::string::npos);
  EXPECT_NE(log.find("0 1 2 3 4 5 "), std::string::npos) << log;  // 5 is that of ls itself
  EXPECT_EQ(log.find("0 1 2 3 4 5 6"), std::string::npos) << log;
  ::close(extra);
}

TEST_F(Servers, AreNotStartedWithoutTheirProgram) {
  ServerProgram missing = program("");
  missing.arguments = {site_.path("nothing")};
  EXPECT_EQ(
      why(start_server(missing)),
      fmt::format("internal: cannot start {}: No such file or directory", site_.path("nothing")));
  EXPECT_FALSE(find());
}

TEST(LastLines, HaveNoSecrets) {
  const TestSite site;
  std::string text;
  for (int i = 0; i < 20; ++i) text += fmt::format("line {}\n", i);
  text +=
      "cannot listen on 127.0.0.1:6443: \x1b[31maddress in use "
      "/a/long/path/of/a/file/in/a/folder\n";
  text += "token eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMyJ9.eyJzdWIiOiJ4In0 refused\n";
  text += "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----\nlast\n";
  write_text(site.path("log"), text);
  const std::string got = last_lines(site.path("log"));
  EXPECT_TRUE(got.ends_with("\nlast")) << got;
  EXPECT_NE(got.find("address in use /a/long/path/of/a/file/in/a/folder"), std::string::npos);
  EXPECT_NE(got.find("token *** refused"), std::string::npos) << got;
  EXPECT_EQ(got.find("MIGHAgEA"), std::string::npos);
  EXPECT_EQ(got.find('\x1b'), std::string::npos);
  EXPECT_EQ(got.find("line 3\n"), std::string::npos);
  EXPECT_EQ(last_lines(site.path("none")), "");
}

}  // namespace
}  // namespace strake::provider::local
