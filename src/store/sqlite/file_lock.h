#pragma once
// One process at a time has a store's file open for writing: it holds a lock on a file beside it,
// which the system lets go when the process ends, however it ends.
#include <string>

#include "base/owned_fd.h"
#include "base/result.h"

namespace strake::store::sqlite {

class FileLock {
 public:
  // kServiceUnavailable, with the holder's process id if that is known.
  static Result<FileLock> take(const std::string& database_path);

 private:
  OwnedFd fd_;
};

}  // namespace strake::store::sqlite
