#include "provider/install/api_call.h"

#include <optional>

namespace strake::provider {
namespace {

// For failures of steps, which go through the client as errors and become failures again.
Code code_of(FailureClass one) {
  switch (one) {
    case FailureClass::kCanceled: return Code::kCancelled;
    case FailureClass::kTimeout: return Code::kTimeout;
    case FailureClass::kServer: return Code::kServiceUnavailable;
    case FailureClass::kThrottled: return Code::kTooManyRequests;
    case FailureClass::kAuth: return Code::kForbidden;
    case FailureClass::kNotFound: return Code::kNotFound;
    case FailureClass::kConflict: return Code::kConflict;
    case FailureClass::kNotImplemented: return Code::kUnsupported;
    case FailureClass::kValidation:
    case FailureClass::kProtected: return Code::kInvalid;
    case FailureClass::kInvalid: return Code::kUsage;
    case FailureClass::kInternal: break;
  }
  return Code::kIo;
}

class StepSeam final : public kube::RequestSeam {
 public:
  StepSeam(ExternalCalls& calls, const Call& call) : calls_(calls), call_(call) {}

  Result<> before(const kube::Request& request) override {
    const std::string path = target_of(request);
    const ExternalStep step = step_of(request, path);
    if (const Outcome<> allowed = check_step(call_, step); !allowed)
      return error_of(allowed.error());
    if (const Outcome<> done = calls_.before(call_, step); !done) return error_of(done.error());
    return {};
  }
  Result<> after(const kube::Request& request) override {
    const std::string path = target_of(request);
    if (const Outcome<> done = calls_.after(call_, step_of(request, path)); !done)
      return error_of(done.error());
    return {};
  }

 private:
  static std::string target_of(const kube::Request& request) {
    return request.path.substr(0, request.path.find('?'));
  }
  static ExternalStep step_of(const kube::Request& request, std::string_view path) {
    return {.verb = request.method,
            .target = path,
            .effect = request.method == "GET" ? Effect::kRead : Effect::kWrite};
  }
  static std::unexpected<Error> error_of(const Failure& failure) {
    return std::unexpected(Error(code_of(failure.error_class()), failure.message()));
  }

  ExternalCalls& calls_;
  const Call call_;
};

}  // namespace

kube::Client client_for(const kube::Client& cluster, const Call& call, ExternalCalls& calls) {
  // The clock of the call may be one of a test; requests wait by that of the system.
  const Deadline deadline = call.deadline.is_never()
                                ? Deadline::never()
                                : Deadline::after(call.deadline.remaining(*call.clock));
  return cluster.within(call.cancel, deadline).through(std::make_shared<StepSeam>(calls, call));
}

Failure api_failure(Error error) {
  const bool of_server = error.code() == Code::kInternal;
  Failure out(error);
  if (!of_server) return out;
  std::string message = out.message();
  return Failure(FailureClass::kServer, std::move(message)).because(std::move(out));
}

}  // namespace strake::provider
