// Any bytes at all: the whole-buffer reader and the chunked one must agree, and what was read must
// survive being written.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/assert.h"
#include "value/builder.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

using namespace strake;
using namespace strake::value;

namespace {

Result<Document> read_chunked(std::string_view text, std::size_t chunk,
                              const ReadOptions& options) {
  DocumentBuilder builder(options);
  JsonPushParser parser(builder, options);
  auto reason = [&](const Error& error) {
    return std::unexpected(builder.error() ? *builder.error() : error);
  };
  for (std::size_t at = 0; at < text.size(); at += chunk) {
    if (auto fed = parser.feed(text.substr(at, chunk)); !fed) return reason(fed.error());
  }
  if (auto done = parser.finish(); !done) return reason(done.error());
  return builder.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t chunk = 1 + data[0] % 16;
  const std::uint8_t mode = data[0] / 16;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  ReadOptions options;
  options.limits.depth = 64;
  options.duplicates = static_cast<DuplicatePolicy>(mode % 3);
  options.text = (mode & 4) != 0 ? TextPolicy::kReplace : TextPolicy::kStrict;
  options.numbers = (mode & 8) != 0 ? NumberPolicy::kWide : NumberPolicy::kApi;
  options.positions = (mode & 1) != 0;

  const Result<Document> whole = read_json_borrowed(text, options);
  const Result<Document> chunked = read_chunked(text, chunk, options);
  STRAKE_ASSERT(whole.has_value() == chunked.has_value());
  if (!whole) {
    STRAKE_ASSERT(whole.error().to_string() == chunked.error().to_string());
    return 0;
  }
  STRAKE_ASSERT(identical(whole->root(), chunked->root()));
  options.numbers = NumberPolicy::kWide;
  // A whole double past 2^53 and -0.0 print as integers, as in Go; from then on nothing may change
  // any more.
  const Result<Document> again = read_json(to_json(whole->root()), options);
  STRAKE_ASSERT(again.has_value());
  const std::string settled = to_json(again->root());
  const Result<Document> compact = read_json(settled, options);
  const Result<Document> pretty = read_json(to_json(again->root(), {.indent = 2}), options);
  STRAKE_ASSERT(compact && pretty && to_json(compact->root()) == settled);
  STRAKE_ASSERT(identical(compact->root(), pretty->root()) &&
                equal(compact->root(), again->root()));
  STRAKE_ASSERT(hash(compact->root()) == hash(again->root()));
  return 0;
}
