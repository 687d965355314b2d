#include "validate/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "validate/phrases.h"

namespace strake::validate {
namespace {

// Window of any size, gzip header expected.
constexpr int kGzipWindow = MAX_WBITS + 16;
constexpr std::string_view kMagic = "\x1f\x8b";
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

// What was read ahead of a source, then the rest of it.
class PeekedSource final : public ByteSource {
 public:
  PeekedSource(std::string ahead, ByteSource& rest) : ahead_(std::move(ahead)), rest_(rest) {}
  Result<std::size_t> read(std::span<char> into) override {
    if (at_ == ahead_.size()) return rest_.read(into);
    const std::size_t count = ahead_.copy(into.data(), into.size(), at_);
    at_ += count;
    return count;
  }
  bool seek(std::uint64_t offset) override {
    if (!rest_.seek(offset)) return false;
    at_ = ahead_.size();
    return true;
  }

 private:
  std::string ahead_;
  std::size_t at_ = 0;
  ByteSource& rest_;
};

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(PeekedSource packed) : packed_(std::move(packed)), buffer_(kFirstPiece, 0) {}

  Result<std::size_t> read(std::span<char> into) override {
    if (!inflater_.ready()) return fail(Code::kInternal, "{}", say(Phrase::kCannotDecompress));
    z_stream& stream = inflater_.stream();
    const auto room = std::min<std::size_t>(into.size(), std::numeric_limits<uInt>::max());
    stream.next_out = reinterpret_cast<Bytef*>(into.data());
    stream.avail_out = static_cast<uInt>(room);
    while (stream.avail_out == room && room > 0) {
      STRAKE_TRY(const bool more, refill());
      if (!more) {
        if (inside_) return fail(Code::kParse, "{}", say(Phrase::kCutOff));
        return 0;
      }
      STRAKE_CHECK(inflate_some());
    }
    return room - stream.avail_out;
  }
  bool seek(std::uint64_t) override { return false; }

 private:
  // False at the end.
  Result<bool> refill() {
    z_stream& stream = inflater_.stream();
    if (stream.avail_in > 0) return true;
    STRAKE_TRY(const std::size_t count, packed_.read(buffer_));
    stream.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    stream.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  Result<> inflate_some() {
    // A file may hold several members one after another (RFC 1952, 2.2), as bgzip and log rotation
    // write them.
    if (!inside_ && started_ && ::inflateReset(&inflater_.stream()) != Z_OK)
      return fail(Code::kInternal, "{}", say(Phrase::kCannotGoOnDecompressing));
    started_ = inside_ = true;
    const int state = ::inflate(&inflater_.stream(), Z_NO_FLUSH);
    if (state == Z_STREAM_END) {
      inside_ = false;
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      return fail(Code::kParse, "{}", say(Phrase::kDamaged));
    }
    return {};
  }

  PeekedSource packed_;
  std::string buffer_;
  Inflater inflater_;
  bool started_ = false;
  bool inside_ = false;  // of a member, which has to end
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with(kMagic); }

Result<std::string> gunzip(std::string_view bytes, std::uint64_t limit) {
  Inflater inflater;
  if (!inflater.ready()) return fail(Code::kInternal, "{}", say(Phrase::kCannotDecompress));
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
      if (filled > limit) return fail(Code::kLimit, "{}", say(Phrase::kDecompressesToMore, limit));
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
        return fail(Code::kInternal, "{}", say(Phrase::kCannotGoOnDecompressing));
      continue;
    }
    if (state == Z_BUF_ERROR || (state == Z_OK && !more && stream.avail_out > 0)) {
      if (!more) return fail(Code::kParse, "{}", say(Phrase::kCutOff));
      continue;
    }
    if (state != Z_OK) return fail(Code::kParse, "{}", say(Phrase::kDamaged));
  }
  if (filled > limit) return fail(Code::kLimit, "{}", say(Phrase::kDecompressesToMore, limit));
  out.resize(filled);
  return out;
}

Result<std::unique_ptr<ByteSource>> unpacked(ByteSource& source) {
  std::string ahead;
  while (ahead.size() < kMagic.size()) {
    char next[kMagic.size()];
    STRAKE_TRY(const std::size_t count,
               source.read(std::span(next).first(kMagic.size() - ahead.size())));
    if (count == 0) break;
    ahead.append(next, count);
  }
  const bool packed = is_gzip(ahead);
  PeekedSource peeked(std::move(ahead), source);
  if (packed) return std::make_unique<GzipSource>(std::move(peeked));
  return std::make_unique<PeekedSource>(std::move(peeked));
}

}  // namespace strake::validate
