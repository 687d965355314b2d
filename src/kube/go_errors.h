#pragma once
// What Go's client would say of an exchange that did not work: clients of kube-apiserver 1.36 see
// these texts, and look for them.
#include <string>
#include <string_view>

#include "base/time.h"
#include "http/failure.h"

namespace strake::kube {

// "dial tcp 127.0.0.1:1: connect: connection refused", "EOF", "context deadline exceeded", ... Of a
// service that was called by its name, `service` is that.
std::string go_transport_error(const http::Failure& failure, const std::string& host,
                               std::string_view service, WallTime now);

// An answer that is none of 200 to 206, by its code alone. `text` is the body where that is for
// people, else "unknown".
std::string go_status_error(int code, std::string_view text);

}  // namespace strake::kube
