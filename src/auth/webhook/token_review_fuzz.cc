// Any text as the answer of a webhook: it says whose a token is, or is refused with a message that
// holds nothing of it.
#include <cstdint>
#include <string_view>

#include "auth/webhook/token_review.h"
#include "base/assert.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto answer =
      auth::read_review(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!answer) STRAKE_ASSERT(!answer.error().message().empty());
  return 0;
}
