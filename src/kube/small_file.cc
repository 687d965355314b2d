#include "kube/small_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace strake::kube {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{16} << 20;

}  // namespace

Result<std::string> read_small_file(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return fail(Code::kIo, "cannot read {}: it is a folder", file);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(Code::kIo, "cannot read {}: {}", file, std::strerror(errno));
  std::string text;
  char buffer[8192];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMostFileBytes)
      return fail(Code::kLimit, "{} has more than {} bytes", file, kMostFileBytes);
  }
  if (in.bad()) return fail(Code::kIo, "cannot read {}: {}", file, std::strerror(errno));
  return text;
}

}  // namespace strake::kube
