#pragma once
// The disk as tests see it: nothing but files and folders that are there.
#include <filesystem>
#include <string>

#include "kustomize/file/file_tree.h"
#include "support/vectors.h"

namespace strake::kustomize {

class TestDisk final : public FileTree {
 public:
  Result<Place> resolve(const std::string& path) const override {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    if (error) return fail(Code::kNotFound, "lstat {}: no such file or directory", path);
    return Place{real.string(), std::filesystem::is_directory(real)};
  }
  Result<std::string> read(const std::string& path, std::uint64_t) const override {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      return fail(Code::kIo, "read {}: is a directory", path);
    return testing::read_file(path);
  }
};

}  // namespace strake::kustomize
