#pragma once
// Where files come from: the disk in the program, a map in tests. Calls may come from several
// threads at once.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::validate {

class FileSource {
 public:
  virtual ~FileSource() = default;
  // The names of the files that an operand means, in order: a file or "-" stands for itself, a
  // folder for the documents below it, a pattern with *, ? or [] for the files that match. Nothing
  // found is Code::kIo.
  virtual Result<std::vector<std::string>> find(std::string_view operand) const = 0;
  // The bytes as they are. Code::kIo, or Code::kLimit when there are more than `limit`.
  virtual Result<std::string> read(const std::string& name, std::uint64_t limit) const = 0;
};

}  // namespace strake::validate
