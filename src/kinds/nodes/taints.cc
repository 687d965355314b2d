#include "kinds/nodes/taints.h"

#include <set>
#include <string>
#include <utility>

#include "kinds/common_checks.h"
#include "kinds/describe.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "meta/names.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

namespace {

void check_effect(std::string_view effect, const FieldPath& at, FieldErrors& errors) {
  check_text_is_one_of(effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, at, errors);
}

// All that is wrong with the value of a label, in one error.
void check_label_value(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  const meta::Messages wrong = meta::check_label_value(text);
  if (!wrong.empty())
    errors.push_back(FieldError::invalid(at, Value::string(text), meta::join(wrong, ";")));
}

void refuse(const FieldPath& at, std::string_view shown, std::string_view detail,
            FieldErrors& errors) {
  errors.push_back(FieldError::invalid(at, Value::string(shown), std::string(detail)));
}

void check_toleration_operator(const Value& toleration, const FieldPath& at, FieldErrors& errors) {
  const std::string_view op = text_of(toleration, "operator");
  const std::string_view text = text_of(toleration, "value");
  if (op.empty() || op == "Equal") {
    check_label_value(text, at / "operator", errors);
  } else if (op == "Exists") {
    if (!text.empty()) {
      refuse(at / "operator", text, "value must be empty when `operator` is 'Exists'", errors);
    }
  } else if (op == "Lt" || op == "Gt") {
    // kube-apiserver 1.36 names them although it does not take them: their feature gate is off.
    errors.push_back(not_supported(at / "operator", op, {"Equal", "Exists", "Lt", "Gt"}));
  } else {
    errors.push_back(not_supported(at / "operator", op, {"Equal", "Exists"}));
  }
}

}  // namespace

void check_taints(std::span<const Value> taints, const FieldPath& at, FieldErrors& errors) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const Value& taint = taints[i];
    const std::string_view key = text_of(taint, "key");
    const std::string_view effect = text_of(taint, "effect");
    add_messages(meta::check_qualified_name(key), key, at / i / "key", errors);
    check_label_value(text_of(taint, "value"), at / i / "value", errors);
    if (effect.empty()) {
      errors.push_back(FieldError::required(at / i / "effect"));
    } else {
      check_effect(effect, at / i / "effect", errors);
    }
    if (seen.emplace(key, effect).second) continue;
    errors.push_back({.type = FieldError::Type::kDuplicate,
                      .path = at / i,
                      .shown = show_go_struct(&taint, described_type("io.k8s.api.core.v1.Taint")),
                      .detail = "taints must be unique by key and effect pair"});
  }
}

void check_tolerations(std::span<const Value> tolerations, const FieldPath& at,
                       FieldErrors& errors) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const Value& toleration = tolerations[i];
    const FieldPath here = at / i;
    const std::string_view key = text_of(toleration, "key");
    const std::string_view op = text_of(toleration, "operator");
    const std::string_view effect = text_of(toleration, "effect");
    if (!key.empty()) add_messages(meta::check_qualified_name(key), key, here / "key", errors);
    if (key.empty() && op != "Exists") {
      refuse(here / "operator", op,
             "operator must be Exists when `key` is empty, which means \"match all values and all "
             "keys\"",
             errors);
    }
    if (member(toleration, "tolerationSeconds") != nullptr && effect != "NoExecute") {
      refuse(here / "effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set",
             errors);
    }
    check_toleration_operator(toleration, here, errors);
    if (!effect.empty()) check_effect(effect, here / "effect", errors);
  }
}

}  // namespace strake::kinds
