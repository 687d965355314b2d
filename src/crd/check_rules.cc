// The form of validation rules; what they say is left to a RuleCompiler.
#include <algorithm>

#include "base/utf8.h"
#include "crd/check_parts.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

bool is_space(char32_t c) {
  if (c <= 0x20) return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool has_newline(std::string_view text) {
  return text.find_first_of("\n\r") != std::string_view::npos;
}

void check_message(const SchemaView& rule, const SchemaTrail& at, FieldErrors& errors) {
  const std::string_view text = trim(rule.text("rule"));
  const std::string_view message = rule.text("message");
  const std::string_view trimmed = trim(message);
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
  if (trim(path).empty()) refuse("must be non-empty if specified");
  if (has_newline(path)) refuse("must not contain line breaks");
  // A schema that is not structural at all is reported elsewhere.
  if (!follow_path(path, schema, true) && !conversion_fault(schema)) refuse("must be a valid path");
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty()) {
    const utf8::Decoded c = utf8::decode(text);
    if (!is_space(c.code_point)) break;
    text.remove_prefix(c.width);
  }
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 &&
           (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80)
      --start;
    const utf8::Decoded c = utf8::decode(text.substr(start));
    if (c.width != text.size() - start || !is_space(c.code_point)) break;
    text.remove_suffix(c.width);
  }
  return text;
}

void check_rule_form(const SchemaView& schema, const SchemaTrail& at, FieldErrors& errors) {
  static const std::vector<std::string> kReasons = {"FieldValueDuplicate", "FieldValueForbidden",
                                                    "FieldValueInvalid", "FieldValueRequired"};
  const auto rules = schema.list("x-kubernetes-validations");
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const SchemaView rule(rules[i]);
    const SchemaTrail here = at.index("x-kubernetes-validations", i);
    check_message(rule, here, errors);
    const std::string_view expression = rule.text("messageExpression");
    if (!expression.empty() && trim(expression).empty()) {
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
