#include "server/service_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>

#include "base/log.h"

namespace strake::server {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// The other end of the protocol: a real datagram socket.
class Manager {
 public:
  // A name that begins with @ is in no file system.
  explicit Manager(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, sizeof address.sun_path - 1);
    if (name[0] == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  }
  std::string next() const {
    char buffer[4096];
    const ssize_t got = ::recv(fd_.get(), buffer, sizeof buffer, 0);
    return got < 0 ? "error" : std::string(buffer, static_cast<std::size_t>(got));
  }

 private:
  OwnedFd fd_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

TEST(ServiceManager, IsToldWhatGoesOn) {
  std::string folder = (std::filesystem::temp_directory_path() / "strake-notify-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  for (const std::string& name :
       {folder + "/notify", "@strake-notify-" + std::to_string(::getpid())}) {
    const Manager manager(name);
    const auto service = ServiceManager::from({{"NOTIFY_SOCKET", name}}, ::getpid());
    ASSERT_TRUE(service) << service.error().message();
    service->ready("serving at https://127.0.0.1:1");
    EXPECT_EQ(manager.next(), fmt::format("READY=1\nSTATUS=serving at https://127.0.0.1:1\n"
                                          "MAINPID={}\n",
                                          ::getpid()));
    service->reloading();
    EXPECT_THAT(manager.next(), MatchesRegex("RELOADING=1\nMONOTONIC_USEC=[0-9]+\n"));
    service->alive();
    EXPECT_EQ(manager.next(), "WATCHDOG=1\n");
    service->stopping();
    EXPECT_EQ(manager.next(), "STOPPING=1\nSTATUS=stopping\n");
  }
  std::filesystem::remove_all(folder);
}

TEST(ServiceManager, MayBeGone) {
  log::configure({.level = log::Level::kOff});
  const auto service = ServiceManager::from({{"NOTIFY_SOCKET", "/nowhere/notify"}}, 1);
  ASSERT_TRUE(service);
  service->ready("x");
  ServiceManager::from({}, 1)->ready("x");
  log::configure({});
}

TEST(ServiceManager, AsksForSignsOfLife) {
  using std::chrono::microseconds;
  const auto asked = [](std::map<std::string, std::string> environment) {
    environment["NOTIFY_SOCKET"] = "@x";
    return ServiceManager::from(environment, 7)->watchdog();
  };
  EXPECT_EQ(asked({{"WATCHDOG_USEC", "30000000"}}), microseconds(30'000'000));
  EXPECT_EQ(asked({{"WATCHDOG_USEC", "5"}, {"WATCHDOG_PID", "7"}}), microseconds(5));
  EXPECT_EQ(asked({{"WATCHDOG_USEC", "5"}, {"WATCHDOG_PID", "8"}}), std::nullopt);
  EXPECT_EQ(asked({{"WATCHDOG_USEC", "0"}}), std::nullopt);
  EXPECT_EQ(asked({}), std::nullopt);
  EXPECT_EQ(ServiceManager::from({{"WATCHDOG_USEC", "5"}}, 7)->watchdog(), std::nullopt)
      << "nobody could be told";
}

TEST(ServiceManager, HandsASocketOver) {
  auto service = ServiceManager::from({{"LISTEN_FDS", "1"}, {"LISTEN_PID", "7"}}, 7);
  EXPECT_EQ(service->take_socket(), 3);
  EXPECT_EQ(service->take_socket(), std::nullopt);
  EXPECT_EQ(ServiceManager::from({{"LISTEN_FDS", "1"}, {"LISTEN_PID", "8"}}, 7)->take_socket(),
            std::nullopt)
      << "it is for another process";
  EXPECT_EQ(ServiceManager::from({{"LISTEN_FDS", "1"}}, 7)->take_socket(), std::nullopt);
}

TEST(ServiceManager, MustSpeakTheProtocol) {
  const auto error = [](const std::map<std::string, std::string>& environment) {
    const auto service = ServiceManager::from(environment, 7);
    return service ? "" : service.error().message();
  };
  EXPECT_EQ(error({{"NOTIFY_SOCKET", "notify"}}),
            "NOTIFY_SOCKET must be a path or begin with @, got \"notify\"");
  EXPECT_THAT(error({{"NOTIFY_SOCKET", "/" + std::string(200, 'x')}}), HasSubstr("NOTIFY_SOCKET"));
  EXPECT_EQ(error({{"WATCHDOG_USEC", "soon"}}), "WATCHDOG_USEC must be a number, got \"soon\"");
  EXPECT_EQ(error({{"LISTEN_FDS", "2"}, {"LISTEN_PID", "7"}}),
            "one socket to listen on was expected, and 2 were handed over");
}

TEST(ServiceManager, IsForThisProcessAlone) {
  ::setenv("NOTIFY_SOCKET", "@x", 1);
  ::setenv("WATCHDOG_USEC", "1000", 1);
  const auto service = ServiceManager::from_environment();
  EXPECT_TRUE(service->watchdog());
  EXPECT_EQ(::getenv("NOTIFY_SOCKET"), nullptr);
  EXPECT_EQ(::getenv("WATCHDOG_USEC"), nullptr);
}

}  // namespace
}  // namespace strake::server
