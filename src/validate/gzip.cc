#include "validate/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace strake::validate {
namespace {

// Window of any size, gzip header expected.
constexpr int kGzipWindow = MAX_WBITS + 16;
constexpr std::size_t kFirstPiece = std::size_t{64} << 10;

class Inflater {
 public:
  Inflater() { ready_ = ::inflateInit2(&stream_, kGzipWindow) == Z_OK; }
  ~Inflater() {
    if (ready_) ::inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  bool ready() const { return ready_; }
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> gunzip(std::string_view bytes, std::uint64_t limit) {
  Inflater inflater;
  if (!inflater.ready()) return fail(Code::kInternal, "cannot start to decompress");
  z_stream& stream = inflater.stream();
  std::string out;
  std::size_t filled = 0;
  while (true) {
    if (stream.avail_in == 0 && !bytes.empty()) {
      const auto piece = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
      // zlib does not write through it, but its interface is older than const.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(piece);
      bytes.remove_prefix(piece);
    }
    if (filled == out.size()) {
      if (filled > limit) return fail(Code::kLimit, "decompresses to more than {} bytes", limit);
      // One byte past the limit is enough to know that it is passed.
      const std::uint64_t wanted = std::max<std::uint64_t>(kFirstPiece, std::uint64_t{filled} * 2);
      out.resize(static_cast<std::size_t>(std::min(wanted, limit + 1)));
    }
    const auto room = std::min<std::size_t>(out.size() - filled, std::numeric_limits<uInt>::max());
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    stream.avail_out = static_cast<uInt>(room);
    const int state = ::inflate(&stream, Z_NO_FLUSH);
    filled += room - stream.avail_out;
    const bool more = stream.avail_in > 0 || !bytes.empty();
    if (state == Z_STREAM_END) {
      if (!more) break;
      if (::inflateReset(&stream) != Z_OK)
        return fail(Code::kInternal, "cannot go on decompressing");
      continue;
    }
    if (state == Z_BUF_ERROR || (state == Z_OK && !more && stream.avail_out > 0)) {
      if (!more) return fail(Code::kParse, "the compressed data is cut off");
      continue;
    }
    if (state != Z_OK) return fail(Code::kParse, "the compressed data is damaged");
  }
  if (filled > limit) return fail(Code::kLimit, "decompresses to more than {} bytes", limit);
  out.resize(filled);
  return out;
}

}  // namespace strake::validate
