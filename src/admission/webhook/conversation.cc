#include "admission/webhook/conversation.h"

#include <fmt/format.h>

#include <algorithm>

#include "admission/webhook/metrics.h"
#include "api/verbs/by_worker.h"
#include "api/verbs/write.h"
#include "base/log.h"
#include "base/quote.h"
#include "meta/names.h"

namespace strake::admission {
namespace {

using api::Answer;
using api::refuse;
using meta::Status;

constexpr std::chrono::nanoseconds kNoLimit = std::chrono::hours(1);

// What is left of the time of the request.
std::chrono::nanoseconds time_left(const api::Core& core, const api::Call& call) {
  if (!call.time) return kNoLimit;
  return call.time->limit.time - (core.clock.steady_now() - call.begun);
}

}  // namespace

api::AnswerTask<Said> ask(api::Core& core, const Caller& caller, const api::Call& call,
                          const api::AdmissionRequest& request, Question question) {
  const Hook& hook = *question.hook;
  if (request.dry_run && !hook.may_dry_run) {
    co_return refuse(Status::bad_request(
        fmt::format("admission webhook {} does not support dry run", quote(hook.name))));
  }
  if (hook.version == ReviewVersion::kNone) {
    co_return Said(std::unexpected(
        "could not create admission objects: webhook does not accept known AdmissionReview "
        "versions (v1, v1beta1)"));
  }
  const std::chrono::nanoseconds time =
      std::min<std::chrono::nanoseconds>(hook.timeout, time_left(core, call));
  if (time <= std::chrono::nanoseconds(0)) co_return refuse(api::Call::cancelled());
  const std::string uid = api::new_uid();
  const bool large = call.request.body.size() > api::kDoneAtOnce;
  const auto write = [&]() -> Answer<std::string> {
    Arena arena;
    return write_review({.uid = uid,
                         .version = hook.version,
                         .request = describe_request(call, request, question.version, arena),
                         .objects = question.objects},
                        arena);
  };
  STRAKE_CO_TRY(std::string review, large ? co_await api::by_worker(core, write) : write());
  const api::WaitCancel cancel(call);
  const SteadyTime begun = core.clock.steady_now();
  const auto count = [&](WebhookOutcome outcome, int code) {
    count_webhook_call({.name = hook.name, .phase = request.phase, .operation = request.operation},
                       core.clock.steady_now() - begun, outcome, code);
  };
  const WebhookOutcome failed =
      hook.fails_open ? WebhookOutcome::kFailedOpen : WebhookOutcome::kFailed;
  auto text = co_await caller.call(question.hook, std::move(review), time, cancel.token());
  if (call.is_cancelled()) co_return refuse(api::Call::cancelled());
  if (!text) {
    count(failed, 0);
    co_return Said(std::unexpected(std::move(text).error().message));
  }
  const bool mutating = request.phase == api::AdmissionRequest::Phase::kMutating;
  const auto read = [&]() -> Answer<Said> {
    return read_review(*text, uid, hook.version, mutating);
  };
  Answer<Said> said =
      text->size() > api::kDoneAtOnce ? co_await api::by_worker(core, read) : read();
  if (said && *said && (*said)->allowed) {
    count(WebhookOutcome::kAllowed, 0);
  } else if (said && *said) {
    count(WebhookOutcome::kDenied, denial(hook.name, (*said)->status).code);
  } else if (said) {
    count(failed, 0);
  }
  co_return said;
}

Answer<> judge_failure(const Hook& hook, std::string_view why) {
  const std::string text = fmt::format("failed calling webhook {}: {}", quote(hook.name), why);
  log::get("admission")
      .warn(hook.fails_open ? "a webhook failed and was ignored" : "a webhook failed",
            {{"configuration", hook.configuration}, {"error", text}});
  if (hook.fails_open) return {};
  return refuse(Status::internal_error(text));
}

void add_audit_annotation(api::Call& call, std::string key, std::string text) {
  if (std::ranges::count(key, '/') != 1 || !meta::check_qualified_name(key).empty()) {
    log::get("admission").warn("an audit annotation has no qualified name", {{"key", key}});
    return;
  }
  const bool known = std::ranges::any_of(call.audit_annotations,
                                         [&](const auto& one) { return one.first == key; });
  if (!known) call.audit_annotations.emplace_back(std::move(key), std::move(text));
}

void note_answer(api::Call& call, const Hook& hook, const ReviewAnswer& answer) {
  for (const auto& [key, text] : answer.audit_annotations)
    add_audit_annotation(call, fmt::format("{}/{}", hook.name, key), text);
  for (const std::string& one : answer.warnings) call.warnings.push_back(one);
}

}  // namespace strake::admission
