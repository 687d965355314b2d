#include "provider/local/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "provider/local/wait.h"

namespace strake::provider::local {
namespace {

// A killed holder's file is closed a moment before its lock goes, and only the closing is told: who
// was woken by it and came too early asks again after this.
constexpr std::chrono::milliseconds kQuiet{2};
constexpr std::chrono::seconds kAskAgain{1};

bool is_named(int fd, const std::string& path) {
  struct stat held = {};
  struct stat named = {};
  return ::fstat(fd, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

// The lock, or nothing while somebody else has it.
Outcome<OwnedFd> try_lock(const std::string& path) {
  while (true) {
    OwnedFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd && errno == ENOENT) {
      // Its folder went with the last lock of others, or was never there.
      std::error_code error;
      std::filesystem::create_directories(path.substr(0, path.rfind('/')), error);
      if (!error) continue;
      return refuse(FailureClass::kInternal, "{}: {}", path, error.message());
    }
    if (!fd) return refuse(FailureClass::kInternal, "{}: {}", path, std::strerror(errno));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno != EWOULDBLOCK)
        return refuse(FailureClass::kInternal, "{}: {}", path, std::strerror(errno));
      return OwnedFd();
    }
    // The former holder may have removed the file between the two calls: what is locked then is
    // nobody's any more.
    if (is_named(fd.get(), path)) return fd;
  }
}

}  // namespace

Outcome<NamedLock> NamedLock::take(ExternalCalls& calls, const Call& call, std::string folder,
                                   std::string_view name) {
  NamedLock out;
  const std::string path = fmt::format("{}/{}", folder, name);
  out.path_ = path;  // from the moment it is held, it is given back
  STRAKE_CHECK(external(calls, call, {"lock", path}, [&]() -> Outcome<> {
    STRAKE_TRY(out.fd_, try_lock(path));
    if (out.fd_) return {};
    STRAKE_TRY(const Wakeup cancelled, Wakeup::make(call, {}));
    while (true) {
      // Anew each time: the folder may have gone and come again.
      FileWatch watch;
      const std::array<std::string, 1> files = {path};
      STRAKE_CHECK(watch.add(files, {}));
      // Again, now that every change is seen.
      STRAKE_TRY(out.fd_, try_lock(path));
      if (out.fd_) return {};
      const Deadline again = Deadline::after(kAskAgain).or_earlier(system_deadline(call));
      STRAKE_TRY([[maybe_unused]] const bool changed,
                 watch.wait(kQuiet, again, cancelled.descriptor()));
      STRAKE_CHECK(call.check());
    }
  }));
  return out;
}

NamedLock::~NamedLock() {
  if (!fd_ || path_.empty()) return;
  // While it is held: whoever opened the file before sees that it is gone, and makes another one.
  ::unlink(path_.c_str());
}

}  // namespace strake::provider::local
