#pragma once
// What goes with every call of a driver: until when, whether anybody still waits, and what is done
// with what it has to tell.
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/time.h"
#include "provider/failure.h"

namespace strake::provider {

// What is told of a step: planned, skipped, created, updated, deleted, failed, warned. No secrets.
class Journal {
 public:
  using Fields = std::vector<std::pair<std::string_view, std::string>>;
  virtual ~Journal() = default;
  virtual void step(std::string_view verb, std::string_view what, const Fields& fields) = 0;
  virtual void warn(std::string_view what, const Fields& fields) = 0;
};

struct Call {
  CancelToken cancel = {};
  Deadline deadline = {};
  const Clock* clock = &system_clock();
  Journal* journal = nullptr;  // null: nobody listens
  bool dry_run = false;        // tell what would be done (step "plan"), change nothing

  // Fails with kCanceled or kTimeout when the work should stop. Asked before every external call.
  Outcome<> check() const;
  // Returns early, and fails as check(), when there is nobody to wait for it any more.
  Outcome<> sleep(std::chrono::nanoseconds wait) const;
  // The same call with less time.
  Call within(std::chrono::nanoseconds wait) const;

  void step(std::string_view verb, std::string_view what, const Journal::Fields& fields = {}) const;
  void warn(std::string_view what, const Journal::Fields& fields = {}) const;
};

}  // namespace strake::provider
