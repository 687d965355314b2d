#include "provider/conformance/faults.h"

#include <fmt/format.h>

#include <algorithm>

namespace strake::provider {

std::string_view to_string(Fault fault) {
  switch (fault) {
    case Fault::kFail: return "fail";
    case Fault::kThrottle: return "throttle";
    case Fault::kTimeOut: return "time out";
    case Fault::kCut: return "cut";
    case Fault::kCancel: break;
  }
  return "cancel";
}

void FaultyCalls::arm(Fault fault, std::size_t at, CancelSource* source) {
  disarm();
  const std::lock_guard lock(mu_);
  armed_ = true;
  fault_ = fault;
  at_ = at;
  source_ = source;
}

void FaultyCalls::disarm() {
  const std::lock_guard lock(mu_);
  steps_ = 0;
  writes_.clear();
  armed_ = met_ = after_ = false;
  where_.clear();
}

std::size_t FaultyCalls::steps() const {
  const std::lock_guard lock(mu_);
  return steps_;
}

std::vector<std::string> FaultyCalls::writes() const {
  const std::lock_guard lock(mu_);
  return writes_;
}

bool FaultyCalls::met() const {
  const std::lock_guard lock(mu_);
  return met_;
}

std::string FaultyCalls::where() const {
  const std::lock_guard lock(mu_);
  return where_;
}

Outcome<> FaultyCalls::before(const Call& call, const ExternalStep& step) {
  CancelSource* cancels = nullptr;
  {
    const std::lock_guard lock(mu_);
    const std::size_t number = steps_++;
    const bool fails = armed_ && !met_ && number == at_;
    if (fails) {
      met_ = true;
      where_ = fmt::format("{} {}", step.verb, step.target);
      after_ = fault_ == Fault::kTimeOut || fault_ == Fault::kCut;
      if (fault_ == Fault::kCancel) cancels = source_;
    }
    if (fails && fault_ == Fault::kFail)
      return refuse(FailureClass::kServer, "planted failure of: {}", where_);
    if (fails && fault_ == Fault::kThrottle)
      return refuse(FailureClass::kThrottled, "planted refusal of: {}", where_);
  }
  if (cancels != nullptr) cancels->cancel();
  return call.check();
}

// A write counts once it went well: to delete what is not there writes nothing.
Outcome<> FaultyCalls::after(const Call&, const ExternalStep& step) {
  const std::lock_guard lock(mu_);
  if (step.effect == Effect::kWrite)
    writes_.push_back(fmt::format("{} {}", step.verb, step.target));
  if (!after_) return {};
  after_ = false;
  if (fault_ == Fault::kTimeOut)
    return refuse(FailureClass::kTimeout, "planted silence behind: {}", where_);
  return refuse(FailureClass::kServer, "planted cut behind: {}", where_);
}

void ToldSteps::step(std::string_view verb, std::string_view what, const Fields& fields) {
  std::string text(what);
  for (const auto& [key, value] : fields) text += fmt::format(" {}={}", key, value);
  steps_.emplace_back(verb, std::move(text));
}

void ToldSteps::warn(std::string_view what, const Fields& fields) {
  ++warnings_;
  step("warn", what, fields);
}

bool ToldSteps::has(std::string_view verb) const {
  return std::ranges::any_of(steps_, [&](const auto& one) { return one.first == verb; });
}

std::string ToldSteps::text() const {
  std::string out;
  for (const auto& [verb, what] : steps_) out += fmt::format("{} {}\n", verb, what);
  return out;
}

}  // namespace strake::provider
