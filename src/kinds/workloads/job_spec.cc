#include "kinds/workloads/job_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/pods/pod_spec.h"
#include "kinds/workloads/job_policies.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/workload_checks.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::int64_t kMostParallel = 100'000;  // of an indexed job, and indexes that fail
// An indexed job of more pods is held to less of either.
constexpr std::int64_t kManyCompletions = 100'000;
constexpr std::int64_t kMostOfMany = 10'000;

// [scheme-free host]/path, as "acme.io/foo".
void check_domain_prefixed_path(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  constexpr std::string_view kMarks = "/-._~%!$&'()*+,;=:";
  if (text.empty()) return errors.push_back(FieldError::required(at));
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size()) {
    errors.push_back(FieldError::invalid(
        at, Value::string(text), "must be a domain-prefixed path (such as \"acme.io/foo\")"));
    return;
  }
  const std::string_view host = text.substr(0, slash);
  add_messages(meta::check_dns1123_subdomain(host), host, at, errors);
  const std::string_view path = text.substr(slash + 1);
  const bool good = std::ranges::all_of(path, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.contains(c);
  });
  if (good) return;
  errors.push_back(FieldError::invalid(
      at, Value::string(path),
      "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"));
}

void check_managed_by(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostBytes = 63;
  const Value* manager = member(spec, "managedBy");
  if (manager == nullptr) return;
  check_domain_prefixed_path(value::text_of(*manager), at / "managedBy", errors);
  if (manager->size() > kMostBytes)
    errors.push_back(FieldError::too_long(at / "managedBy", kMostBytes));
}

// The checks of one indexed job, all about how large its numbers may be.
class IndexedCheck {
 public:
  IndexedCheck(const Value& spec, const FieldPath& at, FieldErrors& errors)
      : spec_(spec), at_(at), errors_(errors), completions_(member(spec, "completions")) {}

  void run() {
    if (completions_ == nullptr) {
      errors_.push_back(
          FieldError::required(at_ / "completions", "when completion mode is Indexed"));
    }
    at_most("parallelism", kMostParallel,
            "must be less than or equal to 100000 when completion mode is Indexed");
    if (completions_ != nullptr)
      at_most("maxFailedIndexes", completions_->as_int(),
              "must be less than or equal to completions");
    at_most("maxFailedIndexes", kMostParallel, "must be less than or equal to 100000");
    if (completions_ != nullptr && completions_->as_int() > kManyCompletions &&
        member(spec_, "backoffLimitPerIndex") != nullptr) {
      check_many();
    }
  }

 private:
  void check_many() {
    constexpr std::string_view kDetail =
        "must be less than or equal to 10000 when completions are above 100000 and used with "
        "backoff limit per index";
    if (member(spec_, "maxFailedIndexes") == nullptr) {
      errors_.push_back(FieldError::required(at_ / "maxFailedIndexes",
                                             "must be specified when completions is above 100000"));
    }
    at_most("parallelism", kMostOfMany, kDetail);
    at_most("maxFailedIndexes", kMostOfMany, kDetail);
  }

  void at_most(std::string_view key, std::int64_t most, std::string_view detail) {
    const Value* number = member(spec_, key);
    if (number == nullptr || number->as_int() <= most) return;
    errors_.push_back(FieldError::invalid(at_ / key, *number, std::string(detail)));
  }

  const Value& spec_;
  const FieldPath& at_;
  FieldErrors& errors_;
  const Value* completions_;
};

void check_completion_mode(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  check_one_of(spec, "completionMode", {"NonIndexed", "Indexed"}, at, errors);
  const Value* mode = member(spec, "completionMode");
  if (is_indexed_job(spec)) {
    IndexedCheck(spec, at, errors).run();
  } else if (mode == nullptr || value::text_of(*mode) == "NonIndexed") {
    for (const std::string_view key : {"backoffLimitPerIndex", "maxFailedIndexes"}) {
      if (const Value* number = member(spec, key)) {
        errors.push_back(
            FieldError::invalid(at / key, *number, "requires indexed completion mode"));
      }
    }
  }
}

void check_replacement_policy(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  if (member(spec, "podFailurePolicy") != nullptr) {
    check_one_of(spec, "podReplacementPolicy", {"Failed"}, at, errors);
  } else {
    check_one_of(spec, "podReplacementPolicy", {"Failed", "TerminatingOrFailed"}, at, errors);
  }
}

void check_restart_policy(const Value& spec, const FieldPath& at_spec, FieldErrors& errors) {
  const FieldPath at = at_spec / "template" / "spec" / "restartPolicy";
  const std::string_view policy = text_of(spec, {"template", "spec", "restartPolicy"});
  // What is not given has become Always by now.
  if (policy.empty() || policy == "Always") {
    errors.push_back(FieldError::required(at, R"(valid values: "OnFailure", "Never")"));
  } else if (policy != "OnFailure" && policy != "Never") {
    errors.push_back(not_supported(at, policy, {"OnFailure", "Never"}));
  } else if (member(spec, "podFailurePolicy") != nullptr && policy != "Never") {
    errors.push_back(
        FieldError::invalid(at, Value::string(policy),
                            R"(only "Never" is supported when podFailurePolicy is specified)"));
  }
}

}  // namespace

bool is_indexed_job(const Value& spec) { return text_of(spec, "completionMode") == "Indexed"; }

void default_failure_policy(Value& spec, Arena& arena) {
  Value* policy = spec.find("podFailurePolicy");
  Value* rules = policy != nullptr ? policy->find("rules") : nullptr;
  if (rules == nullptr) return;
  for (Value& rule : rules->mutable_items()) {
    Value* conditions = rule.find("onPodConditions");
    if (conditions == nullptr) continue;
    for (Value& condition : conditions->mutable_items()) {
      if (condition.is_object() && text_of(condition, "status").empty())
        condition.set("status", Value::string("True"), arena);
    }
  }
}

void check_job_spec(const Value& spec, const Value* old_spec, const FieldPath& at,
                    FieldErrors& errors) {
  check_not_negative(spec,
                     {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
                      "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"},
                     at, errors);
  if (member(spec, "maxFailedIndexes") != nullptr &&
      member(spec, "backoffLimitPerIndex") == nullptr) {
    errors.push_back(
        FieldError::required(at / "backoffLimitPerIndex", "when maxFailedIndexes is specified"));
  }
  check_managed_by(spec, at, errors);
  check_completion_mode(spec, at, errors);
  check_failure_policy(spec, at, errors);
  check_success_policy(spec, at, errors);
  check_replacement_policy(spec, at, errors);
  check_pod_template(
      spec.get("template"),
      {.in_template = true,
       .old_spec = old_spec != nullptr ? member(*old_spec, {"template", "spec"}) : nullptr},
      at / "template", errors);
  check_restart_policy(spec, at, errors);
}

void add_job_spec_warnings(const Value& spec, const Value* old_spec, const FieldPath& at,
                           std::vector<std::string>& out) {
  if (is_indexed_job(spec) && integer(spec, "completions") > kManyCompletions &&
      integer(spec, "parallelism") > kMostOfMany) {
    out.push_back(fmt::format(
        "{}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism "
        "higher than 10^4, Kubernetes might not be able to track completedIndexes when a big "
        "number of indexes fail",
        at.to_k8s()));
  }
  add_template_warnings(spec, old_spec, at, out);
}

}  // namespace strake::kinds
