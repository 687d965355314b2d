#include "ops/controllers/reconcile.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "value/fields.h"

namespace strake::ops {
namespace {

using provider::Failure;
using provider::FailureClass;
using provider::Outcome;
using value::Value;

constexpr std::size_t kMostSteps = 100;
constexpr std::size_t kShownSteps = 10;

std::string step_text(std::string_view verb, std::string_view what) {
  return verb.empty() ? std::string(what) : fmt::format("{} {}", verb, what);
}

void add_step(std::vector<std::string>& steps, std::string text) {
  if (steps.size() < kMostSteps) steps.push_back(std::move(text));
}

Value text_value(std::string_view text, Arena& arena) { return Value::string(arena.copy(text)); }

}  // namespace

std::string_view reason_of(FailureClass of) {
  switch (of) {
    case FailureClass::kNotImplemented: return "NotImplemented";
    case FailureClass::kValidation: return "Invalid";
    case FailureClass::kNotFound: return "NotFound";
    case FailureClass::kInvalid: return "Invalid";
    case FailureClass::kConflict: return "Conflict";
    case FailureClass::kProtected: return "Protected";
    case FailureClass::kAuth: return "Unauthorized";
    case FailureClass::kThrottled: return "Throttled";
    case FailureClass::kServer: return "ProviderUnavailable";
    case FailureClass::kCanceled: return "Canceled";
    case FailureClass::kTimeout: return "TimedOut";
    case FailureClass::kInternal: break;
  }
  return "InternalError";
}

Next next_after(FailureClass of) {
  switch (of) {
    // The same again fails again: the object, or the cluster, has to change.
    case FailureClass::kNotImplemented:
    case FailureClass::kValidation:
    case FailureClass::kInvalid:
    case FailureClass::kProtected: return Next::kBlocked;
    default: return Next::kTryAgain;
  }
}

void StepJournal::step(std::string_view verb, std::string_view what, const Fields& /*fields*/) {
  if (verb == "skip") return;
  if (verb == "plan") {
    add_step(planned_, std::string(what));
  } else {
    add_step(done_, step_text(verb, what));
  }
}

void StepJournal::warn(std::string_view what, const Fields& fields) {
  std::string text(what);
  for (const auto& [key, value] : fields) text += fmt::format(" {}={}", key, value);
  add_step(warnings_, std::move(text));
}

std::string StepJournal::listed(const std::vector<std::string>& steps) {
  std::string out;
  for (std::size_t i = 0; i < std::min(steps.size(), kShownSteps); ++i) {
    if (i > 0) out += ", ";
    out += steps[i];
  }
  if (steps.size() > kShownSteps) out += fmt::format(" and {} more", steps.size() - kShownSteps);
  return out;
}

Outcome<std::vector<std::string>> plan_of(
    const provider::Call& call, const std::function<Outcome<>(const provider::Call& dry)>& work) {
  StepJournal journal;
  provider::Call dry = call;
  dry.dry_run = true;
  dry.journal = &journal;
  STRAKE_CHECK(work(dry));
  return journal.planned();
}

StatusDraft::StatusDraft(const ReconcileContext& context, const DeclaredObject& object)
    : context_(context), object_(object), conditions_(object.conditions()) {
  status_.root() = Value::object({});
}

void StatusDraft::set(std::string_view member, Value v) {
  Arena& arena = status_.arena();
  status_.root().set(arena.copy(member), v, arena);
}

void StatusDraft::set_text(std::string_view member, std::string_view text) {
  set(member, text.empty() ? Value() : text_value(text, status_.arena()));
}

void StatusDraft::put(std::string_view type, std::string_view status, std::string_view reason,
                      std::string_view message) {
  set_condition(conditions_,
                {.type = std::string(type),
                 .status = std::string(status),
                 .reason = std::string(reason),
                 .message = std::string(message),
                 .observed_generation = object_.generation,
                 .last_transition_time = {}},
                context_.call.clock->now());
}

void StatusDraft::condition(std::string_view type, bool is_true, std::string_view reason,
                            std::string_view message) {
  put(type, is_true ? "True" : "False", reason, message);
}

void StatusDraft::unknown(std::string_view type, std::string_view reason,
                          std::string_view message) {
  put(type, "Unknown", reason, message);
}

bool StatusDraft::is_true(std::string_view type) const {
  const StatusCondition* found = find_condition(conditions_, type);
  return found != nullptr && found->status == "True";
}

const StatusCondition* StatusDraft::find(std::string_view type) const {
  return find_condition(conditions_, type);
}

Result<> StatusDraft::write(bool observed) {
  Arena& arena = status_.arena();
  if (observed) set("observedGeneration", Value::integer(object_.generation));
  std::ranges::sort(conditions_, {}, &StatusCondition::type);
  Value list = Value::array({});
  for (const StatusCondition& one : conditions_) {
    Value entry = Value::object({});
    entry.set("lastTransitionTime", text_value(one.last_transition_time, arena), arena);
    entry.set("message", text_value(one.message, arena), arena);
    if (one.observed_generation > 0)
      entry.set("observedGeneration", Value::integer(one.observed_generation), arena);
    entry.set("reason", text_value(one.reason, arena), arena);
    entry.set("status", text_value(one.status, arena), arena);
    entry.set("type", text_value(one.type, arena), arena);
    list.append(entry, arena);
  }
  set("conditions", list);
  return context_.access.write_status(object_, status_.root());
}

Outcome<> act(const ReconcileContext& context, const DeclaredObject& object,
              std::string_view reason,
              const std::function<Outcome<>(const provider::Call& call)>& work) {
  StepJournal journal;
  provider::Call call = context.call;
  call.journal = &journal;
  Outcome<> outcome = work(call);
  if (!journal.done().empty())
    context.access.tell(object, EventType::kNormal, reason, StepJournal::listed(journal.done()));
  for (const std::string& one : journal.warnings())
    context.access.tell(object, EventType::kWarning, "ProviderWarning", one);
  return outcome;
}

Result<> put_finalizer(const ReconcileContext& context, const DeclaredObject& object, bool wanted) {
  constexpr int kMostTries = 5;
  Result<> outcome = context.access.set_finalizer(object, wanted);
  for (int tries = 1; tries < kMostTries && !outcome && outcome.error().code() == Code::kConflict;
       ++tries) {
    STRAKE_TRY(const DeclaredPtr fresh, context.access.read(object.key));
    const bool is_there = fresh != nullptr && fresh->uid == object.uid;
    if (!is_there && !wanted) return {};
    if (!is_there) return fail(Code::kNotFound, "{} is gone", to_string(object.key));
    outcome = context.access.set_finalizer(*fresh, wanted);
  }
  return outcome;
}

Result<> hold(const ReconcileContext& context, const DeclaredObject& object,
              const Parents& parents) {
  // From above: what is below is made only when all above it will stay.
  for (const DeclaredPtr& one : parents.objects) STRAKE_CHECK(put_finalizer(context, *one, true));
  return put_finalizer(context, object, true);
}

Next tell_failure(const ReconcileContext& context, const DeclaredObject& object,
                  StatusDraft& status, std::string_view verb, const Failure& failure) {
  // Whoever stops work says nothing about it.
  if (failure.error_class() == FailureClass::kCanceled) return Next::kTryAgain;
  const std::string_view reason = reason_of(failure.error_class());
  const std::string message = fmt::format("{}: {}", verb, failure.message());
  status.condition(kReady, false, reason, message);
  status.condition(kSynced, false, reason, message);
  context.access.tell(object, EventType::kWarning, reason, message);
  return next_after(failure.error_class());
}

Next tell_not_ready(StatusDraft& status, const NotReady& why) {
  status.condition(kReady, false, why.reason, why.message);
  status.condition(kSynced, false, why.reason, why.message);
  return Next::kBlocked;
}

void tell_drift(const ReconcileContext& context, const DeclaredObject& object, StatusDraft& status,
                std::string_view reason, std::string_view message) {
  status.condition(kDrifted, true, reason, message);
  context.access.tell(object, EventType::kWarning, kDrifted, message);
}

void tell_no_drift(StatusDraft& status) {
  const StatusCondition* found = status.find(kDrifted);
  if (found != nullptr && found->status == "True") {
    const std::string was = found->message;
    status.condition(kDrifted, false, "PutRight", was);
  } else if (found == nullptr || found->reason != "PutRight") {
    status.condition(kDrifted, false, "AsDeclared");
  }
}

bool was_synced(const DeclaredObject& object) {
  const Value& seen = object.status().get("observedGeneration");
  return seen.type() == value::Type::kInt && seen.as_int() == object.generation;
}

std::string_view deletion_policy(const DeclaredObject& object) {
  return value::text_of(object.spec(), "deletionPolicy");
}

Next after_write(const Result<>& written, Next next) {
  if (written) return next;
  // Somebody wrote meanwhile, or the server is busy: what was told stands in the next try again.
  log::get("operate").debug("the status was not written", {{"error", written.error()}});
  return Next::kTryAgain;
}

}  // namespace strake::ops
