#include <fmt/format.h>

#include <algorithm>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/workloads/cron_schedule.h"
#include "kinds/workloads/job_spec.h"
#include "kinds/workloads/pod_templates.h"
#include "kinds/workloads/selectors.h"
#include "kinds/workloads/time_zones.h"
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

const Value& job_spec_of(const Value& spec) { return spec.get("jobTemplate").get("spec"); }

// A zone in the schedule itself is only left where it was before there was a field for it.
void check_schedule(const Value& spec, const Value* old_spec, const FieldPath& at_spec,
                    FieldErrors& errors) {
  const FieldPath at = at_spec / "schedule";
  const std::string_view schedule = text_of(spec, "schedule");
  if (schedule.empty()) return errors.push_back(FieldError::required(at));
  const auto refuse = [&](std::string detail) {
    errors.push_back(FieldError::invalid(at, Value::string(schedule), std::move(detail)));
  };
  if (const auto read = check_cron_schedule(schedule); !read) refuse(read.error().message());
  if (!schedule.contains("TZ")) return;
  if (old_spec == nullptr || !text_of(*old_spec, "schedule").contains("TZ")) {
    refuse("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (member(spec, "timeZone") != nullptr) {
    refuse("cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
}

// A part of the name of a time zone.
bool is_zone_part(std::string_view part) {
  constexpr std::size_t kMostBytes = 14;
  if (part.empty() || part.size() > kMostBytes || part == "." || part == ".." ||
      part.starts_with('-')) {
    return false;
  }
  return std::ranges::all_of(part, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-_+").contains(c);
  });
}

bool is_zone_name(std::string_view name) {
  while (true) {
    const std::size_t slash = name.find('/');
    if (!is_zone_part(name.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

void check_time_zone(const Value& spec, const FieldPath& at_spec, FieldErrors& errors) {
  const Value* zone = member(spec, "timeZone");
  if (zone == nullptr) return;
  const std::string_view name = value::text_of(*zone);
  const auto refuse = [&](std::string detail) {
    errors.push_back(FieldError::invalid(at_spec / "timeZone", *zone, std::move(detail)));
  };
  if (name.empty()) return refuse("timeZone must be nil or non-empty string");
  if (!is_zone_name(name)) return refuse(fmt::format("unknown time zone {}", name));
  if (meta::to_lower_ascii(name) == "local") {
    refuse("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  if (const auto found = find_time_zone(name); !found) refuse(found.error().message());
}

void check_concurrency(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  check_text_is_one_of(text_of(spec, "concurrencyPolicy"), {"Allow", "Forbid", "Replace"},
                       at / "concurrencyPolicy", errors);
}

// The job that is made has its selector made too.
void check_job_template(const Value& spec, const Value* old_spec, const FieldPath& at_spec,
                        FieldErrors& errors) {
  const FieldPath at = at_spec / "jobTemplate" / "spec";
  const Value& job = job_spec_of(spec);
  check_job_spec(job, old_spec != nullptr ? &job_spec_of(*old_spec) : nullptr, at, errors);
  if (const Value* selector = member(job, "selector")) {
    errors.push_back(invalid_shown(at / "selector", show_label_selector(selector),
                                   "`selector` will be auto-generated"));
  }
  if (value::flag_of(job, "manualSelector"))
    errors.push_back(not_supported_shown(at / "manualSelector", "true", {"nil", "false"}));
}

FieldErrors check_spec(const Value& spec, const Value* old_spec, const FieldPath& at) {
  FieldErrors errors;
  check_schedule(spec, old_spec, at, errors);
  check_not_negative(
      spec, {"startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"}, at,
      errors);
  if (old_spec == nullptr || !same_member(spec, *old_spec, "timeZone"))
    check_time_zone(spec, at, errors);
  check_concurrency(spec, at, errors);
  check_job_template(spec, old_spec, at, errors);
  return errors;
}

class CronJobStrategy final : public WorkloadStrategy {
 public:
  CronJobStrategy() : WorkloadStrategy("io.k8s.api.batch.v1.CronJob") {
    std::vector<Column> columns = {
        name_column(),
        text_column("Schedule", "When jobs are made."),
        text_column("Timezone", "Where that is the time."),
        {.name = "Suspend", .type = "boolean", .description = "Whether no more jobs are made."},
        number_column("Active", "How many jobs are running."),
        text_column("Last Schedule", "When a job was made last."),
        age_column()};
    add_container_columns(columns);
    columns.push_back(selector_column());
    set_columns(std::move(columns));
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = editable_spec(object, arena);
    Value& job = spec.object_at("jobTemplate", arena).object_at("spec", arena);
    default_template(job, arena);
    default_failure_policy(job, arena);
    set_default_text(spec, "concurrencyPolicy", "Allow", arena);
    set_default(spec, "suspend", Value::boolean(false), arena);
    set_default(spec, "successfulJobsHistoryLimit", Value::integer(3), arena);
    set_default(spec, "failedJobsHistoryLimit", Value::integer(1), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    // The time is put behind it to make the name of a job.
    constexpr std::size_t kLongestName = 52;
    FieldErrors errors = check_spec(object.get("spec"), nullptr, at_spec());
    const std::string_view name = ObjectMeta::of(object).name();
    if (name.size() > kLongestName) {
      errors.push_back(FieldError::invalid(FieldPath() / "metadata" / "name", Value::string(name),
                                           "must be no more than 52 characters"));
    }
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    return check_spec(object.get("spec"), &old.get("spec"), at_spec());
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    std::vector<std::string> out;
    const Value& spec = object.get("spec");
    const FieldPath at = at_spec() / "jobTemplate" / "spec";
    if (old == nullptr) {
      add_name_warning(object, out);
      add_job_spec_warnings(job_spec_of(spec), nullptr, at, out);
      return out;
    }
    if (!same_member(object, *old, "spec"))
      add_job_spec_warnings(job_spec_of(spec), &job_spec_of(old->get("spec")), at, out);
    if (text_of(spec, "schedule").contains("TZ")) {
      out.emplace_back(
          "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see "
          "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details");
    }
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& spec = object.get("spec");
    const Value& status = object.get("status");
    const Value& job = job_spec_of(spec);
    const Value* zone = member(spec, "timeZone");
    const std::string_view last = text_of(status, "lastScheduleTime");
    const auto or_none = [&](std::string text) {
      return text.empty() ? Value::string("<none>") : text_cell(text, arena);
    };
    out = {name_cell(object),
           text_cell(text_of(spec, "schedule"), arena),
           zone != nullptr ? text_cell(value::text_of(*zone), arena) : Value::string("<none>"),
           suspend_cell(spec),
           Value::integer(static_cast<std::int64_t>(items(status, "active").size())),
           or_none(last.empty() ? std::string() : meta::human_age_since(last, now)),
           age_cell(object, now, arena)};
    add_container_cells(job.get("template"), out, arena);
    out.push_back(selector_cell(job, arena));
  }

 private:
  static Value suspend_cell(const Value& spec) {
    const Value* suspend = member(spec, "suspend");
    if (suspend == nullptr) return Value::string("<unset>");
    return Value::string(suspend->as_bool() ? "True" : "False");
  }
};

}  // namespace

const BuiltinStrategy& cron_job_strategy() {
  static const CronJobStrategy& strategy = *new CronJobStrategy();
  return strategy;
}

}  // namespace strake::kinds
