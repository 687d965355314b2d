#pragma once
// A file descriptor that closes with its owner. Moved, not copied.
#include <utility>

namespace strake {

class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}  // -1 for none, as the system's calls give it
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept;
  ~OwnedFd() { close(); }

  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  // False, with the reason in errno, when the system says that something was not written. There is
  // none afterwards, either way.
  bool close();

 private:
  int fd_ = -1;
};

}  // namespace strake
