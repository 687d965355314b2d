#pragma once
// The files beside a Compose document: the disk in the program, a map in tests. Paths are relative
// to one folder, cleaned (clean_project_path), and never lead out of it.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/owned_fd.h"
#include "base/result.h"

namespace strake::ops::compose {

enum class FileKind : std::uint8_t { kAbsent, kFile, kFolder, kOther };

class ProjectFiles {
 public:
  virtual ~ProjectFiles() = default;
  // A symbolic link, wherever on the path it stands, is kOther.
  virtual Result<FileKind> kind(const std::string& path) const = 0;
  // Code::kNotFound, kIo, or kLimit when there are more than `limit` bytes. Links are not followed.
  virtual Result<std::string> read(const std::string& path, std::uint64_t limit) const = 0;
};

// "./a//b/" becomes "a/b", "." and "" become "". Fails with kInvalid for a path that is absolute,
// starts with ~, or has a part "..".
Result<std::string> clean_project_path(std::string_view path);

// UTF-8 without a byte order mark.
bool is_plain_text(std::string_view bytes);

// The files of a folder on the disk.
class FolderFiles final : public ProjectFiles {
 public:
  static Result<FolderFiles> open(const std::string& folder);

  Result<FileKind> kind(const std::string& path) const override;
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override;

 private:
  explicit FolderFiles(OwnedFd folder) : folder_(std::move(folder)) {}
  OwnedFd folder_;
};

// What an app may read, by the file that declares it (App::ref_base): the folder of
// "file://<dir>/"; null, so nothing, when it is empty. Fails with kInvalid for any other text.
Result<std::unique_ptr<ProjectFiles>> open_ref_base(const std::string& ref_base);

// A folder below another one. `files` must outlive it.
class SubfolderFiles final : public ProjectFiles {
 public:
  SubfolderFiles(const ProjectFiles& files, std::string folder)
      : files_(files), prefix_(folder.empty() ? std::string() : std::move(folder) + "/") {}

  Result<FileKind> kind(const std::string& path) const override {
    return files_.kind(prefix_ + path);
  }
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override {
    return files_.read(prefix_ + path, limit);
  }

 private:
  const ProjectFiles& files_;
  std::string prefix_;
};

}  // namespace strake::ops::compose
