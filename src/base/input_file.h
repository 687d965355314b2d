#pragma once
// Files that are read under a limit. Every command opens what it is given or finds through here, so
// that a pipe without a writer cannot hang a run and a device cannot fill the memory.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/owned_fd.h"
#include "base/result.h"

namespace strake {

// What may be read besides regular files. A pipe is for files that a person names, such as <(...)
// of a shell or /dev/stdin: reading waits for its writer. /dev/null is an empty file for everyone.
enum class Pipes : std::uint8_t { kRefused, kRead };

// "a pipe", "a socket", "a device", "a folder"; nothing for what can be read. `mode` is st_mode,
// `device` is st_rdev.
std::string_view unreadable_kind(unsigned mode, std::uint64_t device, Pipes pipes);

// An open file. Errors are the reason alone, without the name: "No such file or directory". Moved,
// not copied.
class InputFile {
 public:
  using Words = const char* (*)(int reason);  // for a number of errno

  // Code::kNotFound, or Code::kIo for everything else. `words` replaces strerror.
  static Result<InputFile> open(const std::string& path, Pipes pipes, Words words = nullptr);
  // The same below a folder that is open; a link at the end of the path is an error.
  static Result<InputFile> open_below(int folder, const std::string& path);

  int fd() const { return fd_.get(); }
  // Everything up to the end. Code::kIo, or Code::kLimit when there is more than `limit` bytes.
  Result<std::string> read_all(std::uint64_t limit) const;

 private:
  InputFile(OwnedFd fd, Words words) : fd_(std::move(fd)), words_(words) {}
  static Result<InputFile> check(OwnedFd fd, Pipes pipes, Words words);

  OwnedFd fd_;
  Words words_ = nullptr;
};

// What is left to read from a descriptor of someone else, behind `front`. Errors as above. A device
// other than a terminal is refused: it may never end.
Result<std::string> read_descriptor(int fd, std::uint64_t limit, std::string front = {},
                                    InputFile::Words words = nullptr);

}  // namespace strake
