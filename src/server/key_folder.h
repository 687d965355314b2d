#pragma once
// Keys and certificates in a folder: what is there and still good is used again, what is missing or
// about to run out is made.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/private_folder.h"
#include "base/result.h"
#include "base/time.h"
#include "http/pki.h"

namespace strake::server {

inline constexpr std::chrono::hours kAuthorityLife{3650 * 24};
inline constexpr std::chrono::hours kCertificateLife{365 * 24};
inline constexpr std::chrono::hours kRenewBefore{30 * 24};

// From now on, and a little before: clocks of clients differ.
http::Validity validity(const Clock& clock, std::chrono::hours life);
// Of a server that is reached under these names and addresses.
http::CertificateSpec serving_spec(const std::vector<std::string>& hosts, const Clock& clock);

class KeyFolder {
 public:
  // The folder must outlive it.
  explicit KeyFolder(const PrivateFolder& folder) : folder_(folder) {}

  // The authority in NAME.crt and NAME.key. Fails with kInvalid when there is one that cannot be
  // used: it is not replaced, since everything that trusts it would have to be told.
  Result<http::CertifiedKey> authority(const std::string& name, std::string_view common_name,
                                       const Clock& clock) const;
  // The certificate of that name if it is good for a while and names all hosts of the
  // specification, else a new one. One that could not be written is used all the same, and the log
  // says so.
  Result<http::CertifiedKey> keep_or_issue(const std::string& name, const http::CertifiedKey& ca,
                                           const http::CertificateSpec& spec,
                                           const Clock& clock) const;

 private:
  Result<std::optional<http::CertifiedKey>> read_pair(const std::string& name) const;
  Result<> write_pair(const std::string& name, const http::CertifiedKey& pair) const;

  const PrivateFolder& folder_;
};

}  // namespace strake::server
