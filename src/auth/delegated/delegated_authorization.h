#pragma once
// An extension server asks its main server what users may do (SubjectAccessReview), as Kubernetes'
// extension servers do: members of system:masters may do everything, some paths are open to all,
// and answers are kept for a few seconds. Roles of its own decide nothing.
#include <chrono>
#include <string>
#include <vector>

#include "auth/authorization/configuration.h"
#include "base/result.h"
#include "kube/access.h"

namespace strake::auth {

inline constexpr std::chrono::seconds kDelegatedKept{10};
inline constexpr std::chrono::seconds kDelegatedTimeout{10};

struct DelegatedAuthorization {
  kube::Access access;                                     // of the main server
  std::chrono::nanoseconds allowed_kept = kDelegatedKept;  // zero: not at all
  std::chrono::nanoseconds refused_kept = kDelegatedKept;
  std::chrono::nanoseconds timeout = kDelegatedTimeout;
  std::vector<std::string> open_paths = {"/healthz", "/readyz", "/livez"};

  // Fails with kInvalid or kUnsupported.
  Result<AuthorizationConfiguration> to_configuration() const;
};

}  // namespace strake::auth
