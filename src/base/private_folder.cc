#include "base/private_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/input_file.h"
#include "base/replacement_file.h"

namespace strake {
namespace {

Error io_error(std::string_view doing, const std::string& path) {
  const int number = errno;
  return {number == ENOENT ? Code::kNotFound : Code::kIo,
          fmt::format("cannot {} {}: {}", doing, path, std::strerror(number))};
}

// Certificates, keys, tokens and settings are small.
constexpr std::uint64_t kMostFileBytes = std::uint64_t{64} << 20;

// `shown` is how errors name it.
Result<std::string> read_opened(const Result<InputFile>& file, const std::string& shown) {
  const auto failed = [&](const Error& error) {
    return std::unexpected(
        Error(error.code(), fmt::format("cannot read {}: {}", shown, error.message())));
  };
  if (!file) return failed(file.error());
  auto text = file->read_all(kMostFileBytes);
  if (!text) return failed(text.error());
  return text;
}

Result<> write_at(int folder, const std::string& name, const std::string& shown,
                  std::string_view content, unsigned mode) {
  auto file = ReplacementFile::partial(folder, name);
  const Result<> written =
      file ? file->replace(content, mode) : std::unexpected(std::move(file).error());
  if (written) return {};
  return std::unexpected(Error(written.error().code(), fmt::format("cannot write {}: {}", shown,
                                                                   written.error().message())));
}

Result<> check_owner(int fd, const std::string& path, bool and_mode) {
  struct stat found = {};
  if (::fstat(fd, &found) != 0) return std::unexpected(io_error("look at", path));
  if (found.st_uid != ::geteuid()) {
    return fail(Code::kForbidden,
                "{} belongs to another user (uid {}, and this is uid {}): choose another folder, "
                "or run as its owner",
                path, found.st_uid, ::geteuid());
  }
  if (and_mode && (found.st_mode & 077) != 0) {
    return fail(Code::kForbidden,
                "{} is open to other users (mode {:04o}), and it holds keys and secrets: run "
                "`chmod 700 {}`",
                path, found.st_mode & 07777, path);
  }
  return {};
}

}  // namespace

Result<PrivateFolder> PrivateFolder::open(const std::string& path) {
  std::error_code error;
  const std::filesystem::path above = std::filesystem::absolute(path, error).parent_path();
  if (!error) std::filesystem::create_directories(above, error);
  if (error)
    return fail(Code::kIo, "cannot make the folder {}: {}", above.string(), error.message());
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return std::unexpected(io_error("make the folder", path));
  PrivateFolder out(path, ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!out.fd_) return std::unexpected(io_error("enter the folder", path));
  STRAKE_CHECK(check_owner(out.fd_.get(), path, true));
  return out;
}

Result<PrivateFolder> PrivateFolder::folder(const std::string& name) const {
  const std::string shown = file(name);
  if (::mkdirat(fd_.get(), name.c_str(), 0700) != 0 && errno != EEXIST)
    return std::unexpected(io_error("make the folder", shown));
  PrivateFolder out(
      shown, ::openat(fd_.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!out.fd_) return std::unexpected(io_error("enter the folder", shown));
  STRAKE_CHECK(check_owner(out.fd_.get(), shown, false));
  return out;
}

std::string PrivateFolder::file(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

Result<std::string> PrivateFolder::read(const std::string& name) const {
  return read_opened(InputFile::open_below(fd_.get(), name), file(name));
}

Result<> PrivateFolder::write(const std::string& name, std::string_view content,
                              unsigned mode) const {
  return write_at(fd_.get(), name, file(name), content, mode);
}

Result<std::string> read_file(const std::string& path) {
  return read_opened(InputFile::open(path, Pipes::kRead), path);
}

Result<> write_file(const std::string& path, std::string_view content, unsigned mode) {
  return write_at(AT_FDCWD, path, path, content, mode);
}

}  // namespace strake
