#pragma once
// The process as a service of systemd, or of whoever speaks its protocols: told over a datagram
// socket when it is ready, reloads, stops and lives (sd_notify), handed a socket that listens
// (LISTEN_FDS), and asked for a sign of life in time (WATCHDOG_USEC). All of it is in the
// environment, and nothing happens without.
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/owned_fd.h"
#include "base/result.h"

namespace strake::server {

class ServiceManager {
 public:
  // Takes what is about this process out of the environment, so that programs which it starts do
  // not take it for theirs. Fails with kUsage when a variable has a value that cannot be, and when
  // there is more than one socket.
  static Result<ServiceManager> from_environment();
  // The same of a map, and for another process id: for tests.
  static Result<ServiceManager> from(const std::map<std::string, std::string>& environment,
                                     int process);

  // A socket that listens, if one was handed over. The caller's.
  std::optional<int> take_socket() { return std::exchange(socket_, std::nullopt); }
  // How often a sign of life is wanted; nothing when nobody waits for any.
  std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

  // Each may be called from any thread; failures are logged, since nothing can be done about them.
  void ready(std::string_view status) const;
  void reloading() const;
  void stopping() const;
  void alive() const;

 private:
  void send(std::string_view state) const;

  std::string address_;  // of the datagram socket; empty for none
  std::optional<int> socket_;
  std::optional<std::chrono::microseconds> watchdog_;
};

}  // namespace strake::server
