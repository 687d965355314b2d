#include "base/file_watch.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace strake {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kChanges =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE;

// For poll(), which waits for ever when it is -1.
int milliseconds_to(Deadline until) {
  constexpr std::chrono::nanoseconds kLongest = std::chrono::hours(1);
  if (until.is_never()) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(std::min(until.remaining(), kLongest));
  return static_cast<int>(left.count());
}

}  // namespace

Result<> FileWatch::watch(const std::string& folder, Folder*& out) {
  if (!fd_) fd_ = OwnedFd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  const int descriptor = !fd_ ? -1 : ::inotify_add_watch(fd_.get(), folder.c_str(), kChanges);
  if (descriptor < 0) {
    return std::unexpected(
        Error(Code::kIo, fmt::format("cannot watch: {}", std::strerror(errno))).in(folder));
  }
  out = &folders_[descriptor];
  return {};
}

Result<> FileWatch::add(std::span<const std::string> files, std::span<const std::string> folders) {
  Folder* found = nullptr;
  for (const std::string& file : files) {
    const fs::path path(file);
    const std::string parent =
        path.has_parent_path() ? path.parent_path().string() : std::string(".");
    STRAKE_CHECK(watch(parent, found));
    found->names.insert(path.filename().string());
  }
  for (const std::string& folder : folders) {
    STRAKE_CHECK(watch(folder, found));
    found->whole = true;
  }
  return {};
}

Result<bool> FileWatch::changed() {
  bool matters = false;
  alignas(inotify_event) std::array<char, 16 << 10> buffer;
  while (true) {
    const ssize_t got = ::read(fd_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return matters;
    if (got <= 0) return fail(Code::kIo, "cannot watch: {}", std::strerror(errno));
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      inotify_event event;
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* name = buffer.data() + at + sizeof event;
      at += sizeof event + event.len;
      const auto folder = folders_.find(event.wd);
      if ((event.mask & IN_Q_OVERFLOW) != 0) matters = true;
      if (folder == folders_.end() || event.len == 0) continue;
      matters = matters || folder->second.whole || folder->second.names.contains(name);
    }
  }
}

Result<> FileWatch::wait(std::chrono::milliseconds quiet) {
  STRAKE_CHECK(wait(quiet, Deadline::never(), -1));
  return {};
}

Result<bool> FileWatch::wait(std::chrono::milliseconds quiet, Deadline until, int interrupt) {
  bool seen = false;
  while (true) {
    std::array<pollfd, 2> waiting = {{{.fd = fd_.get(), .events = POLLIN, .revents = 0},
                                      {.fd = interrupt, .events = POLLIN, .revents = 0}}};
    const int ready = ::poll(waiting.data(), waiting.size(),
                             seen ? static_cast<int>(quiet.count()) : milliseconds_to(until));
    if (ready < 0 && errno != EINTR)
      return fail(Code::kIo, "cannot watch: {}", std::strerror(errno));
    if (ready < 0) continue;
    if (waiting[1].revents != 0) return false;
    if (ready == 0) {
      if (!seen && !until.expired()) continue;
      return seen;
    }
    STRAKE_TRY(const bool matters, changed());
    seen = seen || matters;
  }
}

}  // namespace strake
