#include "kinds/pods/check_affinity.h"

#include <algorithm>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/pods/check_topology_spread.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// --- nodes

void check_values_of_operator(std::string_view op, std::size_t values, const FieldPath& at,
                              FieldErrors& errors) {
  if (op == "In" || op == "NotIn") {
    if (values == 0) {
      errors.push_back(FieldError::required(
          at / "values", "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (values > 0) {
      errors.push_back(FieldError::forbidden(
          at / "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
  } else if (op == "Gt" || op == "Lt") {
    if (values != 1) {
      errors.push_back(FieldError::required(
          at / "values", "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    }
  } else {
    add_invalid_as_json(at / "operator", op, "not a valid selector operator", errors);
  }
}

void check_label_of_node(const Value& requirement, bool allow_invalid_values, const FieldPath& at,
                         FieldErrors& errors) {
  const auto values = items(requirement, "values");
  check_values_of_operator(value::text_of(requirement, "operator"), values.size(), at, errors);
  const std::string_view key = value::text_of(requirement, "key");
  add_all_invalid(meta::check_qualified_name(key), key, at / "key", errors);
  if (allow_invalid_values) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view one = value::text_of(values[i]);
    const meta::Messages wrong = meta::check_label_value(one);
    if (!wrong.empty()) add_all_invalid(wrong, one, at / "values" / i, errors);
  }
}

// The only field is the name.
void check_field_of_node(const Value& requirement, const FieldPath& at, FieldErrors& errors) {
  const auto values = items(requirement, "values");
  const std::string_view op = value::text_of(requirement, "operator");
  if (op != "In" && op != "NotIn") {
    add_invalid_as_json(at / "operator", op, "not a valid selector operator", errors);
  } else if (values.size() != 1) {
    errors.push_back(FieldError::required(
        at / "values",
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  }
  const std::string_view key = value::text_of(requirement, "key");
  if (key != "metadata.name")
    return add_invalid(at / "key", key, "not a valid field selector key", errors);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view name = value::text_of(values[i]);
    add_all_invalid(meta::check_dns1123_subdomain(name), name, at / "values" / i, errors);
  }
}

void check_weight(const Value& term, const FieldPath& at, FieldErrors& errors) {
  const std::int64_t weight = integer(term, "weight");
  if (weight < 1 || weight > 100)
    add_invalid(at / "weight", Value::integer(weight), "must be in the range 1-100", errors);
}

void check_node_affinity(const Value& affinity, bool allow_invalid_values, const FieldPath& at,
                         FieldErrors& errors) {
  if (const Value* required = member(affinity, kRequiredTerms))
    check_node_selector(*required, allow_invalid_values, at / kRequiredTerms, errors);
  const auto preferred = items(affinity, kPreferredTerms);
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const FieldPath here = at / kPreferredTerms / i;
    check_weight(preferred[i], here, errors);
    // A preference that no node can meet does no harm.
    check_node_selector_term(preferred[i].get("preference"), true, here / "preference", errors);
  }
}

// --- pods

void check_selectors(const Value& term, bool allow_invalid_values, const FieldPath& at,
                     FieldErrors& errors) {
  for (const std::string_view key : {"labelSelector", "namespaceSelector"}) {
    check_label_selector(term.get(key), {.allow_invalid_values = allow_invalid_values}, at / key,
                         errors);
  }
}

void check_pod_term(const Value& term, bool allow_invalid_values, const FieldPath& at,
                    FieldErrors& errors) {
  check_selectors(term, allow_invalid_values, at, errors);
  for (const Value& name : items(term, "namespaces")) {
    const std::string_view text = value::text_of(name);
    add_all_invalid(meta::check_dns1123_label(text), text, at / "namespace", errors);
  }
  check_label_keys(term, at, errors);
  const std::string_view key = value::text_of(term, "topologyKey");
  if (key.empty()) errors.push_back(FieldError::required(at / "topologyKey", "can not be empty"));
  add_all_invalid(meta::check_qualified_name(key), key, at / "topologyKey", errors);
}

void check_pod_affinity(const Value& affinity, bool allow_invalid_values, const FieldPath& at,
                        FieldErrors& errors) {
  const auto required = items(affinity, kRequiredTerms);
  for (std::size_t i = 0; i < required.size(); ++i)
    check_pod_term(required[i], allow_invalid_values, at / kRequiredTerms / i, errors);
  const auto preferred = items(affinity, kPreferredTerms);
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const FieldPath here = at / kPreferredTerms / i;
    check_weight(preferred[i], here, errors);
    check_pod_term(preferred[i].get("podAffinityTerm"), allow_invalid_values,
                   here / "podAffinityTerm", errors);
  }
}

}  // namespace

void check_node_selector_term(const Value& term, bool allow_invalid_values, const FieldPath& at,
                              FieldErrors& errors) {
  const auto labels = items(term, "matchExpressions");
  for (std::size_t i = 0; i < labels.size(); ++i)
    check_label_of_node(labels[i], allow_invalid_values, at / "matchExpressions" / i, errors);
  const auto fields = items(term, "matchFields");
  for (std::size_t i = 0; i < fields.size(); ++i)
    check_field_of_node(fields[i], at / "matchFields" / i, errors);
}

void check_node_selector(const Value& selector, bool allow_invalid_values, const FieldPath& at,
                         FieldErrors& errors) {
  const auto terms = items(selector, "nodeSelectorTerms");
  if (terms.empty()) {
    return errors.push_back(FieldError::required(at / "nodeSelectorTerms",
                                                 "must have at least one node selector term"));
  }
  for (std::size_t i = 0; i < terms.size(); ++i)
    check_node_selector_term(terms[i], allow_invalid_values, at / "nodeSelectorTerms" / i, errors);
}

bool has_invalid_node_selector_value(const Value& selector) {
  // An invalid value is invalid in the same way in both kinds of selector.
  return std::ranges::any_of(items(selector, "nodeSelectorTerms"), has_invalid_label_value);
}

void check_affinity_of_pod(const Value& affinity, const PodAllowances& allowed, const FieldPath& at,
                           FieldErrors& errors) {
  check_node_affinity(affinity.get("nodeAffinity"), allowed.node_affinity_values,
                      at / "nodeAffinity", errors);
  for (const std::string_view key : {"podAffinity", "podAntiAffinity"})
    check_pod_affinity(affinity.get(key), allowed.selector_values, at / key, errors);
}

bool has_invalid_affinity_selector(const Value& affinity) {
  FieldErrors errors;
  for (const std::string_view key : {"podAffinity", "podAntiAffinity"}) {
    for (const Value& term : items(affinity.get(key), kRequiredTerms))
      check_selectors(term, false, FieldPath(), errors);
    for (const Value& term : items(affinity.get(key), kPreferredTerms))
      check_selectors(term.get("podAffinityTerm"), false, FieldPath(), errors);
  }
  return !errors.empty();
}

bool has_invalid_node_affinity_value(const Value& affinity) {
  return has_invalid_node_selector_value(affinity.get("nodeAffinity").get(kRequiredTerms));
}

}  // namespace strake::kinds
