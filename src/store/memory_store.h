#pragma once
// The store in memory: for tests and for servers that need not outlive their process. All history
// is kept until it is compacted. A thread is started when the first key with a time to live is
// written, and only then.
#include <memory>

#include "base/time.h"
#include "store/store.h"

namespace strake::store {

class MemoryStore final : public Store {
 public:
  // The clock decides when keys expire, and must outlive the store.
  explicit MemoryStore(const Clock& clock = system_clock());
  ~MemoryStore() override;
  MemoryStore(const MemoryStore&) = delete;
  MemoryStore& operator=(const MemoryStore&) = delete;

  async::Task<Page> range(Range range) override;
  async::Task<Written> write(Write write) override;
  async::Task<std::unique_ptr<Subscription>> subscribe(std::string prefix, Revision after,
                                                       Observer& observer) override;
  async::Task<> compact(Revision revision) override;
  Revision revision() const override;
  Revision compacted_revision() const override;
  Result<> health() const override;
  async::Task<> close() override;

  // Looks at the clock now: what has expired is deleted when this returns. For tests, whose clock
  // moves by hand.
  void expire();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::store
