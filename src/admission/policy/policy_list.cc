#include "admission/policy/policy_list.h"

#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::admission {

using value::text_of;
using value::Value;

PolicyHead::PolicyHead(const Value& policy)
    : name(meta::ObjectMeta::of(policy).name()),
      uid(meta::ObjectMeta::of(policy).uid()),
      match(Match::of_resources(policy.get("spec").get("matchConstraints"))) {
  const Value& spec = policy.get("spec");
  if (const Value& found = policy.get("metadata").get("generation");
      found.type() == value::Type::kInt) {
    generation = found.as_int();
  }
  fails_closed = text_of(spec, "failurePolicy") != "Ignore";
  if (const Value& kind = spec.get("paramKind"); kind.is_object()) {
    param_kind =
        meta::from_api_version_and_kind(text_of(kind, "apiVersion"), text_of(kind, "kind"));
  }
}

}  // namespace strake::admission
