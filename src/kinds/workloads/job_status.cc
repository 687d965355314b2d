#include "kinds/workloads/job_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/rfc3339.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/workloads/job_indexes.h"
#include "kinds/workloads/job_spec.h"
#include "kinds/workloads/workload_checks.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// What the conditions of a job say.
struct Outcome {
  explicit Outcome(const Value& job)
      : complete(job_has_condition(job, "Complete")),
        failed(job_has_condition(job, "Failed")),
        failure_target(job_has_condition(job, "FailureTarget")),
        criteria_met(job_has_condition(job, "SuccessCriteriaMet")) {}

  bool finished() const { return complete || failed; }

  bool complete;
  bool failed;
  bool failure_target;
  bool criteria_met;
};

bool has_condition(const Value& job, std::string_view type, std::string_view status) {
  return std::ranges::any_of(items(job.get("status"), "conditions"), [&](const Value& one) {
    return text_of(one, "type") == type && text_of(one, "status") == status;
  });
}

class JobStatusCheck {
 public:
  JobStatusCheck(const Value& job, const Value& old)
      : spec_(job.get("spec")),
        status_(job.get("status")),
        old_status_(old.get("status")),
        now_(job),
        before_(old),
        resumes_(has_condition(old, "Suspended", "True") &&
                 has_condition(job, "Suspended", "False")),
        completions_(member(spec_, "completions")) {}

  FieldErrors run() {
    check_not_negative(status_, {"active", "succeeded", "failed", "ready", "terminating"}, at_,
                       errors_);
    check_uncounted();
    check_conditions();
    check_times();
    check_finished();
    check_indexes();
    check_ready();
    check_changes();
    return std::move(errors_);
  }

 private:
  bool changed(std::string_view key) const { return !same_member(status_, old_status_, key); }
  bool has(std::string_view key) const { return member(status_, key) != nullptr; }
  std::int64_t number(std::string_view key) const { return integer(status_, key); }
  void refuse_conditions(std::string detail) {
    errors_.push_back(invalid_unshown(at_ / "conditions", std::move(detail)));
  }
  void refuse(std::string_view key, std::string detail) {
    errors_.push_back(FieldError::invalid(at_ / key, status_.get(key), std::move(detail)));
  }

  void check_uncounted() {
    const Value* uncounted = member(status_, "uncountedTerminatedPods");
    if (uncounted == nullptr) return;
    std::unordered_set<std::string_view> seen;
    for (const std::string_view key : {"succeeded", "failed"}) {
      const auto uids = items(*uncounted, key);
      for (std::size_t i = 0; i < uids.size(); ++i) {
        const FieldPath at = at_ / "uncountedTerminatedPods" / key / i;
        const std::string_view uid = value::text_of(uids[i]);
        if (uid.empty()) {
          errors_.push_back(FieldError::invalid(at, uids[i], "must not be empty"));
        } else if (!seen.insert(uid).second) {
          errors_.push_back(FieldError::duplicate(at, uids[i]));
        }
      }
    }
  }

  void check_conditions() {
    const bool complete_changes = now_.complete != before_.complete;
    const bool failed_changes = now_.failed != before_.failed;
    if ((complete_changes || failed_changes) && now_.complete && now_.failed)
      refuse_conditions("cannot set Complete=True and Failed=true conditions");
    if ((complete_changes || now_.failure_target != before_.failure_target) && now_.complete &&
        now_.failure_target) {
      refuse_conditions("cannot set Complete=True and FailureTarget=true conditions");
    }
    if ((failed_changes || changed("failedIndexes")) && now_.failed && !now_.failure_target) {
      refuse_conditions(
          "cannot set Failed=True condition without the FailureTarget=true condition");
    }
    if ((complete_changes || now_.criteria_met != before_.criteria_met) && now_.complete &&
        !now_.criteria_met) {
      refuse_conditions(
          "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
    }
    if (now_.criteria_met && now_.failed)
      refuse_conditions("cannot set SuccessCriteriaMet=True and Failed=true conditions");
    if (now_.criteria_met && now_.failure_target)
      refuse_conditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
    if (member(spec_, "successPolicy") != nullptr && !now_.criteria_met && now_.complete) {
      refuse_conditions(
          "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
    }
  }

  void check_times() {
    const bool completion_changes = changed("completionTime");
    if (now_.complete != before_.complete || completion_changes) {
      if (has("completionTime") && !now_.complete) {
        refuse("completionTime",
               "cannot set completionTime when there is no Complete=True condition");
      } else if (!has("completionTime") && now_.complete) {
        errors_.push_back(FieldError::required(at_ / "completionTime",
                                               "completionTime is required for Complete jobs"));
      }
    }
    if ((changed("startTime") || completion_changes) && completes_before_start())
      refuse("completionTime", "must be equal to or after `startTime`");
  }

  bool completes_before_start() const {
    const auto start = parse_rfc3339(text_of(status_, "startTime"));
    const auto end = parse_rfc3339(text_of(status_, "completionTime"));
    return start && end && end->to_wall() < start->to_wall();
  }

  void check_finished() {
    if (!now_.finished()) return;
    const bool changes = now_.finished() != before_.finished();
    if ((changes || changed("active")) && number("active") > 0)
      refuse("active", "active>0 is invalid for finished job");
    const bool needs_no_start =
        value::flag_of(spec_, "suspend") && completions_ != nullptr && completions_->as_int() == 0;
    if ((changes || changed("startTime")) && !needs_no_start && !has("startTime")) {
      errors_.push_back(
          FieldError::required(at_ / "startTime", "startTime is required for finished job"));
    }
    if ((changes || changed("uncountedTerminatedPods")) && has_uncounted()) {
      errors_.push_back(invalid_shown(
          at_ / "uncountedTerminatedPods",
          show_go_struct(member(status_, "uncountedTerminatedPods"),
                         described_type("io.k8s.api.batch.v1.UncountedTerminatedPods")),
          "must be empty for finished job"));
    }
    if ((changes || changed("terminating")) && number("terminating") > 0)
      refuse("terminating", "terminating>0 is invalid for finished job");
  }

  bool has_uncounted() const {
    const Value& uncounted = status_.get("uncountedTerminatedPods");
    return !items(uncounted, "succeeded").empty() || !items(uncounted, "failed").empty();
  }

  void check_indexes() {
    const bool has_limit = member(spec_, "backoffLimitPerIndex") != nullptr;
    if (changed("completedIndexes")) {
      check_index_list("completedIndexes");
      if (!text_of(status_, "completedIndexes").empty() && !is_indexed_job(spec_)) {
        refuse("completedIndexes",
               "cannot set non-empty completedIndexes when non-indexed completion mode");
      }
    }
    if (changed("failedIndexes")) {
      if (has_limit) check_index_list("failedIndexes");
      if (!has_limit && has("failedIndexes")) {
        refuse("failedIndexes",
               "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
      }
    }
    if (!changed("completedIndexes") && !changed("failedIndexes")) return;
    if (completions_ == nullptr || !has("failedIndexes")) return;
    const auto apart = check_no_overlap(text_of(status_, "completedIndexes"),
                                        text_of(status_, "failedIndexes"), completions_->as_int());
    if (!apart) refuse("failedIndexes", apart.error().message());
  }

  void check_index_list(std::string_view key) {
    if (completions_ == nullptr || !has(key)) return;
    const auto count = count_indexes(text_of(status_, key), completions_->as_int());
    if (!count) refuse(key, fmt::format("error parsing {}: {}", key, count.error().message()));
  }

  void check_ready() {
    if ((changed("ready") || changed("active")) && number("ready") > number("active"))
      refuse("ready", "cannot set more ready pods than active");
  }

  // What cannot be taken back.
  void check_changes() {
    struct Terminal {
      std::string_view type;
      bool before;
      bool now;
    };
    for (const Terminal& one :
         {Terminal{"Failed", before_.failed, now_.failed},
          Terminal{"Complete", before_.complete, now_.complete},
          Terminal{"FailureTarget", before_.failure_target, now_.failure_target}}) {
      if (one.before && !one.now)
        refuse_conditions(fmt::format("cannot disable the terminal {}=True condition", one.type));
    }
    if (before_.criteria_met && !now_.criteria_met)
      refuse_conditions("cannot disable the SuccessCriteriaMet=True condition");
    if (before_.complete && !before_.criteria_met && now_.criteria_met) {
      refuse_conditions(
          "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
    }
    check_counters();
    if (has("completionTime") && member(old_status_, "completionTime") != nullptr &&
        changed("completionTime")) {
      refuse("completionTime", "field is immutable");
    }
    if (changed("startTime") && !resumes_ && member(old_status_, "startTime") != nullptr &&
        !value::flag_of(spec_, "suspend")) {
      refuse("startTime", "field is immutable for unsuspended job once set");
    }
  }

  void check_counters() {
    const auto check = [&](std::string_view key) {
      if (number(key) >= integer(old_status_, key)) return;
      errors_.push_back(FieldError::invalid(at_ / key, Value::integer(number(key)),
                                            fmt::format("cannot decrease the {} counter", key)));
    };
    check("failed");
    // An indexed job of as many pods as indexes may be made smaller.
    if (!is_indexed_job(spec_) || !same_number("completions", "parallelism")) check("succeeded");
  }

  bool same_number(std::string_view a, std::string_view b) const {
    const Value* first = member(spec_, a);
    const Value* second = member(spec_, b);
    if (first == nullptr || second == nullptr) return first == second;
    return first->as_int() == second->as_int();
  }

  const FieldPath at_ = FieldPath() / "status";
  const Value& spec_;
  const Value& status_;
  const Value& old_status_;
  const Outcome now_;
  const Outcome before_;
  const bool resumes_;
  const Value* completions_;
  FieldErrors errors_;
};

}  // namespace

bool job_has_condition(const Value& job, std::string_view type) {
  return has_condition(job, type, "True");
}

FieldErrors check_job_status(const Value& job, const Value& old) {
  return JobStatusCheck(job, old).run();
}

}  // namespace strake::kinds
