#include "admission/webhook/validating.h"

#include <fmt/format.h>

#include <optional>

#include "async/concurrently.h"

namespace strake::admission {
namespace {

using api::Answer;
using api::refuse;

}  // namespace

api::AnswerTask<> validate(api::Core& core, const Caller& caller, api::Call& call,
                           api::AdmissionRequest request, std::vector<Invocation> matched) {
  VersionedObjects objects(core, call, request);
  std::vector<VersionedObjects::Seen> seen;
  std::vector<Invocation> invocations;
  for (Invocation& one : matched) {
    STRAKE_CO_TRY(VersionedObjects::Seen converted, co_await objects.in(*one.version));
    const Conditions& conditions = one.hook->conditions;
    if (!conditions.empty()) {
      STRAKE_CO_TRY(const bool hold, co_await conditions.hold(core, call, request, *one.version,
                                                              converted, one.hook->fails_open));
      if (!hold) continue;
    }
    seen.push_back(converted);
    invocations.push_back(std::move(one));
  }
  if (invocations.empty()) co_return Answer<>();
  std::vector<std::optional<Answer<Said>>> said(invocations.size());
  const auto ask_one = [&](std::size_t i) -> boost::asio::awaitable<void> {
    const Invocation& one = invocations[i];
    said[i] = co_await ask(core, caller, call, request,
                           {.hook = one.hook, .version = *one.version, .objects = seen[i]});
  };
  co_await async::for_each_concurrently(invocations.size(), invocations.size(), ask_one);

  std::optional<meta::Status> refusal;
  const auto note = [&](Answer<> outcome) {
    if (!outcome && !refusal) refusal = std::move(outcome).error();
  };
  for (std::size_t i = 0; i < invocations.size(); ++i) {
    const Hook& hook = *invocations[i].hook;
    Answer<Said>& answer = *said[i];
    if (!answer) {
      note(refuse(answer.error()));
    } else if (!*answer) {
      if (hook.fails_open) {
        add_audit_annotation(
            call,
            fmt::format("failed-open.validating.webhook.admission.k8s.io/round_0_index_{}", i),
            hook.name);
      }
      note(judge_failure(hook, answer->error()));
    } else {
      note_answer(call, hook, **answer);
      if (!(*answer)->allowed) note(refuse(denial(hook.name, (*answer)->status)));
    }
  }
  if (refusal) co_return refuse(*std::move(refusal));
  co_return Answer<>();
}

}  // namespace strake::admission
