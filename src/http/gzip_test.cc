#include "http/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "http/test_gunzip.h"

namespace strake::http {

std::string testing::gunzip(std::string_view bytes) {
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int state = Z_OK;
  while (state == Z_OK) {
    char buffer[16 * 1024];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof(buffer);
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, sizeof(buffer) - stream.avail_out);
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END && stream.avail_in == 0 ? out : std::string();
}

namespace {

TEST(Gzip, GivesBackWhatWasPacked) {
  for (const std::size_t parts : {0u, 1u, 3u, 1000u}) {
    GzipWriter gzip;
    std::string packed;
    std::string plain;
    for (std::size_t i = 0; i < parts; ++i) {
      const std::string part(i % 700, static_cast<char>('a' + i % 26));
      gzip.add(part, packed);
      plain += part;
    }
    gzip.finish(packed);
    EXPECT_EQ(testing::gunzip(packed), plain);
  }
}

TEST(Gzip, KnowsWhoTakesIt) {
  for (const std::string_view yes :
       {"gzip", "GZIP", "deflate, gzip;q=1.0, *;q=0.5", "br,gzip", "gzip ; q=0.1"}) {
    EXPECT_TRUE(accepts_gzip(yes)) << yes;
  }
  for (const std::string_view no : {"", "identity", "gzip;q=0", "br, gzip; q=0.000", "xgzip"}) {
    EXPECT_FALSE(accepts_gzip(no)) << no;
  }
}

}  // namespace
}  // namespace strake::http
