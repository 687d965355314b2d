#pragma once
// Keys and certificates: a small authority of our own (ECDSA P-256, which takes well under a
// millisecond to make). All in PEM. Keys are Secrets.
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"

namespace strake::http {

struct CertifiedKey {
  std::string certificate_pem;
  Secret key_pem;  // PKCS #8
};

struct Validity {
  WallTime from;
  WallTime until;
};

enum class CertificateUse : std::uint8_t { kServer, kClient };

struct CertificateSpec {
  std::string common_name;
  std::vector<std::string> organizations;
  CertificateUse use = CertificateUse::kServer;
  std::vector<std::string> dns_names;
  std::vector<std::string> ip_addresses;
  Validity validity;
};

// What a certificate says about itself.
struct CertificateInfo {
  std::string common_name;
  std::vector<std::string> organizations;
  std::string issuer;  // its common name
  std::string sha256;  // lower-case hex of the DER form
  std::vector<std::string> dns_names;
  std::vector<std::string> ip_addresses;
  Validity validity;
  bool is_ca = false;
};

// An authority that is at hand: to issue many certificates, it is read once.
class Authority {
 public:
  // A new key and a certificate for it that signs itself.
  static Result<Authority> make(std::string_view common_name, const Validity& validity);
  // Fails with kInvalid when it cannot be read, or is none.
  static Result<Authority> read(const CertifiedKey& pair);
  Authority(Authority&&) noexcept;
  ~Authority();

  const CertifiedKey& pair() const;
  // A new key and a certificate for it. Fails with kInvalid when an address is none.
  Result<CertifiedKey> issue(const CertificateSpec& spec) const;
  // See sign_request().
  Result<std::string> sign(std::string_view request_pem, const Validity& validity) const;

 private:
  struct Parts;
  explicit Authority(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

// A new key and a certificate for it that signs itself.
Result<CertifiedKey> make_ca(std::string_view common_name, const Validity& validity);

// A new key and a certificate for it, signed by the authority. Fails with kInvalid when the
// authority cannot be read, is none, or an address is none.
Result<CertifiedKey> issue_certificate(const CertifiedKey& authority, const CertificateSpec& spec);

// A new key and a request (PKCS #10) to have it certified for the subject.
struct RequestedKey {
  std::string request_pem;
  Secret key_pem;  // PKCS #8
};
// Fails with kInvalid when the names cannot be those of a subject.
Result<RequestedKey> make_request(std::string_view common_name,
                                  const std::vector<std::string>& organizations);

// What such a request asks for.
struct CertificateRequestInfo {
  std::string common_name;
  std::vector<std::string> organizations;
};
// The first request of the text. Fails with kParse when it cannot be read, and with kInvalid when
// its signature is not that of the key in it.
Result<CertificateRequestInfo> read_request(std::string_view pem);
// A certificate for the key and the subject of such a request, for clients, signed by the
// authority: whatever else it asks for is left out. Fails as issue_certificate and read_request.
Result<std::string> sign_request(const CertifiedKey& authority, std::string_view request_pem,
                                 const Validity& validity);

// The first certificate of the text. Fails with kParse.
Result<Validity> read_validity(std::string_view pem);
Result<CertificateInfo> read_certificate(std::string_view pem);

// The SHA-256 sums of all certificates of the text, in lower-case hex of the DER form. Fails with
// kParse when one cannot be read, or there is none.
Result<std::set<std::string>> certificate_sums(std::string_view pem);

// Whether the first certificate belongs to the key, is good at `now` and was signed by one of the
// authorities. Fails with kInvalid, saying which it is not.
Result<> check_certificate(const CertifiedKey& pair, std::string_view authorities_pem,
                           WallTime now);

}  // namespace strake::http
