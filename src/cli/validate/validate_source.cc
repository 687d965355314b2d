#include "cli/validate/validate_source.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/io/files.h"
#include "validate/gzip.h"
#include "validate/phrases.h"

namespace strake::cli {
namespace {

class FileBytes final : public validate::ByteSource {
 public:
  FileBytes(std::string name, InputFile file) : name_(std::move(name)), file_(std::move(file)) {
    seeks_ = ::lseek(file_.fd(), 0, SEEK_CUR) == 0;
  }

  Result<std::size_t> read(std::span<char> into) override {
    while (true) {
      const ssize_t got =
          seeks_ ? ::pread(file_.fd(), into.data(), into.size(), static_cast<off_t>(offset_))
                 : ::read(file_.fd(), into.data(), into.size());
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
    return seeks_;
  }

 private:
  std::string name_;
  InputFile file_;
  bool seeks_ = false;  // a pipe can be read once only
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

// Deflate makes no text smaller than this part of it.
constexpr std::uint64_t kMostCompressed = 1032;

// A few bytes of what is in the file, compressed or not; none when it cannot be read.
struct FirstBytes {
  std::string text;
  bool compressed = false;
};
FirstBytes first_bytes(const std::string& name) {
  auto opened = open_input(name);
  if (!opened) return {};
  FileBytes file(name, *std::move(opened));
  FirstBytes out{.text = std::string(64, '\0')};
  if (const auto got = file.read(out.text); got)
    out.compressed = validate::is_gzip(std::string_view(out.text).substr(0, *got));
  static_cast<void>(file.seek(0));
  const auto source = validate::unpacked(file);
  if (!source) return {};
  const auto got = (*source)->read(out.text);
  out.text.resize(got ? *got : 0);
  return out;
}

bool unpacks_to_more(const std::string& name, std::uint64_t size) {
  auto opened = open_input(name);
  if (!opened) return false;
  FileBytes file(name, *std::move(opened));
  const auto source = validate::unpacked(file);
  if (!source) return false;
  std::string piece(std::size_t{1} << 16, '\0');
  std::uint64_t sum = 0;
  while (sum <= size) {
    const auto got = (*source)->read(piece);
    if (!got || *got == 0) return false;
    sum += *got;
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<validate::ByteSource>> open_source(const std::string& name, Io& io) {
  if (name == "-") return std::make_unique<InputSource>(io.in);
  auto file = InputFile::open(name, Pipes::kRead);
  if (!file) {
    return std::unexpected(Error(file.error().code(), validate::say(validate::Phrase::kCannotOpen,
                                                                    file.error().message()))
                               .in(name));
  }
  return std::make_unique<FileBytes>(name, *std::move(file));
}

bool is_large_json(const std::string& name, std::uint64_t size) {
  if (is_named_yaml(name)) return false;
  struct stat status = {};
  if (::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  if (bytes <= size / kMostCompressed) return false;
  const FirstBytes first = first_bytes(name);
  const std::size_t start = first.text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos || (first.text[start] != '{' && first.text[start] != '['))
    return false;
  return bytes > size || (first.compressed && unpacks_to_more(name, size));
}

}  // namespace strake::cli
