#include "kinds/node_labels.h"

#include <fmt/format.h>

#include "kinds/fields.h"
#include "meta/names.h"

namespace strake::kinds {

using value::Value;

std::string_view deprecated_node_label(std::string_view label) {
  constexpr std::pair<std::string_view, std::string_view> kDeprecated[] = {
      {"beta.kubernetes.io/arch", R"(deprecated since v1.14; use "kubernetes.io/arch" instead)"},
      {"beta.kubernetes.io/os", R"(deprecated since v1.14; use "kubernetes.io/os" instead)"},
      {"failure-domain.beta.kubernetes.io/region",
       R"(deprecated since v1.17; use "topology.kubernetes.io/region" instead)"},
      {"failure-domain.beta.kubernetes.io/zone",
       R"(deprecated since v1.17; use "topology.kubernetes.io/zone" instead)"},
      {"beta.kubernetes.io/instance-type",
       R"(deprecated since v1.17; use "node.kubernetes.io/instance-type" instead)"},
      {"app.kubernetes.io/created-by", "deprecated since v1.9"},
      {"scheduler.alpha.kubernetes.io/preferAvoidPods",
       "deprecated since v1.22; use Taints and Tolerations instead"},
      {"node-role.kubernetes.io/master", R"(use "node-role.kubernetes.io/control-plane" instead)"}};
  for (const auto& [name, text] : kDeprecated) {
    if (label == name) return text;
  }
  return {};
}

void warn_of_node_selector_term(const Value& term, bool check_values, const FieldPath& at,
                                WarningsList& warnings) {
  const auto expressions = items(term, "matchExpressions");
  for (std::size_t i = 0; i < expressions.size() && !warnings.full(); ++i) {
    const FieldPath here = at / "matchExpressions" / i;
    const std::string_view key = value::text_of(expressions[i], "key");
    if (const std::string_view why = deprecated_node_label(key); !why.empty())
      warnings.add(fmt::format("{}: {} is {}", (here / "key").to_k8s(), key, why));
    if (!check_values) continue;
    const auto values = items(expressions[i], "values");
    for (std::size_t j = 0; j < values.size(); ++j) {
      const std::string_view one = value::text_of(values[j]);
      for (const std::string& message : meta::check_label_value(one)) {
        warnings.add(
            fmt::format("{}: {} is invalid, {}", (here / "values" / j).to_k8s(), one, message));
      }
    }
  }
}

}  // namespace strake::kinds
