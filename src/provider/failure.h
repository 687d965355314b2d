#pragma once
// Why a driver or a use case did not do what was asked. The class tells what to do about it,
// without reading text; the message is for people. An Error of the layers below becomes a Failure
// where it is handed up, so STRAKE_TRY works across both.
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace strake::provider {

enum class FailureClass : std::uint8_t {
  kNotImplemented,  // the provider has no such capability: never tried again
  kValidation,      // the capability is there, the input is wrong or changes what cannot change
  kNotFound,        // deletes take it for success
  kInvalid,         // an input of the use case is missing
  kConflict,        // it is there already, or somebody else is at it
  kProtected,       // a protection policy of the user forbids it, whatever is forced
  kAuth,            // 401, 403
  kThrottled,       // 429
  kServer,          // 5xx, or no answer at all
  kCanceled,        // always told, also where failures are passed over
  kTimeout,         // likewise
  kInternal,        // our own mistake, or a file or process of this machine
};

std::string_view to_string(FailureClass one);  // "not implemented", "validation", ...

class [[nodiscard]] Failure {
 public:
  Failure(FailureClass of, std::string message) : class_(of), message_(std::move(message)) {}
  // By its code. The error is kept as the cause.
  Failure(Error error);  // NOLINT(google-explicit-constructor): see above

  FailureClass error_class() const { return class_; }
  const std::string& message() const { return message_; }
  // What the provider answered; empty and 0 where it was not asked.
  const std::string& provider_code() const { return provider_code_; }
  int http_status() const { return http_status_; }
  const std::string& request_id() const { return request_id_; }
  const Failure* cause() const { return cause_.get(); }  // null when there is none

  // Each returns the failure itself, so that context is added in the expression that hands it up.
  Failure&& prefixed(std::string_view context) &&;  // "context: message"; the class stays
  Failure&& answered(int http_status, std::string provider_code, std::string request_id) &&;
  Failure&& because(Failure cause) &&;

  // Must be told even by what passes over failures.
  bool stops_everything() const {
    return class_ == FailureClass::kCanceled || class_ == FailureClass::kTimeout;
  }
  // The same again may succeed.
  bool may_pass() const {
    return class_ == FailureClass::kThrottled || class_ == FailureClass::kServer;
  }

 private:
  FailureClass class_;
  std::string message_;
  std::string provider_code_;
  std::string request_id_;
  int http_status_ = 0;
  std::shared_ptr<const Failure> cause_;
};

template <typename T = void>
using Outcome = std::expected<T, Failure>;

// The outcome as it is, or its failure as "context: message".
template <typename T>
Outcome<T> in_context(std::string_view context, Outcome<T> outcome) {
  if (!outcome) return std::unexpected(std::move(outcome).error().prefixed(context));
  return outcome;
}

template <typename... Args>
std::unexpected<Failure> refuse(FailureClass of, fmt::format_string<Args...> format,
                                Args&&... args) {
  return std::unexpected(Failure(of, fmt::format(format, std::forward<Args>(args)...)));
}

// "<method> is not implemented for <driver> provider".
std::unexpected<Failure> not_implemented(std::string_view method, std::string_view driver);

}  // namespace strake::provider
