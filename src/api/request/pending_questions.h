#pragma once
// An authorizer for work that cannot wait, such as an expression that asks about rights. Questions
// that somebody else must be asked are noted and refused for the time being; once they are
// settled, the work is done again and finds the answers:
//
//   PendingQuestions pending(authorizer);
//   for (;;) {
//     Answer<> outcome = work(pending);
//     if (pending.empty()) co_return outcome;
//     co_await pending.settle(cancel);
//   }
//
// One piece of work at a time. Where nobody has to be waited for, it costs nothing.
#include <map>
#include <string>
#include <vector>

#include "api/request/call.h"
#include "api/request/eventual.h"
#include "api/request/roles.h"

namespace strake::api {

class PendingQuestions final : public Authorizer {
 public:
  // Must outlive it.
  explicit PendingQuestions(const Authorizer& behind) : behind_(&behind) {}

  Decision authorize(const User& user, const RequestInfo& request) const override;
  Rules rules_of(const User& user, std::string_view namespace_name) const override {
    return behind_->rules_of(user, namespace_name);
  }

  bool empty() const { return pending_.empty(); }
  boost::asio::awaitable<void> settle(CancelToken cancel);

 private:
  struct Question {
    std::string key;
    User user;
    RequestInfo request;
  };
  const Authorizer* behind_;
  mutable std::map<std::string, Decision> settled_;
  mutable std::vector<Question> pending_;
};

template <typename Check>
AnswerTask<> check_rights_later(PendingQuestions pending, const Call& call, Check check) {
  const WaitCancel cancel(call);
  for (;;) {
    co_await pending.settle(cancel.token());
    Answer<> outcome = check(pending);
    if (pending.empty()) co_return outcome;
  }
}

// What `check` says, which asks the authorizer that it is given. It owns what it needs but the
// call, and may be called several times.
template <typename Check>
Eventual<> check_rights(const Authorizer& authorizer, const Call& call, Check check) {
  PendingQuestions pending(authorizer);
  Answer<> outcome = check(pending);
  if (pending.empty()) return outcome;
  return check_rights_later(std::move(pending), call, std::move(check));
}

}  // namespace strake::api
