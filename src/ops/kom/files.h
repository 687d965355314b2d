#pragma once
// The files that a configuration is read from: the disk in the program, a map in tests. Paths are
// absolute.
#include <cstddef>
#include <string>
#include <vector>

#include "kustomize/file/file_tree.h"

namespace strake::ops {

class KomFiles : public kustomize::FileTree {
 public:
  // The names of what is directly in a folder, sorted. Code::kIo, or Code::kLimit when there are
  // more than `most`.
  virtual Result<std::vector<std::string>> list(const std::string& folder,
                                                std::size_t most) const = 0;
};

class DiskKomFiles final : public KomFiles {
 public:
  Result<Place> resolve(const std::string& path) const override;
  // Pipes and devices are refused: a configuration must read the same every time.
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override;
  Result<std::vector<std::string>> list(const std::string& folder, std::size_t most) const override;
};

}  // namespace strake::ops
