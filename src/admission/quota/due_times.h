#pragma once
// Namespaces in which something changes at a time, though nothing is written then.
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "async/signal.h"
#include "base/time.h"

namespace strake::admission {

class DueTimes {
 public:
  // The clock must outlive it. `tell` is called with those whose time has come, on the executor.
  DueTimes(async::Executor executor, const Clock& clock,
           std::function<void(std::set<std::string>)> tell);

  // From any thread; nothing for a namespace in which nothing changes.
  void set(const std::string& namespace_name, std::optional<Instant> at);
  // On the executor, until it is stopped.
  boost::asio::awaitable<void> run();
  void stop();  // from any thread

 private:
  // The next time, after those that have come were taken out.
  std::optional<Instant> take_due(std::set<std::string>& due);
  void wake();

  const async::Executor executor_;
  const Clock& clock_;
  const std::function<void(std::set<std::string>)> tell_;
  const std::shared_ptr<async::Signal> signal_;  // of the executor
  std::mutex mu_;
  std::map<std::string, Instant> times_;  // guarded by mu_
  bool stopped_ = false;                  // guarded by mu_
};

}  // namespace strake::admission
