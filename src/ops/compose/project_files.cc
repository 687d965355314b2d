#include "ops/compose/project_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/input_file.h"
#include "base/utf8.h"

namespace strake::ops::compose {
namespace {

// The parts of a cleaned path but the last, each opened in the one before it: a link on the way is
// refused by the system (ELOOP or ENOTDIR).
class OpenParents {
 public:
  explicit OpenParents(int folder) : at_(folder) {}

  // What is left to open in at(), or the reason in errno.
  bool walk(std::string_view path, std::string& last) {
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
         slash = path.find('/')) {
      const std::string part(path.substr(0, slash));
      path.remove_prefix(slash + 1);
      OwnedFd next(::openat(at(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (!next) return false;
      opened_ = std::move(next);
    }
    last = path.empty() ? "." : std::string(path);
    return true;
  }
  int at() const { return opened_ ? opened_.get() : at_; }

 private:
  int at_;
  OwnedFd opened_;
};

std::unexpected<Error> system_error(std::string_view path, int reason) {
  return fail(reason == ENOENT ? Code::kNotFound : Code::kIo, "{}: {}", path,
              std::strerror(reason));
}

}  // namespace

Result<std::string> clean_project_path(std::string_view path) {
  if (path.starts_with('/')) return fail(Code::kInvalid, "must be relative, got {}", path);
  if (path.starts_with('~')) return fail(Code::kInvalid, "must not start with ~, got {}", path);
  if (path.find('\0') != std::string_view::npos)
    return fail(Code::kInvalid, "must not have a NUL character");
  std::string out;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") return fail(Code::kInvalid, "must not lead through .., got {}", path);
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

bool is_plain_text(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  return !bytes.starts_with(kByteOrderMark) && utf8::is_valid(bytes);
}

Result<FolderFiles> FolderFiles::open(const std::string& folder) {
  OwnedFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return system_error(folder, errno);
  return FolderFiles(std::move(fd));
}

Result<FileKind> FolderFiles::kind(const std::string& path) const {
  OpenParents parents(folder_.get());
  std::string last;
  struct stat found{};
  if (!parents.walk(path, last) ||
      ::fstatat(parents.at(), last.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return FileKind::kAbsent;
    if (errno == ELOOP || errno == ENOTDIR) return FileKind::kOther;
    return system_error(path, errno);
  }
  if (S_ISREG(found.st_mode)) return FileKind::kFile;
  if (S_ISDIR(found.st_mode)) return FileKind::kFolder;
  return FileKind::kOther;
}

Result<std::string> FolderFiles::read(const std::string& path, std::uint64_t limit) const {
  OpenParents parents(folder_.get());
  std::string last;
  if (!parents.walk(path, last)) return system_error(path, errno);
  Result<InputFile> file = InputFile::open_below(parents.at(), last);
  if (!file) return std::unexpected(std::move(file).error().prefixed(path));
  Result<std::string> text = file->read_all(limit);
  if (!text) return std::unexpected(std::move(text).error().prefixed(path));
  return text;
}

Result<std::unique_ptr<ProjectFiles>> open_ref_base(const std::string& ref_base) {
  if (ref_base.empty()) return nullptr;
  constexpr std::string_view kScheme = "file://";
  if (!ref_base.starts_with(kScheme) || ref_base.size() <= kScheme.size() ||
      ref_base[kScheme.size()] != '/')
    return fail(Code::kInvalid,
                "the base of file references must be file:// and an absolute "
                "folder, got \"{}\"",
                ref_base);
  STRAKE_TRY(FolderFiles files, FolderFiles::open(ref_base.substr(kScheme.size())));
  return std::make_unique<FolderFiles>(std::move(files));
}

}  // namespace strake::ops::compose
