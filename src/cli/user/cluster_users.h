#pragma once
// Users of a cluster who have client certificates: made, listed and revoked through its API. Works
// with every cluster that signs CertificateSigningRequests for clients.
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "auth/users/user_record.h"
#include "base/time.h"
#include "http/pki.h"
#include "kube/client.h"

namespace strake::cli {

// A role that a user has through a binding made with the user.
struct UserRole {
  std::string kind;  // ClusterRole or Role
  std::string name;
  std::string namespace_name;  // where it holds; empty for everywhere
};

struct ClusterUser {
  auth::UserRecord record;
  std::vector<UserRole> roles;
};

struct NewUser {
  std::string name;
  std::vector<std::string> groups;
  std::vector<std::string> roles;
  std::string namespace_name;  // where the roles hold; empty for everywhere
  std::chrono::seconds life{0};
};

class ClusterUsers {
 public:
  // Both must outlive it.
  ClusterUsers(const kube::Client& cluster, const Clock& clock)
      : cluster_(cluster), clock_(clock) {}

  // A certificate signed by the cluster, noted in the user's record, and the roles bound. The roles
  // are looked up first: nothing is made for a role that is not there.
  Result<http::CertifiedKey> add(const NewUser& user) const;
  // By name.
  Result<std::vector<ClusterUser>> list() const;
  // Notes that the user's credentials are no good, and removes the bindings of `add`. Returns how
  // many there were.
  Result<std::size_t> revoke(const std::string& name) const;
  // Whether the server refuses revoked users itself. Others only lose their roles.
  Result<bool> refuses_revoked() const;
  // Whose credentials the client has.
  Result<std::string> own_name() const;

 private:
  Result<UserRole> find_role(const std::string& name, const std::string& namespace_name) const;
  Result<> bind(const NewUser& user, const UserRole& role) const;
  Result<http::CertifiedKey> certify(const NewUser& user) const;
  Result<std::string> wait_for_certificate(const std::string& path) const;
  // Reads the record, or begins one, and writes it back changed; again when somebody else was
  // faster.
  template <typename F>
  Result<> edit_record(const std::string& name, F&& change) const;

  const kube::Client& cluster_;
  const Clock& clock_;
};

}  // namespace strake::cli
