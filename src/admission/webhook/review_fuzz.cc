// Any bytes as the answer of a webhook: it is read or refused in words, whichever version was
// asked for, and what it allows is what it says.
#include <cstdint>
#include <string_view>

#include "admission/webhook/review.h"
#include "base/assert.h"
#include "kube/review_answer.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto version : {admission::ReviewVersion::kV1, admission::ReviewVersion::kV1beta1}) {
    for (const bool mutating : {false, true}) {
      const auto answer = admission::read_review(text, "u", version, mutating);
      if (!answer) {
        STRAKE_ASSERT(answer.error().starts_with("failed to call webhook: ") ||
                      answer.error().starts_with("received invalid webhook response: "));
        continue;
      }
      STRAKE_ASSERT(mutating || answer->patch.empty());
      STRAKE_ASSERT(answer->patch.empty() || !answer->patch_type.empty());
      const meta::Status status = admission::denial("w", answer->status);
      STRAKE_ASSERT(status.code >= 400 && status.code < 1000 && !status.success);
      STRAKE_ASSERT(status.to_json().starts_with("{"));
    }
  }
  static_cast<void>(kube::failure_message(text));
  return 0;
}
