#pragma once
// Files that tests keep in memory.
#include <map>
#include <string>
#include <vector>

#include "validate/file_source.h"

namespace strake::validate {

class MapFiles final : public FileSource {
 public:
  explicit MapFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  // A file of that name, or everything below the folder of that name.
  Result<std::vector<std::string>> find(std::string_view operand) const override {
    std::vector<std::string> found;
    for (const auto& [name, content] : files_) {
      if (name == operand || name.starts_with(std::string(operand) + "/")) found.push_back(name);
    }
    if (found.empty())
      return std::unexpected(Error(Code::kIo, "cannot open").in(std::string(operand)));
    return found;
  }
  Result<std::string> read(const std::string& name, std::uint64_t limit) const override {
    const auto found = files_.find(name);
    if (found == files_.end()) return std::unexpected(Error(Code::kIo, "cannot open").in(name));
    if (found->second.size() > limit)
      return std::unexpected(Error(Code::kLimit, "too large").in(name));
    return found->second;
  }

 private:
  std::map<std::string, std::string> files_;
};

}  // namespace strake::validate
