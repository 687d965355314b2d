#include <algorithm>
#include <set>

#include "crd/webhook_client.h"
#include "kinds/admission_rules.h"
#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "policy/check_expressions.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::int64_t kDefaultTimeoutSeconds = 10;
constexpr std::int64_t kMaxTimeoutSeconds = 30;

// A new configuration is asked everything; one that replaces another is not asked what that one
// already broke.
struct Options {
  bool require_no_side_effects = true;
  bool require_known_review_version = true;
  bool require_unique_names = true;
  bool check_match_conditions = true;
  SelectorOptions selectors;
  std::vector<Value> stored_conditions = {};  // of the one that it replaces
};

bool has_no_side_effects(const Value& hook) {
  const std::string_view effects = text_of(hook, "sideEffects");
  return effects == "None" || effects == "NoneOnDryRun";
}

bool has_known_review_version(const Value& hook) {
  const auto versions = items(hook, "admissionReviewVersions");
  return versions.empty() || std::any_of(versions.begin(), versions.end(), [](const Value& one) {
           return one.as_string() == "v1" || one.as_string() == "v1beta1";
         });
}

bool has_invalid_selector(const Value& hook) {
  for (const std::string_view key : {"namespaceSelector", "objectSelector"}) {
    if (const Value* selector = member(hook, key)) {
      FieldErrors errors;
      check_label_selector(*selector, {}, FieldPath(), errors);
      if (!errors.empty()) return true;
    }
  }
  return false;
}

Options options_for_update(const Value& object, const Value& old) {
  const auto before = items(old, "webhooks");
  const auto now = items(object, "webhooks");
  Options options;
  options.require_no_side_effects = std::all_of(before.begin(), before.end(), has_no_side_effects);
  options.require_known_review_version =
      std::all_of(before.begin(), before.end(), has_known_review_version);
  std::set<std::string_view> names;
  for (const Value& hook : before) {
    for (const Value& one : items(hook, "matchConditions"))
      options.stored_conditions.push_back(one);
    if (!names.insert(text_of(hook, "name")).second) options.require_unique_names = false;
    options.selectors.allow_invalid_values |= has_invalid_selector(hook);
  }
  options.check_match_conditions = now.size() != before.size();
  for (std::size_t i = 0; i < now.size() && !options.check_match_conditions; ++i)
    options.check_match_conditions = !same_member(now[i], before[i], "matchConditions");
  return options;
}

// A domain of three parts at least.
void check_hook_name(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  if (name.empty()) {
    errors.push_back(FieldError::required(at));
  } else if (const auto messages = meta::check_dns1123_subdomain(name); !messages.empty()) {
    errors.push_back(FieldError::invalid(at, Value::string(name), meta::join(messages)));
  } else if (std::count(name.begin(), name.end(), '.') < 2) {
    errors.push_back(
        FieldError::invalid(at, Value::string(name),
                            "should be a domain with at least three segments separated by dots"));
  }
}

void check_side_effects(const Value& hook, const Options& options, const FieldPath& at,
                        FieldErrors& errors) {
  if (member(hook, "sideEffects") == nullptr) {
    errors.push_back(FieldError::required(
        at / "sideEffects", options.require_no_side_effects
                                ? "must specify one of None, NoneOnDryRun"
                                : "must specify one of None, NoneOnDryRun, Some, Unknown"));
  } else if (options.require_no_side_effects) {
    check_one_of(hook, "sideEffects", {"None", "NoneOnDryRun"}, at, errors);
  } else {
    check_one_of(hook, "sideEffects", {"None", "NoneOnDryRun", "Some", "Unknown"}, at, errors);
  }
}

void check_client_config(const Value& hook, const FieldPath& at, FieldErrors& errors) {
  const Value* url = member(hook, {"clientConfig", "url"});
  const Value* service = member(hook, {"clientConfig", "service"});
  if ((url == nullptr) == (service == nullptr)) {
    errors.push_back(FieldError::required(at, "exactly one of url or service is required"));
  } else if (url != nullptr) {
    crd::check_webhook_url(url->as_string(), at / "url", errors);
  } else {
    crd::check_webhook_service(*service, at / "service", errors);
  }
}

void check_review_versions(const Value& hook, const Options& options, const FieldPath& at,
                           FieldErrors& errors) {
  const auto versions = items(hook, "admissionReviewVersions");
  if (versions.empty()) {
    errors.push_back(FieldError::required(at, "must specify one of v1, v1beta1"));
    return;
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const std::string_view version = versions[i].as_string();
    if (!seen.insert(version).second) {
      errors.push_back(FieldError::invalid(at / i, versions[i], "duplicate version"));
      continue;
    }
    add_messages(meta::check_dns1035_label(version), version, at / i, errors);
  }
  if (options.require_known_review_version && !has_known_review_version(hook)) {
    errors.push_back(FieldError::invalid(at, hook.get("admissionReviewVersions"),
                                         "must include at least one of v1, v1beta1"));
  }
}

void check_hook(const Value& hook, const Options& options, const FieldPath& at,
                FieldErrors& errors) {
  check_hook_name(text_of(hook, "name"), at / "name", errors);
  check_rules_with_operations(hook, "rules", at, errors);
  check_one_of(hook, "failurePolicy", {"Fail", "Ignore"}, at, errors);
  check_one_of(hook, "matchPolicy", {"Equivalent", "Exact"}, at, errors);
  check_side_effects(hook, options, at, errors);
  if (const Value* timeout = member(hook, "timeoutSeconds");
      timeout != nullptr && (timeout->as_int() < 1 || timeout->as_int() > kMaxTimeoutSeconds)) {
    errors.push_back(FieldError::invalid(at / "timeoutSeconds", *timeout,
                                         "the timeout value must be between 1 and 30 seconds"));
  }
  for (const std::string_view key : {"namespaceSelector", "objectSelector"}) {
    if (const Value* selector = member(hook, key))
      check_label_selector(*selector, options.selectors, at / key, errors);
  }
  check_one_of(hook, "reinvocationPolicy", {"IfNeeded", "Never"}, at, errors);
  check_client_config(hook, at / "clientConfig", errors);
  if (options.check_match_conditions) {
    const auto conditions = items(hook, "matchConditions");
    check_match_conditions(conditions, at / "matchConditions", errors);
    policy::check_condition_expressions(conditions, options.stored_conditions, false,
                                        at / "matchConditions", errors);
  }
  check_review_versions(hook, options, at / "admissionReviewVersions", errors);
}

FieldErrors check(const Value& object, const Options& options) {
  FieldErrors errors;
  std::set<std::string_view> names;
  const auto hooks = items(object, "webhooks");
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    const FieldPath at = FieldPath() / "webhooks" / i;
    check_hook(hooks[i], options, at, errors);
    const std::string_view name = text_of(hooks[i], "name");
    if (options.require_unique_names && !name.empty() && !names.insert(name).second)
      errors.push_back(FieldError::duplicate(at / "name", Value::string(name)));
  }
  return errors;
}

enum class Webhooks : std::uint8_t { kValidating, kMutating };

class WebhookConfigurationStrategy final : public BuiltinStrategy {
 public:
  WebhookConfigurationStrategy(std::string_view type, Webhooks webhooks)
      : BuiltinStrategy(type), webhooks_(webhooks) {
    set_columns({name_column(),
                 {.name = "Webhooks",
                  .type = "integer",
                  .description =
                      "Webhooks indicates the number of webhooks registered in this configuration"},
                 age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* hooks = object.find("webhooks");
    if (hooks == nullptr || !hooks->is_array()) return;
    for (Value& hook : hooks->mutable_items()) {
      const auto fill = [&](std::string_view key, Value v) {
        if (member(hook, key) == nullptr) hook.set(key, v, arena);
      };
      fill("failurePolicy", Value::string("Fail"));
      fill("timeoutSeconds", Value::integer(kDefaultTimeoutSeconds));
      if (webhooks_ == Webhooks::kMutating) fill("reinvocationPolicy", Value::string("Never"));
      default_match(hook, arena);
      default_rules(hook, "rules", arena);
      Value* config = hook.find("clientConfig");
      Value* service = config != nullptr ? config->find("service") : nullptr;
      if (service != nullptr && service->is_object() && service->find("port") == nullptr)
        service->set("port", Value::integer(crd::kDefaultServicePort), arena);
    }
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    return check(object, {});
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    return check(object, options_for_update(object, old));
  }
  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    return reserved_name_warnings(object);
  }
  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object),
           Value::integer(static_cast<std::int64_t>(items(object, "webhooks").size())),
           age_cell(object, now, arena)};
  }

 private:
  Webhooks webhooks_;
};

}  // namespace

const BuiltinStrategy& validating_webhook_configuration_strategy() {
  static const WebhookConfigurationStrategy& strategy = *new WebhookConfigurationStrategy(
      "io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration", Webhooks::kValidating);
  return strategy;
}

const BuiltinStrategy& mutating_webhook_configuration_strategy() {
  static const WebhookConfigurationStrategy& strategy = *new WebhookConfigurationStrategy(
      "io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration", Webhooks::kMutating);
  return strategy;
}

}  // namespace strake::kinds
