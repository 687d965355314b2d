#pragma once
// Lines typed before, kept in a file that only its owner may read. Failures to keep them are passed
// over: a history is a comfort.
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/io.h"

namespace strake::cli {

class LineHistory {
 public:
  // A file below the state folder of the user, $XDG_STATE_HOME or ~/.local/state; without either
  // nothing is kept.
  LineHistory(std::string_view name, const Io& io);

  // The newest thousand, oldest first.
  std::vector<std::string> load() const;
  void append(std::string_view line) const;

 private:
  std::string file_;  // empty when nothing is kept
};

}  // namespace strake::cli
