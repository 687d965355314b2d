#pragma once
// A folder for its owner alone that goes away with this.
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace strake::server {

class TemporaryFolder {
 public:
  // In $XDG_RUNTIME_DIR, else in the system's folder for temporary files: <name>-<random>.
  static Result<TemporaryFolder> make(std::string_view name);

  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFolder();

  std::string file(std::string_view name) const;  // a path inside
  // A new file, mode 0600: its path. Not flushed, since nothing of it is to survive a crash of the
  // machine.
  Result<std::string> write(std::string_view name, std::string_view content) const;

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace strake::server
