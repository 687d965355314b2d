#pragma once
// Requests to one cluster. Calls block; any number of threads may make them at once. A plugin that
// makes credentials is run when the first request needs them, and again when they ran out or the
// server refused them.
//
//   const Client cluster(access, {.user_agent = "kompoxops/kube", .rate = kOperatorRate});
//   const Client mine = cluster.within(call.cancel, call.deadline);
//   auto pods = mine.get("/api/v1/pods");  // ends when the call is cancelled, or its time is over
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/result.h"
#include "http/fetch.h"
#include "kube/access.h"
#include "kube/caller.h"
#include "kube/rate_limit.h"

namespace strake::kube {

struct ClientOptions {
  std::string user_agent = "strake";
  bool has_terminal = false;                     // somebody is there to be asked by plugins
  std::chrono::milliseconds timeout{60'000};     // of one request
  std::size_t max_bytes = std::size_t{1} << 28;  // of one answer
  // Requests that come faster wait for their turn. Shared by all threads; nothing: no limit.
  std::optional<RateLimit> rate = {};
};

struct Request {
  std::string method = "GET";
  std::string path;  // from the root, with the query: "/api/v1/namespaces?limit=5"
  std::string accept = "application/json";
  std::string content_type;
  std::string body;
};

// Stands before and behind every request, such as where tests break one off. Called on the thread
// that asks.
class RequestSeam {
 public:
  virtual ~RequestSeam() = default;
  // A failure is that of the request, which is then not sent.
  virtual Result<> before(const Request& request) = 0;
  // It was answered with 200 to 299. A failure hides that.
  virtual Result<> after(const Request& request) = 0;
};

// What programs that operate clusters allow themselves.
inline constexpr RateLimit kOperatorRate{.per_second = 20, .burst = 50};

class Client {
 public:
  Client(Access access, ClientOptions options);
  ~Client();
  Client(Client&&) noexcept;

  const Access& access() const;

  // The same client (credentials, rate) for work that may be given up: what it does fails with
  // kCancelled once the token is cancelled, also under way, and with kTimeout past the deadline.
  // Both add to those of this one.
  Client within(CancelToken cancel, Deadline deadline) const;
  // The same client, for requests that pass a seam.
  Client through(std::shared_ptr<RequestSeam> seam) const;
  const CancelToken& cancel() const { return cancel_; }
  Deadline deadline() const { return deadline_; }
  // Fails when the work should stop.
  Result<> check() const { return strake::check(cancel_, deadline_); }
  // Waits so long, or fails as check() as soon as that does.
  Result<> pause(std::chrono::nanoseconds time) const;

  // An answer of 200 to 299. Another one is an error: its code is that of the Status the server
  // sent, its message the server's own, with the path in front. When the server asks for patience
  // (429, 503 with Retry-After) it is asked again, four times at most.
  Result<http::FetchResponse> send(const Request& request) const;
  Result<std::string> get(std::string_view path) const;  // the body

  // An answer that goes on, such as a watch or a log: each part is handed over as it comes, on this
  // thread, until `take` gives false or fails, or the body ends. Only the head of the answer has to
  // come within the timeout of a request. Fails as send(), with what `take` failed with, and with
  // kServiceUnavailable when the connection breaks.
  using TakePart = std::function<Result<bool>(std::string_view part)>;
  Result<> stream(const Request& request, const TakePart& take) const;

  // For requests that this client does not make itself: waits as the rate wants it, or fails as
  // check().
  Result<> wait_for_turn() const;
  // The same cluster, as the same caller, for code on a loop: for connections that are upgraded.
  Result<Caller> caller() const;

 private:
  struct Impl;
  struct Either;
  explicit Client(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  using Ask = std::function<Result<http::FetchResponse>(const Credentials& as)>;
  Result<http::FetchResponse> ask_patiently(const Request& request, const Ask& ask) const;

  std::shared_ptr<Impl> impl_;
  std::shared_ptr<Either> outer_;   // that the next one hears
  std::shared_ptr<Either> either_;  // what `cancel_` belongs to
  CancelToken cancel_;
  Deadline deadline_;
  std::shared_ptr<RequestSeam> seam_;  // null: none
};

// So much is read of an answer that is an error.
inline constexpr std::size_t kMostErrorBytes = std::size_t{1} << 20;
// The error in an answer that is none of 200 to 299.
Error error_of(const Request& request, const http::FetchResponse& response);

}  // namespace strake::kube
