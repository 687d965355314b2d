#pragma once
// What a leader does for as long as it leads: it sees to the definitions, follows the declared
// objects, and looks at what changes, several objects at once.
#include <chrono>
#include <cstddef>
#include <memory>

#include "async/pause.h"
#include "kube/access.h"
#include "provider/external.h"
#include "provider/registry.h"

namespace strake::ops {

struct TermOptions {
  kube::Access server;  // whose objects they are
  const provider::Registry* drivers = nullptr;
  const provider::DriverEnvironment* environment = nullptr;
  provider::ExternalCalls* calls = &provider::direct_calls();
  std::size_t workers = 4;
  // Providers do not tell what changes: everything is looked at again so often.
  std::chrono::nanoseconds look_again = std::chrono::minutes(5);
  std::chrono::nanoseconds most_time = std::chrono::hours(1);  // of one look
  async::Backoff backoff = {.first = std::chrono::seconds(1), .most = std::chrono::minutes(5)};
};

class Term {
 public:
  // Starts its threads. What the options point to must outlive it.
  explicit Term(TermOptions options);
  ~Term();  // stop()
  Term(const Term&) = delete;
  Term& operator=(const Term&) = delete;

  // All work is told to end, and has ended when it returns.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::ops
