#include "cli/io/io.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/input_file.h"

namespace strake::cli {
namespace {
constexpr std::size_t kPiece = std::size_t{1} << 16;

std::unexpected<Error> input_too_large(std::string_view name, std::uint64_t limit) {
  return std::unexpected(
      Error(Code::kLimit, fmt::format("more than {} bytes", limit)).in(std::string(name)));
}

// Takes the first line, and its end, from the front of the text.
std::string take_line(std::string& text) {
  const std::size_t end = text.find('\n');
  std::string line = text.substr(0, end);
  text.erase(0, end == std::string::npos ? end : end + 1);
  if (line.ends_with('\r')) line.pop_back();
  return line;
}
std::size_t take_some(std::string& from, std::span<char> into) {
  const std::size_t count = from.copy(into.data(), into.size());
  from.erase(0, count);
  return count;
}

}  // namespace

void FdOutput::write(std::string_view text) {
  if (failure_ != 0) return;
  if (pending_.size() + text.size() < kPiece) {
    pending_ += text;
    return;
  }
  write_through(pending_);
  pending_.clear();
  if (text.size() < kPiece) {
    pending_ += text;
  } else {
    write_through(text);
  }
}

Result<> FdOutput::flush() {
  write_through(pending_);
  pending_.clear();
  if (failure_ != 0)
    return fail(Code::kIo, "cannot write to {}: {}", name_, std::strerror(failure_));
  return {};
}

void FdOutput::write_through(std::string_view text) {
  while (!text.empty() && failure_ == 0) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failure_ = errno;
    }
  }
}

Result<std::string> FdInput::read_all(std::uint64_t limit) {
  auto text = read_descriptor(fd_, limit, std::exchange(pending_, {}));
  if (text) return text;
  if (text.error().code() == Code::kLimit) return input_too_large(name_, limit);
  return std::unexpected(
      Error(Code::kIo, fmt::format("cannot read: {}", text.error().message())).in(name_));
}

Result<std::size_t> FdInput::read_some(std::span<char> into) {
  if (!pending_.empty()) return take_some(pending_, into);
  while (true) {
    const ssize_t got = ::read(fd_, into.data(), into.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) {
      return std::unexpected(
          Error(Code::kIo, fmt::format("cannot read: {}", std::strerror(errno))).in(name_));
    }
  }
}

Result<std::optional<std::string>> FdInput::read_line(std::uint64_t limit) {
  std::size_t searched = 0;
  while (pending_.find('\n', searched) == std::string::npos) {
    if (pending_.size() > limit) return input_too_large(name_, limit);
    searched = pending_.size();
    char piece[4096];
    const ssize_t got = ::read(fd_, piece, sizeof piece);
    if (got > 0) {
      pending_.append(piece, static_cast<std::size_t>(got));
    } else if (got == 0) {
      if (pending_.empty()) return std::nullopt;
      break;
    } else if (errno != EINTR) {
      return std::unexpected(
          Error(Code::kIo, fmt::format("cannot read: {}", std::strerror(errno))).in(name_));
    }
  }
  std::string line = take_line(pending_);
  if (line.size() > limit) return input_too_large(name_, limit);
  return line;
}

Result<std::string> StringInput::read_all(std::uint64_t limit) {
  if (text_.size() > limit) return input_too_large("-", limit);
  return std::move(text_);
}

Result<std::size_t> StringInput::read_some(std::span<char> into) { return take_some(text_, into); }

Result<std::optional<std::string>> StringInput::read_line(std::uint64_t limit) {
  if (text_.empty()) return std::nullopt;
  std::string line = take_line(text_);
  if (line.size() > limit) return input_too_large("-", limit);
  return line;
}

}  // namespace strake::cli
