#pragma once
// Files on the disk, and standard input under the name "-".
#include <string>
#include <string_view>
#include <vector>

#include "cli/io.h"
#include "validate/file_source.h"

namespace strake::cli {

// A folder stands for the .yaml, .yml, .json, .ndjson and .jsonl files below it, each also with .gz
// behind, sorted; without those whose name, or whose folder's, starts with a dot. Links to folders
// are not followed.
class DiskFiles final : public validate::FileSource {
 public:
  explicit DiskFiles(Io& io) : io_(io) {}

  // Standard input can be read once; it is kept for whoever asks for it later. Must be called
  // before threads ask for "-".
  Result<> take_input(std::uint64_t limit);

  Result<std::vector<std::string>> find(std::string_view operand) const override;
  Result<std::string> read(const std::string& name, std::uint64_t limit) const override;

 private:
  Io& io_;
  std::string input_;
};

}  // namespace strake::cli
