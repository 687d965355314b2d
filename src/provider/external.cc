#include "provider/external.h"

namespace strake::provider {
namespace {

class DirectCalls final : public ExternalCalls {
 public:
  Outcome<> before(const Call&, const ExternalStep&) override { return {}; }
  Outcome<> after(const Call&, const ExternalStep&) override { return {}; }
};

}  // namespace

ExternalCalls& direct_calls() {
  static DirectCalls calls;
  return calls;
}

Outcome<> check_step(const Call& call, const ExternalStep& step) {
  STRAKE_CHECK(call.check());
  if (call.dry_run && step.effect == Effect::kWrite) {
    return refuse(FailureClass::kInternal, "a dry run must change nothing, and would {} {}",
                  step.verb, step.target);
  }
  return {};
}

}  // namespace strake::provider
