#pragma once
// One process at a time has a store's file open for writing: it holds a lock on a file beside it,
// which the system lets go when the process ends, however it ends.
#include <string>
#include <utility>

#include "base/result.h"

namespace strake::store::sqlite {

class FileLock {
 public:
  // kServiceUnavailable, with the holder's process id if that is known.
  static Result<FileLock> take(const std::string& database_path);

  FileLock() = default;
  FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileLock();

 private:
  int fd_ = -1;
};

}  // namespace strake::store::sqlite
