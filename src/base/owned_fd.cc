#include "base/owned_fd.h"

#include <unistd.h>

#include <cerrno>

namespace strake {

OwnedFd& OwnedFd::operator=(OwnedFd&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

bool OwnedFd::close() {
  const int fd = std::exchange(fd_, -1);
  // Linux has let go of a descriptor whose close was interrupted: it must not be closed again.
  return fd < 0 || ::close(fd) == 0 || errno == EINTR;
}

}  // namespace strake
