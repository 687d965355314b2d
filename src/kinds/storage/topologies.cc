#include "kinds/storage/topologies.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/node_labels.h"
#include "kinds/storage/node_selector.h"
#include "meta/names.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kExpressions = "matchLabelExpressions";

using TopologyValues = std::set<std::string_view>;
// A term as what it means: the values of each key.
using TopologyTerm = std::map<std::string_view, TopologyValues>;

FieldPath at_topologies() { return FieldPath() / "allowedTopologies"; }

TopologyValues check_topology_values(const Value& expression, const FieldPath& at,
                                     FieldErrors& errors) {
  TopologyValues out;
  const auto values = items(expression, "values");
  if (values.empty()) errors.push_back(FieldError::required(at / "values"));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!out.insert(value::text_of(values[i])).second)
      errors.push_back(FieldError::duplicate(at / "values" / i, values[i]));
  }
  return out;
}

TopologyTerm check_topology_term(const Value& term, const FieldPath& at, FieldErrors& errors) {
  TopologyTerm out;
  const auto expressions = items(term, kExpressions);
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const FieldPath here = at / kExpressions / i;
    const std::string_view key = text_of(expressions[i], "key");
    TopologyValues values = check_topology_values(expressions[i], here, errors);
    add_messages(meta::check_qualified_name(key), key, here / "key", errors);
    const auto [place, is_new] = out.try_emplace(key);
    if (!is_new) errors.push_back(FieldError::duplicate(here / "key", Value::string(key)));
    place->second = std::move(values);
  }
  return out;
}

// One text for each meaning.
std::string written_term(const TopologyTerm& term) {
  std::string out;
  for (const auto& [key, values] : term) {
    value::write_json_string(key, out);
    out += ':';
    for (const std::string_view one : values) value::write_json_string(one, out);
    out += ',';
  }
  return out;
}

// As often as it repeats an earlier term.
void add_duplicates(std::size_t times, const FieldPath& at, FieldErrors& errors) {
  for (; times > 0; --times) {
    if (errors.full()) return errors.omit(times);
    errors.push_back(FieldError::duplicate(at, Value::string("")));
  }
}

}  // namespace

void check_allowed_topologies(const Value& storage_class, FieldErrors& errors) {
  const auto terms = items(storage_class, "allowedTopologies");
  std::unordered_map<std::string, std::size_t> seen;
  // kube-apiserver 1.36 starts its list of terms with an empty one for each that there is.
  seen[""] = terms.size();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const FieldPath at = at_topologies() / i;
    std::size_t& times = seen[written_term(check_topology_term(terms[i], at, errors))];
    add_duplicates(times, at / kExpressions, errors);
    ++times;
  }
}

void warn_of_allowed_topologies(const Value& storage_class, std::vector<std::string>& warnings) {
  const auto terms = items(storage_class, "allowedTopologies");
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto expressions = items(terms[i], kExpressions);
    for (std::size_t j = 0; j < expressions.size(); ++j) {
      const std::string_view message = deprecated_node_label(text_of(expressions[j], "key"));
      if (message.empty()) continue;
      const FieldPath at = at_topologies() / i / kExpressions / j / "key";
      warnings.push_back(fmt::format("{}: {}", at.to_k8s(), message));
    }
  }
}

}  // namespace strake::kinds
