// Any bytes as an AuthorizationConfiguration, and as what an authorization webhook answers: reading
// must not crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "auth/authorization/access_review.h"
#include "auth/authorization/configuration.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = strake::auth::AuthorizationConfiguration::read(text, "file");
  if (read) static_cast<void>(read->check_follows(*read));
  static_cast<void>(strake::auth::read_access_review(text, strake::auth::AccessReviewVersion::kV1));
  static_cast<void>(
      strake::auth::read_access_review(text, strake::auth::AccessReviewVersion::kV1beta1));
  return 0;
}
