#include "admission/webhook/hook.h"

#include "kinds/fields.h"
#include "meta/object_meta.h"

namespace strake::admission {
namespace {

using value::Value;

ReviewVersion review_version(const Value& webhook) {
  for (const Value& one : kinds::items(webhook, "admissionReviewVersions")) {
    if (one.as_string() == "v1") return ReviewVersion::kV1;
    if (one.as_string() == "v1beta1") return ReviewVersion::kV1beta1;
  }
  return ReviewVersion::kNone;
}

}  // namespace

Hook::Hook(std::string_view configuration_name, const Value& webhook)
    : configuration(configuration_name),
      name(value::text_of(webhook, "name")),
      match(Match::of_webhook(webhook)),
      target(Target::of(webhook.get("clientConfig"))),
      version(review_version(webhook)),
      fails_open(value::text_of(webhook, "failurePolicy") == "Ignore"),
      is_reinvoked(value::text_of(webhook, "reinvocationPolicy") == "IfNeeded"),
      conditions(webhook) {
  const std::string_view effects = value::text_of(webhook, "sideEffects");
  may_dry_run = effects == "None" || effects == "NoneOnDryRun";
  if (kinds::member(webhook, "timeoutSeconds") != nullptr)
    timeout = std::chrono::seconds(kinds::integer(webhook, "timeoutSeconds"));
}

std::vector<HookPtr> read_hooks(const Value& configuration) {
  std::vector<HookPtr> out;
  const std::string_view name = meta::ObjectMeta::of(configuration).name();
  for (const Value& one : kinds::items(configuration, "webhooks"))
    out.push_back(std::make_shared<const Hook>(name, one));
  return out;
}

}  // namespace strake::admission
