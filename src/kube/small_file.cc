#include "kube/small_file.h"

#include "base/input_file.h"

namespace strake::kube {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{16} << 20;

}  // namespace

Result<std::string> read_small_file(const std::string& file) {
  const auto opened = InputFile::open(file, Pipes::kRead);
  if (!opened) return fail(Code::kIo, "cannot read {}: {}", file, opened.error().message());
  auto text = opened->read_all(kMostFileBytes);
  if (text) return text;
  if (text.error().code() == Code::kLimit)
    return fail(Code::kLimit, "{} has more than {} bytes", file, kMostFileBytes);
  return fail(Code::kIo, "cannot read {}: {}", file, text.error().message());
}

}  // namespace strake::kube
