#include "store/sqlite/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace strake::store::sqlite {

Result<FileLock> FileLock::take(const std::string& database_path) {
  const std::string path = database_path + ".lock";
  FileLock lock;
  lock.fd_ = OwnedFd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock.fd_) return fail(Code::kIo, "{}: {}", path, std::strerror(errno));
  if (::flock(lock.fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return fail(Code::kIo, "{}: {}", path, std::strerror(errno));
    char text[32] = {};
    const ssize_t length = ::pread(lock.fd_.get(), text, sizeof text - 1, 0);
    long pid = 0;
    std::from_chars(text, text + (length > 0 ? length : 0), pid);
    return fail(Code::kServiceUnavailable, "{} is in use by {}", database_path,
                pid > 0 ? fmt::format("process {}", pid) : "another process");
  }
  // The file stays when the lock goes: removing it would let two processes lock two files. Whoever
  // cannot write the number here still has the lock.
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(lock.fd_.get(), 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(lock.fd_.get(), pid.data(), pid.size(), 0);
  }
  return lock;
}

}  // namespace strake::store::sqlite
