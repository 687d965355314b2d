#pragma once
// A file that is written under a name of its own and then takes another's place in one step:
// whoever reads that one meanwhile, or looks after a crash, finds all of the old content or all of
// the new. Errors are the reason alone, without the name: "No space left on device".
// Code::kNotFound when a folder is not there, else Code::kIo.
#include <string>
#include <string_view>
#include <utility>

#include "base/owned_fd.h"
#include "base/result.h"

namespace strake {

class ReplacementFile {
 public:
  // Named `<target>.partial`. The target is below the folder, which is open, or a path when the
  // folder is AT_FDCWD. What a process that was killed has left behind goes; a link of that name is
  // not followed. For one writer at a time.
  static Result<ReplacementFile> partial(int folder, std::string target);
  // Beside the target, under a name that nobody else has: for files that several may write.
  static Result<ReplacementFile> unique(std::string target);

  ReplacementFile(ReplacementFile&& other) noexcept
      : folder_(other.folder_),
        target_(std::move(other.target_)),
        name_(std::exchange(other.name_, {})),
        fd_(std::move(other.fd_)) {}
  ReplacementFile& operator=(ReplacementFile&&) = delete;
  ~ReplacementFile();  // removes the file, unless it is in place

  int fd() const {
    return fd_.get();
  }  // for its owner until replace() is called, mode 0600 or less

  // Writes the content, sets the mode whatever the umask, flushes, and puts the file in the
  // target's place. Once.
  Result<> replace(std::string_view content, unsigned mode);

 private:
  ReplacementFile(int folder, std::string target, std::string name, int fd)
      : folder_(folder), target_(std::move(target)), name_(std::move(name)), fd_(fd) {}

  int folder_;
  std::string target_;
  std::string name_;  // empty when the file is in place
  OwnedFd fd_;
};

// All of it, in as many calls as the system wants. False with the reason in errno.
bool write_all(int fd, std::string_view content);

}  // namespace strake
