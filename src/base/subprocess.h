#pragma once
// Other programs, run to their end: arguments in, output out.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace strake {

struct ProgramRun {
  std::vector<std::string> arguments;    // the program first; it is looked for in PATH
  std::vector<std::string> environment;  // "NAME=value", besides that of this process
  std::vector<std::string> unset;        // names that it does not get of that
  std::string folder;                    // to run in; empty for this one
  std::optional<std::chrono::milliseconds> timeout;
  // It may ask the person at the terminal: standard input and the error stream are ours, and `err`
  // of the output stays empty.
  bool interactive = false;
};

struct ProgramOutput {
  int status = 0;  // 128 and more when a signal ended it
  std::string out;
  std::string err;
};

// Code::kNotFound when there is no such program, kTimeout when it took too long (it is asked to end
// then, and made to if it does not),
// kLimit when it printed more than 1 GiB.
Result<ProgramOutput> run_program(const ProgramRun& run);

// A folder for temporary files that goes away with the object.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make(const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace strake
