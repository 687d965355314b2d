#include "provider/failure.h"

#include <fmt/format.h>

namespace strake::provider {
namespace {

FailureClass class_of(Code code) {
  switch (code) {
    case Code::kUnauthorized:
    case Code::kForbidden: return FailureClass::kAuth;
    case Code::kNotFound:
    case Code::kGone: return FailureClass::kNotFound;
    case Code::kAlreadyExists:
    case Code::kConflict: return FailureClass::kConflict;
    case Code::kTooManyRequests: return FailureClass::kThrottled;
    case Code::kServiceUnavailable: return FailureClass::kServer;
    case Code::kTimeout: return FailureClass::kTimeout;
    case Code::kCancelled: return FailureClass::kCanceled;
    case Code::kUnsupported:
    case Code::kMethodNotAllowed: return FailureClass::kNotImplemented;
    case Code::kUsage: return FailureClass::kInvalid;
    case Code::kBadRequest:
    case Code::kNotAcceptable:
    case Code::kExpired:
    case Code::kRequestTooLarge:
    case Code::kUnsupportedMediaType:
    case Code::kInvalid:
    case Code::kParse:
    case Code::kLimit: return FailureClass::kValidation;
    case Code::kInternal:
    case Code::kIo: break;
  }
  return FailureClass::kInternal;
}

}  // namespace

std::string_view to_string(FailureClass one) {
  switch (one) {
    case FailureClass::kNotImplemented: return "not implemented";
    case FailureClass::kValidation: return "validation";
    case FailureClass::kNotFound: return "not found";
    case FailureClass::kInvalid: return "invalid";
    case FailureClass::kConflict: return "conflict";
    case FailureClass::kProtected: return "protected";
    case FailureClass::kAuth: return "auth";
    case FailureClass::kThrottled: return "throttled";
    case FailureClass::kServer: return "server";
    case FailureClass::kCanceled: return "canceled";
    case FailureClass::kTimeout: return "timeout";
    case FailureClass::kInternal: break;
  }
  return "internal";
}

Failure::Failure(Error error) : class_(class_of(error.code())), message_(error.to_string()) {
  for (const Error& one : error.causes()) {
    cause_ = std::make_shared<const Failure>(Failure(one));
    break;
  }
}

Failure&& Failure::prefixed(std::string_view context) && {
  message_ = fmt::format("{}: {}", context, message_);
  return std::move(*this);
}

Failure&& Failure::answered(int http_status, std::string provider_code, std::string request_id) && {
  http_status_ = http_status;
  provider_code_ = std::move(provider_code);
  request_id_ = std::move(request_id);
  return std::move(*this);
}

Failure&& Failure::because(Failure cause) && {
  cause_ = std::make_shared<const Failure>(std::move(cause));
  return std::move(*this);
}

std::unexpected<Failure> not_implemented(std::string_view method, std::string_view driver) {
  return refuse(FailureClass::kNotImplemented, "{} is not implemented for {} provider", method,
                driver);
}

}  // namespace strake::provider
