#include "server/signal_watch.h"

#include <pthread.h>

#include <cstdlib>

#include "base/log.h"

namespace strake::server {

SignalWatch::SignalWatch(std::chrono::milliseconds longest_stop) {
  sigemptyset(&stopping_);
  sigaddset(&stopping_, SIGINT);
  sigaddset(&stopping_, SIGTERM);
  signals_ = stopping_;
  sigaddset(&signals_, SIGHUP);
  // Blocked before any thread starts, so that only the watching one gets them.
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  thread_ = std::thread([this, longest_stop] { watch(longest_stop); });
}

SignalWatch::~SignalWatch() {
  {
    const std::lock_guard lock(mu_);
    over_ = true;
  }
  changed_.notify_all();
  // Sent to that thread alone, which is still waiting when no signal has come.
  if (!stop_.cancelled()) pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void SignalWatch::watch(std::chrono::milliseconds longest_stop) {
  int signal = 0;
  while (sigwait(&signals_, &signal) == 0 && signal == SIGHUP) {
    const std::lock_guard lock(mu_);
    reload_ = true;
    changed_.notify_all();
  }
  std::unique_lock lock(mu_);
  stop_.cancel();
  changed_.notify_all();
  if (over_) return;
  pthread_sigmask(SIG_UNBLOCK, &stopping_, nullptr);
  if (changed_.wait_for(lock, longest_stop, [this] { return over_; })) return;
  log::get("server").error("the server did not stop in time; ending the process");
  std::_Exit(1);
}

SignalWatch::Signal SignalWatch::wait() {
  std::unique_lock lock(mu_);
  changed_.wait(lock, [this] { return reload_ || stop_.cancelled(); });
  if (stop_.cancelled()) return Signal::kStop;
  reload_ = false;
  return Signal::kReload;
}

}  // namespace strake::server
