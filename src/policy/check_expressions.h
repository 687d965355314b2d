#pragma once
// What is wrong with the expressions of admission policies and webhooks that are about to be
// written, in the words of kube-apiserver 1.36. Texts that are blank are for the caller to refuse.
#include <span>
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::policy {

// matchConditions, at that path. Those of `before` (may be empty) are stored already.
void check_condition_expressions(std::span<const value::Value> conditions,
                                 std::span<const value::Value> before, bool has_params,
                                 const FieldPath& at, value::FieldErrors& errors);

struct SpecCheck {
  const value::Value& spec;
  const value::Value* before = nullptr;  // the spec that is stored; null on a create
  bool with_conditions = true;           // whether matchConditions are looked at
};
// Of a ValidatingAdmissionPolicy, and of a MutatingAdmissionPolicy.
void check_validating_expressions(const SpecCheck& check, const FieldPath& at,
                                  value::FieldErrors& errors);
void check_mutating_expressions(const SpecCheck& check, const FieldPath& at,
                                value::FieldErrors& errors);

}  // namespace strake::policy
