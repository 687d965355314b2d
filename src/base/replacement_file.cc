#include "base/replacement_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace strake {
namespace {

std::unexpected<Error> cannot_replace(int reason) {
  return std::unexpected(
      Error(reason == ENOENT ? Code::kNotFound : Code::kIo, std::strerror(reason)));
}

}  // namespace

Result<ReplacementFile> ReplacementFile::partial(int folder, std::string target) {
  std::string name = target + ".partial";
  ::unlinkat(folder, name.c_str(), 0);
  const int fd =
      ::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return cannot_replace(errno);
  return ReplacementFile(folder, std::move(target), std::move(name), fd);
}

Result<ReplacementFile> ReplacementFile::unique(std::string target) {
  const std::size_t file = target.rfind('/') + 1;  // npos + 1 is 0
  std::string name =
      fmt::format("{}.{}.XXXXXX", target.substr(0, file), std::string_view(target).substr(file));
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return cannot_replace(errno);
  return ReplacementFile(AT_FDCWD, std::move(target), std::move(name), fd);
}

ReplacementFile::~ReplacementFile() {
  if (!name_.empty()) ::unlinkat(folder_, name_.c_str(), 0);
}

Result<> ReplacementFile::replace(std::string_view content, unsigned mode) {
  // Flushed before it is renamed: a system that loses power may keep the new name and not yet the
  // content.
  const bool done = write_all(fd(), content) && ::fchmod(fd(), mode) == 0 && ::fsync(fd()) == 0 &&
                    fd_.close() &&
                    ::renameat(folder_, name_.c_str(), folder_, target_.c_str()) == 0;
  if (!done) return cannot_replace(errno);
  name_.clear();
  return {};
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;  // so that a file that takes nothing ends the loop
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace strake
