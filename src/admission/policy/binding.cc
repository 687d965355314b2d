#include "admission/policy/binding.h"

#include <algorithm>

#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::admission {

using value::text_of;
using value::Value;

Binding::Binding(const Value& binding) : name(meta::ObjectMeta::of(binding).name()) {
  const Value& spec = binding.get("spec");
  policy = text_of(spec, "policyName");
  if (const Value& resources = spec.get("matchResources"); resources.is_object())
    match = Match::of_resources(resources);
  if (const Value& ref = spec.get("paramRef"); ref.is_object()) {
    ParamRef& made = params.emplace();
    made.name = text_of(ref, "name");
    made.namespace_name = text_of(ref, "namespace");
    made.deny_missing = text_of(ref, "parameterNotFoundAction") == "Deny";
    if (const Value& selector = ref.get("selector"); selector.is_object())
      made.selector = meta::LabelSelector::from_value(&selector);
  }
  for (const Value& one : spec.get("validationActions").items())
    actions.emplace_back(one.as_string());
  const auto has = [&](std::string_view action) {
    return std::ranges::find(actions, action) != actions.end();
  };
  denies = has("Deny");
  warns = has("Warn");
  audits = has("Audit");
}

}  // namespace strake::admission
