#pragma once
// Files on the disk, and standard input under the name "-".
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/io.h"
#include "cli/io/path_patterns.h"
#include "validate/file_source.h"
#include "validate/recognise.h"

namespace strake::cli {

// What was found for an operand, and what of it is none of ours.
struct FoundFiles {
  struct PassedOver {
    std::string name;
    validate::NotManifest what;
  };
  std::vector<std::string> names;
  std::vector<PassedOver> passed_over;  // sorted by name
  bool named = false;                   // the operand is the file itself
};

// A folder stands for the .yaml, .yml, .json, .ndjson and .jsonl files below it, each also with .gz
// behind, sorted; without those whose name, or whose folder's, starts with a dot, and those of
// node_modules. Links to folders are not followed.
class DiskFiles final : public validate::FileSource {
 public:
  explicit DiskFiles(Io& io) : io_(io) {}

  // Standard input can be read once; it is kept for whoever asks for it later. Must be called
  // before threads ask for "-".
  Result<> take_input(std::uint64_t limit);

  Result<std::vector<std::string>> find(std::string_view operand) const override;
  // The same for manifests: files of folders and patterns that are known to be something else are
  // told apart, and those that `exclude` names are left out. A file that is named is taken as it
  // is.
  Result<FoundFiles> find_manifests(std::string_view operand, const PathPatterns& exclude) const;
  Result<std::string> read(const std::string& name, std::uint64_t limit) const override;

 private:
  Io& io_;
  std::string input_;
};

}  // namespace strake::cli
