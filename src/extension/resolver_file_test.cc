#include "extension/resolver_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

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
  ScratchFolder folder_ = *ScratchFolder::make("strake-resolver-");
};

TEST_F(ResolverFile, IsMadeWithTheFirstEntry) {
  ASSERT_TRUE(set_service_address(path(), "default/a", "127.0.0.1:8443"));
  EXPECT_EQ(read(), "{\n  \"default/a\": \"127.0.0.1:8443\"\n}\n");
  ASSERT_TRUE(set_service_address(path(), "default/a", ""));
  EXPECT_EQ(read(), "{}\n");
}

TEST_F(ResolverFile, KeepsTheEntriesOfOthers) {
  write("# by hand\nteams/b: 192.0.2.1:443\n");
  ASSERT_TRUE(set_service_address(path(), "default/a", "127.0.0.1:8443"));
  ASSERT_TRUE(set_service_address(path(), "default/a", "127.0.0.1:9443"));
  EXPECT_EQ(read(),
            "{\n  \"default/a\": \"127.0.0.1:9443\",\n  \"teams/b\": \"192.0.2.1:443\"\n}\n");
}

TEST_F(ResolverFile, IsNotTouchedWhenNothingChanges) {
  write("default/a: 127.0.0.1:8443\n");
  ASSERT_TRUE(set_service_address(path(), "default/a", "127.0.0.1:8443"));
  ASSERT_TRUE(set_service_address(path(), "default/c", ""));
  EXPECT_EQ(read(), "default/a: 127.0.0.1:8443\n");
}

TEST_F(ResolverFile, StaysAsItIsWhenItCannotBeRead) {
  for (const char* text : {"[1]", "a: {b: c}", "a: [", "a: 1"}) {
    write(text);
    EXPECT_FALSE(set_service_address(path(), "default/a", "127.0.0.1:8443")) << text;
    EXPECT_EQ(read(), text);
  }
  write("a: 1");
  EXPECT_THAT(set_service_address(path(), "default/a", "x").error().to_string(),
              HasSubstr("a: must be a string such as 127.0.0.1:8443"));
}

TEST_F(ResolverFile, LosesNoEntryOfManyWriters) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([this, i] {
      for (int n = 0; n < 5; ++n)
        EXPECT_TRUE(set_service_address(path(), fmt::format("n{}/s{}", i, n), "127.0.0.1:1"));
    });
  }
  for (std::thread& one : writers) one.join();
  EXPECT_EQ(read_service_addresses(read())->size(), 40u);
}

}  // namespace
}  // namespace strake::extension
