#pragma once
// Many clients in few threads, each sending its next request when it has the answer to the last.
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "connection.h"
#include "histogram.h"

namespace strake::load {

using Clock = std::chrono::steady_clock;

// What one client says. Used by one thread.
class Script {
 public:
  virtual ~Script() = default;
  virtual std::string_view next() = 0;  // a whole request; valid until the next call
  virtual bool keeps_body() const = 0;
  // Whether it is the answer that was wanted.
  virtual bool accept(const Answer& answer) = 0;
};

struct Plan {
  std::size_t clients = 1;
  std::size_t threads = 1;
  std::chrono::milliseconds time{3000};
  std::uint64_t max_requests = 0;  // over all clients; 0 for no limit but the time
  std::function<void()> on_start;  // all are connected
  // From any thread.
  std::function<std::unique_ptr<Script>(std::size_t client)> make_script;
};

struct Outcome {
  Histogram latency;  // of good answers
  std::uint64_t errors = 0;
  std::uint64_t bytes = 0;  // of bodies
  double seconds = 0;
  std::string first_error;
};

// Connects all clients first, so that handshakes are not measured. Fails when they cannot connect.
Result<Outcome> run(const Endpoint& endpoint, const Plan& plan);

// One request on a connection of its own that is waited for: to set things up.
class Caller {
 public:
  explicit Caller(const Endpoint& endpoint) : endpoint_(endpoint) {}
  Result<Answer> call(std::string_view method, std::string_view path, std::string_view body = {});

 private:
  const Endpoint& endpoint_;
  std::unique_ptr<Connection> connection_;
};

// A whole request.
std::string request_text(const Endpoint& endpoint, std::string_view method, std::string_view path,
                         std::string_view body = {});

enum class Until : std::uint8_t { kConnected, kHead, kAnswer };
// Fails when the connection ends, or the time.
Result<> wait_for(Connection& connection, Until what, Clock::time_point until);

}  // namespace strake::load
