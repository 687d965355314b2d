#include "admission/webhook/conditions.h"

#include <limits>

#include "admission/policy/subject.h"
#include "admission/webhook/review.h"
#include "api/request/pending_questions.h"
#include "api/verbs/by_worker.h"
#include "policy/spec.h"

namespace strake::admission {
namespace {

using api::Answer;
using value::Value;

constexpr policy::Offered kOffered{.params = false, .authorizer = true, .variables = false};
// Before they were evaluated at all, it may be much.
constexpr std::uint64_t kUnknownCost = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Conditions::Conditions(const Value& webhook) : cost_(kUnknownCost) {
  if (webhook.get("matchConditions").size() == 0) return;
  compiler_ = std::make_unique<policy::Compiler>();
  all_ = policy::compile_conditions(webhook, kOffered, *compiler_);
}

Answer<bool> Conditions::evaluate(const api::Authorizer& authorizer, const api::Call& call,
                                  const api::AdmissionRequest& request,
                                  const kinds::ServedVersion& version,
                                  const VersionedObjects::Seen& objects, bool fails_open) const {
  Arena arena;
  Value described = describe_request(call, request, version, arena);
  // As in kube-apiserver 1.36, conditions see the resource that was asked for.
  described.set("resource", described.get("requestResource"), arena);
  const CallAuthority authority(authorizer, *call.user);
  std::uint64_t cost = 0;
  const kinds::Resource& resource = call.resource();
  const policy::MatchOutcome outcome = policy::match_conditions(
      all_, {},
      {.object = objects.object,
       .old_object = objects.old,
       .request = &described,
       .authority = &authority,
       .request_resource = {.group = resource.group,
                            .resource = resource.plural,
                            .subresource = request.subresource,
                            .namespace_name = api::namespace_of(call, request),
                            .name = request.name},
       .cost = &cost},
      !fails_open, arena);
  cost_.store(cost, std::memory_order_relaxed);
  if (!outcome.error.empty()) {
    return api::refuse(meta::Status::forbidden(call.group_resource(), request.name, outcome.error));
  }
  return outcome.matches;
}

api::AnswerTask<bool> Conditions::hold(api::Core& core, const api::Call& call,
                                       const api::AdmissionRequest& request,
                                       const kinds::ServedVersion& version,
                                       VersionedObjects::Seen objects, bool fails_open) const {
  api::PendingQuestions pending(core.authorizer);
  const auto evaluate_them = [&] {
    return evaluate(pending, call, request, version, objects, fails_open);
  };
  for (;;) {
    const bool slow =
        call.request.body.size() > api::kDoneAtOnce ||
        cost_.load(std::memory_order_relaxed) > static_cast<std::uint64_t>(api::kRulesAtOnce);
    Answer<bool> outcome = slow ? co_await api::by_worker(core, evaluate_them) : evaluate_them();
    if (pending.empty()) co_return outcome;
    const api::WaitCancel cancel(call);
    co_await pending.settle(cancel.token());
  }
}

}  // namespace strake::admission
