#include "kinds/common_checks.h"

#include <algorithm>
#include <set>
#include <string>

#include "kinds/fields.h"
#include "meta/names.h"
#include "meta/object_meta.h"
#include "value/json_writer.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

void add_messages(const std::vector<std::string>& messages, std::string_view text,
                  const FieldPath& at, FieldErrors& errors) {
  for (const std::string& message : messages)
    errors.push_back(FieldError::invalid(at, Value::string(text), message));
}

FieldError not_supported(FieldPath at, std::string_view text,
                         std::initializer_list<std::string_view> supported) {
  const std::vector<std::string> all(supported.begin(), supported.end());
  return FieldError::not_supported(std::move(at), Value::string(text), all);
}

namespace {

meta::Messages check_port_name(std::string_view name) {
  constexpr std::size_t kMostBytes = 15;
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_known = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; };
  meta::Messages out;
  if (name.size() > kMostBytes) out.emplace_back("must be no more than 15 characters");
  if (name.empty() || !std::ranges::all_of(name, is_known)) {
    out.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!std::ranges::any_of(name, is_letter))
    out.emplace_back("must contain at least one letter (a-z)");
  if (name.contains("--")) out.emplace_back("must not contain consecutive hyphens");
  if (name.starts_with('-') || name.ends_with('-'))
    out.emplace_back("must not begin or end with a hyphen");
  return out;
}

}  // namespace

void check_port_or_name(const Value& port, const FieldPath& at, FieldErrors& errors) {
  if (port.is_string()) {
    add_messages(check_port_name(port.as_string()), port.as_string(), at, errors);
    return;
  }
  for (const std::string& message : meta::check_port(port.as_int()))
    errors.push_back(FieldError::invalid(at, port, message));
}

void check_protocol(const Value& port, const FieldPath& at, FieldErrors& errors) {
  const Value* protocol = member(port, "protocol");
  if (protocol == nullptr) return errors.push_back(FieldError::required(at / "protocol"));
  check_text_is_one_of(value::text_of(*protocol), {"SCTP", "TCP", "UDP"}, at / "protocol", errors);
}

void check_one_of(const Value& object, std::string_view key,
                  std::initializer_list<std::string_view> supported, const FieldPath& at,
                  FieldErrors& errors) {
  if (member(object, key) != nullptr)
    check_text_is_one_of(text_of(object, key), supported, at / key, errors);
}

void check_text_is_one_of(std::string_view text, std::initializer_list<std::string_view> supported,
                          const FieldPath& at, FieldErrors& errors) {
  if (std::find(supported.begin(), supported.end(), text) != supported.end()) return;
  FieldError error = not_supported(at, text, supported);
  // Choices have named types in Go, which kube-apiserver 1.36 shows as JSON.
  error.shown.emplace();
  value::write_json_string(text, *error.shown);
  errors.push_back(std::move(error));
}

void check_labels(std::span<const Member> labels, const FieldPath& at, FieldErrors& errors) {
  for (const Member& label : labels) {
    add_messages(meta::check_qualified_name(label.key), label.key, at, errors);
    const std::string_view labelled = label.value.as_string();
    add_messages(meta::check_label_value(labelled), labelled, at, errors);
  }
}

void check_label_requirement(const Value& requirement, const SelectorOptions& options,
                             const FieldPath& at, FieldErrors& errors) {
  const std::string_view op = text_of(requirement, "operator");
  const auto values = items(requirement, "values");
  if (op == "In" || op == "NotIn") {
    if (values.empty()) {
      errors.push_back(FieldError::required(at / "values",
                                            "must be specified when `operator` is 'In' or "
                                            "'NotIn'"));
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!values.empty()) {
      errors.push_back(FieldError::forbidden(at / "values",
                                             "may not be specified when `operator` is 'Exists' or "
                                             "'DoesNotExist'"));
    }
  } else if (!options.allow_unknown_operators) {
    errors.push_back(
        FieldError::invalid(at / "operator", Value::string(op), "not a valid selector operator"));
  }
  const std::string_view key = text_of(requirement, "key");
  add_messages(meta::check_qualified_name(key), key, at / "key", errors);
  if (options.allow_invalid_values) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view one = values[i].as_string();
    add_messages(meta::check_label_value(one), one, at / "values" / i, errors);
  }
}

void check_label_selector(const Value& selector, const SelectorOptions& options,
                          const FieldPath& at, FieldErrors& errors) {
  check_labels(members(selector, "matchLabels"), at / "matchLabels", errors);
  const auto expressions = items(selector, "matchExpressions");
  for (std::size_t i = 0; i < expressions.size(); ++i)
    check_label_requirement(expressions[i], options, at / "matchExpressions" / i, errors);
}

bool has_invalid_label_value(const Value& selector) {
  for (const Value& expression : items(selector, "matchExpressions")) {
    for (const Value& one : items(expression, "values")) {
      if (!meta::check_label_value(one.as_string()).empty()) return true;
    }
  }
  return false;
}

namespace {

bool is_condition_reason(std::string_view reason) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_end = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return is_letter(reason.front()) && is_end(reason.back()) &&
         std::all_of(reason.begin(), reason.end(),
                     [&](char c) { return is_end(c) || c == ',' || c == ':'; });
}

void check_condition(const Value& condition, const FieldPath& at, FieldErrors& errors) {
  constexpr std::int64_t kMaxReason = 1024;
  constexpr std::int64_t kMaxMessage = 32 * 1024;
  const std::string_view type = text_of(condition, "type");
  add_messages(meta::check_qualified_name(type), type, at / "type", errors);
  check_one_of(condition, "status", {"False", "True", "Unknown"}, at, errors);
  if (const std::int64_t generation = integer(condition, "observedGeneration"); generation < 0) {
    errors.push_back(FieldError::invalid(at / "observedGeneration", Value::integer(generation),
                                         "must be greater than or equal to zero"));
  }
  if (member(condition, "lastTransitionTime") == nullptr)
    errors.push_back(FieldError::required(at / "lastTransitionTime"));
  const std::string_view reason = text_of(condition, "reason");
  if (reason.empty()) {
    errors.push_back(FieldError::required(at / "reason"));
  } else {
    if (!is_condition_reason(reason)) {
      errors.push_back(FieldError::invalid(
          at / "reason", Value::string(reason),
          "a condition reason must start with alphabetic character, optionally followed by a "
          "string of alphanumeric characters or '_,:', and must end with an alphanumeric "
          "character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB', "
          " or 'ReasonA:ReasonB', regex used for validation is "
          "'[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"));
    }
    if (reason.size() > kMaxReason)
      errors.push_back(FieldError::too_long(at / "reason", kMaxReason));
  }
  if (text_of(condition, "message").size() > kMaxMessage)
    errors.push_back(FieldError::too_long(at / "message", kMaxMessage));
}

}  // namespace

bool is_standard_finalizer(std::string_view name) {
  return name == "kubernetes" || name == "orphan" || name == "foregroundDeletion";
}

void check_finalizer_names(const Value& object, FieldErrors& errors) {
  const std::vector<std::string_view> names = meta::ObjectMeta::of(object).finalizers();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].contains('/') || is_standard_finalizer(names[i])) continue;
    errors.push_back(
        FieldError::invalid(FieldPath() / "metadata" / "finalizers" / i, Value::string(names[i]),
                            "name is neither a standard finalizer name nor is it fully qualified"));
  }
}

void check_conditions(std::span<const Value> conditions, const FieldPath& at, FieldErrors& errors) {
  std::set<std::string_view> types;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string_view type = text_of(conditions[i], "type");
    if (!types.insert(type).second)
      errors.push_back(FieldError::duplicate(at / i / "type", Value::string(type)));
    check_condition(conditions[i], at / i, errors);
  }
}

}  // namespace strake::kinds
