#pragma once
// Streams of pods that are files, pipes and terminals of this process. A terminal that is waited
// for keeps its settings: whoever owns it makes it raw (TerminalMode) and puts it back.
#include <memory>
#include <optional>

#include "base/cancel.h"
#include "kube/pods/streams.h"

namespace strake::kube {

// What is read stays with its owner, and is not closed; nor is it made non-blocking, since others
// may share it.
class DescriptorInput final : public InputStream {
 public:
  explicit DescriptorInput(int descriptor) : descriptor_(descriptor) {}
  async::Task<std::string> read() override;

 private:
  const int descriptor_;
};

// A write waits for its reader, and hears cancellation while it does: then it fails with
// kCancelled.
class DescriptorOutput final : public OutputStream {
 public:
  DescriptorOutput(int descriptor, CancelToken cancel)
      : descriptor_(descriptor), cancel_(std::move(cancel)) {}
  Result<> write(std::string_view bytes) override;

 private:
  Result<> wait() const;
  const int descriptor_;
  const CancelToken cancel_;
};

// The size of a terminal, each time that it has changed (SIGWINCH tells when to look).
class TerminalSizes final : public WindowSizes {
 public:
  explicit TerminalSizes(int descriptor) : descriptor_(descriptor) {}
  async::Task<WindowSize> next() override;

 private:
  const int descriptor_;
  std::optional<WindowSize> told_;
};

// A terminal whose keys go to the command as they are, until the end of this object.
class TerminalMode {
 public:
  // Does nothing to what is no terminal.
  explicit TerminalMode(int descriptor);
  ~TerminalMode();
  TerminalMode(const TerminalMode&) = delete;
  TerminalMode& operator=(const TerminalMode&) = delete;

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

}  // namespace strake::kube
