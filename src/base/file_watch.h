#pragma once
// Waits until files change. Folders are watched rather than files: editors replace a file by
// another of the same name.
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <string>

#include "base/deadline.h"
#include "base/owned_fd.h"
#include "base/result.h"

namespace strake {

class FileWatch {
 public:
  // Files are watched by name, folders with everything directly in them. What is watched already is
  // left as it is. Code::kIo when the system cannot watch.
  Result<> add(std::span<const std::string> files, std::span<const std::string> folders);

  // Reads what has happened, without waiting; whether any of it matters. Code::kIo when the system
  // cannot tell.
  Result<bool> changed();
  // Can be read when something has happened; -1 while nothing is watched. For who waits for more
  // than files.
  int descriptor() const { return fd_.get(); }

  // Returns once something has changed and then been left alone for as long as `quiet`: saving a
  // file is several changes.
  Result<> wait(std::chrono::milliseconds quiet);
  // The same until the deadline, or until the descriptor can be read: false for both. The
  // descriptor may be -1.
  Result<bool> wait(std::chrono::milliseconds quiet, Deadline until, int interrupt);

 private:
  struct Folder {
    bool whole = false;
    std::set<std::string> names;
  };
  Result<> watch(const std::string& folder, Folder*& out);

  OwnedFd fd_;
  std::map<int, Folder> folders_;  // by watch descriptor
};

}  // namespace strake
