#include "policy/check_expressions.h"

#include <functional>
#include <set>
#include <string>

#include "base/trim.h"
#include "policy/expression.h"
#include "policy/spec.h"

namespace strake::policy {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::size_t kMaxAuditExpressionBytes = 5 * 1024;

using Texts = std::set<std::string_view>;

// The texts of one member in the items of a list.
void collect(const Value& spec, std::string_view list, std::string_view key, Texts& out) {
  for (const Value& one : spec.get(list).items()) {
    if (const std::string_view text = text_at(one, key); !text.empty()) out.insert(text);
  }
}

Texts collected(const Value* spec, std::string_view list, std::string_view key) {
  Texts out;
  if (spec != nullptr) collect(*spec, list, key, out);
  return out;
}

void add(const Expression& compiled, std::string_view shown, const FieldPath& at,
         FieldErrors& errors) {
  if (compiled.program) return;
  if (compiled.fault_is_ours)
    errors.push_back(FieldError::internal(at, compiled.fault));
  else
    errors.push_back(FieldError::invalid(at, Value::string(shown), compiled.fault));
}

bool is_blank_text(std::string_view text) { return trim_unicode(text).empty(); }

void check_variable_expressions(const SpecCheck& check, const Offered& offered, Compiler& compiler,
                                const FieldPath& at, FieldErrors& errors) {
  // kube-apiserver 1.36 looks for the text of a variable among the validations.
  const Texts stored = collected(check.before, "validations", "expression");
  const auto variables = check.spec.get("variables").items();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::string_view text = text_at(variables[i], "expression");
    if (is_blank_text(text)) continue;
    add(compiler.compile_variable(text_at(variables[i], "name"), text, offered,
                                  stored.contains(text)),
        text, at / "variables" / i / "expression", errors);
  }
}

void check_conditions_of(const SpecCheck& check, bool has_params, const FieldPath& at,
                         FieldErrors& errors) {
  if (!check.with_conditions) return;
  const std::span<const Value> before = check.before != nullptr
                                            ? check.before->get("matchConditions").items()
                                            : std::span<const Value>();
  check_condition_expressions(check.spec.get("matchConditions").items(), before, has_params,
                              at / "matchConditions", errors);
}

void check_mutation(const Value& mutation, std::string_view key, Gives gives,
                    const Offered& offered, const Texts& stored, const Compiler& compiler,
                    const FieldPath& at, FieldErrors& errors) {
  const std::string_view text = text_at(mutation.get(key), "expression");
  const std::string_view trimmed = trim_unicode(text);
  if (trimmed.empty()) return;
  add(compiler.compile(trimmed, gives, offered, stored.contains(text)), trimmed,
      at / key / "expression", errors);
}

}  // namespace

void check_condition_expressions(std::span<const Value> conditions, std::span<const Value> before,
                                 bool has_params, const FieldPath& at, FieldErrors& errors) {
  if (conditions.empty()) return;
  const Compiler compiler;
  const Offered offered{.params = has_params, .variables = false};
  Texts stored;
  for (const Value& one : before) stored.insert(text_at(one, "expression"));
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string_view text = trim_unicode(text_at(conditions[i], "expression"));
    if (text.empty()) continue;
    add(compiler.compile(text, Gives::kBool, offered, stored.contains(text)), text,
        at / i / "expression", errors);
  }
}

void check_validating_expressions(const SpecCheck& check, const FieldPath& at,
                                  FieldErrors& errors) {
  const Value& spec = check.spec;
  const bool composed = spec.get("variables").size() > 0;
  const Offered offered{.params = has(spec, "paramKind"), .variables = composed};
  Offered for_messages = offered;
  for_messages.authorizer = false;
  Compiler compiler;
  check_conditions_of(check, offered.params, at, errors);
  check_variable_expressions(check, offered, compiler, at, errors);

  const Texts stored = collected(check.before, "validations", "expression");
  const Texts stored_messages = collected(check.before, "validations", "messageExpression");
  const auto validations = spec.get("validations").items();
  for (std::size_t i = 0; i < validations.size(); ++i) {
    const FieldPath one = at / "validations" / i;
    const std::string_view text = text_at(validations[i], "expression");
    if (!is_blank_text(text)) {
      add(compiler.compile(text, Gives::kBool, offered, stored.contains(text)), text,
          one / "expression", errors);
    }
    const std::string_view message = text_at(validations[i], "messageExpression");
    if (!is_blank_text(message)) {
      add(compiler.compile(message, Gives::kString, for_messages,
                           stored_messages.contains(message)),
          message, one / "messageExpression", errors);
    }
  }
  const Texts stored_values = collected(check.before, "auditAnnotations", "valueExpression");
  const auto annotations = spec.get("auditAnnotations").items();
  for (std::size_t i = 0; i < annotations.size(); ++i) {
    const std::string_view text = text_at(annotations[i], "valueExpression");
    const std::string_view trimmed = trim_unicode(text);
    if (trimmed.empty() || trimmed.size() > kMaxAuditExpressionBytes) continue;
    add(compiler.compile(trimmed, Gives::kStringOrNull, offered, stored_values.contains(text)),
        text, at / "auditAnnotations" / i / "valueExpression", errors);
  }
}

void check_mutating_expressions(const SpecCheck& check, const FieldPath& at, FieldErrors& errors) {
  const Value& spec = check.spec;
  const Offered offered{.params = has(spec, "paramKind")};
  Offered for_mutations = offered;
  for_mutations.patches = true;
  Compiler compiler;
  check_conditions_of(check, offered.params, at, errors);
  check_variable_expressions(check, offered, compiler, at, errors);
  // As in kube-apiserver 1.36, both kinds of patches are looked for among apply configurations.
  Texts stored;
  if (check.before != nullptr) {
    for (const Value& one : check.before->get("mutations").items())
      stored.insert(text_at(one.get("applyConfiguration"), "expression"));
  }
  const auto mutations = spec.get("mutations").items();
  for (std::size_t i = 0; i < mutations.size(); ++i) {
    const std::string_view type = text_at(mutations[i], "patchType");
    const FieldPath one = at / "mutations" / i;
    if (type == "JSONPatch") {
      check_mutation(mutations[i], "jsonPatch", Gives::kJsonPatches, for_mutations, stored,
                     compiler, one, errors);
    } else if (type == "ApplyConfiguration") {
      check_mutation(mutations[i], "applyConfiguration", Gives::kObject, for_mutations, stored,
                     compiler, one, errors);
    }
  }
}

}  // namespace strake::policy
