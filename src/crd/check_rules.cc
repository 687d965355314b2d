// The form of validation rules; what they say is left to a RuleCompiler.
#include <algorithm>

#include "base/trim.h"
#include "crd/check_parts.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

bool has_newline(std::string_view text) {
  return text.find_first_of("\n\r") != std::string_view::npos;
}

void check_message(const SchemaView& rule, const SchemaTrail& at, FieldErrors& errors) {
  const std::string_view text = trim_unicode(rule.text("rule"));
  const std::string_view message = rule.text("message");
  const std::string_view trimmed = trim_unicode(message);
  if (text.empty()) {
    errors.push_back(FieldError::required(at / "rule", "rule is not specified"));
  } else if (!message.empty() && trimmed.empty()) {
    errors.push_back(FieldError::invalid(at / "message", Value::string(message),
                                         "must be non-empty if specified"));
  } else if (has_newline(trimmed)) {
    errors.push_back(FieldError::invalid(at / "message", Value::string(message),
                                         "must not contain line breaks"));
  } else if (has_newline(text) && trimmed.empty()) {
    errors.push_back(FieldError::required(
        at / "message", "message must be specified if rule contains line breaks"));
  }
}

void check_field_path(const SchemaView& schema, std::string_view path, const SchemaTrail& at,
                      FieldErrors& errors) {
  if (path.empty()) return;
  const auto refuse = [&](std::string_view detail) {
    errors.push_back(
        FieldError::invalid(at / "fieldPath", Value::string(path), std::string(detail)));
  };
  if (trim_unicode(path).empty()) refuse("must be non-empty if specified");
  if (has_newline(path)) refuse("must not contain line breaks");
  // A schema that is not structural at all is reported elsewhere.
  if (!follow_path(path, schema, true) && !conversion_fault(schema)) refuse("must be a valid path");
}

}  // namespace

void check_rule_form(const SchemaView& schema, const SchemaTrail& at, FieldErrors& errors) {
  static const std::vector<std::string> kReasons = {"FieldValueDuplicate", "FieldValueForbidden",
                                                    "FieldValueInvalid", "FieldValueRequired"};
  const auto rules = schema.list("x-kubernetes-validations");
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const SchemaView rule(rules[i]);
    const SchemaTrail here = at.index("x-kubernetes-validations", i);
    check_message(rule, here, errors);
    const std::string_view expression = rule.text("messageExpression");
    if (!expression.empty() && trim_unicode(expression).empty()) {
      errors.push_back(FieldError::required(here / "messageExpression",
                                            "messageExpression must be non-empty if specified"));
    }
    if (const auto reason = rule.optional_text("reason")) {
      const bool known = std::find(kReasons.begin(), kReasons.end(), *reason) != kReasons.end();
      if (!known)
        errors.push_back(
            FieldError::not_supported(here / "reason", Value::string(*reason), kReasons));
    }
    check_field_path(schema, rule.text("fieldPath"), here, errors);
  }
}

}  // namespace strake::crd
