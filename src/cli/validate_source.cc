#include "cli/validate_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "validate/gzip.h"
#include "validate/phrases.h"

namespace strake::cli {
namespace {

// A descriptor that is closed with its owner.
class File {
 public:
  explicit File(const std::string& name) : fd_(::open(name.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

class FileSource final : public validate::ByteSource {
 public:
  explicit FileSource(const std::string& name) : name_(name), file_(name) {}
  bool is_open() const { return file_.fd() >= 0; }

  Result<std::size_t> read(std::span<char> into) override {
    while (true) {
      const ssize_t got =
          ::pread(file_.fd(), into.data(), into.size(), static_cast<off_t>(offset_));
      if (got >= 0) {
        offset_ += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) {
        return std::unexpected(
            Error(Code::kIo, validate::say(validate::Phrase::kCannotRead, std::strerror(errno)))
                .in(name_));
      }
    }
  }
  bool seek(std::uint64_t offset) override {
    offset_ = offset;
    return true;
  }

 private:
  std::string name_;
  File file_;
  std::uint64_t offset_ = 0;
};

class InputSource final : public validate::ByteSource {
 public:
  explicit InputSource(Input& in) : in_(in) {}
  Result<std::size_t> read(std::span<char> into) override { return in_.read_some(into); }
  bool seek(std::uint64_t) override { return false; }

 private:
  Input& in_;
};

// A YAML flow mapping begins like JSON; what is named as YAML is read as such.
bool is_named_yaml(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

// A few bytes of what is in the file, compressed or not; none when it cannot be read.
std::string first_bytes(const std::string& name) {
  FileSource file(name);
  const auto source = validate::unpacked(file);
  if (!file.is_open() || !source) return {};
  std::string out(64, '\0');
  const auto got = (*source)->read(out);
  out.resize(got ? *got : 0);
  return out;
}

}  // namespace

Result<std::unique_ptr<validate::ByteSource>> open_source(const std::string& name, Io& io) {
  if (name == "-") return std::make_unique<InputSource>(io.in);
  auto file = std::make_unique<FileSource>(name);
  if (!file->is_open()) {
    return std::unexpected(
        Error(Code::kIo, validate::say(validate::Phrase::kCannotOpen, std::strerror(errno)))
            .in(name));
  }
  return file;
}

bool is_large_json(const std::string& name, std::uint64_t size) {
  if (is_named_yaml(name)) return false;
  struct stat status = {};
  if (::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::uint64_t>(status.st_size) <= size)
    return false;
  const std::string text = first_bytes(name);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string::npos && (text[start] == '{' || text[start] == '[');
}

}  // namespace strake::cli
