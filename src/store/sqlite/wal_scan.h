#pragma once
// Looks at a write-ahead log before SQLite does. SQLite takes a log up to the first frame whose
// checksum is wrong and forgets the rest: right after a crash, when the rest is one transaction
// that nobody was told of, and wrong when a frame in the middle was damaged.
#include <cstdint>
#include <string>

#include "base/result.h"

namespace strake::store::sqlite {

struct WalScan {
  std::uint64_t frames = 0;        // that SQLite will take
  std::uint64_t lost_commits = 0;  // behind them, of the same log
  bool header_damaged = false;     // and frames that belong to it follow
};

// Nothing in it when there is no such file. Only while nobody writes to it. kIo when it cannot be
// read.
Result<WalScan> scan_wal(const std::string& wal_path);

// kIo when the log of that database holds more lost commits than a crash can leave behind.
Result<> check_wal(const std::string& database_path);

}  // namespace strake::store::sqlite
