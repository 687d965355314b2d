#pragma once
// The disk as builds see it.
#include <cstdint>
#include <string>

#include "kustomize/file/file_tree.h"

namespace strake::cli {

class DiskTree final : public kustomize::FileTree {
 public:
  Result<Place> resolve(const std::string& path) const override;
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override;
};

// The folder that the program was started in, or an error.
Result<std::string> working_folder();

}  // namespace strake::cli
