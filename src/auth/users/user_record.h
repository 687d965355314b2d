#pragma once
// What `strake user` notes about a user: a ConfigMap in kube-system for each. The command writes
// them on any cluster; a Strake server follows them and refuses revoked users at once.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace strake::auth {

inline constexpr std::string_view kUserRecordNamespace = "kube-system";
inline constexpr std::string_view kUserRecordPrefix = "strake-user-";
// On the records, and on the bindings that were made with a user. Its value is the record's name.
inline constexpr std::string_view kUserRecordLabel = "strake.dev/user-record";

struct UserRecord {
  struct Certificate {
    std::string sha256;   // lower-case hex of the DER form
    std::string expires;  // RFC 3339
    friend bool operator==(const Certificate&, const Certificate&) = default;
  };
  std::string name;
  std::vector<std::string> groups;
  // Issued since the user was last revoked. Earlier ones are not kept.
  std::vector<Certificate> certificates;
  // RFC 3339; empty for a user who was never revoked. From then on the user's credentials are
  // refused, except for the certificates above.
  std::string revoked_at;

  bool is_revoked() const { return !revoked_at.empty() && certificates.empty(); }
  bool refuses(std::string_view certificate_sha256) const;
  friend bool operator==(const UserRecord&, const UserRecord&) = default;
};

// The name of its ConfigMap. User names can hold anything, so it is made of their hash.
std::string user_record_name(std::string_view user);

// Fails with kInvalid when the ConfigMap is not a record, or not that of the user it names.
Result<UserRecord> read_user_record(const value::Value& config_map);
// Into a new ConfigMap or the present one; what others have added stays.
void write_user_record(const UserRecord& record, value::Document& config_map);

}  // namespace strake::auth
