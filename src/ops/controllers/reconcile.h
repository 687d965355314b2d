#pragma once
// What all reconcilers share: whom they ask and write to, what came of a look at an object, and the
// status that they tell. A reconciler is a function of one object as it is declared; it keeps
// nothing, so that the next leader goes on where one was killed.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/cases/session.h"
#include "ops/controllers/declared.h"
#include "ops/controllers/object_access.h"
#include "ops/controllers/parents.h"
#include "provider/call.h"
#include "provider/registry.h"
#include "value/document.h"

namespace strake::ops {

struct ReconcileContext {
  const DeclaredObjects& declared;
  ObjectAccess& access;
  const provider::Registry& drivers;
  const provider::DriverEnvironment& environment;
  provider::ExternalCalls& calls;
  provider::Call call;  // with a clock

  Session session(const Parents& parents) const {
    return {
        .store = *parents.store, .drivers = drivers, .environment = environment, .calls = calls};
  }
};

enum class Next : std::uint8_t {
  kSettled,   // nothing to do; looked at again after a while, since providers do not tell
  kBlocked,   // nothing to do before somebody changes something
  kTryAgain,  // after a pause
  kGone,      // nothing to do ever
};

// Reasons of conditions, by the class of a failure: "Protected", "NotImplemented".
std::string_view reason_of(provider::FailureClass of);
// What to do about it.
Next next_after(provider::FailureClass of);

// Listens to use cases: steps that were done, and those that a dry run plans.
class StepJournal final : public provider::Journal {
 public:
  void step(std::string_view verb, std::string_view what, const Fields& fields) override;
  void warn(std::string_view what, const Fields& fields) override;

  const std::vector<std::string>& planned() const { return planned_; }
  const std::vector<std::string>& done() const { return done_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  // "create cluster, start server"; long lists are cut.
  static std::string listed(const std::vector<std::string>& steps);

 private:
  std::vector<std::string> planned_;
  std::vector<std::string> done_;
  std::vector<std::string> warnings_;
};

// What a dry run of it would do.
provider::Outcome<std::vector<std::string>> plan_of(
    const provider::Call& call,
    const std::function<provider::Outcome<>(const provider::Call& dry)>& work);

// The status of one object while it is looked at. Members that are not set here stay as they are.
class StatusDraft {
 public:
  StatusDraft(const ReconcileContext& context, const DeclaredObject& object);

  // Null removes it.
  void set(std::string_view member, value::Value v);
  void set_text(std::string_view member, std::string_view text);  // empty removes it
  void condition(std::string_view type, bool is_true, std::string_view reason,
                 std::string_view message = {});
  void unknown(std::string_view type, std::string_view reason, std::string_view message);
  bool is_true(std::string_view type) const;
  const StatusCondition* find(std::string_view type) const;  // null when there is none

  // With observedGeneration when `observed`: everything was looked at.
  Result<> write(bool observed);

 private:
  void put(std::string_view type, std::string_view status, std::string_view reason,
           std::string_view message);

  const ReconcileContext& context_;
  const DeclaredObject& object_;
  value::Document status_;
  std::vector<StatusCondition> conditions_;
};

// An action with its event: `reason` in the past ("Provisioned"), with the steps that were done.
provider::Outcome<> act(const ReconcileContext& context, const DeclaredObject& object,
                        std::string_view reason,
                        const std::function<provider::Outcome<>(const provider::Call& call)>& work);

// As ObjectAccess has it, of the object as it is now: a status may have been written since it was
// read.
Result<> put_finalizer(const ReconcileContext& context, const DeclaredObject& object, bool wanted);
// Sees to it that nothing above the object, nor the object itself, can go before it is cleaned up.
Result<> hold(const ReconcileContext& context, const DeclaredObject& object,
              const Parents& parents);

// Why it is not ready, in its conditions Ready and Synced and as an event, and what is next.
Next tell_failure(const ReconcileContext& context, const DeclaredObject& object,
                  StatusDraft& status, std::string_view verb, const provider::Failure& failure);
Next tell_not_ready(StatusDraft& status, const NotReady& why);

// What differs from what is declared: told before it is put right, and after.
void tell_drift(const ReconcileContext& context, const DeclaredObject& object, StatusDraft& status,
                std::string_view reason, std::string_view message);
// Nothing differs now.
void tell_no_drift(StatusDraft& status);

// It was looked at, and found as declared, in this generation before: what differs now has drifted.
bool was_synced(const DeclaredObject& object);
std::string_view deletion_policy(const DeclaredObject& object);
// What is next when the status could be written, or not.
Next after_write(const Result<>& written, Next next);

inline constexpr std::string_view kReady = "Ready";
inline constexpr std::string_view kSynced = "Synced";
inline constexpr std::string_view kDrifted = "Drifted";

}  // namespace strake::ops
