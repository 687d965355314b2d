#pragma once
// What Go's client would say of a call of a webhook that did not work.
#include <string>

#include "admission/webhook/target.h"
#include "base/time.h"
#include "http/failure.h"
#include "kube/go_errors.h"

namespace strake::admission {

inline std::string go_transport_error(const http::Failure& failure, const Target& target,
                                      WallTime now) {
  return kube::go_transport_error(failure, target.upstream.host, target.service, now);
}
using kube::go_status_error;

}  // namespace strake::admission
