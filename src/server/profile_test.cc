#include "server/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Where the time goes. The loop calls nothing, so that the innermost address is in here.
[[gnu::noinline, clang::no_sanitize("address", "undefined", "thread")]] std::uint64_t spin() {
  volatile std::uint64_t out = 1;
  for (int i = 0; i < 2'000'000; ++i) out = out * 2862933555777941757ULL + 3037000493ULL;
  return out;
}

// Until so many samples were taken there, or a lot of work is done.
std::uint64_t samples_in_spin(const CpuProfile& profile, std::uint64_t wanted) {
  const auto begin = reinterpret_cast<std::uintptr_t>(&spin);
  std::uint64_t found = 0;
  for (int i = 0; i < 20'000 && found < wanted; ++i) {
    spin();
    found = 0;
    for (const auto& [stack, count] : profile.stacks()) {
      // It is a short function.
      if (stack[0] >= begin && stack[0] < begin + 512) found += count;
    }
  }
  return found;
}

TEST(CpuProfile, FindsWhereTheTimeGoes) {
  const auto profile = CpuProfile::start();
  ASSERT_TRUE(profile) << profile.error().message();
  EXPECT_GE(samples_in_spin(**profile, 5), 5u);
  EXPECT_EQ((*profile)->dropped(), 0u);
}

TEST(CpuProfile, IsTakenByOneAtATime) {
  auto first = CpuProfile::start();
  ASSERT_TRUE(first);
  const auto second = CpuProfile::start();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message(), "cpu profiling already in use");
  first->reset();
  EXPECT_TRUE(CpuProfile::start());
}

TEST(CpuProfile, KnowsTheFilesThatRun) {
  const auto here = reinterpret_cast<std::uintptr_t>(&spin);
  bool found = false;
  for (const MappedFile& file : mapped_files())
    found = found || (file.start <= here && here < file.end && file.path.contains("server_test"));
  EXPECT_TRUE(found);
}

// Byte by byte, by the wire format and profile.proto.
TEST(Pprof, IsWrittenAsProfileProtoSays) {
  const std::string text =
      to_pprof({{{0x1010, 0x1020}, 3}}, {{.start = 0x1000, .end = 0x2000, .path = "/bin/x"}},
               WallTime(std::chrono::nanoseconds(7)), std::chrono::nanoseconds(8),
               std::chrono::nanoseconds(10));
  const std::string wanted(
      "\x0a\x04\x08\x01\x10\x02"                  // samples, count
      "\x0a\x04\x08\x03\x10\x04"                  // cpu, nanoseconds
      "\x12\x08\x0a\x02\x01\x02\x12\x02\x03\x1e"  // locations 1 and 2: 3 times, 30 ns
      "\x1a\x0c\x08\x01\x10\x80\x20\x18\x80\x40\x20\x00\x28\x05"  // the file
      "\x22\x07\x08\x01\x10\x01\x18\x90\x20"                      // 0x1010
      "\x22\x07\x08\x02\x10\x01\x18\xa0\x20"                      // 0x1020
      "\x32\x00\x32\x07samples\x32\x05"
      "count\x32\x03"
      "cpu\x32\x0bnanoseconds\x32\x06/bin/x"
      "\x48\x07\x50\x08\x5a\x04\x08\x03\x10\x04\x60\x0a",
      110);
  EXPECT_EQ(text, wanted);
}

}  // namespace
}  // namespace strake::server
