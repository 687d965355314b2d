#pragma once
// SIGINT and SIGTERM as a token, from the moment this is made: the process can be stopped while it
// starts. A second signal ends it at once, and so does the passing of the time that a stop may
// take. SIGHUP asks for a reload and never ends the process. One in a process, made before any
// other thread.
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "base/cancel.h"

namespace strake::server {

class SignalWatch {
 public:
  // After a signal, whoever made this has so long to destroy it.
  explicit SignalWatch(std::chrono::milliseconds longest_stop);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  CancelToken token() const { return stop_.token(); }
  enum class Signal : std::uint8_t { kStop, kReload };
  // Until a signal comes; a stop is told before a reload.
  Signal wait();

 private:
  void watch(std::chrono::milliseconds longest_stop);

  sigset_t stopping_;  // SIGINT and SIGTERM
  sigset_t signals_;   // and SIGHUP
  CancelSource stop_;
  std::mutex mu_;
  std::condition_variable changed_;
  bool over_ = false;    // guarded by mu_
  bool reload_ = false;  // guarded by mu_
  std::thread thread_;
};

}  // namespace strake::server
