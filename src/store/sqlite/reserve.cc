#include "store/sqlite/reserve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace strake::store::sqlite {
namespace {

bool is_full_error(int error) { return error == ENOSPC || error == EDQUOT; }

// Blocks for what will be written behind the end of a file; its size stays. Less when there is not
// enough.
void extend(const OwnedFd& fd, std::int64_t bytes) {
  struct stat found = {};
  if (!fd || ::fstat(fd.get(), &found) != 0) return;
  while (bytes >= 64 * 1024 &&
         ::fallocate(fd.get(), FALLOC_FL_KEEP_SIZE, found.st_size, bytes) != 0 &&
         is_full_error(errno))
    bytes /= 2;
}

}  // namespace

bool Reserve::hold(std::int64_t bytes) const {
  const OwnedFd fd(::open(path().c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return !is_full_error(errno);
  struct stat found = {};
  // Blocks, not the size: a file with a hole in it keeps no room.
  const bool there =
      ::fstat(fd.get(), &found) == 0 && found.st_size >= bytes && found.st_blocks * 512 >= bytes;
  const int error = there ? 0 : ::posix_fallocate(fd.get(), 0, bytes);
  // What could be had of it is not enough, and others need it more.
  if (error != 0) ::unlink(path().c_str());
  return !is_full_error(error);
}

bool Reserve::fill() const { return hold(kBytes); }

void Reserve::fill_some() const {
  for (std::int64_t bytes = kBytes; bytes >= 16 * 1024 && !hold(bytes);) bytes /= 2;
}

bool Reserve::release() const {
  struct stat found = {};
  if (::lstat(path().c_str(), &found) != 0 || found.st_size == 0) return false;
  return ::unlink(path().c_str()) == 0;
}

void Reserve::hand_over() {
  (void)release();
  // The log first: the thread that folds it may be growing the file at this moment. SQLite takes no
  // locks on the log.
  extend(OwnedFd(::open((database_ + "-wal").c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC)), kLogBytes);
  if (!index_fd_)
    index_fd_ = OwnedFd(::open((database_ + "-shm").c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  extend(index_fd_, 128 * 1024);
  if (!fd_) fd_ = OwnedFd(::open(database_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  extend(fd_, kFileBytes);
}

}  // namespace strake::store::sqlite
