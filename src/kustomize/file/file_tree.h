#pragma once
// The files that a build reads: the disk in the program, a map in tests. All paths are absolute.
#include <cstdint>
#include <string>

#include "base/result.h"

namespace strake::kustomize {

class FileTree {
 public:
  struct Place {
    std::string path;  // without symbolic links
    bool folder = false;
  };

  virtual ~FileTree() = default;
  // What a path leads to once all symbolic links are followed. Code::kNotFound with the words
  // "lstat P: no such file or directory", where P is the first part that is not there.
  virtual Result<Place> resolve(const std::string& path) const = 0;
  // The bytes of a file. Code::kIo, or Code::kLimit when there are more than `limit`.
  virtual Result<std::string> read(const std::string& path, std::uint64_t limit) const = 0;
};

}  // namespace strake::kustomize
