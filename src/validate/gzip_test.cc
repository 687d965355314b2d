#include "validate/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

namespace strake::validate {
namespace {

std::string gzip(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(
      ::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  std::string out(::deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

TEST(Gzip, GivesBackWhatWasPacked) {
  const std::string text(300'000, 'x');
  const std::string packed = gzip(text);
  EXPECT_TRUE(is_gzip(packed));
  EXPECT_FALSE(is_gzip(text));
  EXPECT_EQ(gunzip(packed, 1 << 20).value(), text);
  EXPECT_EQ(gunzip(gzip(""), 10).value(), "");
}

TEST(Gzip, ReadsMembersOneAfterTheOther) {
  EXPECT_EQ(gunzip(gzip("a: 1\n") + gzip("b: 2\n"), 100).value(), "a: 1\nb: 2\n");
}

TEST(Gzip, StopsAtTheLimit) {
  const std::string packed = gzip(std::string(1000, 'x'));
  EXPECT_TRUE(gunzip(packed, 1000));
  const auto more = gunzip(packed, 999);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code(), Code::kLimit);
  EXPECT_EQ(gunzip(gzip(std::string(50 << 20, '\0')), 1 << 20).error().code(), Code::kLimit);
}

TEST(Gzip, RefusesWhatIsCutOffOrDamaged) {
  const std::string packed = gzip("hello there, hello there");
  for (std::size_t length = 2; length < packed.size(); ++length) {
    const auto cut = gunzip(std::string_view(packed).substr(0, length), 100);
    ASSERT_FALSE(cut) << length;
    EXPECT_EQ(cut.error().message(), "the compressed data is cut off");
  }
  std::string damaged = packed;
  damaged[damaged.size() - 5] = static_cast<char>(damaged[damaged.size() - 5] ^ 0x55);
  EXPECT_EQ(gunzip(damaged, 100).error().message(), "the compressed data is damaged");
}

// Text that comes in small pieces, once.
class Trickle final : public ByteSource {
 public:
  explicit Trickle(std::string_view text) : text_(text) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = text_.copy(into.data(), std::min<std::size_t>(3, into.size()));
    text_.remove_prefix(count);
    return count;
  }
  bool seek(std::uint64_t) override { return false; }

 private:
  std::string_view text_;
};

Result<std::string> all_of(std::string_view bytes, std::size_t piece) {
  Trickle trickle(bytes);
  STRAKE_TRY(const auto source, unpacked(trickle));
  std::string out;
  std::string buffer(piece, 0);
  while (true) {
    STRAKE_TRY(const std::size_t count, source->read(buffer));
    if (count == 0) return out;
    out.append(buffer, 0, count);
  }
}

TEST(Gzip, InflatesASourceAsItComes) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::to_string(i * 7919) + ",";
  const std::string packed = gzip(text) + gzip("") + gzip(" end");
  for (const std::size_t piece : {1u, 100u, 100'000u})
    EXPECT_EQ(all_of(packed, piece).value(), text + " end");
  for (const std::string_view plain : {"", "{", "{\"a\":1}"})
    EXPECT_EQ(all_of(plain, 2).value(), plain);
}

TEST(Gzip, SaysOfASourceThatItIsCutOffOrDamaged) {
  const std::string packed = gzip("hello there, hello there");
  for (std::size_t length = 2; length < packed.size(); ++length) {
    const auto cut = all_of(std::string_view(packed).substr(0, length), 100);
    ASSERT_FALSE(cut) << length;
    EXPECT_EQ(cut.error().message(), "the compressed data is cut off");
  }
  EXPECT_EQ(all_of(packed + "tail", 100).error().message(), "the compressed data is damaged");
}

}  // namespace
}  // namespace strake::validate
