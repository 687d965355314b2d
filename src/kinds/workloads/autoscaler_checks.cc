#include "kinds/workloads/autoscaler_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/resource_names.h"
#include "kinds/workloads/workload_checks.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::int64_t kMostPeriodSeconds = 1800;
constexpr std::int64_t kMostWindowSeconds = 3600;

struct ReferenceOptions {
  bool allow_core_group = false;
  bool allow_invalid_version = false;
};

// What is wrong with an apiVersion; nothing when it is good.
std::optional<std::string> version_fault(std::string_view text, bool allow_core_group) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos && text != "/" &&
      text.find('/', slash + 1) != std::string_view::npos) {
    return fmt::format("unexpected GroupVersion string: {}", text);
  }
  const bool has_group = slash != std::string_view::npos && slash > 0;
  if (has_group || allow_core_group) return std::nullopt;
  return "apiVersion must specify API group";
}

void check_path_segment(const Value& holder, std::string_view key, std::string_view missing,
                        const FieldPath& at, FieldErrors& errors) {
  const std::string_view text = text_of(holder, key);
  if (text.empty()) return errors.push_back(FieldError::required(at / key, std::string(missing)));
  add_messages(meta::check_path_segment_name(text), text, at / key, errors);
}

void check_reference(const Value& reference, const ReferenceOptions& options, const FieldPath& at,
                     FieldErrors& errors) {
  check_path_segment(reference, "kind", "", at, errors);
  check_path_segment(reference, "name", "", at, errors);
  if (options.allow_invalid_version) return;
  const std::string_view version = text_of(reference, "apiVersion");
  if (auto fault = version_fault(version, options.allow_core_group)) {
    errors.push_back(
        FieldError::invalid(at / "apiVersion", Value::string(version), *std::move(fault)));
  }
}

void check_target(const Value& target, const FieldPath& at, FieldErrors& errors) {
  const std::string_view type = text_of(target, "type");
  if (type.empty())
    errors.push_back(FieldError::required(at / "type", "must specify a metric target type"));
  if (type != "Utilization" && type != "Value" && type != "AverageValue") {
    errors.push_back(FieldError::invalid(at / "type", Value::string(type),
                                         "must be either Utilization, Value, or AverageValue"));
  }
  for (const std::string_view key : {"value", "averageValue"}) {
    const Value* amount = member(target, key);
    if (amount != nullptr && amount_of(*amount).sign() != 1)
      errors.push_back(FieldError::invalid(at / key, *amount, "must be positive"));
  }
  const Value* utilization = member(target, "averageUtilization");
  if (utilization != nullptr && utilization->as_int() < 1) {
    errors.push_back(
        FieldError::invalid(at / "averageUtilization", *utilization, "must be greater than 0"));
  }
}

// One metric of a spec.
class MetricCheck {
 public:
  MetricCheck(const Value& metric, const ReferenceOptions& options, const FieldPath& at,
              FieldErrors& errors)
      : metric_(metric), options_(options), at_(at), errors_(errors) {}

  void run() {
    struct Source {
      std::string_view key;
      std::string_view type;
      void (MetricCheck::*check)(const Value& source, const FieldPath& at);
    };
    constexpr Source kSources[] = {
        {"object", "Object", &MetricCheck::check_object},
        {"external", "External", &MetricCheck::check_external},
        {"pods", "Pods", &MetricCheck::check_pods},
        {"resource", "Resource", &MetricCheck::check_resource},
        {"containerResource", "ContainerResource", &MetricCheck::check_container},
    };
    const std::string_view type = text_of(metric_, "type");
    if (type.empty()) {
      errors_.push_back(FieldError::required(at_ / "type", "must specify a metric source type"));
    }
    std::vector<std::string_view> present;
    std::string_view expected;
    for (const Source& source : kSources) {
      const Value* found = member(metric_, source.key);
      if (type == source.type) expected = source.key;
      if (found == nullptr) continue;
      present.push_back(source.key);
      // The first one is looked at; others should not be there.
      if (present.size() == 1) (this->*source.check)(*found, at_ / source.key);
    }
    check_type(type, expected);
    if (present.size() == 1) return;
    for (const std::string_view key : present) {
      if (key == expected) continue;
      errors_.push_back(
          FieldError::forbidden(at_ / key, "must populate the given metric source only"));
    }
  }

 private:
  void check_type(std::string_view type, std::string_view expected) {
    if (!expected.empty()) {
      if (member(metric_, expected) != nullptr) return;
      errors_.push_back(FieldError::required(
          at_ / expected, "must populate information for the given metric source"));
      return;
    }
    // kube-apiserver 1.36 comes to it twice.
    for (int i = 0; i < 2; ++i) {
      errors_.push_back(not_supported(
          at_ / "type", type, {"ContainerResource", "External", "Object", "Pods", "Resource"}));
    }
  }

  void check_identified(const Value& source, const FieldPath& at) {
    check_path_segment(source.get("metric"), "name", "must specify a metric name", at / "metric",
                       errors_);
    check_target(source.get("target"), at / "target", errors_);
  }
  static bool has(const Value& source, std::string_view key) {
    return member(source, {"target", key}) != nullptr;
  }
  void require(std::string_view key, std::string_view detail, const FieldPath& at) {
    errors_.push_back(FieldError::required(at / "target" / key, std::string(detail)));
  }
  void forbid(std::string_view key, std::string_view detail, const FieldPath& at) {
    errors_.push_back(FieldError::forbidden(at / "target" / key, std::string(detail)));
  }

  void check_object(const Value& source, const FieldPath& at) {
    check_reference(source.get("describedObject"), options_, at / "describedObject", errors_);
    check_identified(source, at);
    if (!has(source, "value") && !has(source, "averageValue"))
      require("averageValue", "must set either a target value or averageValue", at);
  }

  void check_external(const Value& source, const FieldPath& at) {
    check_identified(source, at);
    const bool has_value = has(source, "value");
    const bool has_average = has(source, "averageValue");
    if (!has_value && !has_average) {
      require("averageValue", "must set either a target value for metric or a per-pod target", at);
    } else if (has_value && has_average) {
      forbid("value", "may not set both a target value for metric and a per-pod target", at);
    }
  }

  void check_pods(const Value& source, const FieldPath& at) {
    check_identified(source, at);
    if (!has(source, "averageValue"))
      require("averageValue", "must specify a positive target averageValue", at);
  }

  void check_amounts(const Value& source, const FieldPath& at) {
    check_target(source.get("target"), at / "target", errors_);
    const bool has_utilization = has(source, "averageUtilization");
    const bool has_average = has(source, "averageValue");
    if (!has_utilization && !has_average) {
      require("averageUtilization", "must set either a target raw value or a target utilization",
              at);
    } else if (has_utilization && has_average) {
      forbid("averageValue", "may not set both a target raw value and a target utilization", at);
    }
  }

  void check_resource(const Value& source, const FieldPath& at) {
    if (text_of(source, "name").empty())
      errors_.push_back(FieldError::required(at / "name", "must specify a resource name"));
    check_amounts(source, at);
  }

  void check_container(const Value& source, const FieldPath& at) {
    const std::string_view name = text_of(source, "name");
    if (name.empty()) {
      errors_.push_back(FieldError::required(at / "name", "must specify a resource name"));
    } else {
      check_container_resource_name(name, at / "name", errors_);
    }
    const std::string_view container = text_of(source, "container");
    if (container.empty()) {
      errors_.push_back(FieldError::required(at / "container", "must specify a container"));
    } else {
      add_messages(meta::check_dns1123_label(container), container, at / "container", errors_);
    }
    check_amounts(source, at);
  }

  const Value& metric_;
  const ReferenceOptions& options_;
  const FieldPath& at_;
  FieldErrors& errors_;
};

void check_metrics(const Value& spec, const ReferenceOptions& options, const FieldPath& at_spec,
                   FieldErrors& errors) {
  const auto metrics = items(spec, "metrics");
  const FieldPath at = at_spec / "metrics";
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const FieldPath at_metric = at / i;
    MetricCheck(metrics[i], options, at_metric, errors).run();
  }
  const bool can_be_none = std::ranges::any_of(metrics, [](const Value& metric) {
    const std::string_view type = text_of(metric, "type");
    return type == "Object" || type == "External";
  });
  const Value* least = member(spec, "minReplicas");
  if (least != nullptr && least->as_int() == 0 && !can_be_none) {
    errors.push_back(FieldError::forbidden(
        at,
        "must specify at least one Object or External metric to support scaling to zero replicas"));
  }
}

void check_policy(const Value& policy, const FieldPath& at, FieldErrors& errors) {
  check_text_is_one_of(text_of(policy, "type"), {"Percent", "Pods"}, at / "type", errors);
  for (const std::string_view key : {"value", "periodSeconds"}) {
    if (integer(policy, key) > 0) continue;
    errors.push_back(FieldError::invalid(at / key, Value::integer(integer(policy, key)),
                                         "must be greater than zero"));
  }
  const std::int64_t period = integer(policy, "periodSeconds");
  if (period > kMostPeriodSeconds) {
    errors.push_back(
        FieldError::invalid(at / "periodSeconds", Value::integer(period),
                            fmt::format("must be less than or equal to {}", kMostPeriodSeconds)));
  }
}

void check_rules(const Value* rules, const FieldPath& at, FieldErrors& errors) {
  if (rules == nullptr) return;
  if (const Value* window = member(*rules, "stabilizationWindowSeconds")) {
    const auto refuse = [&](std::string detail) {
      errors.push_back(
          FieldError::invalid(at / "stabilizationWindowSeconds", *window, std::move(detail)));
    };
    if (window->as_int() < 0) refuse("must be greater than or equal to zero");
    if (window->as_int() > kMostWindowSeconds)
      refuse(fmt::format("must be less than or equal to {}", kMostWindowSeconds));
  }
  check_one_of(*rules, "selectPolicy", {"Disabled", "Max", "Min"}, at, errors);
  const auto policies = items(*rules, "policies");
  if (policies.empty())
    errors.push_back(FieldError::required(at / "policies", "must specify at least one Policy"));
  for (std::size_t i = 0; i < policies.size(); ++i)
    check_policy(policies[i], at / "policies" / i, errors);
  if (const Value* tolerance = member(*rules, "tolerance");
      tolerance != nullptr && amount_of(*tolerance).sign() < 0) {
    errors.push_back(
        FieldError::invalid(at / "tolerance", *tolerance, "must be greater than or equal to 0"));
  }
}

void check_bounds(const Value& spec, const Value* old_spec, const FieldPath& at,
                  FieldErrors& errors) {
  const Value* least = member(spec, "minReplicas");
  const std::int64_t most = integer(spec, "maxReplicas");
  const Value* old_least = old_spec != nullptr ? member(*old_spec, "minReplicas") : nullptr;
  // Scaling to zero is not yet for everybody.
  const std::int64_t bound = old_least != nullptr && old_least->as_int() == 0 ? 0 : 1;
  const auto refuse_most = [&](std::string detail) {
    errors.push_back(
        FieldError::invalid(at / "maxReplicas", Value::integer(most), std::move(detail)));
  };
  if (least != nullptr && least->as_int() < bound) {
    errors.push_back(FieldError::invalid(
        at / "minReplicas", *least, fmt::format("must be greater than or equal to {}", bound)));
  }
  if (most == 0) {
    errors.push_back(FieldError::required(at / "maxReplicas", "must be set and greater than 0"));
  } else if (most < 0) {
    refuse_most("must be greater than or equal to 1");
  }
  if (least != nullptr && most < least->as_int())
    refuse_most("must be greater than or equal to `minReplicas`");
}

// An update that leaves the kind of the target alone may leave its version alone too.
ReferenceOptions scale_target_options(const Value& spec, const Value* old_spec) {
  const Value& target = spec.get("scaleTargetRef");
  if (old_spec != nullptr) {
    const Value& before = old_spec->get("scaleTargetRef");
    if (text_of(before, "apiVersion") == text_of(target, "apiVersion") &&
        text_of(before, "kind") == text_of(target, "kind")) {
      return {.allow_invalid_version = true};
    }
  }
  // The only kind of the core group that can be scaled.
  return {.allow_core_group = text_of(target, "kind") == "ReplicationController"};
}

ReferenceOptions described_object_options(const Value* old_spec) {
  ReferenceOptions out{.allow_core_group = true};
  if (old_spec == nullptr) return out;
  out.allow_invalid_version =
      std::ranges::any_of(items(*old_spec, "metrics"), [](const Value& metric) {
        return text_of(metric, "type") == "Object" && member(metric, "object") != nullptr &&
               version_fault(text_of(metric, {"object", "describedObject", "apiVersion"}), true);
      });
  return out;
}

}  // namespace

FieldErrors check_autoscaler(const Value& object, const Value* old) {
  FieldErrors errors;
  const FieldPath at = FieldPath() / "spec";
  const Value& spec = object.get("spec");
  const Value* old_spec = old != nullptr ? &old->get("spec") : nullptr;
  check_bounds(spec, old_spec, at, errors);
  check_reference(spec.get("scaleTargetRef"), scale_target_options(spec, old_spec),
                  at / "scaleTargetRef", errors);
  check_metrics(spec, described_object_options(old_spec), at, errors);
  const Value& behavior = spec.get("behavior");
  for (const std::string_view key : {"scaleUp", "scaleDown"})
    check_rules(member(behavior, key), at / "behavior" / key, errors);
  return errors;
}

}  // namespace strake::kinds
