#include "server/temporary_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/owned_fd.h"
#include "base/replacement_file.h"

namespace strake::server {

Result<TemporaryFolder> TemporaryFolder::make(std::string_view name) {
  std::error_code error;
  std::string above = std::filesystem::temp_directory_path(error).string();
  if (error || above.empty()) above = "/tmp";
  const char* runtime = ::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && ::access(runtime, W_OK | X_OK) == 0) above = runtime;
  std::string path = fmt::format("{}/{}-XXXXXX", above, name);
  if (::mkdtemp(path.data()) == nullptr)  // mode 0700
    return fail(Code::kIo, "cannot make a folder in {}: {}", above, std::strerror(errno));
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::file(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

Result<std::string> TemporaryFolder::write(std::string_view name, std::string_view content) const {
  std::string path = file(name);
  OwnedFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd || !write_all(fd.get(), content) || !fd.close())
    return fail(Code::kIo, "cannot write {}: {}", path, std::strerror(errno));
  return path;
}

}  // namespace strake::server
