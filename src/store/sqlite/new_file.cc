#include "store/sqlite/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/owned_fd.h"

namespace strake::store::sqlite {
namespace {

Result<> sync_path(const std::string& path, int flags) {
  const OwnedFd fd(::open(path.c_str(), flags | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) return fail(Code::kIo, "{}: {}", path, std::strerror(errno));
  return {};
}

}  // namespace

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

Result<> refuse_existing(const std::string& path, bool overwrite) {
  if (overwrite || !exists(path)) return {};
  return fail(Code::kAlreadyExists, "{} is there already", path);
}

Result<> make_private_file(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return fail(Code::kIo, "{}: {}", path, std::strerror(errno));
  return {};
}

Result<> rename_durably(const std::string& from, const std::string& to) {
  STRAKE_CHECK(sync_path(from, O_RDONLY));
  if (::rename(from.c_str(), to.c_str()) != 0)
    return fail(Code::kIo, "{}: {}", to, std::strerror(errno));
  const std::string folder = std::filesystem::path(to).parent_path().string();
  return sync_path(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

void Partial::remove() const {
  for (const char* end : {"", "-journal", "-wal", "-shm"}) ::unlink((path_ + end).c_str());
}

}  // namespace strake::store::sqlite
