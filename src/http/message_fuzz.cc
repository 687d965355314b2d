// Any bytes as a query and as encoded text: what is decoded is encoded and decoded as the same, and
// a query is the same when it is put together again from its parameters.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "http/gzip.h"
#include "http/message.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto raw = http::percent_decode(http::percent_encode(text));
  STRAKE_ASSERT(raw && *raw == text);
  for (const bool plus : {false, true}) {
    if (const auto plain = http::percent_decode(text, plus)) {
      STRAKE_ASSERT(plain->size() <= text.size());
      const auto again = http::percent_decode(http::percent_encode(*plain), plus);
      STRAKE_ASSERT(again && *again == *plain);
    }
  }
  if (const auto query = http::Query::parse(text)) {
    std::string joined;
    for (const http::Header& one : query->all()) {
      if (!joined.empty()) joined += '&';
      joined += http::percent_encode(one.name) + "=" + http::percent_encode(one.value);
      STRAKE_ASSERT(query->get(one.name) == query->get_all(one.name).front());
    }
    const auto again = http::Query::parse(joined);
    STRAKE_ASSERT(again.has_value());
    STRAKE_ASSERT(again->all().size() == query->all().size());
    for (std::size_t i = 0; i < again->all().size(); ++i) {
      STRAKE_ASSERT(again->all()[i].name == query->all()[i].name);
      STRAKE_ASSERT(again->all()[i].value == query->all()[i].value);
    }
  }
  // Words of header lists, whichever case they have.
  http::Headers headers;
  headers.add("Accept-Encoding", text);
  STRAKE_ASSERT(headers.get("ACCEPT-encoding") == text);
  static_cast<void>(http::accepts_gzip(text));
  static_cast<void>(http::has_token(text, "gzip"));
  return 0;
}
