#pragma once
// An outcome that is there, or something to wait for. Who has the outcome at once makes no
// coroutine, and who asks makes none to get it:
//
//   Eventual<> admitted = admission.admit(call, request);
//   STRAKE_CO_CHECK(admitted.must_wait() ? co_await admitted.wait() : admitted.take());
#include <utility>
#include <variant>

#include "api/request/answer.h"

namespace strake::api {

template <typename T = void>
class [[nodiscard]] Eventual {
 public:
  Eventual(Answer<T> outcome)  // NOLINT(google-explicit-constructor)
      : state_(std::move(outcome)) {}
  Eventual(std::unexpected<meta::Status> refusal)  // NOLINT(google-explicit-constructor)
      : state_(Answer<T>(std::move(refusal))) {}
  Eventual(AnswerTask<T> waiting)  // NOLINT(google-explicit-constructor)
      : state_(std::move(waiting)) {}

  bool must_wait() const { return std::holds_alternative<AnswerTask<T>>(state_); }
  AnswerTask<T> wait() { return std::get<AnswerTask<T>>(std::move(state_)); }  // once
  Answer<T> take() { return std::get<Answer<T>>(std::move(state_)); }

 private:
  std::variant<Answer<T>, AnswerTask<T>> state_;
};

}  // namespace strake::api
