#pragma once
// What every backend must do, as one suite. A backend's test names it and says how to make one:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, StoreConformance, testing::Values(make_memory_store));
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "async/loops.h"
#include "async/run.h"
#include "store/store.h"

namespace strake::store {

// A store with the few handles that tests need besides.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  virtual Store& store() = 0;
  // Moves its clock, and lets what has expired be deleted soon.
  virtual void advance(std::chrono::seconds by) = 0;
  // Closes it and opens it again over the same data; false when it keeps none.
  virtual bool reopen() = 0;
};

using MakeStore = std::function<std::unique_ptr<StoreUnderTest>()>;

// Remembers what it was told, and complains when that was out of order.
class RecordingObserver final : public Observer {
 public:
  void on_events(std::span<const Event> events) override;
  void on_lost(const Error& why) override;

  std::vector<Event> events() const;
  // Waits until there are that many.
  std::vector<Event> wait_for(std::size_t count) const;

 private:
  mutable std::mutex mu_;
  mutable std::condition_variable changed_;
  std::vector<Event> events_;  // guarded by mu_
};

class StoreConformance : public testing::TestWithParam<MakeStore> {
 protected:
  StoreConformance();
  ~StoreConformance() override;

  Store& store() { return subject_->store(); }
  void advance(std::chrono::seconds by) { subject_->advance(by); }
  bool reopen() { return subject_->reopen(); }
  async::Executor executor() { return loops_.next(); }

  Result<Written> write(Write write);
  // Writes that must be applied; they return their revision.
  Revision put(std::string_view key, std::string_view value, Revision expected = 0);
  Revision remove(std::string_view key, Revision expected);
  Result<Page> range(Range range);
  // "key=value@mod/create ..." of a range that must succeed.
  std::string shown(Range range);
  Result<> compact(Revision revision);
  Result<std::unique_ptr<Subscription>> subscribe(std::string_view prefix, Revision after,
                                                  Observer& observer);

 private:
  async::Loops loops_{2};
  std::unique_ptr<StoreUnderTest> subject_;
};

inline Bytes bytes(std::string_view text) { return std::make_shared<const std::string>(text); }

// "3:+a=1" created, "4:a=2(1@3)" changed, "5:-a(2@4)" deleted; all divided by spaces.
std::string shown(std::span<const Event> events);

}  // namespace strake::store
