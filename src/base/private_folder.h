#pragma once
// A folder that belongs to this user alone, held open: what is in it is reached through its
// descriptor, so that nobody can put another folder in its place, and links in it are not followed.
#include <string>
#include <string_view>
#include <utility>

#include "base/owned_fd.h"
#include "base/result.h"

namespace strake {

class PrivateFolder {
 public:
  // Made, mode 0700, with the folders above it when it is not there. Fails with kForbidden, saying
  // what to run, when it belongs to another user or others may look into it; kIo, naming the path,
  // when it cannot be made or entered.
  static Result<PrivateFolder> open(const std::string& path);
  // One inside, made when it is not there. What protects this one protects it too.
  Result<PrivateFolder> folder(const std::string& name) const;

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const;  // a path inside

  Result<std::string> read(const std::string& name) const;  // kNotFound when it is not there
  // So that it is there whole or not at all, and on disk.
  Result<> write(const std::string& name, std::string_view content, unsigned mode) const;

 private:
  PrivateFolder(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::string path_;
  OwnedFd fd_;
};

// The same for a file that the user named.
Result<std::string> read_file(const std::string& path);
Result<> write_file(const std::string& path, std::string_view content, unsigned mode);

}  // namespace strake
