#include "base/cancel.h"

namespace strake {

CancelRegistration CancelToken::on_cancel(std::function<void()> callback) const {
  return CancelRegistration(
      std::make_unique<CancelRegistration::Callback>(token_, std::move(callback)));
}

CancelSource::CancelSource(const CancelToken& parent)
    : from_parent_(parent.on_cancel([child = source_]() mutable { child.request_stop(); })) {}

Result<> check(const CancelToken& token, const Deadline& deadline, const Clock& clock) {
  if (token.cancelled()) return fail(Code::kCancelled, "the operation was cancelled");
  if (deadline.expired(clock)) return fail(Code::kTimeout, "the deadline has passed");
  return {};
}

}  // namespace strake
