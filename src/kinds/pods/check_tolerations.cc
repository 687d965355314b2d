#include "kinds/pods/check_tolerations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/quote.h"
#include "kinds/fields.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {
namespace {

using value::FieldErrors;
using value::Value;

bool is_decimal(std::string_view text) {
  if (text == "0") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.front() != '0' &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// A whole number in its plain form, as Go reads one.
void check_compared_value(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  if (!is_decimal(text)) {
    add_invalid(
        at, text,
        text.empty() ? "must be non-empty" : "must be a valid decimal integer in canonical form",
        errors);
  }
  std::int64_t number = 0;
  // Go allows a plus sign.
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size()) return;
  add_invalid(at, text,
              fmt::format("strconv.ParseInt: parsing {}: {}", quote(text),
                          error == std::errc::result_out_of_range ? "value out of range"
                                                                  : "invalid syntax"),
              errors);
}

void check_operator(const Value& toleration, bool allow_comparison, const FieldPath& at,
                    FieldErrors& errors) {
  const std::string_view op = value::text_of(toleration, "operator");
  const std::string_view compared = value::text_of(toleration, "value");
  if (op == "Equal" || op.empty()) {
    const meta::Messages wrong = meta::check_label_value(compared);
    if (!wrong.empty()) add_invalid(at / "operator", compared, meta::join(wrong, ";"), errors);
  } else if (op == "Exists") {
    if (!compared.empty())
      add_invalid(at / "operator", compared, "value must be empty when `operator` is 'Exists'",
                  errors);
  } else if (op != "Lt" && op != "Gt") {
    check_choice(op, {"Equal", "Exists"}, at / "operator", errors);
  } else if (allow_comparison) {
    check_compared_value(compared, at / "value", errors);
  } else {
    // Said so by kube-apiserver 1.36, although two of them are not.
    value::FieldError error =
        value::FieldError::not_supported(at / "operator", Value::string(op),
                                         std::vector<std::string>{"Equal", "Exists", "Lt", "Gt"});
    errors.push_back(std::move(error));
  }
}

}  // namespace

void check_taint_effect(std::string_view effect, const FieldPath& at, FieldErrors& errors) {
  check_choice(effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, at, errors);
}

void check_tolerations(std::span<const Value> tolerations, bool allow_comparison,
                       const FieldPath& at, FieldErrors& errors) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const Value& one = tolerations[i];
    const FieldPath here = at / i;
    const std::string_view key = value::text_of(one, "key");
    const std::string_view op = value::text_of(one, "operator");
    const std::string_view effect = value::text_of(one, "effect");
    check_optional_text(one, "key", meta::check_qualified_name, here, errors);
    if (key.empty() && op != "Exists") {
      add_invalid_as_json(
          here / "operator", op,
          "operator must be Exists when `key` is empty, which means \"match all values "
          "and all keys\"",
          errors);
    }
    if (member(one, "tolerationSeconds") != nullptr && effect != "NoExecute") {
      add_invalid_as_json(here / "effect", effect,
                          "effect must be 'NoExecute' when `tolerationSeconds` is set", errors);
    }
    check_operator(one, allow_comparison, here, errors);
    if (!effect.empty()) check_taint_effect(effect, here / "effect", errors);
  }
}

}  // namespace strake::kinds
