// Any bytes as a certificate and as a request for one, in PEM and behind it: what they say of their
// subject is read without harm, and what is no good is not signed.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/base64.h"
#include "http/pki.h"

namespace {

using namespace strake;

const http::CertifiedKey& authority() {
  static const http::CertifiedKey& made = *new http::CertifiedKey(
      http::make_ca("fuzz", {.from = WallTime(), .until = WallTime() + std::chrono::hours(24)})
          .value());
  return made;
}

void check(std::string_view pem) {
  const auto certificate = http::read_certificate(pem);
  const auto validity = http::read_validity(pem);
  if (certificate && (!validity || validity->from != certificate->validity.from ||
                      validity->until != certificate->validity.until))
    std::abort();
  const auto asked = http::read_request(pem);
  const auto made = http::sign_request(
      authority(), pem, {.from = WallTime(), .until = WallTime() + std::chrono::hours(1)});
  if (!asked && made) std::abort();
  if (!made) return;
  const auto info = http::read_certificate(*made);
  if (!info || info->is_ca || info->common_name != asked->common_name) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(bytes);
  for (const std::string_view type : {"CERTIFICATE", "CERTIFICATE REQUEST"}) {
    std::string pem = "-----BEGIN " + std::string(type) + "-----\n";
    const std::string digits = base64_encode(bytes);
    for (std::size_t i = 0; i < digits.size(); i += 64) pem += digits.substr(i, 64) + "\n";
    check(pem + "-----END " + std::string(type) + "-----\n");
  }
  return 0;
}
