#include "cli/build/disk_tree.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>

#include "base/input_file.h"
#include "kustomize/file/paths.h"

namespace strake::cli {
namespace {

// Go's words for the errors of the system.
const char* go_words(int reason) {
  switch (reason) {
    case ENOENT: return "no such file or directory";
    case ENOTDIR: return "not a directory";
    case EACCES: return "permission denied";
    case EISDIR: return "is a directory";
    case ENAMETOOLONG: return "file name too long";
    default: return std::strerror(reason);
  }
}

Result<std::string> read_link(const std::string& path) {
  std::array<char, PATH_MAX> buffer{};
  const ssize_t size = ::readlink(path.c_str(), buffer.data(), buffer.size());
  if (size < 0) return fail(Code::kIo, "readlink {}: {}", path, go_words(errno));
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

}  // namespace

// Part by part, so that the error names the part that is not there, and that `..` in a link means
// the folder above the one that was reached.
Result<kustomize::FileTree::Place> DiskTree::resolve(const std::string& path) const {
  constexpr int kMostLinks = 255;
  std::string done;
  std::string rest = kustomize::clean_path(path);
  int links = 0;
  bool folder = true;
  for (;;) {
    const std::size_t start = rest.find_first_not_of('/');
    if (start == std::string::npos) return Place{done.empty() ? "/" : done, folder};
    const std::size_t end = std::min(rest.find('/', start), rest.size());
    const std::string part = rest.substr(start, end - start);
    rest.erase(0, end);
    const std::string next = done + "/" + part;
    if (!folder) return fail(Code::kIo, "lstat {}: not a directory", next);
    if (part == ".") continue;
    if (part == "..") {
      done.erase(std::min(done.rfind('/'), done.size()));
      continue;
    }
    struct stat info{};
    if (::lstat(next.c_str(), &info) != 0)
      return fail(errno == ENOENT ? Code::kNotFound : Code::kIo, "lstat {}: {}", next,
                  go_words(errno));
    if (S_ISLNK(info.st_mode)) {
      if (++links > kMostLinks) return fail(Code::kIo, "EvalSymlinks: too many links");
      STRAKE_TRY(const std::string to, read_link(next));
      rest = to + "/" + rest;
      if (kustomize::is_absolute(to)) done.clear();
      continue;
    }
    folder = S_ISDIR(info.st_mode);
    done = next;
  }
}

// A build takes nothing from pipes: kustomizations name files, and one that waits for a writer, or
// that can be read once only, would make the result depend on who else is running.
Result<std::string> DiskTree::read(const std::string& path, std::uint64_t limit) const {
  const auto file = InputFile::open(path, Pipes::kRefused, go_words);
  if (!file) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
      return fail(Code::kIo, "read {}: is a directory", path);
    return fail(Code::kIo, "open {}: {}", path, file.error().message());
  }
  auto text = file->read_all(limit);
  if (text) return text;
  if (text.error().code() == Code::kLimit)
    return fail(Code::kLimit, "{} has more than {} bytes", path, limit);
  return fail(Code::kIo, "read {}: {}", path, text.error().message());
}

Result<std::string> working_folder() {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error) return fail(Code::kIo, "cannot tell the current folder: {}", error.message());
  return here.string();
}

}  // namespace strake::cli
