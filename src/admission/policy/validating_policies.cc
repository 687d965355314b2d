#include "admission/policy/validating_policies.h"

#include <fmt/format.h>

#include <algorithm>

#include "admission/policy/evidence.h"
#include "admission/policy/metrics.h"
#include "api/request/pending_questions.h"
#include "api/verbs/by_worker.h"
#include "base/cancel_scope.h"
#include "value/json_writer.h"

namespace strake::admission {
namespace {

using api::Answer;
using api::Call;
using api::Eventual;
using api::refuse;
using meta::Status;
using Policy = Definition<policy::ValidatingPolicy>;

int code_of(std::string_view reason) {
  if (reason == "Forbidden") return 403;
  if (reason == "Unauthorized") return 401;
  if (reason == "RequestEntityTooLarge") return 413;
  return 422;
}

// As in kube-apiserver 1.36 the first word on a key stands.
void annotate(Call& call, std::string key, std::string value) {
  const bool known = std::ranges::any_of(call.audit_annotations,
                                         [&](const auto& one) { return one.first == key; });
  if (!known) call.audit_annotations.emplace_back(std::move(key), std::move(value));
}

// The value of the annotation for a failure that a binding wants in the audit log: a list, though
// there is one.
std::string failure_annotation(const Binding& binding, std::size_t validation,
                               std::string_view message) {
  std::string out = "[{\"message\":";
  value::write_json_string(message, out);
  out += ",\"policy\":";
  value::write_json_string(binding.policy, out);
  out += ",\"binding\":";
  value::write_json_string(binding.name, out);
  out += fmt::format(",\"expressionIndex\":{},\"validationActions\":[", validation);
  for (std::size_t i = 0; i < binding.actions.size(); ++i) {
    if (i > 0) out += ',';
    value::write_json_string(binding.actions[i], out);
  }
  return out + "]}]";
}

}  // namespace

// The evaluation of one request.
class ValidatingPolicies::Judging {
 public:
  Judging(api::Core& core, Call& call, const api::AdmissionRequest& request,
          const Namespaces& namespaces, const api::Authorizer& authorizer, Steps steps)
      : call_(call),
        request_(request),
        pending_(authorizer),
        evidence_(core, call, request_, namespaces, pending_),
        steps_(std::move(steps)) {}

  bool is_done_at_once() const {
    std::uint64_t cost = 0;
    for (const auto& step : steps_) {
      if (!step.fault.empty()) continue;
      if (!step.policy->is_compiled() || evidence_.must_wait(step)) return false;
      cost += step.policy->cost();
    }
    return admission::is_done_at_once(call_, cost);
  }
  api::AnswerTask<> gather() {
    for (const auto& step : steps_) {
      if (step.fault.empty() && evidence_.must_wait(step))
        STRAKE_CO_CHECK(co_await evidence_.gather(step));
    }
    co_return Answer<>();
  }

  // False when somebody must be asked about rights first: after settle() it goes on where it was.
  Answer<bool> judge() {
    const CancelScope scope(call_.request.cancel, call_.stopping);
    for (; at_ < steps_.size(); ++at_) {
      const auto& step = steps_[at_];
      if (last_ != step.policy.get()) publish_annotations();
      last_ = step.policy.get();
      if (!step.fault.empty()) {
        if (step.policy->fails_closed) deny(step, {.denied = true, .message = step.fault});
        continue;
      }
      STRAKE_CHECK(evidence_.gather_at_once(step));
      const policy::Judgement& judgement = judged(step);
      if (!pending_.empty()) {
        judged_policy_ = nullptr;
        return false;
      }
      take(step, judgement);
      if (CancelScope::is_cancelled()) return refuse(Call::cancelled());
    }
    publish_annotations();
    if (refusal_) return refuse(*std::move(refusal_));
    return true;
  }
  boost::asio::awaitable<void> settle() {
    const api::WaitCancel cancel(call_);
    co_await pending_.settle(cancel.token());
  }

 private:
  using OneStep = Step<policy::ValidatingPolicy>;

  // Bindings without parameters all get the same answer.
  const policy::Judgement& judged(const OneStep& step) {
    const bool known = judged_policy_ == step.policy.get() && step.param == nullptr;
    if (!known) {
      Arena arena;
      std::uint64_t cost = 0;
      judgement_ = step.policy->compiled().judge(evidence_.inputs(step, &cost), arena);
      step.policy->note_cost(cost);
    }
    judged_policy_ = step.param == nullptr ? step.policy.get() : nullptr;
    return judgement_;
  }

  void take(const OneStep& step, const policy::Judgement& judgement) {
    const Binding& binding = *step.binding;
    for (std::size_t i = 0; i < judgement.decisions.size(); ++i) {
      const policy::Decision& decision = judgement.decisions[i];
      // Of errors, no reason is given.
      const std::string_view error =
          decision.reason.empty() ? std::string_view(decision.message) : std::string_view();
      const auto count = [&](std::string_view action) {
        count_policy_check(step.policy->name, binding.name, action, error);
      };
      if (!decision.denied) {
        if (!error.empty()) count("allow");
        continue;
      }
      if (binding.denies) {
        count("deny");
        deny(step, decision);
      }
      if (binding.audits) {
        count("audit");
        annotate(call_, "validation.policy.admission.k8s.io/validation_failure",
                 failure_annotation(binding, i, decision.message));
      }
      if (binding.warns) {
        count("warn");
        call_.warnings.push_back(
            fmt::format("Validation failed for ValidatingAdmissionPolicy '{}' with binding '{}': "
                        "{}",
                        step.policy->name, binding.name, decision.message));
      }
    }
    for (const policy::Annotation& one : judgement.annotations) {
      std::vector<std::string>& values = annotations_[one.key];
      if (std::ranges::find(values, one.value) == values.end()) values.push_back(one.value);
    }
    for (const std::string& why : judgement.failed_annotations)
      deny(step, {.denied = true, .message = why});
  }

  // The first refusal is the answer.
  void deny(const OneStep& step, const policy::Decision& decision) {
    if (refusal_) return;
    std::string message =
        step.binding != nullptr
            ? fmt::format("ValidatingAdmissionPolicy '{}' with binding '{}' denied request: {}",
                          step.policy->name, step.binding->name, decision.message)
            : fmt::format("ValidatingAdmissionPolicy '{}' denied request: {}", step.policy->name,
                          decision.message);
    refusal_ = Status::forbidden(call_.group_resource(), refused_name(request_), message);
    refusal_->reason = decision.reason.empty() ? "Invalid" : decision.reason;
    refusal_->code = code_of(refusal_->reason);
    refusal_->details.causes.push_back({.reason = {}, .message = std::move(message), .field = {}});
  }

  // Those of one policy, over all of its bindings.
  void publish_annotations() {
    for (auto& [key, values] : annotations_)
      annotate(call_, fmt::format("{}/{}", last_->name, key),
               fmt::format("{}", fmt::join(values, ", ")));
    annotations_.clear();
  }

  Call& call_;
  api::AdmissionRequest request_;
  api::PendingQuestions pending_;
  Evidence evidence_;
  Steps steps_;
  std::size_t at_ = 0;
  const Policy* last_ = nullptr;
  const Policy* judged_policy_ = nullptr;
  policy::Judgement judgement_;
  std::map<std::string, std::vector<std::string>> annotations_;
  std::optional<Status> refusal_;
};

ValidatingPolicies::ValidatingPolicies(api::Hub& hub, const Namespaces& namespaces,
                                       const api::Authorizer& authorizer)
    : namespaces_(namespaces),
      authorizer_(authorizer),
      policies_(hub, "/registry/validatingadmissionpolicies/",
                "/registry/validatingadmissionpolicybindings/") {}

Eventual<> ValidatingPolicies::admit(Call& call, const api::AdmissionRequest& request) const {
  if (core_ == nullptr || request.phase != api::AdmissionRequest::Phase::kValidating)
    return Answer<>();
  const auto snapshot = policies_.current();
  if (snapshot->policies.empty() || is_exempt(call.resource())) return Answer<>();
  Steps steps = find_steps<policy::ValidatingPolicy>(*snapshot, Attributes::of(call, request),
                                                     namespaces_, core_->registry);
  if (steps.empty()) return Answer<>();
  auto judging =
      std::make_unique<Judging>(*core_, call, request, namespaces_, authorizer_, std::move(steps));
  if (judging->is_done_at_once()) {
    const Answer<bool> judged = judging->judge();
    if (!judged) return refuse(judged.error());
    if (*judged) return Answer<>();
  }
  return judge_later(std::move(judging));
}

api::AnswerTask<> ValidatingPolicies::judge_later(std::unique_ptr<Judging> judging) const {
  STRAKE_CO_CHECK(co_await judging->gather());
  for (;;) {
    STRAKE_CO_TRY(const bool judged,
                  co_await api::by_worker(*core_, [&] { return judging->judge(); }));
    if (judged) co_return Answer<>();
    co_await judging->settle();
  }
}

}  // namespace strake::admission
