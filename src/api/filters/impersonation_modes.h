#pragma once
// The ways in which kube-apiserver 1.36 lets a user act as another one. The four constrained ones
// (KEP-5284) ask twice: may this user act as the other (`impersonate:<mode>`), and may he make this
// request as the other (`impersonate-on:<mode>:<verb>`)? The old one asks the first question only,
// with the verb `impersonate`.
#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

#include "api/request/answer.h"
#include "api/request/roles.h"
#include "base/hash.h"

namespace strake::api {

class ImpersonationModes {
 public:
  // The user that `asking` acts as in a request, in the first mode that allows it; the mode that
  // last worked for a user is tried first. `wanted` is as the headers say. 403 in the words of the
  // first mode that refused. May be called from any thread.
  Answer<UserPtr> impersonate(const Authorizer& authorizer, const User& asking, const User& wanted,
                              const RequestInfo& request);

 private:
  std::size_t last_mode(const std::string& user) const;
  void remember(const std::string& user, std::size_t mode);

  mutable std::mutex mu_;
  // By user name; guarded by mu_.
  std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> last_;
};

}  // namespace strake::api
