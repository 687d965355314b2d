#include "base/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace strake {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;

std::unexpected<Error> reason_error(int reason, InputFile::Words words) {
  return std::unexpected(Error(reason == ENOENT ? Code::kNotFound : Code::kIo,
                               words != nullptr ? words(reason) : std::strerror(reason)));
}

std::unexpected<Error> kind_error(std::string_view kind) {
  return std::unexpected(
      Error(Code::kIo, fmt::format("it is {}, and only regular files are read here", kind)));
}

std::unexpected<Error> too_large(std::uint64_t limit) {
  return std::unexpected(Error(Code::kLimit, fmt::format("more than {} bytes", limit)));
}

}  // namespace

std::string_view unreadable_kind(unsigned mode, std::uint64_t device, Pipes pipes) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISFIFO(mode)) return pipes == Pipes::kRead ? "" : "a pipe";
  constexpr unsigned kMemoryDevices = 1;
  constexpr unsigned kNull = 3;
  if (S_ISCHR(mode) && device == makedev(kMemoryDevices, kNull)) return {};
  return "a device";
}

Result<InputFile> InputFile::open(const std::string& path, Pipes pipes, Words words) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return reason_error(errno, words);
  // Opening a device may already have an effect, and a socket cannot be opened at all.
  if (const auto kind = unreadable_kind(status.st_mode, status.st_rdev, pipes); !kind.empty())
    return kind_error(kind);
  // Whoever named a pipe waits for its writer. What was a file a moment ago must not make anybody
  // wait.
  const int wait = S_ISFIFO(status.st_mode) ? 0 : O_NONBLOCK;
  return check(OwnedFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | wait)), pipes, words);
}

Result<InputFile> InputFile::open_below(int folder, const std::string& path) {
  OwnedFd fd(
      ::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW));
  return check(std::move(fd), Pipes::kRefused, nullptr);
}

Result<InputFile> InputFile::check(OwnedFd fd, Pipes pipes, Words words) {
  if (!fd) return reason_error(errno, words);
  struct stat status = {};
  if (::fstat(fd.get(), &status) != 0) return reason_error(errno, words);
  if (const auto kind = unreadable_kind(status.st_mode, status.st_rdev, pipes); !kind.empty())
    return kind_error(kind);
  return InputFile(std::move(fd), words);
}

Result<std::string> InputFile::read_all(std::uint64_t limit) const {
  return read_descriptor(fd(), limit, {}, words_);
}

Result<std::string> read_descriptor(int fd, std::uint64_t limit, std::string front,
                                    InputFile::Words words) {
  struct stat status = {};
  const bool known = ::fstat(fd, &status) == 0;
  if (known && (S_ISBLK(status.st_mode) || S_ISCHR(status.st_mode)) && ::isatty(fd) == 0) {
    if (const auto kind = unreadable_kind(status.st_mode, status.st_rdev, Pipes::kRead);
        !kind.empty())
      return kind_error(kind);
  }
  // A file says how long it is, and one byte of room more lets the end be seen without growing.
  const bool regular = known && S_ISREG(status.st_mode);
  const std::uint64_t told = regular ? static_cast<std::uint64_t>(status.st_size) : 0;
  if (told > limit) return too_large(limit);
  std::string text = std::move(front);
  // One byte past the limit is enough to know that it is passed.
  const std::uint64_t most = limit == UINT64_MAX ? limit : limit + 1;
  std::uint64_t capacity = std::min<std::uint64_t>(
      most, text.size() + std::max<std::uint64_t>(regular ? told + 1 : kPiece, 1));
  while (true) {
    if (text.size() > limit) return too_large(limit);
    const std::size_t had = text.size();
    ssize_t got = 0;
    int reason = 0;
    text.resize_and_overwrite(static_cast<std::size_t>(capacity), [&](char* data, std::size_t) {
      got = ::read(fd, data + had, static_cast<std::size_t>(capacity) - had);
      reason = errno;
      return had + static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    });
    if (got < 0 && reason != EINTR) return reason_error(reason, words);
    if (text.size() > limit) return too_large(limit);
    // A file that gave what it told, and was asked for more, is at its end.
    if (got == 0 || (told > 0 && got == status.st_size)) return text;
    if (text.size() == capacity)
      capacity = std::min(most, capacity + std::max<std::uint64_t>(kPiece, capacity));
  }
}

}  // namespace strake
