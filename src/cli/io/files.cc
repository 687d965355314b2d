#include "cli/io/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/owned_fd.h"
#include "base/replacement_file.h"
#include "cli/io/folder_entries.h"
#include "cli/io/terminal.h"
#include "validate/recognise.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> file_error(std::string_view deed, std::string_view name, int reason) {
  return std::unexpected(Error(Code::kIo, fmt::format("cannot {}: {}", deed, std::strerror(reason)))
                             .in(std::string(name)));
}

// A file cannot be made where there is no folder for it.
std::unexpected<Error> write_error(const std::string& name, int reason) {
  const fs::path folder = fs::path(name).parent_path();
  std::error_code error;
  if ((reason != ENOENT && reason != EISDIR) || folder.empty() || fs::exists(folder, error))
    return file_error("write", name, reason);
  return std::unexpected(
      Error(Code::kIo, fmt::format("cannot write: there is no folder {}; create it first, for "
                                   "example with mkdir -p {}",
                                   folder.string(), folder.string()))
          .in(name));
}

Result<> walk(const fs::path& folder, std::vector<std::string>& out, Io& io) {
  std::vector<fs::path> pending = {folder};
  std::vector<std::string> found;
  std::vector<std::string> skipped;
  while (!pending.empty()) {
    const fs::path current = std::move(pending.back());
    pending.pop_back();
    const auto [entries, error] = entries_of(current);
    for (const fs::directory_entry& entry : entries) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with('.') || validate::is_foreign_folder(name)) continue;
      std::error_code gone;  // an entry that vanishes meanwhile, or a dangling link, is passed over
      if (entry.is_directory(gone) && !entry.is_symlink(gone)) {
        pending.push_back(entry.path());
      } else if (is_document_file(name)) {
        if (entry.is_regular_file(gone)) found.push_back(entry.path().string());
        if (const auto kind = special_kind(entry.path().string()); !kind.empty())
          skipped.push_back(
              fmt::format("skipped {}: it is {}\n", printable(entry.path().string()), kind));
      }
    }
    if (error) return file_error("read the folder", current.string(), error.value());
  }
  std::ranges::sort(skipped);
  for (const std::string& line : skipped) io.err.write(line);
  if (found.empty()) {
    return std::unexpected(
        Error(Code::kIo, "no YAML or JSON files in this folder").in(folder.string()));
  }
  std::ranges::sort(found);
  out.insert(out.end(), found.begin(), found.end());
  return {};
}

}  // namespace

bool is_document_file(std::string_view name) {
  constexpr std::array<std::string_view, 5> kExtensions = {".yaml", ".yml", ".json", ".ndjson",
                                                           ".jsonl"};
  const std::string extension = fs::path(name).extension().string();
  return std::ranges::find(kExtensions, extension) != kExtensions.end();
}

std::string_view special_kind(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return {};
  return unreadable_kind(status.st_mode, status.st_rdev, Pipes::kRefused);
}

Result<std::vector<std::string>> find_inputs(std::span<const std::string> operands, Io& io) {
  std::vector<std::string> out;
  for (const std::string& operand : operands) {
    if (operand == "-") {
      out.push_back(operand);
      continue;
    }
    std::error_code error;
    const fs::file_status status = fs::status(operand, error);
    if (status.type() == fs::file_type::not_found || error) {
      return file_error("open", operand, error ? error.value() : ENOENT);
    }
    if (fs::is_directory(status)) {
      STRAKE_CHECK(walk(operand, out, io));
    } else {
      out.push_back(operand);
    }
  }
  return out;
}

Result<std::string> read_input(const std::string& name, std::uint64_t limit, Io& io) {
  if (name == "-") return io.in.read_all(limit);
  STRAKE_TRY(const InputFile file, open_input(name));
  auto text = file.read_all(limit);
  if (text) return text;
  if (text.error().code() == Code::kLimit) return std::unexpected(std::move(text).error().in(name));
  return std::unexpected(
      Error(Code::kIo, fmt::format("cannot read: {}", text.error().message())).in(name));
}

Result<InputFile> open_input(const std::string& name) {
  auto file = InputFile::open(name, Pipes::kRead);
  if (file) return file;
  return std::unexpected(
      Error(Code::kIo, fmt::format("cannot open: {}", file.error().message())).in(name));
}

Result<> write_file(const std::string& name, std::string_view content) {
  struct stat there = {};
  const bool exists = ::stat(name.c_str(), &there) == 0;
  if (exists && S_ISREG(there.st_mode)) return replace_file(name, content);
  const int flags = O_WRONLY | O_CLOEXEC | (exists ? 0 : O_CREAT | O_EXCL);
  OwnedFd file(::open(name.c_str(), flags, 0666));
  if (!file) return write_error(name, errno);
  if (write_all(file.get(), content) && file.close()) return {};
  const int reason = errno;
  if (!exists) ::unlink(name.c_str());
  return file_error("write", name, reason);
}

Result<> replace_file(const std::string& name, std::string_view content) {
  std::error_code error;
  const fs::path target = fs::canonical(name, error);  // through links, so that they stay
  if (error) return file_error("write", name, error.value());
  struct stat before = {};
  if (::stat(target.c_str(), &before) != 0) return file_error("write", name, errno);

  const auto failed = [&](const Error& why) {
    return std::unexpected(
        Error(Code::kIo, fmt::format("cannot write: {}", why.message())).in(name));
  };
  auto file = ReplacementFile::unique(target.string());
  if (!file) return failed(file.error());
  // The owner can be kept only by root; a file that changes hands must not keep a mode that was
  // meant for the other.
  const bool owner_kept = (before.st_uid == ::geteuid() && before.st_gid == ::getegid()) ||
                          ::fchown(file->fd(), before.st_uid, before.st_gid) == 0;
  const auto replaced =
      file->replace(content, before.st_mode & (owner_kept ? mode_t{07777} : mode_t{0777}));
  if (!replaced) return failed(replaced.error());
  return {};
}

}  // namespace strake::cli
