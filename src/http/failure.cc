#include "http/failure.h"

namespace strake::http {

std::string_view to_string(Fault fault) {
  switch (fault) {
    case Fault::kInvalid: return "invalid";
    case Fault::kResolve: return "resolve";
    case Fault::kConnect: return "connect";
    case Fault::kProxy: return "proxy";
    case Fault::kTls: return "tls";
    case Fault::kTimeout: return "timeout";
    case Fault::kCancelled: return "cancelled";
    case Fault::kProtocol: return "protocol";
    case Fault::kClosed: return "closed";
    case Fault::kTooLarge: return "too large";
    case Fault::kSource: return "source";
  }
  return "unknown";
}

Error Failure::to_error() const {
  switch (fault) {
    case Fault::kInvalid: return {Code::kInvalid, message};
    case Fault::kTimeout: return {Code::kTimeout, message};
    case Fault::kCancelled: return {Code::kCancelled, message};
    case Fault::kTooLarge: return {Code::kLimit, message};
    default: return {Code::kServiceUnavailable, message};
  }
}

}  // namespace strake::http
