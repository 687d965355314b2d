#include "provider/local/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/input_file.h"
#include "base/owned_fd.h"
#include "base/replacement_file.h"

namespace strake::provider::local {
namespace {

constexpr std::size_t kMostNames = 100'000;

std::unexpected<Failure> cannot(std::string_view doing, const std::string& path,
                                const Error& error) {
  return refuse(FailureClass::kInternal, "cannot {} {}: {}", doing, path, error.message());
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

// What an app has put on a disk may be closed to its owner, who then cannot remove it.
void open_folders(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr auto kOpen = fs::perms::owner_all;
  std::error_code error;
  fs::permissions(path, kOpen, fs::perm_options::add | fs::perm_options::nofollow, error);
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    // Before the iterator enters it.
    if (at->is_directory(error) && !at->is_symlink(error))
      fs::permissions(at->path(), kOpen, fs::perm_options::add, error);
  }
}

}  // namespace

std::unexpected<Failure> cannot(std::string_view doing, const std::string& what, int reason) {
  return refuse(FailureClass::kInternal, "cannot {} {}: {}", doing, what, std::strerror(reason));
}

bool flush_folder(const std::string& folder) {
  const OwnedFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot flush folders (EINVAL) and need not.
  return fd && (::fsync(fd.get()) == 0 || errno == EINVAL);
}

Outcome<std::vector<std::string>> Files::names(const Call& call, const std::string& folder) const {
  return external(calls_, call, {"list", folder}, [&]() -> Outcome<std::vector<std::string>> {
    std::vector<std::string> out;
    const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir(folder.c_str()), &::closedir);
    if (opened == nullptr && errno == ENOENT) return out;
    if (opened == nullptr) return cannot("list", folder, errno);
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(opened.get());
      if (entry == nullptr && errno != 0) return cannot("list", folder, errno);
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (out.size() == kMostNames) {
        return refuse(FailureClass::kValidation, "{} must have at most {} entries", folder,
                      kMostNames);
      }
      out.emplace_back(name);
    }
    std::ranges::sort(out);
    return out;
  });
}

Outcome<std::optional<std::string>> Files::read(const Call& call, const std::string& path,
                                                std::uint64_t limit) const {
  return external(calls_, call, {"read", path}, [&]() -> Outcome<std::optional<std::string>> {
    const auto file = InputFile::open_below(AT_FDCWD, path);
    if (!file && file.error().code() == Code::kNotFound) return std::nullopt;
    if (!file) return cannot("read", path, file.error());
    auto text = file->read_all(limit);
    if (!text) return cannot("read", path, text.error());
    return *std::move(text);
  });
}

Outcome<bool> Files::exists(const Call& call, const std::string& path) const {
  return external(calls_, call, {"look at", path}, [&]() -> Outcome<bool> {
    struct stat found = {};
    if (::lstat(path.c_str(), &found) == 0) return true;
    if (errno == ENOENT) return false;
    return cannot("look at", path, errno);
  });
}

Outcome<> Files::make_folder(const Call& call, const std::string& path) const {
  return external(calls_, call, {"make folder", path, Effect::kWrite}, [&]() -> Outcome<> {
    // Others may remove empty folders above it meanwhile: made again, a few times.
    constexpr int kTries = 10;
    for (int tries = 1;; ++tries) {
      if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) break;
      if (errno != ENOENT || tries == kTries) return cannot("make the folder", path, errno);
      const std::string above = folder_of(path);
      for (std::size_t at = above.find('/', 1);; at = above.find('/', at + 1)) {
        ::mkdir(above.substr(0, at).c_str(), 0700);
        if (at == std::string::npos) break;
      }
    }
    if (!flush_folder(folder_of(path)) && errno != ENOENT)
      return cannot("flush", folder_of(path), errno);
    return {};
  });
}

Outcome<> Files::write(const Call& call, const std::string& path, std::string_view content) const {
  return external(calls_, call, {"write", path, Effect::kWrite}, [&]() -> Outcome<> {
    // A name of its own, always the same: what a killed process left is used again.
    auto file = ReplacementFile::partial(AT_FDCWD, path);
    if (!file) return cannot("write", path, file.error());
    if (const Result<> done = file->replace(content, 0600); !done)
      return cannot("write", path, done.error());
    if (!flush_folder(folder_of(path))) return cannot("flush", folder_of(path), errno);
    return {};
  });
}

Outcome<> Files::rename(const Call& call, const std::string& from, const std::string& to) const {
  return external(calls_, call, {"rename", to, Effect::kWrite}, [&]() -> Outcome<> {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
      if (errno == EEXIST || errno == ENOTEMPTY)
        return refuse(FailureClass::kConflict, "{} already exists", to);
      // File systems without the flag: the lock of the name is held, so nobody comes between.
      struct stat found = {};
      if (errno != EINVAL || ::lstat(to.c_str(), &found) == 0 ||
          ::rename(from.c_str(), to.c_str()) != 0)
        return cannot("rename to", to, errno);
    }
    if (!flush_folder(folder_of(to))) return cannot("flush", folder_of(to), errno);
    return {};
  });
}

Outcome<> Files::remove(const Call& call, const std::string& path) const {
  return external(calls_, call, {"remove", path, Effect::kWrite}, [&]() -> Outcome<> {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (error == std::errc::permission_denied) {
      open_folders(path);
      error.clear();
      std::filesystem::remove_all(path, error);
    }
    if (error) return cannot("remove", path, error.value());
    return {};
  });
}

Outcome<> Files::remove_if_empty(const Call& call, const std::string& folder) const {
  return external(calls_, call, {"remove folder", folder, Effect::kWrite}, [&]() -> Outcome<> {
    if (::rmdir(folder.c_str()) == 0 || errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST)
      return {};
    return cannot("remove", folder, errno);
  });
}

}  // namespace strake::provider::local
