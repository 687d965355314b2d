#pragma once
// Whether the expressions of a ValidatingAdmissionPolicy fit the schemas of the kinds that it
// names, for status.typeChecking; as kube-controller-manager 1.36 finds it out. Says nothing about
// what the policy does: that is decided by the objects themselves.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "meta/gvk.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::policy {

// A kind whose objects a policy sees, with its schema.
struct KnownKind {
  meta::GroupVersionKind kind;
  schema::NodePtr schema;
};

struct ExpressionWarning {
  std::string field;  // "spec.validations[0].expression"
  std::string text;
};

// `params` is that of spec.paramKind, when it is known.
std::vector<ExpressionWarning> check_policy_types(const value::Value& policy,
                                                  std::span<const KnownKind> kinds,
                                                  const std::optional<KnownKind>& params);

}  // namespace strake::policy
