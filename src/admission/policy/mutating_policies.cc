#include "admission/policy/mutating_policies.h"

#include <fmt/format.h>

#include "admission/policy/evidence.h"
#include "admission/policy/metrics.h"
#include "api/request/pending_questions.h"
#include "api/verbs/by_worker.h"
#include "api/verbs/ready.h"
#include "base/cancel_scope.h"
#include "base/time.h"
#include "kinds/derive.h"
#include "kinds/describe.h"
#include "schema/defaults.h"

namespace strake::admission {
namespace {

using api::Answer;
using api::Call;
using api::Eventual;
using api::refuse;
using meta::Status;
using value::Document;
using value::Value;

// Which policy was asked, by what and about what.
std::string key_of(const Step<policy::MutatingPolicy>& step) {
  return fmt::format("{}\n{}\n{}", step.policy->name, step.binding->name,
                     step.param != nullptr ? step.param->key() : std::string());
}

}  // namespace

// One pass over the policies that are bound to a request.
class MutatingPolicies::Mutating {
 public:
  Mutating(api::Core& core, Call& call, const api::AdmissionRequest& request,
           const Namespaces& namespaces, const api::Authorizer& authorizer, Steps steps,
           PolicyPasses& passes)
      : core_(core),
        call_(call),
        request_(request),
        namespaces_(namespaces),
        pending_(authorizer),
        steps_(std::move(steps)),
        passes_(passes) {
    for (const auto& step : steps_) {
      if (!step.fault.empty()) fault(step, step.fault, "");
    }
    std::erase_if(steps_, [](const auto& step) { return !step.fault.empty(); });
  }

  bool is_done_at_once() const {
    const Evidence evidence(core_, call_, request_, namespaces_, pending_);
    std::uint64_t cost = 0;
    for (const auto& step : steps_) {
      if (!step.policy->is_compiled() || evidence.must_wait(step) || !step.version->is_compiled())
        return false;
      cost += step.policy->cost();
    }
    return admission::is_done_at_once(call_, cost);
  }

  // False when somebody must be asked about rights first, which mutate_later() does.
  Answer<bool> mutate_at_once() {
    for (; at_ < steps_.size(); ++at_) {
      STRAKE_TRY(const bool done, mutate(steps_[at_], *request_.object));
      if (!done) return false;
    }
    STRAKE_CHECK(outcome());
    return true;
  }

  // Each in the version in which it matched: what it leaves is converted back, so that the next one
  // sees it.
  api::AnswerTask<> mutate_later() {
    for (; at_ < steps_.size(); ++at_) {
      const auto& step = steps_[at_];
      if (!step.version->is_compiled())
        STRAKE_CO_CHECK(co_await api::compile(core_, call_, *step.version));
      const auto work = [&] { return mutate(step, *request_.object); };
      STRAKE_CO_CHECK(co_await convert(*call_.version, *step.version));
      STRAKE_CO_CHECK(co_await gather(step));
      if (!pending_.empty()) co_await settle();
      for (;;) {
        STRAKE_CO_TRY(const bool done, co_await api::by_worker(core_, work));
        if (done) break;
        co_await settle();
      }
      STRAKE_CO_CHECK(co_await convert(*step.version, *call_.version));
    }
    co_return outcome();
  }

 private:
  using OneStep = Step<policy::MutatingPolicy>;

  bool is_of_resource(const kinds::ServedVersion& version) const {
    return kind_of(call_.resource(), version, request_.subresource).kind == call_.resource().kind;
  }

  api::AnswerTask<> convert(const kinds::ServedVersion& from, const kinds::ServedVersion& to) {
    if (&from == &to || !is_of_resource(from)) co_return Answer<>();
    co_return co_await convert_for_admission(core_, call_, *request_.object, from, to);
  }

  // The object is in the version of the step already; the old one and the parameter may have to be
  // waited for.
  api::AnswerTask<> gather(const OneStep& step) {
    seen_ = request_;
    seen_.object = nullptr;
    evidence_.emplace(core_, call_, seen_, namespaces_, pending_);
    co_return evidence_->must_wait(step) ? co_await evidence_->gather(step)
                                         : evidence_->gather_at_once(step);
  }

  // The schema of the object in the version of the step; null when there is none.
  const schema::Node* schema_of(const OneStep& step) const {
    const meta::GroupVersionKind kind =
        kind_of(call_.resource(), *step.version, request_.subresource);
    if (kind.kind == call_.resource().kind) {
      const auto known = step.version->kind();
      return known ? (*known)->schema.get() : nullptr;
    }
    const kinds::Type* type = kinds::find_kind(kind);
    return type != nullptr ? kinds::node_of(*type).get() : nullptr;
  }

  // What a change has left is brought into shape, as what a client sends is. Custom resources get
  // their defaults, and nothing is dropped from them.
  Answer<> settle(const OneStep& step, Document& document, const schema::Node* schema) {
    if (!is_of_resource(*step.version)) return {};
    if (call_.strategy().wire().many_versions) {
      if (schema != nullptr) schema::apply_defaults(document.root(), *schema, document.arena());
      return {};
    }
    const Result<> decoded = call_.strategy().decode(document.root(), document.arena(),
                                                     *step.version, {.from_text = false});
    if (!decoded) return refuse(Status::internal_error(decoded.error().message()));
    return {};
  }

  boost::asio::awaitable<void> settle() {
    const api::WaitCancel cancel(call_);
    co_await pending_.settle(cancel.token());
  }

  // False when somebody must be asked about rights first: then it is called again, and goes on with
  // the mutation it had come to.
  Answer<bool> mutate(const OneStep& step, Document& document) {
    const CancelScope scope(call_.request.cancel, call_.stopping);
    if (!evidence_) {
      seen_ = request_;
      seen_.object = nullptr;
      evidence_.emplace(core_, call_, seen_, namespaces_, pending_);
    }
    STRAKE_CHECK(evidence_->gather_at_once(step));
    std::uint64_t cost = 0;
    policy::Inputs inputs = evidence_->inputs(step, &cost);
    inputs.object = &document.root();
    const policy::MutatingPolicy& policy = step.policy->compiled();
    const std::string key = key_of(step);
    if (mutation_ == 0) {
      Arena scratch;
      const policy::MatchOutcome matched = policy.matches(inputs, scratch);
      if (!pending_.empty()) return false;
      if (!matched.error.empty()) fault(step, matched.error, "Invalid");
      if (!matched.matches) return true;
      if (passes_.is_second && !passes_.to_repeat.contains(key)) return true;
      has_changed_ = false;
    }
    const schema::Node* schema = schema_of(step);
    for (; mutation_ < policy.mutations(); ++mutation_) {
      const SteadyTime begun = system_clock().steady_now();
      auto next = policy.mutate(mutation_, inputs, schema, document.arena());
      if (!pending_.empty()) return false;
      count_mutation(step.policy->name, step.binding->name, system_clock().steady_now() - begun,
                     next ? std::string_view() : std::string_view(next.error()));
      if (!next) {
        fault(step, next.error(), "Invalid");
        continue;
      }
      has_changed_ = has_changed_ || !value::identical(document.root(), *next);
      document.root() = *next;
      STRAKE_CHECK(settle(step, document, schema));
      was_written_ = true;
    }
    mutation_ = 0;
    step.policy->note_cost(cost);
    if (has_changed_) repeat_those_asked();
    if (policy.is_reinvoked()) passes_.asked.insert(key);
    if (CancelScope::is_cancelled()) return refuse(Call::cancelled());
    return true;
  }

  void repeat_those_asked() {
    passes_.has_changed = true;
    passes_.to_repeat.merge(std::exchange(passes_.asked, {}));
  }

  void fault(const OneStep& step, std::string_view why, std::string_view reason) {
    if (!step.policy->fails_closed) return;
    std::string message =
        step.binding != nullptr
            ? fmt::format("policy '{}' with binding '{}' denied request: {}", step.policy->name,
                          step.binding->name, why)
            : fmt::format("policy \"{}\" denied request: {}", step.policy->name, why);
    if (!refusal_) {
      refusal_ = Status::forbidden(call_.group_resource(), refused_name(request_), "");
      refusal_->message = message;
      if (!reason.empty()) refusal_->reason = reason;
    }
    refusal_->details.causes.push_back({.reason = {}, .message = std::move(message), .field = {}});
  }

  Answer<> outcome() {
    // As in kube-apiserver 1.36, whoever wrote the object last is asked again too.
    if (was_written_) repeat_those_asked();
    if (refusal_) return refuse(*std::move(refusal_));
    return {};
  }

  api::Core& core_;
  Call& call_;
  api::AdmissionRequest request_;
  api::AdmissionRequest seen_{request_};  // without its object, which changes
  const Namespaces& namespaces_;
  api::PendingQuestions pending_;
  Steps steps_;
  std::size_t at_ = 0;        // of the steps
  std::size_t mutation_ = 0;  // of the step
  bool has_changed_ = false;  // by the step
  PolicyPasses& passes_;
  std::optional<Evidence> evidence_;
  bool was_written_ = false;
  std::optional<Status> refusal_;
};

MutatingPolicies::MutatingPolicies(api::Hub& hub, const Namespaces& namespaces,
                                   const api::Authorizer& authorizer)
    : namespaces_(namespaces),
      authorizer_(authorizer),
      policies_(hub, "/registry/mutatingadmissionpolicies/",
                "/registry/mutatingadmissionpolicybindings/") {}

Eventual<> MutatingPolicies::pass(Call& call, const api::AdmissionRequest& request,
                                  PolicyPasses& passes) const {
  if (core_ == nullptr || request.object == nullptr) return Answer<>();
  const auto snapshot = policies_.current();
  if (snapshot->policies.empty() || is_exempt(call.resource())) return Answer<>();
  Steps steps = find_steps<policy::MutatingPolicy>(*snapshot, Attributes::of(call, request),
                                                   namespaces_, core_->registry);
  if (steps.empty()) return Answer<>();
  auto mutating = std::make_unique<Mutating>(*core_, call, request, namespaces_, authorizer_,
                                             std::move(steps), passes);
  if (mutating->is_done_at_once()) {
    const Answer<bool> mutated = mutating->mutate_at_once();
    if (!mutated) return refuse(mutated.error());
    if (*mutated) return Answer<>();
  }
  return mutate_later(std::move(mutating));
}

api::AnswerTask<> MutatingPolicies::mutate_later(std::unique_ptr<Mutating> mutating) const {
  co_return co_await mutating->mutate_later();
}

Eventual<> MutatingPolicies::admit(Call& call, const api::AdmissionRequest& request) const {
  if (request.phase != api::AdmissionRequest::Phase::kMutating) return Answer<>();
  auto passes = std::make_unique<PolicyPasses>();
  Eventual<> first = pass(call, request, *passes);
  if (first.must_wait()) return second_pass(call, request, std::move(passes), std::move(first));
  Answer<> outcome = first.take();
  if (!outcome || passes->to_repeat.empty()) return outcome;
  return second_pass(call, request, std::move(passes), std::nullopt);
}

api::AnswerTask<> MutatingPolicies::second_pass(Call& call, api::AdmissionRequest request,
                                                std::unique_ptr<PolicyPasses> passes,
                                                std::optional<Eventual<>> first) const {
  if (first) STRAKE_CO_CHECK(co_await first->wait());
  if (passes->to_repeat.empty()) co_return Answer<>();
  passes->is_second = true;
  Eventual<> second = pass(call, request, *passes);
  co_return second.must_wait() ? co_await second.wait() : second.take();
}

}  // namespace strake::admission
