#include "extension/resolver_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <fstream>
#include <thread>

#include "async/loops.h"
#include "async/run.h"
#include "base/owned_fd.h"
#include "base/subprocess.h"

namespace strake::extension {
namespace {

using ::testing::HasSubstr;

class ResolverFile : public ::testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/services"; }
  void write(std::string_view text) const { std::ofstream(path()) << text; }
  std::string read() const {
    std::ifstream in(path());
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Result<> set(std::string_view service, std::string_view address,
               Deadline deadline = Deadline::after(std::chrono::minutes(1))) {
    auto place = kube::ServicePlace::parse(address);
    return async::run_blocking(
        loops_.at(0), set_service_place(workers_, path(), std::string(service), place, deadline));
  }

  async::Loops loops_{1};
  async::Workers workers_{4};
  ScratchFolder folder_ = *ScratchFolder::make("strake-resolver-");
};

TEST_F(ResolverFile, IsMadeWithTheFirstEntry) {
  ASSERT_TRUE(set("default/a", "127.0.0.1:8443"));
  EXPECT_EQ(read(), "{\n  \"default/a\": \"127.0.0.1:8443\"\n}\n");
  ASSERT_TRUE(set("default/a", ""));
  EXPECT_EQ(read(), "{}\n");
}

TEST_F(ResolverFile, KeepsTheEntriesOfOthers) {
  write("# by hand\nteams/b: 192.0.2.1:443\n");
  ASSERT_TRUE(set("default/a", "127.0.0.1:8443"));
  ASSERT_TRUE(set("default/a", "127.0.0.1:9443"));
  EXPECT_EQ(read(),
            "{\n  \"default/a\": \"127.0.0.1:9443\",\n  \"teams/b\": \"192.0.2.1:443\"\n}\n");
}

TEST_F(ResolverFile, IsNotTouchedWhenNothingChanges) {
  write("default/a: 127.0.0.1:8443\n");
  ASSERT_TRUE(set("default/a", "127.0.0.1:8443"));
  ASSERT_TRUE(set("default/c", ""));
  EXPECT_EQ(read(), "default/a: 127.0.0.1:8443\n");
}

TEST_F(ResolverFile, StaysAsItIsWhenItCannotBeRead) {
  for (const char* text : {"[1]", "a/a: {b: c}", "a: [", "a/a: 1", "a: h:1", "a/a: h"}) {
    write(text);
    EXPECT_FALSE(set("default/a", "127.0.0.1:8443")) << text;
    EXPECT_EQ(read(), text);
  }
  EXPECT_THAT(set("default/a", "127.0.0.1:8443").error().to_string(),
              HasSubstr("a/a: must lead to HOST:PORT"));
}

TEST_F(ResolverFile, LosesNoEntryOfManyWriters) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([this, i] {
      for (int n = 0; n < 5; ++n) EXPECT_TRUE(set(fmt::format("n{}/s{}", i, n), "127.0.0.1:1"));
    });
  }
  for (std::thread& one : writers) one.join();
  EXPECT_EQ(kube::read_service_places(read())->size(), 40u);
}

TEST_F(ResolverFile, IsNotWaitedForLongerThanUntilTheDeadline) {
  OwnedFd other(::open((path() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
  const Result<> refused = set("default/a", "127.0.0.1:8443", Deadline::after({}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kTimeout);
  EXPECT_THAT(refused.error().to_string(), HasSubstr("services.lock"));
  EXPECT_EQ(read(), "");
  // Who waits goes on once it is free.
  std::thread waits([this] { EXPECT_TRUE(set("default/a", "127.0.0.1:8443")); });
  other = OwnedFd();
  waits.join();
  EXPECT_THAT(read(), HasSubstr("default/a"));
}

}  // namespace
}  // namespace strake::extension
