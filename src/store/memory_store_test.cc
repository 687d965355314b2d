#include "store/memory_store.h"

#include <gtest/gtest.h>

#include "store/conformance.h"

namespace strake::store {
namespace {

class MemoryUnderTest final : public StoreUnderTest {
 public:
  Store& store() override { return store_; }
  void advance(std::chrono::seconds by) override {
    clock_.advance(by);
    store_.expire();
  }
  bool reopen() override { return false; }

 private:
  FakeClock clock_;
  MemoryStore store_{clock_};
};

INSTANTIATE_TEST_SUITE_P(Memory, StoreConformance, testing::Values(MakeStore([] {
                           return std::make_unique<MemoryUnderTest>();
                         })));

TEST(MemoryStore, ExpiresKeysByItselfAsTimePasses) {
  async::Loops loops(1);
  MemoryStore store;
  RecordingObserver observer;
  const auto subscription = async::run_blocking(loops.at(0), store.subscribe("/", 1, observer));
  ASSERT_TRUE(async::run_blocking(
      loops.at(0),
      store.write({.key = "/a", .value = bytes("1"), .ttl = std::chrono::seconds(1)})));
  EXPECT_EQ(shown(observer.wait_for(2)), "2:+/a=1 3:-/a(1@2)");
}

}  // namespace
}  // namespace strake::store
