#pragma once
// What stands between a driver and the system in the suite: it counts steps, and fails one of them.
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "provider/external.h"

namespace strake::provider {

enum class Fault : std::uint8_t {
  kFail,      // the step is not taken
  kThrottle,  // it is not taken either, since there were too many
  kTimeOut,   // it was taken, and nobody waited long enough to hear
  kCut,       // it was taken, and the answer was lost
  kCancel,    // the call is cancelled as the step begins, and the step hears it
};
std::string_view to_string(Fault fault);

class FaultyCalls final : public ExternalCalls {
 public:
  // From now on, the step of that number (from 0) fails, once. Counts begin anew.
  void arm(Fault fault, std::size_t at, CancelSource* source);
  void disarm();

  std::size_t steps() const;                // since then
  std::vector<std::string> writes() const;  // likewise: "rename /a/b"
  bool met() const;                         // whether the fault was come to
  std::string where() const;                // the step that failed

  Outcome<> before(const Call& call, const ExternalStep& step) override;
  Outcome<> after(const Call& call, const ExternalStep& step) override;

 private:
  mutable std::mutex mu_;
  std::size_t steps_ = 0;  // all guarded by mu_
  std::vector<std::string> writes_;
  bool armed_ = false;
  bool met_ = false;
  bool after_ = false;  // it fails when it has been taken
  Fault fault_ = Fault::kFail;
  std::size_t at_ = 0;
  CancelSource* source_ = nullptr;
  std::string where_;
};

// What calls have told.
class ToldSteps final : public Journal {
 public:
  void step(std::string_view verb, std::string_view what, const Fields& fields) override;
  void warn(std::string_view what, const Fields& fields) override;
  bool has(std::string_view verb) const;
  // Of all, on one line each.
  std::string text() const;
  std::size_t warnings() const { return warnings_; }

 private:
  std::vector<std::pair<std::string, std::string>> steps_;
  std::size_t warnings_ = 0;
};

}  // namespace strake::provider
