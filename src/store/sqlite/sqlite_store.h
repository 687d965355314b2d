#pragma once
// The store in one SQLite file: a write returns when it is on disk. One process at a time may have
// it open; others may read, back up or check the file meanwhile (maintenance.h).
#include <chrono>
#include <memory>
#include <string>

#include "base/time.h"
#include "store/sqlite/schema.h"
#include "store/store.h"

namespace strake::store::sqlite {

struct Options {
  std::string path;         // of the file; made when it is not there, its folder is not
  std::size_t readers = 2;  // threads for ranges and history
  // How long to wait for another process that backs the file up or checks it.
  std::chrono::milliseconds busy_timeout{5000};
  FileCheck check = FileCheck::kAuto;
  const Clock* clock = &system_clock();  // for times to live; must outlive the store
  std::string vfs;                       // a file layer of SQLite, for tests
};

class SqliteStore final : public Store {
 public:
  // kServiceUnavailable when another process has it open, kIo when the file is damaged or not ours,
  // kUnsupported when it was written by a newer version.
  static Result<std::unique_ptr<SqliteStore>> open(Options options);
  ~SqliteStore() override;
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  async::Task<Page> range(Range range) override;
  async::Task<Written> write(Write write) override;
  async::Task<std::unique_ptr<Subscription>> subscribe(std::string prefix, Revision after,
                                                       Observer& observer) override;
  async::Task<> compact(Revision revision) override;
  Revision revision() const override;
  Revision compacted_revision() const override;
  Result<> health() const override;
  async::Task<> close() override;

  // Looks at the clock soon. For tests, whose clock moves by hand.
  void expire_soon();

 private:
  struct Impl;
  explicit SqliteStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::store::sqlite
