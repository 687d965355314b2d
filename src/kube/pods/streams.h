#pragma once
// What a command in a pod reads and writes: terminals and files for people (descriptors.h), buffers
// for tests. Called on the thread that waits for the command.
#include <cstdint>
#include <string>
#include <string_view>

#include "async/task.h"

namespace strake::kube {

class InputStream {
 public:
  virtual ~InputStream() = default;
  // What has come; empty at the end. Fails with kCancelled when the coroutine is cancelled, as it
  // is when the command has ended.
  virtual async::Task<std::string> read() = 0;
};

class OutputStream {
 public:
  virtual ~OutputStream() = default;
  // All of it. May block: the other side is then kept waiting. A failure ends what writes to it.
  virtual Result<> write(std::string_view bytes) = 0;
};

struct WindowSize {
  std::uint16_t width = 0;
  std::uint16_t height = 0;
};

class WindowSizes {
 public:
  virtual ~WindowSizes() = default;
  // The size as it is; from the second call on, once it has changed. Fails with kCancelled as
  // InputStream::read(), and with anything else when there is nothing more to tell.
  virtual async::Task<WindowSize> next() = 0;
};

}  // namespace strake::kube
