#include <fmt/format.h>

#include "base/quote.h"
#include "base/rfc3339.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/workloads/job_spec.h"
#include "kinds/workloads/job_status.h"
#include "kinds/workloads/job_template_changes.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/selectors.h"
#include "kinds/workloads/workload_checks.h"
#include "kinds/workloads/workload_strategy.h"
#include "meta/age.h"
#include "meta/names.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using meta::ObjectMeta;
using value::FieldError;
using value::FieldErrors;
using value::Value;

// Labels that tell the pods of a job: each as it was called first, and with a domain.
constexpr std::string_view kOldUid = "controller-uid";
constexpr std::string_view kOldName = "job-name";
constexpr std::string_view kUid = "batch.kubernetes.io/controller-uid";
constexpr std::string_view kName = "batch.kubernetes.io/job-name";

bool selects_by_hand(const Value& spec) { return value::flag_of(spec, "manualSelector"); }

// --- what the server fills in

Value* labels_of(Value& holder) {
  Value* metadata = holder.find("metadata");
  return metadata != nullptr ? metadata->find("labels") : nullptr;
}

// A job without labels has those of its template, as one and the same value: what is added to the
// template is then added to the job, as happens in kube-apiserver 1.36.
void share_template_labels(Value& job, Arena& arena) {
  const Value* labels = template_labels(job.get("spec").get("template"));
  if (labels == nullptr || labels->size() == 0) return;
  Value& metadata = job.object_at("metadata", arena);
  if (members(metadata, "labels").empty()) metadata.set("labels", *labels, arena);
}

// Objects whose name the server makes are copied before that.
bool has_made_name(const Value& job) {
  constexpr std::size_t kSuffix = 5;
  const ObjectMeta metadata = ObjectMeta::of(job);
  const std::string_view prefix = metadata.generate_name();
  return !prefix.empty() && metadata.name().starts_with(prefix) &&
         metadata.name().size() == prefix.size() + kSuffix;
}

bool shares_labels(Value& job, Value& pod_template) {
  const Value* of_job = labels_of(job);
  const Value* of_template = labels_of(pod_template);
  return of_job != nullptr && of_template != nullptr && of_job->size() > 0 &&
         of_job->members().data() == of_template->members().data() && !has_made_name(job);
}

// The selector that finds the pods of this job only, and the labels that it asks for. What the
// client has set stays, and is refused later if it does not fit.
void make_selector(Value& job, Arena& arena) {
  const std::string_view uid = ObjectMeta::of(job).uid();
  const std::string_view name = ObjectMeta::of(job).name();
  Value& spec = job.object_at("spec", arena);
  Value& pod_template = spec.object_at("template", arena);
  const bool shared = shares_labels(job, pod_template);
  Value& template_metadata = pod_template.object_at("metadata", arena);
  Value labels = value::deep_copy(template_metadata.object_at("labels", arena), arena);
  const auto add = [&](std::string_view key, std::string_view text) {
    if (labels.find(key) == nullptr) labels.set(key, Value::string(text), arena);
  };
  add(kOldName, name);
  add(kName, name);
  add(kOldUid, uid);
  add(kUid, uid);
  template_metadata.set("labels", labels, arena);
  if (shared)
    job.object_at("metadata", arena).set("labels", value::deep_copy(labels, arena), arena);
  Value& selected = spec.object_at("selector", arena).object_at("matchLabels", arena);
  if (selected.find(kUid) == nullptr) selected.set(kUid, Value::string(uid), arena);
}

// --- checks

void check_label(const Value& pod_template, std::string_view key, std::string_view wanted,
                 FieldErrors& errors) {
  const FieldPath at = (FieldPath() / "spec" / "template" / "metadata" / "labels").key(key);
  const std::string detail = fmt::format("must be '{}'", wanted);
  const Value* labels = template_labels(pod_template);
  const Value* label = labels != nullptr ? labels->find(key) : nullptr;
  if (label == nullptr) {
    errors.push_back(FieldError::required(at, detail));
  } else if (value::text_of(*label) != wanted) {
    errors.push_back(FieldError::invalid(at, *labels, detail));
  }
}

// The selector is the one that the server makes, and the template has the labels for it. Jobs that
// are older than the labels with a domain need not have those.
void check_made_selector(const Value& job, bool wants_domain, FieldErrors& errors) {
  const Value& spec = job.get("spec");
  const Value* selector = member(spec, "selector");
  if (selects_by_hand(spec) || selector == nullptr) return;
  const std::string_view uid = ObjectMeta::of(job).uid();
  const std::string_view name = ObjectMeta::of(job).name();
  if (uid.empty()) errors.push_back(FieldError::required(FieldPath() / "metadata" / "uid"));
  Arena arena;
  Value expected = Value::object({});
  const auto expect = [&](std::string_view key, std::string_view wanted) {
    check_label(spec.get("template"), key, wanted, errors);
    expected.set(key, Value::string(wanted), arena);
  };
  expect(kOldUid, uid);
  expect(kOldName, name);
  if (wants_domain) {
    expect(kUid, uid);
    expect(kName, name);
  }
  if (selects(selector, &expected).value_or(true)) return;
  errors.push_back(invalid_shown(FieldPath() / "spec" / "selector", show_label_selector(selector),
                                 "`selector` not auto-generated"));
}

// The pods of an indexed job are called after it and their index.
void check_pod_names(const Value& job, FieldErrors& errors) {
  const Value& spec = job.get("spec");
  const std::int64_t completions = integer(spec, "completions");
  if (!is_indexed_job(spec) || completions <= 0) return;
  const std::string_view name = ObjectMeta::of(job).name();
  const std::string last = fmt::format("{}-{}", name, completions - 1);
  if (meta::check_dns1123_label(last).empty()) return;
  errors.push_back(FieldError::invalid(
      FieldPath() / "metadata" / "name", Value::string(name),
      fmt::format("will not able to create pod with invalid DNS label: {}", last)));
}

void check_spec(const Value& spec, const Value* old_spec, const FieldPath& at,
                FieldErrors& errors) {
  check_job_spec(spec, old_spec, at, errors);
  if (const Value* selector = member(spec, "selector")) {
    const Value* before = old_spec != nullptr ? member(*old_spec, "selector") : nullptr;
    check_label_selector(
        *selector, {.allow_invalid_values = before != nullptr && has_invalid_label_value(*before)},
        at / "selector", errors);
  } else {
    errors.push_back(FieldError::required(at / "selector"));
  }
  check_template_is_selected(spec, at, errors);
}

void check_completions_change(const Value& spec, const Value& old, const FieldPath& at,
                              FieldErrors& errors) {
  if (!is_indexed_job(spec)) return check_unchanged(spec, old, "completions", at, errors);
  const Value* completions = member(spec, "completions");
  if (completions == nullptr || same_member(spec, old, "completions") ||
      completions->as_int() == integer(spec, "parallelism")) {
    return;
  }
  errors.push_back(FieldError::invalid(at / "completions", *completions,
                                       "can only be modified in tandem with spec.parallelism"));
}

void check_spec_changes(const Value& job, const Value& old_job, const FieldPath& at,
                        FieldErrors& errors) {
  const Value& spec = job.get("spec");
  const Value& old = old_job.get("spec");
  check_completions_change(spec, old, at, errors);
  check_selector_unchanged(spec, old, at, errors);
  check_job_template_changes(job, old_job, errors);
  for (const std::string_view key : {"completionMode", "backoffLimitPerIndex", "managedBy"})
    check_unchanged(spec, old, key, at, errors);
  const auto check_policy = [&](std::string_view key, std::string_view type) {
    if (same_member(spec, old, key)) return;
    const Value* policy = member(spec, key);
    errors.push_back(invalid_shown(
        at / key, policy != nullptr ? show_go_struct(policy, described_type(type)) : "null",
        "field is immutable"));
  };
  check_policy("podFailurePolicy", "io.k8s.api.batch.v1.PodFailurePolicy");
  check_policy("successPolicy", "io.k8s.api.batch.v1.SuccessPolicy");
}

// --- tables

std::string_view status_word(const Value& job) {
  if (job_has_condition(job, "Complete")) return "Complete";
  if (job_has_condition(job, "Failed")) return "Failed";
  if (ObjectMeta::of(job).is_being_deleted()) return "Terminating";
  for (const std::string_view type : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (job_has_condition(job, type)) return type;
  }
  return "Running";
}

std::string completions_text(const Value& spec, std::int64_t succeeded) {
  if (member(spec, "completions") != nullptr)
    return fmt::format("{}/{}", succeeded, integer(spec, "completions"));
  const std::int64_t parallelism = integer(spec, "parallelism");
  return parallelism > 1 ? fmt::format("{}/1 of {}", succeeded, parallelism)
                         : fmt::format("{}/1", succeeded);
}

std::string duration_text(const Value& status, WallTime now) {
  const std::string_view start = text_of(status, "startTime");
  if (start.empty()) return {};
  const std::string_view end = text_of(status, "completionTime");
  if (end.empty()) return meta::human_age_since(start, now);
  const auto ended = parse_rfc3339(end);
  return ended ? meta::human_age_since(start, ended->to_wall()) : std::string("<invalid>");
}

class JobStrategy final : public WorkloadStrategy {
 public:
  JobStrategy() : WorkloadStrategy("io.k8s.api.batch.v1.Job") {
    std::vector<Column> columns = {
        name_column(), text_column("Status", "How far the job is."),
        text_column("Completions", "How many pods have succeeded, of how many have to."),
        text_column("Duration", "How long the job has taken."), age_column()};
    add_container_columns(columns);
    columns.push_back(selector_column());
    set_columns(std::move(columns));
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = editable_spec(object, arena);
    default_template(spec, arena);
    default_failure_policy(spec, arena);
    if (member(spec, "completions") == nullptr && member(spec, "parallelism") == nullptr)
      spec.set("completions", Value::integer(1), arena);
    set_default(spec, "parallelism", Value::integer(1), arena);
    constexpr std::int64_t kUnlimited = 2'147'483'647;
    const bool limits_each = member(spec, "backoffLimitPerIndex") != nullptr;
    set_default(spec, "backoffLimit", Value::integer(limits_each ? kUnlimited : 6), arena);
    share_template_labels(object, arena);
    set_default(spec, "completionMode", Value::string("NonIndexed"), arena);
    set_default(spec, "suspend", Value::boolean(false), arena);
    const bool has_policy = member(spec, "podFailurePolicy") != nullptr;
    set_default(spec, "podReplacementPolicy",
                Value::string(has_policy ? "Failed" : "TerminatingOrFailed"), arena);
    set_default(spec, "manualSelector", Value::boolean(false), arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest& request) const override {
    if (!selects_by_hand(object.get("spec"))) make_selector(object, arena);
    WorkloadStrategy::prepare_create(object, arena, request);
  }

  // As it is read again.
  void after_accept(Value& object, Arena& arena) const override {
    share_template_labels(object, arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_made_selector(object, true, errors);
    check_spec(object.get("spec"), nullptr, at_spec(), errors);
    check_pod_names(object, errors);
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value* labels = template_labels(old.get("spec").get("template"));
    const bool had_domain =
        labels != nullptr && labels->find(kName) != nullptr && labels->find(kUid) != nullptr;
    check_made_selector(object, had_domain, errors);
    // kube-apiserver 1.36 checks the spec as that of a new job and as that of a changed one.
    for (int i = 0; i < 2; ++i) check_spec(object.get("spec"), &old.get("spec"), at_spec(), errors);
    check_pod_names(object, errors);
    check_spec_changes(object, old, at_spec(), errors);
    return errors;
  }

  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    return check_job_status(object, old);
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    std::vector<std::string> out;
    if (old == nullptr) add_name_warning(object, out);
    if (old == nullptr || !same_member(object, *old, "spec")) {
      add_job_spec_warnings(object.get("spec"), old != nullptr ? &old->get("spec") : nullptr,
                            at_spec(), out);
    }
    return out;
  }

  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {"status.successful"};
    return kLabels;
  }
  std::string unknown_field(std::string_view label) const override {
    return fmt::format("field label {} not supported for Job", quote(label));
  }

  std::optional<Orphans> orphans_by_default() const override {
    return Orphans{
        .warning =
            "child pods are preserved by default when jobs are deleted; set "
            "propagationPolicy=Background to remove them or set propagationPolicy=Orphan to "
            "suppress this warning"};
  }
  std::string field(const Value& object, std::string_view label) const override {
    if (label != "status.successful") return {};
    return std::to_string(integer(object.get("status"), "succeeded"));
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& spec = object.get("spec");
    const Value& status = object.get("status");
    out = {name_cell(object), Value::string(status_word(object)),
           text_cell(completions_text(spec, integer(status, "succeeded")), arena),
           text_cell(duration_text(status, now), arena), age_cell(object, now, arena)};
    add_container_cells(spec.get("template"), out, arena);
    out.push_back(selector_cell(spec, arena));
  }
};

}  // namespace

const BuiltinStrategy& job_strategy() {
  static const JobStrategy& strategy = *new JobStrategy();
  return strategy;
}

}  // namespace strake::kinds
