// base64.encode and base64.decode.
#include "base/base64.h"
#include "cel/lib/library.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

// With padding or without.
Value base64_decoded(EvalContext& c, Args x) {
  Result<std::string> bytes = base64_decode(x[0].as_text());
  if (!bytes) {
    Result<std::string> raw = base64_decode(x[0].as_text(), Base64::kStandardRaw);
    if (!raw) return c.error(bytes.error().message());
    bytes = std::move(raw);
  }
  return Value::bytes(c.arena.copy(*bytes));
}

}  // namespace

const Library& encoders_library() {
  static const Library* const library = [] {
    auto* out = new Library("encoders");
    out->function("base64.decode")
        .global("base64_decode_string", {&types::string}, &types::bytes, base64_decoded);
    out->function("base64.encode")
        .global("base64_encode_bytes", {&types::bytes}, &types::string, [](EvalContext& c, Args x) {
          return Value::string(c.arena.copy(base64_encode(x[0].as_text())));
        });
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
