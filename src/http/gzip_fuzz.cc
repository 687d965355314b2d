// Bytes compressed in pieces of any size are one gzip member that holds just these bytes.
#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "http/gzip.h"

using namespace strake;

namespace {

std::string inflated(std::string_view packed, std::size_t most) {
  z_stream stream{};
  STRAKE_ASSERT(inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
  std::string out(most + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  STRAKE_ASSERT(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  STRAKE_ASSERT(stream.avail_in == 0);  // nothing behind the member
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

}  // namespace

// The first two bytes give the size of the pieces and how often the rest is repeated.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 1 << 14) return 0;
  const std::size_t step = 1 + data[0] * std::size_t{37};
  const std::size_t times = 1 + data[1];
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  std::string plain;
  for (std::size_t i = 0; i < times && plain.size() < 1 << 17; ++i) plain += text;
  http::GzipWriter writer;
  std::string packed;
  for (std::size_t at = 0; at < plain.size(); at += step)
    writer.add(std::string_view(plain).substr(at, step), packed);
  writer.finish(packed);
  STRAKE_ASSERT(inflated(packed, plain.size()) == plain);
  return 0;
}
