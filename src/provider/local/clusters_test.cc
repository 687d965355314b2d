#include "provider/local/clusters.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "kube/access.h"
#include "kube/client.h"
#include "provider/local/object.h"
#include "provider/local/process.h"
#include "provider/local/test_site.h"

namespace strake::provider::local {
namespace {

// With clusters that are real servers.
class LocalClustersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* binary = std::getenv("STRAKE_BINARY");
    if (binary == nullptr) GTEST_SKIP() << "STRAKE_BINARY names no program to start";
    driver_ = site_.driver({}, binary);
  }
  void TearDown() override {
    if (driver_.clusters == nullptr) return;
    const auto gone = driver_.clusters->deprovision({}, site_.cluster, {});
    EXPECT_TRUE(gone) << why(gone);
    EXPECT_TRUE(std::filesystem::is_empty(site_.path("root")));
  }

  Outcome<> provision(ProvisionOptions options = {}) {
    return driver_.clusters->provision({.journal = &told_}, site_.cluster, options);
  }
  bool provisioned() { return driver_.clusters->status({}, site_.cluster)->provisioned; }
  std::string folder() const {
    for (const auto& one : std::filesystem::recursive_directory_iterator(site_.path("root"))) {
      if (one.path().filename() == "cluster.json") return one.path().parent_path();
    }
    return {};
  }
  pid_t pid() const {
    const auto found = RunningServer::find(folder() + "/alive");
    return found && *found ? (*found)->pid() : 0;
  }
  std::string address() const {
    return read_cluster_object(text_of(folder() + "/cluster.json"))->address;
  }
  // As it was at another time.
  Result<std::string> get(std::string_view path) {
    const auto text = driver_.clusters->kubeconfig({}, site_.cluster);
    EXPECT_TRUE(text) << why(text);
    return kube::Client(kube::access_of_kubeconfig(*text).value(), {}).get(path);
  }
  void kill_server() {
    const auto server = RunningServer::find(folder() + "/alive");
    ASSERT_TRUE(server && *server);
    ASSERT_EQ(::kill((*server)->pid(), SIGKILL), 0);
    pollfd waiting{.fd = (*server)->ended(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&waiting, 1, 60'000), 1);
  }

  TestSite site_;
  Told told_;
  Driver driver_;
};

TEST_F(LocalClustersTest, AnswerWithTheKubeconfigOfTheirFolder) {
  EXPECT_FALSE(provisioned());
  EXPECT_EQ(driver_.clusters->kubeconfig({}, site_.cluster).error().error_class(),
            FailureClass::kNotFound);
  const auto done = provision();
  ASSERT_TRUE(done) << why(done);
  EXPECT_TRUE(provisioned());
  EXPECT_TRUE(get("/api/v1/nodes")) << "it serves workloads";
}

TEST_F(LocalClustersTest, AreStartedAgainOverTheirDataOnTheSamePort) {
  ASSERT_TRUE(provision());
  const std::string before = address();
  ASSERT_TRUE(get("/api/v1/namespaces/default"));
  const std::string uid = get("/api/v1/namespaces/default").value();
  kill_server();
  EXPECT_FALSE(provisioned());
  ASSERT_TRUE(provision());
  EXPECT_TRUE(provisioned());
  EXPECT_EQ(address(), before);
  EXPECT_EQ(get("/api/v1/namespaces/default").value(), uid);
}

TEST_F(LocalClustersTest, GetAnotherPortWhenTheirsIsTaken) {
  ASSERT_TRUE(provision());
  const std::string before = address();
  kill_server();
  const OwnedFd taken(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(std::stoi(before.substr(before.rfind(':') + 1))));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int yes = 1;
  ::setsockopt(taken.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  ASSERT_EQ(::bind(taken.get(), reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
  ASSERT_EQ(::listen(taken.get(), 1), 0);
  const auto done = provision();
  ASSERT_TRUE(done) << why(done);
  EXPECT_NE(address(), before);
  EXPECT_TRUE(get("/readyz"));
  EXPECT_EQ(told_.warnings.size(), 1U);
}

TEST_F(LocalClustersTest, AreOneWhenTheyAreProvisionedAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto done = driver_.clusters->provision({}, site_.cluster, {});
      EXPECT_TRUE(done) << why(done);
    });
  }
  for (std::thread& one : threads) one.join();
  const pid_t server = pid();
  EXPECT_NE(server, 0);
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::error_code error;
    const std::string work = std::filesystem::read_symlink(entry.path() / "cwd", error).string();
    count += !error && work == folder() ? 1 : 0;
  }
  EXPECT_EQ(count, 1);
}

TEST_F(LocalClustersTest, AreStartedAnewWhenItIsForced) {
  ASSERT_TRUE(provision());
  const pid_t before = pid();
  ASSERT_TRUE(provision());
  EXPECT_EQ(pid(), before);
  ASSERT_TRUE(provision({.force = true}));
  EXPECT_NE(pid(), before);
}

TEST_F(LocalClustersTest, KeepTheirKeysToTheirUser) {
  ASSERT_TRUE(provision());
  for (const auto& one : std::filesystem::recursive_directory_iterator(folder())) {
    const auto mode = one.status().permissions() & std::filesystem::perms::mask;
    const std::string name = one.path().filename();
    if (name.ends_with(".crt") || name.ends_with(".pub") || one.is_directory()) continue;
    EXPECT_EQ(mode & (std::filesystem::perms::group_all | std::filesystem::perms::others_all),
              std::filesystem::perms::none)
        << one.path();
  }
}

TEST_F(LocalClustersTest, OfAnotherOwnerAreLeftAlone) {
  ASSERT_TRUE(provision());
  const std::string object = folder() + "/cluster.json";
  const std::string good = text_of(object);
  std::string changed = good;
  changed.replace(changed.find("\"ops\""), 5, "\"dev\"");
  write_text(object, changed);
  EXPECT_EQ(provision({.force = true}).error().error_class(), FailureClass::kConflict);
  EXPECT_EQ(driver_.clusters->deprovision({}, site_.cluster, {}).error().error_class(),
            FailureClass::kConflict);
  write_text(object, good);
}

// With programs that are no servers.
class FailingStarts : public ::testing::Test {
 protected:
  Outcome<> provision(std::string script, Settings settings = {}) {
    write_text(site_.path("program"), "#!/bin/sh\n" + script);
    driver_ = site_.driver({}, site_.path("program"));
    site_.cluster.settings = std::move(settings);
    return driver_.clusters->provision({}, site_.cluster, {});
  }
  void TearDown() override { EXPECT_TRUE(driver_.clusters->deprovision({}, site_.cluster, {})); }
  TestSite site_;
  Driver driver_;
};

TEST_F(FailingStarts, BringTheLastLinesOfTheLogWithoutSecrets) {
  const auto got = provision(
      "echo 'cannot listen: address in use'; echo 'token aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'; exit 1\n");
  ASSERT_FALSE(got);
  EXPECT_EQ(why(got),
            "internal: the server ended as it started: cannot listen: address in use\ntoken ***");
  EXPECT_FALSE(driver_.clusters->status({}, site_.cluster)->provisioned);
}

TEST_F(FailingStarts, EndWithTheirTime) {
  const auto got = provision("echo waiting; exec sleep 1000\n",
                             {{"LOCAL_START_SECONDS", "1"}, {"LOCAL_STOP_SECONDS", "1"}});
  ASSERT_FALSE(got);
  EXPECT_EQ(why(got), "server: the server was not ready after 1 s: waiting");
}

TEST_F(FailingStarts, HearCancellation) {
  CancelSource source;
  write_text(site_.path("program"), "#!/bin/sh\nexec sleep 1000\n");
  driver_ = site_.driver({}, site_.path("program"));
  site_.cluster.settings = {{"LOCAL_STOP_SECONDS", "1"}};
  std::thread canceller([&] {
    // When it waits, there is a file for the server's word.
    const auto begun = [&] {
      std::error_code error;
      for (const auto& one :
           std::filesystem::recursive_directory_iterator(site_.path("root"), error)) {
        if (one.path().filename() == "ready") return true;
      }
      return false;
    };
    while (!begun()) std::this_thread::yield();
    source.cancel();
  });
  const auto got = driver_.clusters->provision({.cancel = source.token()}, site_.cluster, {});
  canceller.join();
  EXPECT_EQ(got.error().error_class(), FailureClass::kCanceled);
}

}  // namespace
}  // namespace strake::provider::local
