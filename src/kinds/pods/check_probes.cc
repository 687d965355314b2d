#include "kinds/pods/check_probes.h"

#include <fmt/format.h>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void check_port(const Value& action, const FieldPath& at, FieldErrors& errors) {
  const Value* port = member(action, "port");
  check_port_or_name(port != nullptr ? *port : Value::integer(0), at / "port", errors);
}

void check_exec(const Value& action, const PodScope&, const FieldPath& at, FieldErrors& errors) {
  if (items(action, "command").empty()) errors.push_back(FieldError::required(at / "command"));
}

void check_http(const Value& action, const PodScope&, const FieldPath& at, FieldErrors& errors) {
  require_text(action, "path", at, errors);
  check_port(action, at, errors);
  check_choice(value::text_of(action, "scheme"), {"HTTP", "HTTPS"}, at / "scheme", errors);
  for (const Value& header : items(action, "httpHeaders")) {
    const std::string_view name = value::text_of(header, "name");
    add_all_invalid(check_header_name(name), name, at / "httpHeaders", errors);
  }
}

void check_socket(const Value& action, const PodScope&, const FieldPath& at, FieldErrors& errors) {
  check_port(action, at, errors);
}

void check_sleep(const Value& action, const PodScope& pod, const FieldPath& at,
                 FieldErrors& errors) {
  if (!pod.grace_period) return;
  const std::int64_t seconds = integer(action, "seconds");
  if (seconds >= 0 && seconds <= *pod.grace_period) return;
  add_invalid(at, Value::integer(seconds),
              fmt::format("must be non-negative and less than terminationGracePeriodSeconds ({})",
                          *pod.grace_period),
              errors);
}

struct Action {
  std::string_view key;
  void (*check)(const Value&, const PodScope&, const FieldPath&, FieldErrors&);
};
constexpr Action kProbeActions[] = {{"exec", check_exec},
                                    {"httpGet", check_http},
                                    {"tcpSocket", check_socket},
                                    {"grpc", check_socket}};
constexpr Action kHookActions[] = {{"exec", check_exec},
                                   {"httpGet", check_http},
                                   {"tcpSocket", check_socket},
                                   {"sleep", check_sleep}};

// Exactly one of the actions.
void check_handler(const Value& handler, std::span<const Action> actions, const PodScope& pod,
                   const FieldPath& at, FieldErrors& errors) {
  bool any = false;
  for (const Action& action : actions) {
    const Value* given = member(handler, action.key);
    if (given == nullptr) continue;
    if (any) {
      errors.push_back(
          FieldError::forbidden(at / action.key, "may not specify more than 1 handler type"));
    } else {
      action.check(*given, pod, at / action.key, errors);
    }
    any = true;
  }
  if (!any) errors.push_back(FieldError::required(at, "must specify a handler type"));
}

void check_probe(const Value& probe, const PodScope& pod, const FieldPath& at,
                 FieldErrors& errors) {
  check_handler(probe, kProbeActions, pod, at, errors);
  for (const std::string_view key : {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                                     "successThreshold", "failureThreshold"}) {
    check_not_negative(probe, key, at, errors);
  }
  constexpr std::string_view kGrace = "terminationGracePeriodSeconds";
  if (member(probe, kGrace) != nullptr && integer(probe, kGrace) <= 0) {
    add_invalid(at / kGrace, Value::integer(integer(probe, kGrace)), "must be greater than 0",
                errors);
  }
}

// Liveness and startup: one success is enough.
void check_single_success(const Value& container, std::string_view key, const PodScope& pod,
                          const FieldPath& at, FieldErrors& errors) {
  const Value* probe = member(container, key);
  if (probe == nullptr) return;
  check_probe(*probe, pod, at / key, errors);
  const std::int64_t successes = integer(*probe, "successThreshold");
  if (successes != 1)
    add_invalid(at / key / "successThreshold", Value::integer(successes), "must be 1", errors);
}

void check_readiness(const Value& container, const PodScope& pod, const FieldPath& at,
                     FieldErrors& errors) {
  const Value* probe = member(container, "readinessProbe");
  if (probe == nullptr) return;
  const FieldPath here = at / "readinessProbe";
  check_probe(*probe, pod, here, errors);
  constexpr std::string_view kGrace = "terminationGracePeriodSeconds";
  if (member(*probe, kGrace) != nullptr) {
    add_invalid(here / kGrace, Value::integer(integer(*probe, kGrace)),
                "must not be set for readinessProbes", errors);
  }
}

}  // namespace

void check_probes_and_hooks(const Value& container, const PodScope& pod, const FieldPath& at,
                            FieldErrors& errors) {
  // stopSignal is behind a feature gate that is off: it was dropped.
  if (const Value* lifecycle = member(container, "lifecycle")) {
    for (const std::string_view key : {"postStart", "preStop"}) {
      if (const Value* hook = member(*lifecycle, key))
        check_handler(*hook, kHookActions, pod, at / "lifecycle" / key, errors);
    }
  }
  check_single_success(container, "livenessProbe", pod, at, errors);
  check_readiness(container, pod, at, errors);
  check_single_success(container, "startupProbe", pod, at, errors);
}

}  // namespace strake::kinds
