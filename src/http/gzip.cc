#include "http/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "base/trim.h"
#include "http/message.h"

namespace strake::http {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, with a gzip header
constexpr int kLevel = 1;

// "q=0", "q=0.0" and the like refuse.
bool is_refused(std::string_view parameters) {
  const std::string_view weight = trim(parameters, kBlanks);
  if (weight.size() < 3 || (weight[0] != 'q' && weight[0] != 'Q') || weight[1] != '=') return false;
  return weight.find_first_not_of("0.", 2) == std::string_view::npos;
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view item = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const std::size_t semicolon = std::min(item.find(';'), item.size());
    if (!equals_ignoring_case(trim(item.substr(0, semicolon), kBlanks), "gzip")) continue;
    return semicolon == item.size() || !is_refused(item.substr(semicolon + 1));
  }
  return false;
}

struct GzipWriter::Impl {
  z_stream stream{};
};

GzipWriter::GzipWriter() : impl_(std::make_unique<Impl>()) {
  const int made =
      deflateInit2(&impl_->stream, kLevel, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY);
  STRAKE_ASSERT(made == Z_OK);
}

GzipWriter::~GzipWriter() { deflateEnd(&impl_->stream); }

void GzipWriter::add(std::string_view plain, std::string& out) { run(plain, Z_NO_FLUSH, out); }

void GzipWriter::finish(std::string& out) { run({}, Z_FINISH, out); }

void GzipWriter::run(std::string_view plain, int flush, std::string& out) {
  z_stream& stream = impl_->stream;
  std::array<char, 16 * 1024> buffer;
  // zlib never writes to what it reads; its interface is older than const.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = buffer.size();
    deflate(&stream, flush);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
  } while (stream.avail_out == 0);
}

Result<std::string> gunzip(std::string_view packed, std::size_t max_bytes) {
  struct Inflater {
    z_stream stream{};
    Inflater() { STRAKE_ASSERT(inflateInit2(&stream, kGzipWindow) == Z_OK); }
    ~Inflater() { inflateEnd(&stream); }
  } inflater;
  z_stream& stream = inflater.stream;
  std::array<char, 16 * 1024> buffer;
  std::string plain;
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = buffer.size();
    const int status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t size = buffer.size() - stream.avail_out;
    // Checked before the bytes are kept: a small body can unpack to a thousand times its size.
    if (size > max_bytes - plain.size()) {
      return fail(Code::kLimit, "the answer is larger than {} bytes", max_bytes);
    }
    plain.append(buffer.data(), size);
    if (status == Z_STREAM_END) {
      // RFC 1952 allows several members one after another; their plain text is joined.
      if (stream.avail_in == 0) return plain;
      inflateReset(&stream);
    } else if (status != Z_OK || (stream.avail_in == 0 && size == 0)) {
      return fail(Code::kParse, "the answer is broken: its compression does not end as it should");
    }
  }
}

}  // namespace strake::http
