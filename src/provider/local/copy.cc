#include "provider/local/copy.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "base/owned_fd.h"
#include "base/replacement_file.h"

namespace strake::provider::local {
namespace {

constexpr std::size_t kPart = std::size_t{16} << 20;  // between two looks at the call
constexpr std::size_t kMostAttributeBytes = 64 << 10;

std::unexpected<Failure> cannot_copy(const std::string& path, int reason) {
  return refuse(FailureClass::kInternal, "cannot copy {}: {}", path, std::strerror(reason));
}

// `length` bytes from `at`, where the source has data.
Outcome<> copy_data(const Call& call, int from, int to, off_t at, off_t length,
                    const std::string& shown) {
  std::vector<char> buffer;  // only where the system cannot copy by itself
  while (length > 0) {
    STRAKE_CHECK(call.check());
    const std::size_t part = std::min<std::size_t>(kPart, static_cast<std::size_t>(length));
    if (buffer.empty()) {
      off_t in = at;
      off_t out = at;
      const ssize_t copied = ::copy_file_range(from, &in, to, &out, part, 0);
      if (copied > 0) {
        at += copied;
        length -= copied;
        continue;
      }
      if (copied < 0 && errno == EINTR) continue;
      if (copied < 0 && errno != EXDEV && errno != ENOSYS && errno != EINVAL &&
          errno != EOPNOTSUPP && errno != EBADF)
        return cannot_copy(shown, errno);
      if (copied == 0) return {};  // it has become shorter
      buffer.resize(std::size_t{1} << 20);
    }
    const ssize_t got = ::pread(from, buffer.data(), std::min(part, buffer.size()), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_copy(shown, errno);
    if (got == 0) return {};
    if (::lseek(to, at, SEEK_SET) < 0 ||
        !write_all(to, std::string_view(buffer.data(), static_cast<std::size_t>(got))))
      return cannot_copy(shown, errno);
    at += got;
    length -= got;
  }
  return {};
}

Outcome<> copy_content(const Call& call, int from, int to, off_t size, const std::string& shown) {
  if (::ioctl(to, FICLONE, from) == 0) return {};
  if (::ftruncate(to, size) != 0) return cannot_copy(shown, errno);
  off_t at = 0;
  while (at < size) {
    const off_t data = ::lseek(from, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;  // only a hole is left
    // File systems that know no holes say so here, and everything is data.
    const bool knows = data >= 0;
    const off_t begin = knows ? data : at;
    off_t end = knows ? ::lseek(from, begin, SEEK_HOLE) : size;
    if (end < 0) end = size;
    STRAKE_CHECK(copy_data(call, from, to, begin, std::min(end, size) - begin, shown));
    at = end;
  }
  return {};
}

// Attributes that cannot be kept, as on another file system, are no reason to fail.
void copy_attributes(int from, int to) {
  std::vector<char> names(kMostAttributeBytes);
  const ssize_t length = ::flistxattr(from, names.data(), names.size());
  std::vector<char> value(kMostAttributeBytes);
  for (ssize_t at = 0; at < length;) {
    const char* name = names.data() + at;
    at += static_cast<ssize_t>(std::strlen(name)) + 1;
    const ssize_t size = ::fgetxattr(from, name, value.data(), value.size());
    if (size >= 0) ::fsetxattr(to, name, value.data(), static_cast<std::size_t>(size), 0);
  }
}

// Owner first: giving a file away clears bits of its mode.
bool copy_metadata(int from, int to, const struct stat& of) {
  [[maybe_unused]] const int may_fail = ::fchown(to, of.st_uid, of.st_gid);
  copy_attributes(from, to);
  const std::array<timespec, 2> times = {of.st_atim, of.st_mtim};
  return ::fchmod(to, of.st_mode & 07777) == 0 && ::futimens(to, times.data()) == 0;
}

class TreeCopy {
 public:
  TreeCopy(const Call& call, const CopyLimits& limits) : call_(call), limits_(limits) {}

  Outcome<> folder(int from, int to, const std::string& shown, unsigned depth) {
    if (depth > limits_.depth) {
      return refuse(FailureClass::kValidation, "{}: folders must be at most {} deep", shown,
                    limits_.depth);
    }
    // A descriptor of its own: reading a folder moves it.
    const int again = ::openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR*)> opened(again < 0 ? nullptr : ::fdopendir(again),
                                                     &::closedir);
    if (opened == nullptr) return cannot_copy(shown, errno);
    while (true) {
      STRAKE_CHECK(call_.check());
      errno = 0;
      const dirent* found = ::readdir(opened.get());
      if (found == nullptr && errno != 0) return cannot_copy(shown, errno);
      if (found == nullptr) break;
      const std::string name = found->d_name;
      if (name == "." || name == "..") continue;
      if (++entries_ > limits_.entries) {
        return refuse(FailureClass::kValidation, "{}: must have at most {} entries", shown,
                      limits_.entries);
      }
      STRAKE_CHECK(entry(from, to, name, fmt::format("{}/{}", shown, name), depth));
    }
    struct stat of = {};
    if (::fstat(from, &of) != 0 || !copy_metadata(from, to, of) || ::fsync(to) != 0)
      return cannot_copy(shown, errno);
    return {};
  }

  Outcome<> file(int from, int to, const struct stat& of, const std::string& shown) {
    bytes_ += of.st_size;
    if (bytes_ > limits_.bytes) {
      return refuse(FailureClass::kValidation, "{}: the content must have at most {} bytes", shown,
                    limits_.bytes);
    }
    STRAKE_CHECK(copy_content(call_, from, to, of.st_size, shown));
    if (!copy_metadata(from, to, of) || ::fsync(to) != 0) return cannot_copy(shown, errno);
    return {};
  }

 private:
  Outcome<> entry(int from, int to, const std::string& name, const std::string& shown,
                  unsigned depth) {
    struct stat of = {};
    if (::fstatat(from, name.c_str(), &of, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) return {};  // gone since it was listed
      return cannot_copy(shown, errno);
    }
    if (S_ISLNK(of.st_mode)) return link(from, to, name, of, shown);
    if (!S_ISREG(of.st_mode) && !S_ISDIR(of.st_mode)) {
      call_.warn("not copied",
                 {{"path", shown}, {"reason", "neither a file, a folder nor a link"}});
      return {};
    }
    const int kind = S_ISDIR(of.st_mode) ? O_DIRECTORY : O_NONBLOCK;
    const OwnedFd source(::openat(from, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind));
    if (!source && errno == ENOENT) return {};
    if (!source || ::fstat(source.get(), &of) != 0) return cannot_copy(shown, errno);
    if (S_ISDIR(of.st_mode)) {
      if (::mkdirat(to, name.c_str(), 0700) != 0) return cannot_copy(shown, errno);
      const OwnedFd target(
          ::openat(to, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!target) return cannot_copy(shown, errno);
      return folder(source.get(), target.get(), shown, depth + 1);
    }
    const OwnedFd target(
        ::openat(to, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!target) return cannot_copy(shown, errno);
    return file(source.get(), target.get(), of, shown);
  }

  Outcome<> link(int from, int to, const std::string& name, const struct stat& of,
                 const std::string& shown) {
    std::array<char, 4096> text{};
    const ssize_t length = ::readlinkat(from, name.c_str(), text.data(), text.size() - 1);
    if (length < 0 && errno == ENOENT) return {};
    if (length < 0 || ::symlinkat(text.data(), to, name.c_str()) != 0)
      return cannot_copy(shown, errno);
    [[maybe_unused]] const int may_fail =
        ::fchownat(to, name.c_str(), of.st_uid, of.st_gid, AT_SYMLINK_NOFOLLOW);
    const std::array<timespec, 2> times = {of.st_atim, of.st_mtim};
    ::utimensat(to, name.c_str(), times.data(), AT_SYMLINK_NOFOLLOW);
    return {};
  }

  const Call& call_;
  const CopyLimits& limits_;
  std::int64_t bytes_ = 0;
  std::uint64_t entries_ = 0;
};

}  // namespace

Outcome<> copy_file(const Call& call, const std::string& from, const std::string& to,
                    const CopyLimits& limits) {
  const OwnedFd source(::open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat of = {};
  if (!source || ::fstat(source.get(), &of) != 0) return cannot_copy(from, errno);
  if (!S_ISREG(of.st_mode)) return refuse(FailureClass::kInternal, "{} is no regular file", from);
  const OwnedFd target(
      ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!target) return cannot_copy(from, errno);
  return TreeCopy(call, limits).file(source.get(), target.get(), of, from);
}

Outcome<> copy_folder(const Call& call, const std::string& from, const std::string& to,
                      const CopyLimits& limits) {
  const OwnedFd source(::open(from.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!source || ::mkdir(to.c_str(), 0700) != 0) return cannot_copy(from, errno);
  const OwnedFd target(::open(to.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!target) return cannot_copy(from, errno);
  return TreeCopy(call, limits).folder(source.get(), target.get(), from, 0);
}

Outcome<> make_sparse_file(const std::string& path, std::int64_t bytes) {
  const OwnedFd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file || ::ftruncate(file.get(), bytes) != 0 || ::fsync(file.get()) != 0)
    return refuse(FailureClass::kInternal, "cannot make {}: {}", path, std::strerror(errno));
  return {};
}

Outcome<> make_empty_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0)
    return refuse(FailureClass::kInternal, "cannot make {}: {}", path, std::strerror(errno));
  return {};
}

Outcome<> resize_file(const std::string& path, std::int64_t bytes) {
  const OwnedFd file(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file || ::ftruncate(file.get(), bytes) != 0 || ::fsync(file.get()) != 0)
    return refuse(FailureClass::kInternal, "cannot resize {}: {}", path, std::strerror(errno));
  return {};
}

}  // namespace strake::provider::local
