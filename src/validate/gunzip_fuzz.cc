// Any bytes as a compressed file: read at once and read in pieces they are the same text, or
// damaged both ways, and the limit holds. The first byte gives the size of the pieces.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "validate/gzip.h"

using namespace strake;
using namespace strake::validate;

namespace {

constexpr std::uint64_t kLimit = 1 << 18;

class Pieces final : public ByteSource {
 public:
  Pieces(std::string_view bytes, std::size_t step) : bytes_(bytes), step_(step) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = bytes_.substr(at_).copy(into.data(), std::min(step_, into.size()));
    at_ += count;
    return count;
  }
  bool seek(std::uint64_t offset) override {
    at_ = std::min(static_cast<std::size_t>(offset), bytes_.size());
    return true;
  }

 private:
  std::string_view bytes_;
  std::size_t step_;
  std::size_t at_ = 0;
};

// Nothing when it is damaged; at most a little more than the limit.
std::optional<std::string> read_all(ByteSource& source, std::size_t step) {
  std::string out;
  std::string buffer(step, '\0');
  while (out.size() <= kLimit) {
    const Result<std::size_t> count = source.read(buffer);
    if (!count) return std::nullopt;
    if (*count == 0) break;
    STRAKE_ASSERT(*count <= buffer.size());
    out.append(buffer, 0, *count);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = 1 + data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  Pieces source(bytes, step);
  const auto opened = unpacked(source);
  if (!is_gzip(bytes)) {
    if (!opened) return 0;
    const auto plain = read_all(**opened, 64);
    STRAKE_ASSERT(plain && (*plain == bytes || bytes.size() > kLimit));
    return 0;
  }
  const Result<std::string> whole = gunzip(bytes, kLimit);
  STRAKE_ASSERT(!whole || whole->size() <= kLimit);
  const auto parts = opened ? read_all(**opened, 4096) : std::nullopt;
  if (whole) {
    STRAKE_ASSERT(parts && *parts == *whole);
  } else if (whole.error().code() == Code::kLimit) {
    STRAKE_ASSERT(!parts || parts->size() > kLimit);
  } else {
    STRAKE_ASSERT(!parts);
  }
  return 0;
}
