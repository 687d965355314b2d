#pragma once
// Everything a command may touch of the world outside: streams, the terminal, the environment, the
// clock. main() fills it with the real ones and tests with their own, so a command runs the same in
// both. One thread.
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::cli {

// Text out. A failure is remembered: later writes do nothing, and flush() tells it.
class Output {
 public:
  virtual ~Output() = default;
  virtual void write(std::string_view text) = 0;
  virtual Result<> flush() = 0;  // Code::kIo with the reason of the first failure
  virtual bool failed() const = 0;
};

class Input {
 public:
  virtual ~Input() = default;
  // Everything up to the end; Code::kLimit when there is more than `limit` bytes.
  virtual Result<std::string> read_all(std::uint64_t limit) = 0;
  // Some of what comes next, as soon as it is there, up to the size of the buffer; 0 at the end.
  virtual Result<std::size_t> read_some(std::span<char> into) = 0;
  // The next line without its end, as soon as it is there; nothing at the end. Code::kLimit when it
  // has more than `limit` bytes.
  virtual Result<std::optional<std::string>> read_line(std::uint64_t limit) = 0;
};

struct Io {
  Input& in;
  Output& out;
  Output& err;
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool color_out = false;  // settled by --color before a command runs
  bool color_err = false;
  bool output_failure_told = false;  // set by a command that said itself why `out` failed
  std::function<std::optional<std::string>(std::string_view)> env = [](std::string_view) {
    return std::nullopt;
  };
  // All of it, for commands that hand it on.
  std::function<std::map<std::string, std::string, std::less<>>()> environment = [] {
    return std::map<std::string, std::string, std::less<>>();
  };
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  // Ends the program, with a message, when it would need more bytes than these; 0 for no limit.
  std::function<void(std::uint64_t)> limit_memory = [](std::uint64_t) {};
  // What a command is done with and does not free itself: taking thousands of schemas apart takes
  // milliseconds, and the program ends without.
  std::vector<std::shared_ptr<const void>> freed_at_exit;
};

// A file descriptor that someone else owns, written in large pieces.
class FdOutput final : public Output {
 public:
  FdOutput(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  void write(std::string_view text) override;
  Result<> flush() override;
  bool failed() const override { return failure_ != 0; }

 private:
  void write_through(std::string_view text);

  int fd_;
  std::string name_;  // for messages
  std::string pending_;
  int failure_ = 0;  // errno of the first failure
};

class FdInput final : public Input {
 public:
  FdInput(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  Result<std::string> read_all(std::uint64_t limit) override;
  Result<std::size_t> read_some(std::span<char> into) override;
  Result<std::optional<std::string>> read_line(std::uint64_t limit) override;

 private:
  int fd_;
  std::string name_;
  std::string pending_;  // read already, behind the last line
};

// Kept in memory.
class StringOutput final : public Output {
 public:
  void write(std::string_view text) override { text_ += text; }
  Result<> flush() override { return {}; }
  bool failed() const override { return false; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class StringInput final : public Input {
 public:
  explicit StringInput(std::string text) : text_(std::move(text)) {}
  Result<std::string> read_all(std::uint64_t limit) override;
  Result<std::size_t> read_some(std::span<char> into) override;
  Result<std::optional<std::string>> read_line(std::uint64_t limit) override;

 private:
  std::string text_;
};

}  // namespace strake::cli
