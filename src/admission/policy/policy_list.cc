#include "admission/policy/policy_list.h"

#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::admission {

using value::text_of;
using value::Value;

PolicyHead::PolicyHead(const Value& policy)
    : name(meta::ObjectMeta::of(policy).name()),
      match(Match::of_resources(policy.get("spec").get("matchConstraints"))) {
  const Value& spec = policy.get("spec");
  fails_closed = text_of(spec, "failurePolicy") != "Ignore";
  if (const Value& kind = spec.get("paramKind"); kind.is_object()) {
    param_kind =
        meta::from_api_version_and_kind(text_of(kind, "apiVersion"), text_of(kind, "kind"));
  }
}

}  // namespace strake::admission
