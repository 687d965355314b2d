#pragma once
// The stages of the request pipeline. A call enters them in order; each may refuse it, answer it,
// change it, or let it go on. Behind the last stage a route answers. The response then leaves the
// stages that were entered in the reverse order.
//
// A stage that has nothing to wait for costs no coroutine: `enter` gives its outcome at once. One
// stage serves all calls, from any thread.
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "http/message.h"

namespace strake::api {

using CallPtr = std::shared_ptr<Call>;

// What a stage says about a call.
class Passage {
 public:
  // A response ends the call at this stage; nothing lets it go on.
  using Outcome = Answer<std::optional<http::Response>>;

  // The call goes on. Not defaulted: `return {}` would first fill the object with zeros.
  Passage() {}                 // NOLINT(modernize-use-equals-default)
  Passage(Answer<> outcome) {  // NOLINT(google-explicit-constructor)
    if (!outcome) state_ = std::move(outcome).error();
  }
  Passage(std::unexpected<meta::Status> refusal)  // NOLINT(google-explicit-constructor)
      : state_(std::move(refusal).error()) {}
  Passage(http::Response response)  // NOLINT(google-explicit-constructor)
      : state_(std::move(response)) {}
  // To be waited for: a webhook is asked, for example.
  Passage(boost::asio::awaitable<Outcome> waiting)  // NOLINT(google-explicit-constructor)
      : state_(std::move(waiting)) {}

  bool goes_on() const { return std::holds_alternative<std::monostate>(state_); }
  // The wait, when there is one. Taken once.
  std::optional<boost::asio::awaitable<Outcome>> take_wait() {
    auto* waiting = std::get_if<boost::asio::awaitable<Outcome>>(&state_);
    if (waiting == nullptr) return std::nullopt;
    return std::move(*waiting);
  }
  // How the call ends here; nothing when it goes on. Not while there is a wait.
  std::optional<Answer<http::Response>> take_end() {
    if (auto* refusal = std::get_if<meta::Status>(&state_)) return refuse(std::move(*refusal));
    if (auto* response = std::get_if<http::Response>(&state_)) return std::move(*response);
    return std::nullopt;
  }

 private:
  std::variant<std::monostate, meta::Status, http::Response, boost::asio::awaitable<Outcome>>
      state_;
};

class Stage {
 public:
  virtual ~Stage() = default;
  virtual Passage enter(Call&) { return {}; }
  // A refusal, before it becomes a response, for every stage that was entered, last first.
  virtual void reword(Call&, meta::Status&) {}
  // Called for every stage that was entered, the one that ended the call included. Not called when
  // the client is gone before there is a response: what a call holds is released with the call.
  virtual void leave(Call&, http::Response&) {}
};

}  // namespace strake::api
